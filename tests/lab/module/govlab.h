/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * govlab: a simulated processor-power platform. It registers, with the kernel's own frameworks,
 * what a tool reads and writes on real hardware; one model feeds them all, so that every source
 * tells the same story (docs/lab.md).
 */
#ifndef GOVLAB_H
#define GOVLAB_H

#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/percpu.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#define LAB_PACKAGES 8
#define LAB_FILES    0444 /* mode of a parameter that is fixed when the module is loaded */

enum lab_domain { LAB_CORES, LAB_DRAM, LAB_PACKAGE, LAB_DOMAINS };

/* Of one package. How params.c presents them is said there. */
struct lab_params {
	char *driver, *hwmon_name;
	unsigned int min_khz, base_khz, max_khz, step_khz;
	unsigned int idle_mw, busy_mw, uncore_mw, dram_mw, platform_mw, deep_save_mw;
	unsigned long range_uj;
	unsigned int esu, msr_start;
	bool shared, slow, amd, half_range;
	bool with_cpufreq, with_powercap, with_msr, with_pmu, with_hwmon, with_dram;
	bool with_psys, with_mmio, with_cpuidle, with_throttle, with_uncore, with_profile,
		with_bias;
};

/* Changed while it runs. Errors are errno values as positive numbers, 0 = none. */
struct lab_faults {
	unsigned int energy_errno, msr_errno, hwmon_errno, policy_errno, epp_errno;
	bool stuck;
	unsigned int throttle_khz, clock_permille, power_permille, drift_ppm;
};

extern struct lab_params lab;
extern struct lab_faults lab_fault;

struct lab_cpu {
	raw_spinlock_t lock;
	int package;
	unsigned int khz;	    /* what cpufreq asked for */
	unsigned int epp;	    /* 0 to 255, of the active drivers */
	u64 since_ns;		    /* the two sums below reach to here */
	u64 cycles;		    /* kHz * ns since the last update, if always busy */
	u64 pj;			    /* mW * ns since the last update, if always busy */
	u64 updated_ns, idle_us;    /* at the last update */
	u64 aperf, mperf, core_nj;  /* the counters */
	u64 aperf_rest, mperf_rest; /* 10^-6 cycles */
	u64 pj_rest;
	u64 deep_ns, deep_seen_ns; /* in the deep idle state; so much is accounted for */
	u64 throttled_ns, throttle_count;
	bool throttled;
	unsigned int busy_permille; /* of the time between the last two updates */
	/* slow.c */
	struct hrtimer thief;
	u64 out_ns, out_idle_us;
};

struct lab_package {
	int first_cpu, cpus;
	u64 cores_nj, dram_nj, uncore_nj, dram_rest, uncore_rest; /* rests in pJ */
	u64 jump_nj;
	u64 base_nj[LAB_DOMAINS]; /* what a reset took away */
	unsigned int uncore_khz;  /* share of LAB_UNCORE_MAX_KHZ in which the uncore draws power */
};

#define LAB_UNCORE_MAX_KHZ 2400000
#define LAB_UNCORE_MIN_KHZ 1200000

DECLARE_PER_CPU(struct lab_cpu, lab_cpus);
extern struct lab_package lab_packages[LAB_PACKAGES];
extern int lab_package_count;

/* model.c: the law of power, and the counters */
u64 lab_now_ns(void);
int lab_model_init(void);
void lab_model_online(int cpu);
/* The clock that the CPU really runs at: the request, less what throttling takes. */
unsigned int lab_real_khz(const struct lab_cpu *cpu);
void lab_set_khz(int cpu, unsigned int khz);
/* Brings all counters up to now; any context. */
void lab_update(void);
void lab_update_cpu(int cpu);
u64 lab_energy_nj(int package, enum lab_domain domain);
u64 lab_platform_nj(void);
u64 lab_core_nj(int cpu);
u64 lab_tsc(void);
/* Units of 2^-bits J. */
u64 lab_energy_units(u64 nj, unsigned int bits);
void lab_energy_jump(u64 uj);
void lab_energy_reset(void);

/* Each part starts on its own; what cannot start says why and stays out. */
int lab_slow_init(void);
void lab_slow_exit(void);
int lab_timeline_start(const char *text);
void lab_timeline_exit(void);
int lab_cpufreq_init(void);
void lab_cpufreq_exit(void);
bool lab_has_cpufreq(void);
void lab_active_step(void);
bool lab_no_turbo(void);
int lab_powercap_init(void);
void lab_powercap_exit(void);
int lab_msr_init(void);
void lab_msr_exit(void);
void lab_msr_online(int cpu, bool online);
int lab_pmu_init(void);
void lab_pmu_exit(void);
int lab_hwmon_init(struct device *parent);
void lab_hwmon_exit(void);
int lab_throttle_init(void);
void lab_throttle_exit(void);
int lab_uncore_init(void);
void lab_uncore_exit(void);
int lab_profile_init(void);
void lab_profile_exit(void);
int lab_bias_init(void);
void lab_bias_exit(void);
int lab_idle_init(void);
void lab_idle_exit(void);

/* The folder /sys/devices/system/cpu. */
struct kobject *lab_cpu_folder(void);

#endif
