/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which steps of a plan are done: by the records of an earlier start, and by this one. */
#ifndef PW_ENGINE_PROGRESS_H
#define PW_ENGINE_PROGRESS_H

#include "harness/engine/prepare.h"

struct pw_progress {
	bool *done;	 /* per step of the plan */
	size_t records;	 /* lines of runs.jsonl so far: numbers the next id */
	size_t finished; /* RUN steps done */
};

void pw_progress_init(struct pw_progress *progress, const struct pw_prepared *prepared);
void pw_progress_done(struct pw_progress *progress);
/* Marks what the folder's records show as run validly. */
int pw_progress_load(struct pw_progress *progress, const struct pw_prepared *prepared,
		     const char *results, const struct pw_log *log, struct pw_err *err)
	pw_must_check;
void pw_progress_mark(struct pw_progress *progress, const struct pw_plan *plan, size_t step);

#endif
