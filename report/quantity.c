/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/quantity.h"

#include <string.h>

#include "lib/base/mem.h"

/* How long it took to answer, not how much was done: nothing to divide energy by. */
static bool latency_like(const char *metric)
{
	return strncmp(metric, "latency", 7) == 0 || strcmp(metric, "misses") == 0 ||
	       strcmp(metric, "fairness") == 0;
}

static char *why_no_energy(const struct pw_run *run)
{
	return pw_sprintf("no energy: %s", run->energy_why ? run->energy_why : "none recorded");
}

static char *why_no_work(const struct pw_run *run)
{
	if (run->whole_window)
		return pw_strdup("window: the whole command, not a timed part");
	if (!(run->work > 0))
		return pw_strdup("the amount of work is not recorded");
	return NULL;
}

/* 1/J for fixed work; work/J where time or rate is fixed. The direction has no say in it. */
static double ppw(const struct pw_run *run, char **ret_why)
{
	if (latency_like(run->metric)) {
		*ret_why = pw_sprintf("%s is a latency: no performance per watt", run->metric);
		return 0;
	}
	if (run->kind == PW_KIND_UNSET) {
		*ret_why = pw_strdup("kind of run (fixed-work, fixed-time, fixed-rate) not known");
		return 0;
	}
	if (run->kind == PW_KIND_FIXED_WORK)
		return 1 / run->energy_j;
	*ret_why = why_no_work(run);
	return *ret_why ? 0 : run->work / run->energy_j;
}

static double energy_per_work(const struct pw_run *run, char **ret_why)
{
	if (run->kind == PW_KIND_FIXED_WORK)
		return run->energy_j;
	*ret_why = why_no_work(run);
	return *ret_why ? 0 : run->energy_j / run->work;
}

double pw_run_quantity(const struct pw_run *run, enum pw_quantity quantity, char **ret_why)
{
	if (quantity == PW_QUANTITY_PERFORMANCE)
		return run->value;
	if (!(run->energy_j > 0)) {
		*ret_why = why_no_energy(run);
		return 0;
	}
	if (quantity == PW_QUANTITY_PPW)
		return ppw(run, ret_why);
	if (quantity == PW_QUANTITY_ENERGY)
		return energy_per_work(run, ret_why);
	if (!(run->window_s > 0)) {
		*ret_why = pw_strdup("the length of the window is not recorded");
		return 0;
	}
	return run->energy_j / run->window_s;
}
