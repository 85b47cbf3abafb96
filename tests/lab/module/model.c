// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The model. A CPU that is busy at frequency f draws
 *
 *	idle_mw + busy_mw * (f / max)^3
 *
 * and idle_mw when it is idle (less deep_save_mw in the deep state). A package draws its CPUs'
 * power and uncore_mw; its memory a third of dram_mw, and all of it when all CPUs are busy. APERF
 * counts f and MPERF counts base_khz while a CPU is busy. Busy is what the kernel's idle accounting
 * does not call idle.
 */
#include <linux/cpu.h>
#include <linux/cpufreq.h>
#include <linux/math64.h>
#include <linux/sched/cpufreq.h>
#include <linux/tick.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>

#include "govlab.h"

/* Below this the idle accounting, in microseconds, is too coarse to tell busy from idle. */
#define LEAST_NS 100000
/* A fault that no parameter shows: the tests must find it. */
#ifndef LAB_HIDDEN_PERMILLE
#define LAB_HIDDEN_PERMILLE 1000
#endif

DEFINE_PER_CPU(struct lab_cpu, lab_cpus);
struct lab_package lab_packages[LAB_PACKAGES];
int lab_package_count;
static DEFINE_RAW_SPINLOCK(package_lock);
static u64 package_updated_ns, platform_nj, platform_rest;
static u64 drift; /* 10^-9 of the power, by drift_ppm so far */

u64 lab_now_ns(void)
{
	return ktime_get_mono_fast_ns();
}

unsigned int lab_real_khz(const struct lab_cpu *cpu)
{
	unsigned int limit = READ_ONCE(lab_fault.throttle_khz), khz = READ_ONCE(cpu->khz);

	if (limit && limit < khz)
		khz = limit;
	return div_u64((u64)khz * READ_ONCE(lab_fault.clock_permille), 1000);
}

/* mW of a busy CPU beyond its idle power. */
static u64 busy_mw(unsigned int khz)
{
	u64 mhz = khz / 1000, max = lab.max_khz / 1000;

	return div64_u64(lab.busy_mw * mhz * mhz * mhz, max * max * max);
}

/* Adds pJ to a counter in nJ, with all that changes the power curve; the rest is kept. */
static void add_pj(u64 *nj, u64 *rest, u64 pj)
{
	u64 whole;
	u32 left;

	if (READ_ONCE(lab_fault.stuck))
		return;
	pj = mul_u64_u64_div_u64(pj, READ_ONCE(lab_fault.power_permille) * LAB_HIDDEN_PERMILLE,
				 1000000);
	pj = mul_u64_u64_div_u64(pj, NSEC_PER_SEC + READ_ONCE(drift), NSEC_PER_SEC);
	whole = div_u64_rem(pj + *rest, 1000, &left);
	*rest = left;
	WRITE_ONCE(*nj, *nj + whole);
}

/* Adds kHz * ns to a counter of cycles. */
static void add_cycles(u64 *counter, u64 *rest, u64 cycles)
{
	u32 left;

	*counter += div_u64_rem(cycles + *rest, 1000000, &left);
	*rest = left;
}

/* The sums since the last update, up to now; under the CPU's lock. */
static void integrate(struct lab_cpu *cpu, u64 now)
{
	unsigned int khz = lab_real_khz(cpu), limit = READ_ONCE(lab_fault.throttle_khz);
	bool throttled = limit && limit < cpu->khz;
	u64 ns = now > cpu->since_ns ? now - cpu->since_ns : 0;

	cpu->cycles += khz * ns;
	cpu->pj += busy_mw(khz) * ns;
	if (throttled && !cpu->throttled)
		cpu->throttle_count++;
	if (throttled)
		cpu->throttled_ns += ns;
	cpu->throttled = throttled;
	cpu->since_ns += ns;
}

void lab_set_khz(int number, unsigned int khz)
{
	struct lab_cpu *cpu = &per_cpu(lab_cpus, number);
	unsigned long flags;

	raw_spin_lock_irqsave(&cpu->lock, flags);
	integrate(cpu, lab_now_ns());
	WRITE_ONCE(cpu->khz, khz);
	raw_spin_unlock_irqrestore(&cpu->lock, flags);
}

/* Under the CPU's lock: the time since the last update into the counters. */
static void account(struct lab_cpu *cpu, u64 now, u64 idle_us)
{
	u64 ns = now - cpu->updated_ns;
	u64 idle_ns = min((idle_us > cpu->idle_us ? idle_us - cpu->idle_us : 0) * 1000, ns);
	u64 busy_ns = ns - idle_ns, deep_ns = READ_ONCE(cpu->deep_ns);
	u64 saved = lab.deep_save_mw * min(deep_ns - cpu->deep_seen_ns, idle_ns);

	integrate(cpu, now);
	cpu->busy_permille = div64_u64(busy_ns * 1000, ns);
	add_cycles(&cpu->aperf, &cpu->aperf_rest, mul_u64_u64_div_u64(cpu->cycles, busy_ns, ns));
	add_cycles(&cpu->mperf, &cpu->mperf_rest, lab.base_khz * busy_ns);
	add_pj(&cpu->core_nj, &cpu->pj_rest,
	       mul_u64_u64_div_u64(cpu->pj, busy_ns, ns) + lab.idle_mw * ns - saved);
	cpu->cycles = cpu->pj = 0;
	cpu->updated_ns = now;
	cpu->idle_us = idle_us;
	cpu->deep_seen_ns = deep_ns;
}

