/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What dbench and tbench (4.0, 5.x) print, line by line. Forms, from their sources and from runs of
 * Debian's package:
 *
 *	dbench version 4.00 - Copyright ...
 *	   4     45232   381.16 MB/sec  warmup   1 sec  latency 16.257 ms
 *	   4     45232   381.16 MB/sec  execute  1 sec  latency 16.257 ms
 *	   4  cleanup  10 sec
 *	Throughput 386.306 MB/sec (sync open)  4 clients  4 procs  max_latency=16.257 ms
 *
 * They end with status 0 after many failures, so every line that tells of one counts.
 */
#ifndef PW_WORKLOADS_EXTERNAL_SAID_H
#define PW_WORKLOADS_EXTERNAL_SAID_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

enum pw_said_kind {
	PW_SAID_OTHER,
	PW_SAID_WARMUP,
	PW_SAID_EXECUTE,
	PW_SAID_CLEANUP,
	PW_SAID_THROUGHPUT,
	PW_SAID_FAULT, /* something failed, whatever the exit status will be */
};

/* `line` without its newline. */
enum pw_said_kind pw_said(const char *line);
/* The version in the first line ("4.00"), as a new text, or NULL if it is none of theirs. */
char *pw_said_version(const char *line);

/* The last line of a run that came to its end. */
struct pw_throughput {
	double megabytes_per_s; /* 10^6 bytes, from the end of the warm-up to the end */
	unsigned clients;
	double max_latency_ms;
};

/* -PW_EFAILED with the text found. */
int pw_said_throughput(const char *line, struct pw_throughput *ret, struct pw_err *err)
	pw_must_check;

/* All that was printed. */
struct pw_said_run {
	struct pw_throughput throughput;
	unsigned executes; /* progress lines after the warm-up */
};

/*
 * Pure. -PW_EFAILED: a line tells of a fault, there is not exactly one result, it is 0, or nothing
 * was measured. Progress lines are never a result. The hint holds the last lines.
 */
int pw_said_parse(const char *text, size_t length, struct pw_said_run *ret, struct pw_err *err)
	pw_must_check;

#endif
