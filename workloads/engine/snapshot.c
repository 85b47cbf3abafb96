/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/snapshot.h"

#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"

struct pw_snapshot *pw_snapshot_new(unsigned clients)
{
	struct pw_snapshot *snapshot =
		pw_new(1, sizeof(*snapshot) + clients * sizeof(snapshot->client[0]));

	snapshot->clients = clients;
	return snapshot;
}

void pw_snapshot_take(struct pw_snapshot *snapshot, struct pw_shared *shared)
{
	snapshot->time_ns = pw_clock_monotonic();
	for (unsigned i = 0; i < snapshot->clients; i++) {
		struct pw_client_stats *stats = &shared->client[i];

		snapshot->client[i].operations =
			atomic_load_explicit(&stats->operations, memory_order_relaxed);
		snapshot->client[i].bytes =
			atomic_load_explicit(&stats->bytes, memory_order_relaxed);
		snapshot->client[i].passes =
			atomic_load_explicit(&stats->passes, memory_order_relaxed);
	}
}

static void add_extremes(uint64_t value, uint64_t *least, uint64_t *most)
{
	if (value < *least)
		*least = value;
	if (value > *most)
		*most = value;
}

void pw_snapshot_difference(const struct pw_snapshot *begin, const struct pw_snapshot *end,
			    struct pw_outcome *outcome)
{
	uint64_t *n = outcome->numbers;

	n[PW_OUTCOME_WINDOW_NS] = (uint64_t)(end->time_ns - begin->time_ns);
	n[PW_OUTCOME_CLIENT_OPERATIONS_MIN] = UINT64_MAX;
	n[PW_OUTCOME_CLIENT_BYTES_MIN] = UINT64_MAX;
	for (unsigned i = 0; i < begin->clients; i++) {
		uint64_t operations = end->client[i].operations - begin->client[i].operations;
		uint64_t bytes = end->client[i].bytes - begin->client[i].bytes;

		n[PW_OUTCOME_OPERATIONS] += operations;
		n[PW_OUTCOME_BYTES] += bytes;
		n[PW_OUTCOME_PASSES] += end->client[i].passes - begin->client[i].passes;
		add_extremes(operations, &n[PW_OUTCOME_CLIENT_OPERATIONS_MIN],
			     &n[PW_OUTCOME_CLIENT_OPERATIONS_MAX]);
		add_extremes(bytes, &n[PW_OUTCOME_CLIENT_BYTES_MIN],
			     &n[PW_OUTCOME_CLIENT_BYTES_MAX]);
	}
}

void pw_snapshot_totals(struct pw_shared *shared, struct pw_outcome *outcome)
{
	struct pw_loghist *all = pw_new(1, sizeof(*all));
	uint64_t first = UINT64_MAX, last = 0;
	uint64_t *n = outcome->numbers;

	for (unsigned i = 0; i < shared->clients; i++) {
		struct pw_client_stats *stats = &shared->client[i];

		pw_loghist_merge(all, &stats->latency);
		add_extremes((uint64_t)atomic_load(&stats->started_ns), &first, &last);
	}
	n[PW_OUTCOME_SKEW_NS] = last - first;
	n[PW_OUTCOME_LATENCY_P50_NS] = pw_loghist_quantile(all, 0.50);
	n[PW_OUTCOME_LATENCY_P95_NS] = pw_loghist_quantile(all, 0.95);
	n[PW_OUTCOME_LATENCY_P99_NS] = pw_loghist_quantile(all, 0.99);
	n[PW_OUTCOME_LATENCY_MAX_NS] = all->max_ns;
	free(all);
}
