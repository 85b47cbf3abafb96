// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An idle driver for the kernel's cpuidle: polling, a halt, and a deeper halt in which a CPU saves
 * deep_save_mw. The emulated CPU only halts; what differs is what the model makes of it.
 */
#include <linux/cpuidle.h>
#include <linux/module.h>
#include <linux/sched/idle.h>

#include "govlab.h"

/* Enabling and halting must be one step, or an interrupt between them would be slept through. */
static void halt_here(void)
{
	asm volatile("sti; hlt; cli" ::: "memory");
}

static int enter_halt(struct cpuidle_device *device, struct cpuidle_driver *driver, int index)
{
	halt_here();
	return index;
}

static int enter_deep(struct cpuidle_device *device, struct cpuidle_driver *driver, int index)
{
	u64 start = lab_now_ns();
	struct lab_cpu *cpu = this_cpu_ptr(&lab_cpus);

	halt_here();
	WRITE_ONCE(cpu->deep_ns, cpu->deep_ns + (lab_now_ns() - start));
	return index;
}

static struct cpuidle_driver driver = {
	.name = "govlab_idle",
	.owner = THIS_MODULE,
	.states = {
		{ /* polling: filled in */ },
		{ .name = "C1", .desc = "halt", .exit_latency = 2, .target_residency = 2,
		  .enter = enter_halt },
		{ .name = "C6", .desc = "deep halt", .exit_latency = 130,
		  .target_residency = 400, .enter = enter_deep },
	},
	.state_count = 3,
};
static bool registered;

int lab_idle_init(void)
{
	int err;

	cpuidle_poll_state_init(&driver);
	err = cpuidle_register(&driver, NULL);
	registered = !err;
	if (err)
		pr_warn("govlab: no idle driver: %d (is there another one?)\n", err);
	return err;
}

void lab_idle_exit(void)
{
	if (registered)
		cpuidle_unregister(&driver);
	registered = false;
}
