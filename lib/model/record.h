/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run's record, as a value tree in the shape of schema 1 (configs/record.schema.json,
 * docs/results.md), and typed access for those who read it.
 */
#ifndef PW_MODEL_RECORD_H
#define PW_MODEL_RECORD_H

#include "lib/plugin/metric.h"
#include "lib/plugin/value.h"
#include "lib/plugin/workload.h"

#define PW_SCHEMA 1

enum pw_status {
	PW_STATUS_UNSET,
	PW_STATUS_OK,
	PW_STATUS_FAILED,      /* the workload failed, hung, printed no result */
	PW_STATUS_INVALIDATED, /* hit from outside: settings drift, suspend, foreign load */
	PW_STATUS_SKIPPED,     /* could not be tried: reason in "reason" */
};

const char *pw_status_text(enum pw_status status);
enum pw_status pw_status_parse(const char *text);

/* Puts metrics, work, operations, flavour, warnings, detail and identity of a result into a record.
 */
void pw_record_result(struct pw_value *record, const struct pw_result *result);
/* Adds { "what", "why", "hint" } to the record's "unavailable" list. */
void pw_record_unavailable(struct pw_value *record, const char *what, const char *why,
			   const char *hint);
/* Adds a text to "warnings". */
void pw_record_warning(struct pw_value *record, const char *text);

#endif