void lab_update_cpu(int number)
{
	struct lab_cpu *cpu = &per_cpu(lab_cpus, number);
	unsigned long flags;
	u64 wall, idle_us, now;

	raw_spin_lock_irqsave(&cpu->lock, flags);
	idle_us = get_cpu_idle_time(number, &wall, 0);
	now = lab_now_ns();
	if (now >= cpu->updated_ns + LEAST_NS)
		account(cpu, now, idle_us);
	raw_spin_unlock_irqrestore(&cpu->lock, flags);
}

static void update_package(int number, u64 ns)
{
	struct lab_package *package = &lab_packages[number];
	u64 busy = 0, cores_nj = 0;
	int cpu;

	for_each_possible_cpu(cpu)
	{
		const struct lab_cpu *one = &per_cpu(lab_cpus, cpu);

		if (one->package != number)
			continue;
		cores_nj += READ_ONCE(one->core_nj);
		if (cpu_online(cpu))
			busy += one->busy_permille;
	}
	WRITE_ONCE(package->cores_nj, cores_nj);
	add_pj(&package->uncore_nj, &package->uncore_rest,
	       mul_u64_u64_div_u64(lab.uncore_mw * ns, READ_ONCE(package->uncore_khz),
				   LAB_UNCORE_MAX_KHZ));
	add_pj(&package->dram_nj, &package->dram_rest,
	       mul_u64_u64_div_u64(lab.dram_mw * ns, 1000 + 2 * busy / max(1, package->cpus),
				   3000));
}

void lab_update(void)
{
	unsigned long flags;
	u64 now, ns;
	int i;

	for_each_online_cpu(i) lab_update_cpu(i);
	raw_spin_lock_irqsave(&package_lock, flags);
	now = lab_now_ns();
	ns = now - package_updated_ns;
	if (ns >= LEAST_NS) {
		package_updated_ns = now;
		drift = lab_fault.drift_ppm
				? drift + mul_u64_u64_div_u64(lab_fault.drift_ppm * 1000ULL, ns,
							      NSEC_PER_SEC)
				: 0;
		for (i = 0; i < lab_package_count; i++)
			update_package(i, ns);
		add_pj(&platform_nj, &platform_rest, lab.platform_mw * ns);
	}
	raw_spin_unlock_irqrestore(&package_lock, flags);
}

static u64 whole_nj(const struct lab_package *package, enum lab_domain domain)
{
	switch (domain) {
	case LAB_CORES:
		return READ_ONCE(package->cores_nj);
	case LAB_DRAM:
		return READ_ONCE(package->dram_nj);
	default:
		return READ_ONCE(package->cores_nj) + READ_ONCE(package->uncore_nj) +
		       READ_ONCE(package->jump_nj);
	}
}

u64 lab_energy_nj(int package, enum lab_domain domain)
{
	const struct lab_package *one = &lab_packages[package];

	return whole_nj(one, domain) - READ_ONCE(one->base_nj[domain]);
}

u64 lab_platform_nj(void)
{
	u64 nj = READ_ONCE(platform_nj);
	int i;

	for (i = 0; i < lab_package_count; i++)
		nj += lab_energy_nj(i, LAB_PACKAGE) + lab_energy_nj(i, LAB_DRAM);
	return nj;
}

u64 lab_core_nj(int cpu)
{
	return READ_ONCE(per_cpu(lab_cpus, cpu).core_nj);
}

u64 lab_tsc(void)
{
	return mul_u64_u64_div_u64(lab_now_ns(), lab.base_khz, 1000000);
}

u64 lab_energy_units(u64 nj, unsigned int bits)
{
	u64 whole = div_u64(nj, NSEC_PER_SEC), rest = nj - whole * NSEC_PER_SEC;

	return (whole << bits) + div_u64(rest << bits, NSEC_PER_SEC);
}

void lab_energy_jump(u64 uj)
{
	for (int i = 0; i < lab_package_count; i++)
		WRITE_ONCE(lab_packages[i].jump_nj, lab_packages[i].jump_nj + uj * 1000);
}

void lab_energy_reset(void)
{
	lab_update();
	for (int i = 0; i < lab_package_count; i++) {
		for (int domain = 0; domain < LAB_DOMAINS; domain++)
			WRITE_ONCE(lab_packages[i].base_nj[domain],
				   whole_nj(&lab_packages[i], domain));
	}
}

/* On the CPU that comes. */
void lab_model_online(int number)
{
	struct lab_cpu *cpu = &per_cpu(lab_cpus, number);
	unsigned long flags;
	u64 wall;

	raw_spin_lock_irqsave(&cpu->lock, flags);
	cpu->idle_us = get_cpu_idle_time(number, &wall, 0);
	cpu->since_ns = cpu->updated_ns = lab_now_ns();
	cpu->cycles = cpu->pj = 0;
	raw_spin_unlock_irqrestore(&cpu->lock, flags);
}

int lab_model_init(void)
{
	int cpu, package;

	for_each_possible_cpu(cpu)
	{
		struct lab_cpu *one = &per_cpu(lab_cpus, cpu);

		raw_spin_lock_init(&one->lock);
		one->khz = lab.base_khz;
		one->epp = 128;
		one->package = 0;
	}
	for_each_online_cpu(cpu)
	{
		package = topology_logical_package_id(cpu);
		if (package < 0 || package >= LAB_PACKAGES)
			return -ERANGE;
		per_cpu(lab_cpus, cpu).package = package;
		if (!lab_packages[package].cpus++)
			lab_packages[package].first_cpu = cpu;
		lab_packages[package].uncore_khz = LAB_UNCORE_MAX_KHZ;
		lab_package_count = max(lab_package_count, package + 1);
	}
	package_updated_ns = lab_now_ns();
	return 0;
}
