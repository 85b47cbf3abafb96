/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The native body of tbench and dbench: reads the load, starts the clients (and servers), waits
 * until all stand ready, lets them go at once, warms up, measures between two snapshots of their
 * counters, stops and reaps them, cleans, prints the outcome (outcome.h).
 *
 * The window opens when the warm-up is over and every client has done its first operation. Whatever
 * goes wrong in any process ends all of them; the reason goes to stderr, the status is 1.
 */
#ifndef PW_WORKLOADS_ENGINE_BODY_H
#define PW_WORKLOADS_ENGINE_BODY_H

#include "lib/plugin/workload.h"
#include "workloads/engine/client.h"

struct pw_body_kind {
	const char *name; /* for messages */
	const struct pw_backend *backend;
	bool servers; /* a server process per client; else a folder for files */
};

/* Exit status. */
int pw_body_run(const struct pw_body_kind *kind, const struct pw_work *work);

#endif
