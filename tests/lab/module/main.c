// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/cpu.h>
#include <linux/cpufreq.h>
#include <linux/device.h>
#include <linux/module.h>
#include <linux/version.h>
#include <linux/workqueue.h>

#include "govlab.h"

#define TICK_MS 20

static struct platform_device *device;
static void tick(struct work_struct *work);
static DECLARE_DELAYED_WORK(ticks, tick);

struct kobject *lab_cpu_folder(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
	return &cpu_subsys.dev_root->kobj;
#else
	struct device *root = bus_get_dev_root(&cpu_subsys);
	struct kobject *folder = &root->kobj;

	put_device(root); /* the subsystem itself keeps it */
	return folder;
#endif
}

/* Without a driver of ours: at what the kernel's asked for last. */
static void follow(void)
{
	int cpu;

	for_each_online_cpu(cpu)
	{
		unsigned int khz = cpufreq_quick_get(cpu);

		lab_set_khz(cpu, khz ? min(khz, lab.max_khz) : lab.base_khz);
	}
}

static void tick(struct work_struct *work)
{
	lab_update();
	if (lab_has_cpufreq())
		lab_active_step();
	else
		follow();
	schedule_delayed_work(&ticks, msecs_to_jiffies(TICK_MS));
}

static int check_params(void)
{
	if (lab.min_khz < 1000 || lab.step_khz == 0 || lab.min_khz > lab.base_khz ||
	    lab.base_khz > lab.max_khz || lab.esu > 31 || lab.range_uj == 0)
		return -EINVAL;
	return 0;
}

static void start_parts(void)
{
	if (lab.with_cpufreq)
		lab_cpufreq_init();
	if (lab.with_powercap)
		lab_powercap_init();
	if (lab.with_pmu)
		lab_pmu_init();
	if (lab.with_hwmon)
		lab_hwmon_init(&device->dev);
	if (lab.with_throttle)
		lab_throttle_init();
	if (lab.with_uncore)
		lab_uncore_init();
	if (lab.with_profile)
		lab_profile_init();
	if (lab.with_bias)
		lab_bias_init();
	if (lab.with_cpuidle)
		lab_idle_init();
}

static int __init govlab_init(void)
{
	int err = check_params() ?: lab_model_init();

	if (err)
		return err;
	device = platform_device_register_simple("govlab", -1, NULL, 0);
	if (IS_ERR(device))
		return PTR_ERR(device);
	if (lab.with_msr)
		lab_msr_init();
	err = lab_slow_init();
	if (err) {
		lab_msr_exit();
		platform_device_unregister(device);
		return err;
	}
	start_parts();
	schedule_delayed_work(&ticks, 1);
	return 0;
}

static void __exit govlab_exit(void)
{
	lab_timeline_exit();
	cancel_delayed_work_sync(&ticks);
	lab_idle_exit();
	lab_bias_exit();
	lab_profile_exit();
	lab_uncore_exit();
	lab_throttle_exit();
	lab_hwmon_exit();
	lab_pmu_exit();
	lab_powercap_exit();
	lab_cpufreq_exit();
	lab_slow_exit();
	lab_msr_exit();
	platform_device_unregister(device);
}

module_init(govlab_init);
module_exit(govlab_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("simulated processor-power platform for tests");
