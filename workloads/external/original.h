/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The originals, dbench and tbench (4.0 and 5.x), as found on PATH, driven without their traps:
 * they measure a second less than they are asked, go on for ever when a client moves no byte, end
 * with 0 where nothing was served, and leave children behind.
 *
 * The measured window opens with the first progress line after the original's own warm-up (a fifth
 * of the time) and ends when it begins to clean up. Work is the original's throughput times that
 * window.
 */
#ifndef PW_WORKLOADS_EXTERNAL_ORIGINAL_H
#define PW_WORKLOADS_EXTERNAL_ORIGINAL_H

#include "lib/plugin/workload.h"

struct pw_original {
	const char *name;    /* of the workload, for messages */
	const char *program; /* "dbench" */
	const char *backend; /* of 5.x: "fileio" */
	const char *server;  /* a program to be started before, or NULL */
};

/* What the driver prints for the parser, behind the original's own output. */
#define PW_ORIGINAL_VERSION    "perfwatt: version "
#define PW_ORIGINAL_LOAD       "perfwatt: load "
#define PW_ORIGINAL_FILESYSTEM "perfwatt: filesystem "

extern const struct pw_option pw_original_options[];
extern const struct pw_metric_desc pw_original_metrics[];

int pw_original_check(const struct pw_value *options, struct pw_err *err);
/* Are the programs there, is there room for the files; nothing is started. */
int pw_original_probe(const struct pw_original *original, const struct pw_work *work,
		      struct pw_err *err);
/* Exit status. */
int pw_original_run(const struct pw_original *original, const struct pw_work *work);
int pw_original_parse(const struct pw_work *work, const struct pw_output *output,
		      struct pw_result *result, struct pw_err *err);
int64_t pw_original_duration(const struct pw_work *work);

#endif
