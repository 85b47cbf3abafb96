/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading runs.jsonl as a stream: one record a line, never the whole file at once. Schema 1 only;
 * a last line that is torn (no newline, or no JSON object) is left out with a warning, anything
 * malformed before it is an error that names the line.
 */
#ifndef PW_MODEL_RUNS_H
#define PW_MODEL_RUNS_H

#include <stdio.h>

#include "lib/base/err.h"
#include "lib/base/log.h"
#include "lib/plugin/value.h"

/* A line longer than this is no record of ours (samples live in a file of their own). */
#define PW_RUN_LINE_LIMIT (16U << 20)

/* As pw_store_each_run(); `name` is the file's name for messages. The stream stays the caller's. */
int pw_runs_each(FILE *file, const char *name, const struct pw_log *log,
		 int (*each)(void *context, struct pw_value *record, struct pw_err *err),
		 void *context, struct pw_err *err) pw_must_check;
/*
 * How many bytes of the file are whole records: the offset at which a torn last line begins, or
 * the file's length. The stream is read from its start.
 */
int pw_runs_whole(FILE *file, const char *name, long long *ret_length, struct pw_err *err)
	pw_must_check;
/* 0 if the object's "schema" is PW_SCHEMA; else -PW_EINVAL that names both numbers. */
int pw_schema_check(const struct pw_value *object, const char *what, struct pw_err *err)
	pw_must_check;

#endif
