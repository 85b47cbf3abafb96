/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run of tbench or dbench came to, as text and back. After the end mark the body prints one
 * "key: value" a line, every key once; the first key is the version of the form:
 *
 *	engine: 1
 *	profile: mmtests			load: generated-1:0123456789abcdef
 *	flavour: tmpfs
 *	clients: 4				session-operations: 3538
 *	window-ns: 60000012345			skew-ns: 81234
 *	operations: 16012345			bytes: 86964512345
 *	passes: 4520
 *	client-operations-min: 4000012		client-operations-max: 4000931
 *	client-bytes-min: 21740001000		client-bytes-max: 21741220000
 *	latency-p50-ns: 12345			... -p95-ns, -p99-ns, -max-ns
 *	complete: yes
 */
#ifndef PW_WORKLOADS_ENGINE_OUTCOME_H
#define PW_WORKLOADS_ENGINE_OUTCOME_H

#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strbuf.h"
#include "lib/plugin/workload.h"

#define PW_ENGINE_VERSION 1

enum pw_outcome_key {
	PW_OUTCOME_ENGINE,
	PW_OUTCOME_CLIENTS,
	PW_OUTCOME_SESSION_OPERATIONS, /* operations of one session */
	PW_OUTCOME_WINDOW_NS,	       /* between the two snapshots */
	PW_OUTCOME_SKEW_NS,	       /* between the first and the last client's start */
	PW_OUTCOME_OPERATIONS,	       /* in the window, all clients; so the following */
	PW_OUTCOME_BYTES,
	PW_OUTCOME_PASSES, /* sessions that ended in the window */
	PW_OUTCOME_CLIENT_OPERATIONS_MIN,
	PW_OUTCOME_CLIENT_OPERATIONS_MAX,
	PW_OUTCOME_CLIENT_BYTES_MIN,
	PW_OUTCOME_CLIENT_BYTES_MAX,
	PW_OUTCOME_LATENCY_P50_NS,
	PW_OUTCOME_LATENCY_P95_NS,
	PW_OUTCOME_LATENCY_P99_NS,
	PW_OUTCOME_LATENCY_MAX_NS,
	PW_OUTCOME_NUMBERS,
};

struct pw_outcome {
	uint64_t numbers[PW_OUTCOME_NUMBERS];
	char profile[16], load[64], flavour[32];
};

void pw_outcome_write(const struct pw_outcome *outcome, struct pw_strbuf *text);
/* Pure. PW_EFAILED: a line is missing, doubled, no number, or the numbers cannot be true. */
int pw_outcome_parse(const struct pw_output *output, struct pw_outcome *ret, struct pw_err *err)
	pw_must_check;

/* Derived numbers, as the metrics of both workloads define them. */
double pw_outcome_megabytes(const struct pw_outcome *outcome);	  /* 10^6 bytes */
double pw_outcome_sessions(const struct pw_outcome *outcome);	  /* broken ones by their part */
double pw_outcome_throughput(const struct pw_outcome *outcome);	  /* MB/s */
double pw_outcome_session_time(const struct pw_outcome *outcome); /* ms, of one client */
double pw_outcome_rate(const struct pw_outcome *outcome);	  /* operations a second */
double pw_outcome_fairness(const struct pw_outcome *outcome);	  /* slowest / fastest client */

/*
 * Adds what both workloads report the same way: the latencies and rate and fairness among
 * `metrics` (by name), operations, flavour, detail and identity.
 */
void pw_outcome_report(const struct pw_outcome *outcome, const struct pw_metric_desc *metrics,
		       struct pw_result *result);

#endif
