/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/noise_shares.h"

#include <math.h>

#include "lib/base/clock.h"
#include "lib/base/text.h"

#define SUSPEND_NS (10 * PW_NS_PER_MS)
/*
 * /proc/stat charges a whole tick to whoever runs when it comes: a count of n is uncertain by
 * about sqrt(n). Twice that is taken off before anything is held against others.
 */
#define SIGMAS 2.0
/* A counter that the kernel sums in ns and shows in ticks is rounded at both ends; the roundings
 * of many processes add up like their root. */
#define ROUNDED 2.0

bool pw_was_suspended(int64_t suspended_ns)
{
	return suspended_ns > SUSPEND_NS;
}

static double positive(double value)
{
	return value > 0 ? value : 0;
}

/*
 * Interrupts are left out: they are charged to whom they hit on some kernels and to nobody on
 * others (CONFIG_IRQ_TIME_ACCOUNTING), so they would show as others' time of a busy network.
 */
static double busy_of_others(const struct pw_interval *interval)
{
	const struct pw_cpu_times *passed = &interval->passed;
	double busy = (double)passed->user + (double)passed->nice + (double)passed->system;
	double tree = (double)interval->tree_ns / (double)PW_NS_PER_S * (double)interval->tick_rate;

	return positive(busy - tree - (double)interval->use.own - (double)interval->use.kernel);
}

void pw_noise_name(const struct pw_process *process, char *ret, size_t size)
{
	pw_auto_strbuf struct pw_strbuf name = PW_STRBUF_INIT;

	pw_text_escape(&name, process->name);
	(void)snprintf(ret, size, "%s", pw_strbuf_text(&name));
}

static void set_heaviest(const struct pw_interval *interval, struct pw_noise_shares *ret)
{
	double cpu = (double)interval->ns / (double)PW_NS_PER_S * (double)interval->tick_rate;

	if (!interval->use.process || cpu <= 0)
		return;
	ret->heaviest = (double)interval->use.heaviest / cpu;
	ret->pid = interval->use.process->pid;
	pw_noise_name(interval->use.process, ret->name, sizeof(ret->name));
}

/*
 * Two views of the same: what is left of the machine's busy time, which also holds processes that
 * came and went, and the sum over the processes that are there, which is exact but for ticks.
 */
void pw_noise_shares(const struct pw_interval *interval, struct pw_noise_shares *ret)
{
	double total = (double)pw_cpu_times_total(&interval->passed);
	double left = interval->by_processes ? 0 : busy_of_others(interval);
	double summed = (double)interval->use.others;
	double sure_left = positive(left - SIGMAS * sqrt(total));
	double sure_summed = positive(summed - SIGMAS * sqrt((double)interval->use.movers));

	*ret = (struct pw_noise_shares){ 0 };
	if (total <= 0)
		return;
	ret->known = true;
	ret->others = fmin(fmax(left, summed) / total, 1);
	ret->sure_others = fmin(fmax(sure_left, sure_summed) / total, 1);
	ret->steal = (double)interval->passed.steal / total;
	ret->sure_steal = positive((double)interval->passed.steal - ROUNDED) / total;
	ret->iowait = (double)interval->passed.iowait / total;
	ret->kernel = fmin((double)interval->use.kernel / total, 1);
	set_heaviest(interval, ret);
}

void pw_noise_beyond(const struct pw_noise_shares *shares, const struct pw_config *config,
		     struct pw_strv *texts)
{
	if (!shares->known)
		return;
	if (shares->sure_others > config->noise.load)
		pw_strv_pushf(texts,
			      "noise: others used %.1f %% of the CPUs' time (the limit is %g %%)",
			      100 * shares->others, 100 * config->noise.load);
	if (shares->pid && shares->heaviest > config->noise.process)
		pw_strv_pushf(texts,
			      "noise: %s (pid %d) used %.0f %% of a CPU (the limit is %g %%)",
			      shares->name, (int)shares->pid, 100 * shares->heaviest,
			      100 * config->noise.process);
	if (shares->sure_steal > config->noise.steal)
		pw_strv_pushf(texts,
			      "noise: the hypervisor took %.1f %% of the CPUs' time (the limit is "
			      "%g %%)",
			      100 * shares->steal, 100 * config->noise.steal);
}
