/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lowest frequency that was asked of the processor: below it, busy CPUs say that something
 * (heat, a power limit, the firmware) held them back. For each active cpufreq policy it is
 *
 *   scaling_min_freq, or, under the governor performance, the lower one of scaling_max_freq and the
 *   base frequency (what lies above the base is given only while there is room for it);
 *
 * at most max_perf_pct of cpuinfo_max_freq where intel_pstate has that limit (kernel
 * Documentation/admin-guide/pm/intel_pstate.rst): the policies' files do not show it.
 */
#ifndef PW_COLLECTORS_FLOOR_H
#define PW_COLLECTORS_FLOOR_H

#include "lib/base/fs.h"

/* A shortfall is said from here on, and only of CPUs that were busy enough to mean it. */
#define PW_FLOOR_SHORTFALL 0.03
#define PW_FLOOR_BUSY_PCT  5.0

struct pw_floor {
	char policy[32];
	unsigned *cpus; /* owned */
	size_t cpu_count;
	double min_mhz;	   /* scaling_min_freq */
	double pinned_mhz; /* scaling_max_freq under the governor performance; else 0 */
	double base_mhz;   /* base_frequency; 0: not given */
	double cap_mhz;	   /* by max_perf_pct; 0: none */
};

struct pw_floors {
	struct pw_floor *items;
	size_t count, capacity;
};

/* What policies there are now; a machine without any has none. Allocates. */
void pw_floors_read(const struct pw_root *root, struct pw_floors *ret);
void pw_floors_done(struct pw_floors *floors);
/*
 * The floor that held both then and now, MHz; 0: none. `nominal_mhz` serves as the base where no
 * base_frequency is given (0: unknown).
 */
double pw_floor_mhz(const struct pw_floors *then, const struct pw_floor *now, double nominal_mhz);

#endif
