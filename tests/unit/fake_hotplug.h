/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model of what the kernel does when CPUs go and come, on top of a fake machine with one policy a
 * CPU and two threads a core (N and N + cpus / 2): kernel/cpu.c, drivers/cpufreq/cpufreq.c and
 * cpufreq_governor.c. The rules:
 *
 *   - smt/control off takes the siblings down and refuses them (EPERM); on brings every present CPU
 *     up (x86 before Linux 6.6), also those taken down one by one;
 *   - the files of a policy whose CPU is offline give EBUSY; a CPU that returns finds the default
 *     governor, and its idle states enabled;
 *   - the tunables of a governor are there while a policy is in it, and have their defaults anew;
 *   - the last CPU stays (EBUSY).
 */
#ifndef PW_TEST_FAKE_HOTPLUG_H
#define PW_TEST_FAKE_HOTPLUG_H

#include "fake_hotplug_cpus.h"

/* "/sys/.../cpuN/FILE" or "/sys/.../cpufreq/policyN/FILE" */
static inline bool hotplug_numbered(const char *path, const char *prefix, unsigned *ret,
				    const char **file)
{
	size_t length = strlen(prefix);
	char *end;

	if (strncmp(path, prefix, length) != 0 || path[length] < '0' || path[length] > '9')
		return false;
	end = strchr(path + length, '/');
	*ret = (unsigned)(path[length] - '0');
	*file = end ? end + 1 : "";
	return true;
}

static inline ssize_t hotplug_read(const struct pw_root *root, const char *path, char *buffer,
				   size_t size)
{
	const struct hotplug *model = root->context;
	const char *file;
	unsigned number;

	if (hotplug_numbered(path, PW_CPUFREQ_DIR "/policy", &number, &file) &&
	    !hotplug_is_on(model, number))
		return -EBUSY;
	if (hotplug_numbered(path, PW_CPU_DIR "/cpu", &number, &file) &&
	    strncmp(file, "topology/", 9) == 0 && !hotplug_is_on(model, number))
		return -ENOENT;
	return pw_fs_real.read(root, path, buffer, size);
}

static inline int hotplug_tunable(struct hotplug *model, const char *path, const char *text)
{
	const char *name = strrchr(path, '/') + 1;
	struct pw_err err;
	uint64_t number;

	if (pw_parse_u64(text, &number, &err) < 0 ||
	    (strcmp(name, "sampling_rate") == 0 && number < 8000))
		return -EINVAL;
	if (strcmp(name, "powersave_bias") == 0 && number > 1000)
		text = "1000";
	if (strstr(path, "/conservative/")) {
		bool up = strcmp(name, "up_threshold") == 0;
		uint64_t other = 0;

		fake_must(pw_attr_read_u64(&model->fake.root,
					   up ? PW_CPUFREQ_DIR "/conservative/down_threshold"
					      : PW_CPUFREQ_DIR "/conservative/up_threshold",
					   &other, &err),
			  &err);
		if (up ? number <= other : number >= other)
			return -EINVAL;
	}
	fake_set(&model->fake, path, text);
	return 0;
}

static inline int hotplug_policy_write(struct hotplug *model, unsigned policy, const char *path,
				       const char *file, const char *text)
{
	if (!hotplug_is_on(model, policy))
		return -EBUSY;
	fake_set(&model->fake, path, text);
	if (strcmp(file, "scaling_governor") == 0)
		hotplug_sync(model);
	return 0;
}

static inline int hotplug_cpu_write(struct hotplug *model, unsigned cpu, const char *path,
				    const char *file, const char *text)
{
	if (strcmp(file, "online") == 0)
		return hotplug_set(model, cpu, strcmp(text, "1") == 0);
	if (strstr(file, "/disable") && model->idle_errno)
		return -model->idle_errno;
	if (strstr(file, "/disable") && model->stuck && cpu == model->stuck)
		return 0;
	fake_set(&model->fake, path, text);
	return 0;
}

static inline ssize_t hotplug_write(const struct pw_root *root, const char *path, const char *text,
				    size_t length)
{
	struct hotplug *model = root->context;
	const char *file;
	unsigned number;
	int r = 0;

	if (!pw_root_exists(root, path))
		return -ENOENT;
	if (hotplug_numbered(path, PW_CPUFREQ_DIR "/policy", &number, &file))
		r = hotplug_policy_write(model, number, path, file, text);
	else if (hotplug_numbered(path, PW_CPU_DIR "/cpu", &number, &file))
		r = hotplug_cpu_write(model, number, path, file, text);
	else if (strcmp(path, PW_SMT_CONTROL) == 0)
		r = hotplug_smt(model, text);
	else if (strncmp(path, PW_CPUFREQ_DIR "/", sizeof(PW_CPUFREQ_DIR)) == 0 &&
		 strchr(path + sizeof(PW_CPUFREQ_DIR), '/'))
		r = hotplug_tunable(model, path, text);
	else
		fake_set(&model->fake, path, text);
	return r < 0 ? r : (ssize_t)length;
}

static const struct pw_fs_ops hotplug_ops = { .read = hotplug_read, .write = hotplug_write };

/* intel-passive: four CPUs, 0 with 2 and 1 with 3, all in schedutil. */
static inline void hotplug_open(struct hotplug *model)
{
	*model = (struct hotplug){ .cpus = 4 };
	fake_open(&model->fake, "intel-passive");
	model->fake.root.ops = &hotplug_ops;
	model->fake.root.context = model;
	hotplug_lists(model);
}

static inline void hotplug_close(struct hotplug *model)
{
	fake_close(&model->fake);
}

#endif
