// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * intel_uncore_frequency/package_NN_die_00/: limits of the uncore's clock, which runs at the upper
 * one; the uncore's power falls with it. Values are cut to 100 MHz, and nothing checks that the
 * lower limit stays below the upper one, as in the original (K6.1 drivers/platform/x86/intel).
 */
#include <linux/kobject.h>
#include <linux/sysfs.h>

#include "govlab.h"

#define STEP_KHZ   100000
#define MOST_RATIO 127

enum { INITIAL_MIN, INITIAL_MAX, MIN, MAX, CURRENT, FILES };

struct limit_file {
	struct kobj_attribute attribute;
	struct place *place;
	int which;
};

struct place {
	struct kobject *folder;
	struct limit_file files[FILES];
	unsigned int min_khz, max_khz;
	struct lab_package *package;
};

static struct kobject *top;
static struct place places[LAB_PACKAGES];

static ssize_t show(struct kobject *kobj, struct kobj_attribute *attribute, char *buffer)
{
	const struct limit_file *file = container_of(attribute, struct limit_file, attribute);
	const unsigned int values[FILES] = { LAB_UNCORE_MIN_KHZ, LAB_UNCORE_MAX_KHZ,
					     file->place->min_khz, file->place->max_khz,
					     file->place->package->uncore_khz };

	return sysfs_emit(buffer, "%u\n", values[file->which]);
}

static ssize_t store(struct kobject *kobj, struct kobj_attribute *attribute, const char *buffer,
		     size_t size)
{
	const struct limit_file *file = container_of(attribute, struct limit_file, attribute);
	struct place *place = file->place;
	unsigned int khz;

	if (kstrtouint(buffer, 10, &khz) || khz / STEP_KHZ == 0 || khz / STEP_KHZ > MOST_RATIO)
		return -EINVAL;
	lab_update();
	khz -= khz % STEP_KHZ;
	if (file->which == MIN) {
		place->min_khz = khz;
		return size;
	}
	place->max_khz = khz;
	WRITE_ONCE(place->package->uncore_khz,
		   clamp_t(unsigned int, khz, LAB_UNCORE_MIN_KHZ, LAB_UNCORE_MAX_KHZ));
	return size;
}

static int add_file(struct place *place, int which)
{
	static const char *const names[FILES] = { "initial_min_freq_khz", "initial_max_freq_khz",
						  "min_freq_khz", "max_freq_khz",
						  "current_freq_khz" };
	static const umode_t modes[FILES] = { 0444, 0444, 0644, 0644, 0400 };
	struct limit_file *file = &place->files[which];

	sysfs_attr_init(&file->attribute.attr);
	file->attribute.attr.name = names[which];
	file->attribute.attr.mode = modes[which];
	file->attribute.show = show;
	file->attribute.store = modes[which] & 0200 ? store : NULL;
	file->place = place;
	file->which = which;
	return sysfs_create_file(place->folder, &file->attribute.attr);
}

int lab_uncore_init(void)
{
	char name[32];
	int err = 0;

	top = kobject_create_and_add("intel_uncore_frequency", lab_cpu_folder());
	if (!top)
		return -ENOMEM;
	for (int i = 0; !err && i < lab_package_count; i++) {
		struct place *place = &places[i];

		snprintf(name, sizeof(name), "package_%02d_die_00", i);
		place->folder = kobject_create_and_add(name, top);
		place->min_khz = LAB_UNCORE_MIN_KHZ;
		place->max_khz = LAB_UNCORE_MAX_KHZ;
		place->package = &lab_packages[i];
		err = place->folder ? 0 : -ENOMEM;
		for (int which = 0; !err && which < FILES; which++)
			err = add_file(place, which);
	}
	return err;
}

void lab_uncore_exit(void)
{
	for (int i = 0; i < LAB_PACKAGES; i++) {
		kobject_put(places[i].folder);
		places[i].folder = NULL;
	}
	kobject_put(top);
	top = NULL;
}
