/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collectors: one file each in collectors/, one `const struct pw_collector pw_collector_<name>`.
 *
 * A collector reads counters around the measured window and, where it has series, once a period
 * between. Life: probe -> open (allocates everything) -> { begin -> sample* -> end -> report } ->
 * close. Between begin and end nothing may allocate, log or open a file.
 *
 * A collector fills one section of the record. Of several collectors for one section (energy,
 * frequency) the engine opens the first usable one in the order of `rank`: never two sources for
 * the same silicon.
 */
#ifndef PW_PLUGIN_COLLECTOR_H
#define PW_PLUGIN_COLLECTOR_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/fs.h"
#include "lib/plugin/option.h"
#include "lib/plugin/value.h"

struct pw_perf; /* lib/platform/perf.h */

/* What a collector may touch. All borrowed, and valid until close. */
struct pw_collect {
	const struct pw_root *root;
	const struct pw_perf
		*perf; /* the counter backend: the kernel's, or a scripted one in tests */
	const struct pw_value *options;
	const char *scope;    /* energy scope: "package", "package+dram", "platform" */
	const unsigned *cpus; /* online CPUs of the machine, sorted */
	size_t cpu_count;
	int64_t (*clock)(void);	   /* NULL: pw_clock_monotonic; tests script the finer stamps */
	int64_t (*boottime)(void); /* NULL: pw_clock_boottime, or nobody sleeps on a test's clock */
	bool msr; /* registers may be read: "collectors": { "msr": true } in the config */
};

struct pw_series {
	const char *name; /* "power-w", "busy-mhz" */
	const char *unit;
};

struct pw_collector {
	const char *name; /* "energy-perf" */
	const char *summary;
	const char *section;		 /* "energy", "frequency", "usage": the key in the record */
	int rank;			 /* smaller is preferred within a section */
	const struct pw_option *options; /* may be NULL */
	const char *missing;		 /* why this build cannot, or NULL */
	bool needs_msr; /* reads registers (/dev/cpu/N/msr): left alone unless they may be read */

	/* 0, or -PW_EUNSUPPORTED / -PW_EDENIED with the reason and the command that mends it as
	 * hint. */
	int (*probe)(const struct pw_collect *collect, struct pw_err *err);
	int (*open)(const struct pw_collect *collect, void **ret_state, struct pw_err *err);
	/*
	 * now_ns: CLOCK_MONOTONIC just before the call; a collector takes finer stamps itself.
	 * begin may be called again after end, for the next run. A failure makes this section
	 * unavailable for the run, with the reason; never a zero. The state remembers it: what
	 * failed is said by the call that met it and again by report; columns without a value
	 * are NAN.
	 */
	int (*begin)(void *state, int64_t now_ns, struct pw_err *err);
	int (*sample)(void *state, int64_t now_ns, double *columns, struct pw_err *err);
	int (*end)(void *state, int64_t now_ns, struct pw_err *err);
	/* Puts this run's section into `section` (an empty object) and texts into warnings. */
	int (*report)(void *state, struct pw_value *section, struct pw_strv *warnings,
		      struct pw_err *err);
	void (*close)(void *state);

	/* Columns that sample() fills; the count may be 0 (sample is then called for its side
	 * effect). */
	size_t (*series)(void *state, const struct pw_series **ret);
	/* The longest time between two reads that loses nothing, ns; 0 = no limit. After open. */
	int64_t (*max_period_ns)(void *state);
	/* After open: what of the section is the same in every run, put into an object (which
	 * domains there are and which count). May be NULL. */
	void (*describe)(void *state, struct pw_value *ret);
};

/* Generated from the files of collectors/; NULL-terminated. */
extern const struct pw_collector *const pw_collectors[];

#endif
