/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory that the body and its clients share: one word that says what is on, and per client
 * counters on cache lines of its own, written by that client alone.
 */
#ifndef PW_WORKLOADS_ENGINE_SHARED_H
#define PW_WORKLOADS_ENGINE_SHARED_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "workloads/engine/loghist.h"

/* Two lines of 64 bytes: the adjacent-line prefetcher of x86 pulls pairs. */
#define PW_SHARED_ALIGN 128

enum pw_phase {
	PW_PHASE_SETUP, /* clients wait for it to change */
	PW_PHASE_WARMUP,
	PW_PHASE_WINDOW, /* latencies are noted */
	PW_PHASE_STOP,	 /* no further operation begins */
};

struct pw_client_stats {
	alignas(PW_SHARED_ALIGN) _Atomic uint64_t operations; /* of sessions, since the start */
	_Atomic uint64_t bytes;				      /* payload of these */
	_Atomic uint64_t passes;			      /* whole sessions */
	_Atomic uint64_t preamble;			      /* operations of the preamble */
	_Atomic int64_t started_ns; /* when it saw the start, CLOCK_MONOTONIC */
	_Atomic uint32_t ready;
	alignas(PW_SHARED_ALIGN) char message[768]; /* why it failed */
	char server_message[256];		    /* why the server of this number failed */
	alignas(PW_SHARED_ALIGN) struct pw_loghist latency;
};

struct pw_shared {
	alignas(PW_SHARED_ALIGN) _Atomic uint32_t phase; /* enum pw_phase; a futex */
	alignas(PW_SHARED_ALIGN) unsigned clients;
	struct pw_client_stats client[];
};

int pw_shared_new(unsigned clients, struct pw_shared **ret, struct pw_err *err) pw_must_check;
/* NULL is fine. */
void pw_shared_free(struct pw_shared *shared);

/* Sets the phase; wakes all who wait. */
void pw_shared_set_phase(struct pw_shared *shared, enum pw_phase phase);
/* Sleeps until the phase is no longer SETUP. */
void pw_shared_wait_start(struct pw_shared *shared);
static inline uint32_t pw_shared_phase(struct pw_shared *shared)
{
	return atomic_load_explicit(&shared->phase, memory_order_relaxed);
}

#endif
