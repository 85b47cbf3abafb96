/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Energy of cores from the PMU "power_core" (AMD, in newer kernels: arch/x86/events/rapl.c): one
 * event "energy-core" for each physical core, on the CPU that the PMU's cpumask names. They are
 * summed to one domain "cores-<package>" a package, which stands beside the total: the package
 * contains it. Each core's counter keeps its own account, so that no fall of one hides in the sum.
 *
 * Without a cpumask every CPU would be opened, and siblings of one core count the same: then the
 * first CPU of each core_cpus_list is taken.
 */
#ifndef PW_COLLECTORS_CORES_H
#define PW_COLLECTORS_CORES_H

#include "collectors/common/energy.h"
#include "lib/platform/perf.h"

struct pw_core {
	size_t domain; /* of the account */
	unsigned cpu;
	int handle;
	struct pw_counter counter;
};

struct pw_cores {
	const struct pw_perf *perf;
	pw_clock_fn clock;
	struct pw_core *items;
	size_t count, capacity;
	bool starting; /* the next reading begins a run */
};

void pw_cores_init(struct pw_cores *cores, const struct pw_collect *collect);
void pw_cores_done(struct pw_cores *cores);
/*
 * Opens what is there and adds its domains to the account; a machine without the PMU has none. What
 * cannot be opened is left out, with the reason: nothing counts on it.
 * The account's domains from there on are such sums.
 */
void pw_cores_open(struct pw_cores *cores, const struct pw_collect *collect,
		   struct pw_energy *energy);
/* The sum of what its cores counted since the run began. Allocates nothing. */
int pw_cores_read(struct pw_cores *cores, size_t domain, uint64_t *ret, struct pw_err *err)
	pw_must_check;

#endif
