/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The results folder (schema 1): session.json, runs.jsonl (one line a run = the commit point),
 * samples.jsonl, raw/, journal.jsonl. Append-only; a torn last line is tolerated with a warning;
 * unknown keys are kept; another schema number is refused.
 */
#ifndef PW_MODEL_STORE_H
#define PW_MODEL_STORE_H

#include "lib/base/err.h"
#include "lib/base/log.h"
#include "lib/plugin/value.h"

struct pw_store {
	char *path;
	int dirfd;
	int runs_fd; /* append; -1 when opened for reading */
	int samples_fd;
};

/* A new folder, which must not exist or be empty. */
int pw_store_create(const char *path, struct pw_store *ret, struct pw_err *err) pw_must_check;
/*
 * An existing one, to go on; cuts (with a note) a torn last line of runs.jsonl, and the samples
 * that belong to no run of it.
 */
int pw_store_resume(const char *path, const struct pw_log *log, struct pw_store *ret,
		    struct pw_err *err) pw_must_check;
void pw_store_close(struct pw_store *store);

int pw_store_write_session(struct pw_store *store, const struct pw_value *session,
			   struct pw_err *err) pw_must_check;
/* One line, appended in one write and fdatasynced: after this the run is finished for good. */
int pw_store_commit_run(struct pw_store *store, const struct pw_value *record, struct pw_err *err)
	pw_must_check;
int pw_store_append_sample(struct pw_store *store, const struct pw_value *sample,
			   struct pw_err *err) pw_must_check;
/* A file below raw/, O_RDWR | O_CREAT | O_EXCL (an older one of the same name is replaced). The
 * fd or -code. */
int pw_store_raw(struct pw_store *store, const char *name, struct pw_err *err) pw_must_check;

/* Reading. Both give value trees; `ret` of read_session is an object. */
int pw_store_read_session(const char *path, struct pw_value *ret, struct pw_err *err) pw_must_check;
/*
 * Calls `each` for every record of runs.jsonl in file order, line by line (no whole-file tree).
 * A malformed line in the middle is an error with its line number; a torn last one a warning.
 * `each` may take the record's content over. Its negative return ends the walk.
 */
int pw_store_each_run(const char *path, const struct pw_log *log,
		      int (*each)(void *context, struct pw_value *record, struct pw_err *err),
		      void *context, struct pw_err *err) pw_must_check;

#endif
