// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Real slowness. A timer on every CPU lets it run for a while at the speed that it has and then
 * holds it until as much time has passed as a CPU of the simulated frequency would have needed.
 * That counts as busy time, as it would on a slow CPU. A timer that comes late only makes a longer
 * turn: what was run and what must be held are measured, not assumed.
 */
#include <linux/cpu.h>
#include <linux/cpufreq.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/tick.h>

#include "govlab.h"

/* One turn: running and holding. The longest hold keeps other interrupts waiting. */
#define TURN_NS	     4000000
#define MOST_HELD_NS 20000000
/* How often to look whether `slow` has been switched on. */
#define UNUSED_NS 100000000

/* Reading the clock costs the emulator far more than counting does. */
static void hold_until(u64 end)
{
	while (lab_now_ns() < end) {
		unsigned long count = 100;

		asm volatile("1: dec %0; jnz 1b" : "+r"(count));
	}
}

static enum hrtimer_restart take_turn(struct hrtimer *timer)
{
	struct lab_cpu *cpu = container_of(timer, struct lab_cpu, thief);
	unsigned int khz = clamp(lab_real_khz(cpu), lab.max_khz / 50, lab.max_khz);
	u64 now = lab_now_ns(), wall;
	u64 idle_ns = (get_cpu_idle_time(smp_processor_id(), &wall, 0) - cpu->out_idle_us) * 1000;
	u64 run = now - cpu->out_ns;
	bool slow = READ_ONCE(lab.slow);

	run -= min(run, idle_ns);
	if (slow && !is_idle_task(current))
		hold_until(now + min_t(u64, mul_u64_u64_div_u64(run, lab.max_khz - khz, khz),
				       MOST_HELD_NS));
	cpu->out_ns = lab_now_ns();
	cpu->out_idle_us = get_cpu_idle_time(smp_processor_id(), &wall, 0);
	run = slow ? mul_u64_u64_div_u64(TURN_NS, khz, lab.max_khz) : UNUSED_NS;
	hrtimer_set_expires(timer, ktime_add_ns(ktime_get(), run));
	return HRTIMER_RESTART;
}

static int begin(unsigned int number)
{
	struct lab_cpu *cpu = &per_cpu(lab_cpus, number);
	u64 wall;

	lab_model_online(number);
	lab_msr_online(number, true);
	cpu->out_ns = lab_now_ns();
	cpu->out_idle_us = get_cpu_idle_time(number, &wall, 0);
	hrtimer_init(&cpu->thief, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	cpu->thief.function = take_turn;
	hrtimer_start(&cpu->thief, ns_to_ktime(TURN_NS), HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

static int end(unsigned int number)
{
	lab_update_cpu(number);
	lab_msr_online(number, false);
	hrtimer_cancel(&per_cpu(lab_cpus, number).thief);
	return 0;
}

static int state;

/* What belongs to CPUs that come and go: their timers, their accounts, their MSR devices. */
int lab_slow_init(void)
{
	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "govlab:online", begin, end);
	return min(state, 0);
}

void lab_slow_exit(void)
{
	if (state > 0)
		cpuhp_remove_state(state);
}
