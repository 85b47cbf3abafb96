// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpuN/power/energy_perf_bias as the kernel's intel_epb makes it (K6.1 arch/x86/kernel/cpu): words
 * or 0 to 15 are taken, a word is shown where the number has one. It changes nothing.
 */
#include <linux/cpu.h>
#include <linux/device.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "govlab.h"

#define MOST 15

static const char *const words[] = { "performance", "balance-performance", "normal",
				     "balance-power", "power" };
static const u8 values[] = { 0, 4, 6, 8, 15 };
static u8 biases[NR_CPUS];
static struct cpumask there;

static ssize_t energy_perf_bias_show(struct device *device, struct device_attribute *attribute,
				     char *buffer)
{
	unsigned int bias = biases[device->id];

	for (int i = 0; i < ARRAY_SIZE(values); i++) {
		if (values[i] == bias)
			return sysfs_emit(buffer, "%s\n", words[i]);
	}
	return sysfs_emit(buffer, "%u\n", bias);
}

static ssize_t energy_perf_bias_store(struct device *device, struct device_attribute *attribute,
				      const char *buffer, size_t size)
{
	int i = __sysfs_match_string(words, ARRAY_SIZE(words), buffer);
	u8 value;

	if (i >= 0)
		value = values[i];
	else if (kstrtou8(buffer, 0, &value) || value > MOST)
		return -EINVAL;
	biases[device->id] = value;
	return size;
}

static DEVICE_ATTR_RW(energy_perf_bias);

/* Into the folder power/ that the device has already. */
int lab_bias_init(void)
{
	int cpu;

	for_each_online_cpu(cpu)
	{
		struct device *device = get_cpu_device(cpu);

		biases[cpu] = 6;
		if (device && !sysfs_add_file_to_group(&device->kobj,
						       &dev_attr_energy_perf_bias.attr, "power"))
			cpumask_set_cpu(cpu, &there);
	}
	return 0;
}

void lab_bias_exit(void)
{
	int cpu;

	for_each_cpu(cpu, &there) sysfs_remove_file_from_group(
		&get_cpu_device(cpu)->kobj, &dev_attr_energy_perf_bias.attr, "power");
	cpumask_clear(&there);
}
