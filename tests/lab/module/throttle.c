// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpuN/thermal_throttle/ as the kernel's therm_throt makes it (K6.1 drivers/thermal/intel): it
 * counts how often throttle_khz came to hold a CPU below its request, and for how long.
 */
#include <linux/cpu.h>
#include <linux/device.h>
#include <linux/math64.h>
#include <linux/sysfs.h>

#include "govlab.h"

static u64 of_cpu(int cpu, bool time)
{
	const struct lab_cpu *one = &per_cpu(lab_cpus, cpu);

	return time ? div_u64(one->throttled_ns, NSEC_PER_MSEC) : one->throttle_count;
}

/* A package is throttled when one of its CPUs is: the most of any counts. */
static u64 of_package(int package, bool time)
{
	u64 most = 0;
	int cpu;

	for_each_possible_cpu(cpu)
	{
		if (per_cpu(lab_cpus, cpu).package == package)
			most = max(most, of_cpu(cpu, time));
	}
	return most;
}

static ssize_t show(const struct device *device, char *buffer, bool package, bool time)
{
	int cpu = device->id;

	lab_update();
	return sysfs_emit(buffer, "%llu\n",
			  package ? of_package(per_cpu(lab_cpus, cpu).package, time)
				  : of_cpu(cpu, time));
}

#define COUNTER(name, package, time)                                                               \
	static ssize_t name##_show(struct device *device, struct device_attribute *attribute,      \
				   char *buffer)                                                   \
	{                                                                                          \
		return show(device, buffer, package, time);                                        \
	}                                                                                          \
	static DEVICE_ATTR_RO(name)

COUNTER(core_throttle_count, false, false);
COUNTER(core_throttle_total_time_ms, false, true);
COUNTER(package_throttle_count, true, false);
COUNTER(package_throttle_total_time_ms, true, true);

static struct attribute *files[] = { &dev_attr_core_throttle_count.attr,
				     &dev_attr_core_throttle_total_time_ms.attr,
				     &dev_attr_package_throttle_count.attr,
				     &dev_attr_package_throttle_total_time_ms.attr, NULL };
static const struct attribute_group group = { .name = "thermal_throttle", .attrs = files };
static struct cpumask there;

int lab_throttle_init(void)
{
	int cpu;

	for_each_online_cpu(cpu)
	{
		struct device *device = get_cpu_device(cpu);

		if (device && !sysfs_create_group(&device->kobj, &group))
			cpumask_set_cpu(cpu, &there);
	}
	return 0;
}

void lab_throttle_exit(void)
{
	int cpu;

	for_each_cpu(cpu, &there) sysfs_remove_group(&get_cpu_device(cpu)->kobj, &group);
	cpumask_clear(&there);
}
