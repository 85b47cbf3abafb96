/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All clients' counters at one moment; the window is what lies between two of these. */
#ifndef PW_WORKLOADS_ENGINE_SNAPSHOT_H
#define PW_WORKLOADS_ENGINE_SNAPSHOT_H

#include "workloads/engine/outcome.h"
#include "workloads/engine/shared.h"

struct pw_snapshot {
	int64_t time_ns; /* CLOCK_MONOTONIC */
	unsigned clients;
	struct {
		uint64_t operations, bytes, passes;
	} client[];
};

/* Freed with free(). */
struct pw_snapshot *pw_snapshot_new(unsigned clients) __attribute__((returns_nonnull));
void pw_snapshot_take(struct pw_snapshot *snapshot, struct pw_shared *shared);
/* Fills window, operations, bytes, passes and the extremes of the clients. */
void pw_snapshot_difference(const struct pw_snapshot *begin, const struct pw_snapshot *end,
			    struct pw_outcome *outcome);
/* Fills latencies and start skew, once the clients have ended. */
void pw_snapshot_totals(struct pw_shared *shared, struct pw_outcome *outcome);

#endif
