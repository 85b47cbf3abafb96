/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A whole session: lock, journal, guard, then every step of the plan, then the machine as it was.
 */
#ifndef PW_ENGINE_SESSION_H
#define PW_ENGINE_SESSION_H

#include "harness/engine/prepare.h"
#include "harness/engine/restore.h"
#include "lib/base/log.h"

enum pw_event_kind {
	PW_EVENT_UNSET,
	PW_EVENT_STEP,	 /* a step begins (its settle time first) */
	PW_EVENT_RECORD, /* a recorded run has ended: `record` */
	PW_EVENT_NOTE,	 /* `text`, for the user */
};

struct pw_event {
	enum pw_event_kind kind;
	const struct pw_prepared *prepared;
	const struct pw_step *step;
	size_t done, total; /* recorded runs */
	int64_t left_ns;    /* estimate of what is left; 0 = unknown */
	bool again;	    /* a run that is repeated at the end of its block */
	const struct pw_value *record;
	const char *text;
};

struct pw_session_options {
	const struct pw_catalog *catalog;
	const char *results; /* folder */
	bool resume;	     /* `results` exists: go on with it */
	uint64_t seed;
	bool no_timeline;
	void (*emit)(void *context, const struct pw_event *event);
	void *context;
	const struct pw_log *log;
};

struct pw_outcome {
	size_t ok, not_ok;	   /* recorded runs of this call */
	int signal;		   /* the signal that ended it early, or 0 */
	size_t unwritten;	   /* finished runs whose record could not be written */
	struct pw_strv unrestored; /* what could not be put back */
};

#define PW_OUTCOME_INIT ((struct pw_outcome){ 0 })
void pw_outcome_done(struct pw_outcome *outcome);

/*
 * Runs what is prepared. Fails before anything is changed, or not at all: what happens later is in
 * the outcome and in the records.
 */
int pw_session_run(struct pw_prepared *prepared, const struct pw_session_options *options,
		   struct pw_outcome *outcome, struct pw_err *err) pw_must_check;

#endif
