// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module's parameters. Those of mode 0644 may be changed while it runs, by a write to
 * /sys/module/govlab/parameters or by the timeline.
 */
#include <linux/module.h>

#include "govlab.h"

struct lab_params lab = {
	.driver = "govlab",
	.hwmon_name = "amd_energy",
	.min_khz = 800000,
	.base_khz = 2400000,
	.max_khz = 3600000,
	.step_khz = 400000,
	.idle_mw = 500,
	.busy_mw = 9500,
	.uncore_mw = 8000,
	.dram_mw = 2000,
	.platform_mw = 5000,
	.deep_save_mw = 300,
	.range_uj = 262143328850UL, /* 2^32 - 1 units of 61035 nJ */
	.esu = 14,		    /* Intel's usual unit, 2^-14 J */
	.with_cpufreq = true,
	.with_powercap = true,
	.with_msr = true,
	.with_pmu = true,
	.with_hwmon = true,
	.with_dram = true,
	.with_cpuidle = true,
	.with_throttle = true,
	.with_uncore = true,
	.with_profile = true,
	.with_bias = true,
};

struct lab_faults lab_fault = {
	.clock_permille = 1000,
	.power_permille = 1000,
};

#define FIXED(name, type, text)                                                                    \
	module_param_named(name, lab.name, type, LAB_FILES);                                       \
	MODULE_PARM_DESC(name, text)
#define LIVE(name, type, text)                                                                     \
	module_param_named(name, lab.name, type, 0644);                                            \
	MODULE_PARM_DESC(name, text)
#define FAULT(name, type, text)                                                                    \
	module_param_named(name, lab_fault.name, type, 0644);                                      \
	MODULE_PARM_DESC(name, text)

FIXED(driver, charp,
      "name in scaling_driver; intel_pstate and amd-pstate-epp choose their own frequency");
FIXED(hwmon_name, charp, "name of the energy chip");
FIXED(shared, bool, "one policy a package instead of one a CPU");
FIXED(min_khz, uint, "lowest frequency");
FIXED(base_khz, uint, "what MPERF and the TSC count at; frequencies above are boost");
FIXED(max_khz, uint, "highest frequency");
FIXED(step_khz, uint, "between two frequencies of the table");
LIVE(idle_mw, uint, "power of a CPU, busy or not");
LIVE(busy_mw, uint, "further power of a busy CPU at max_khz; falls with the cube of the frequency");
LIVE(uncore_mw, uint, "power of the rest of a package");
LIVE(dram_mw, uint, "power of a package's busy memory; a third of it when idle");
LIVE(platform_mw, uint, "what psys holds beside packages and memory");
LIVE(deep_save_mw, uint, "what a CPU saves in the deep idle state");
FIXED(range_uj, ulong, "max_energy_range_uj of the powercap zones; a small one shows wraps");
FIXED(esu, uint, "energy unit of the registers: 2^-esu J");
FIXED(msr_start, uint, "first raw value of the 32-bit registers: near 0xffffffff shows wraps");
LIVE(slow, bool, "CPUs really get on more slowly at lower frequencies");
FIXED(amd, bool, "AMD's registers instead of Intel's");
FIXED(half_range, bool, "PMU power adds 32-bit differences sign-extended, as the kernel's does");
FIXED(with_cpufreq, bool, "a cpufreq driver; without one the kernel's is followed");
FIXED(with_powercap, bool, "control type intel-rapl");
FIXED(with_msr, bool, "/dev/cpu/N/msr");
FIXED(with_pmu, bool, "PMUs power and msr");
FIXED(with_hwmon, bool, "an energy chip and a power meter");
FIXED(with_dram, bool, "memory domains");
FIXED(with_psys, bool, "the whole platform's domain");
FIXED(with_mmio, bool, "control type intel-rapl-mmio: the packages once more");
FIXED(with_cpuidle, bool, "an idle driver with two states");
FIXED(with_throttle, bool, "thermal throttle counters");
FIXED(with_uncore, bool, "uncore frequency limits");
FIXED(with_profile, bool, "a platform profile of the firmware");
FIXED(with_bias, bool, "energy performance bias (EPB)");

FAULT(energy_errno, uint, "of reads of energy_uj");
FAULT(msr_errno, uint, "of reads of /dev/cpu/N/msr");
FAULT(hwmon_errno, uint, "of reads of both chips");
FAULT(policy_errno, uint, "of frequency changes, or of policy changes of an active driver");
FAULT(epp_errno, uint, "of writes of energy_performance_preference");
FAULT(stuck, bool, "energy counters stand still");
FAULT(throttle_khz, uint, "the clock stays at or below this whatever cpufreq asked for; 0: free");
FAULT(clock_permille, uint, "share of the requested frequency that is delivered");
FAULT(power_permille, uint, "multiplies every power");
FAULT(drift_ppm, uint, "every power grows by so much each second");

/* Events rather than values: a write does it once. */
static int set_jump(const char *text, const struct kernel_param *param)
{
	unsigned long long uj;
	int err = kstrtoull(text, 0, &uj);

	if (!err)
		lab_energy_jump(uj);
	return err;
}

static int set_reset(const char *text, const struct kernel_param *param)
{
	lab_energy_reset();
	return 0;
}

static int set_timeline(const char *text, const struct kernel_param *param)
{
	return lab_timeline_start(text);
}

static int get_nothing(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "\n");
}

static const struct kernel_param_ops jump_ops = { .set = set_jump, .get = get_nothing };
static const struct kernel_param_ops reset_ops = { .set = set_reset, .get = get_nothing };
static const struct kernel_param_ops timeline_ops = { .set = set_timeline, .get = get_nothing };

module_param_cb(jump_uj, &jump_ops, NULL, 0644);
MODULE_PARM_DESC(jump_uj, "all package counters leap forward by this");
module_param_cb(reset, &reset_ops, NULL, 0644);
MODULE_PARM_DESC(reset, "all package and memory counters start anew at 0");
module_param_cb(timeline, &timeline_ops, NULL, 0644);
MODULE_PARM_DESC(timeline, "lines of MILLISECONDS PARAMETER VALUE, counted from the write");
