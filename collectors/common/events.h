/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One group of perf events a CPU, opened anew for CPUs that come back. An event whose CPU was
 * offline in between stands still without a word if it is alone in its group: it is known by its
 * enabled time, which must grow as the clock does.
 */
#ifndef PW_COLLECTORS_EVENTS_H
#define PW_COLLECTORS_EVENTS_H

#include "collectors/common/stamp.h"
#include "lib/platform/perf.h"

struct pw_events_cpu {
	int handle; /* -1: not open */
	uint64_t enabled_ns, running_ns;
	int64_t read_ns; /* just after they were read; 0: not yet */
};

struct pw_events {
	const struct pw_perf *perf;
	pw_clock_fn clock;
	struct pw_events_cpu *cpus;
	size_t count, capacity;
	bool starting; /* what was before the next read does not matter: a run begins */
};

void pw_events_init(struct pw_events *events, const struct pw_collect *collect);
void pw_events_done(struct pw_events *events);
/* Opens, or closes and opens anew, the group with this index. */
int pw_events_open(struct pw_events *events, size_t index, unsigned cpu,
		   const struct pw_perf_event *described, size_t count, struct pw_err *err)
	pw_must_check;
/* EIO if the events counted only part of the time, EGONE if they stopped. Allocates nothing. */
int pw_events_read(struct pw_events *events, size_t index, uint64_t *values, size_t count,
		   struct pw_err *err) pw_must_check;

#endif
