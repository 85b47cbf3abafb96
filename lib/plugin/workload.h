/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workloads: one file each in workloads/, one `const struct pw_workload pw_workload_<name>`.
 *
 * A workload is a descriptor, something to start (a command, or a native body that perfwatt runs
 * in a process of its own, unprivileged), and a PURE parser from the captured output to metrics.
 * Native bodies print their result on stdout in a form of their own choice; nothing else passes
 * between them and the parser, so a recorded output is a test.
 *
 * The timed part: a line "perfwatt: begin" and a line "perfwatt: end" on stdout (flushed) bound the
 * measured window; everything before and after is set-up and cleaning. Without them the window is
 * the whole command.
 */
#ifndef PW_PLUGIN_WORKLOAD_H
#define PW_PLUGIN_WORKLOAD_H

#include "lib/base/err.h"
#include "lib/base/fs.h"
#include "lib/base/strv.h"
#include "lib/plugin/metric.h"
#include "lib/plugin/option.h"
#include "lib/plugin/value.h"

#define PW_MARK_BEGIN "perfwatt: begin"
#define PW_MARK_END   "perfwatt: end"

enum pw_kind {
	PW_KIND_UNSET,
	PW_KIND_FIXED_WORK, /* the same work each run; performance per watt is 1/J */
	PW_KIND_FIXED_TIME, /* the same time each run; performance per watt is work/J */
	PW_KIND_FIXED_RATE, /* the same rate; work per joule at that rate */
};

/* "fixed-work" ...; parse gives UNSET if unknown. */
const char *pw_kind_text(enum pw_kind kind);
enum pw_kind pw_kind_parse(const char *text);

/* One entry of a config at one sweep point, as a plug-in sees it. All borrowed. */
struct pw_work {
	const struct pw_value
		*options; /* checked, defaults filled, sweep option = this point's value */
	/* An empty folder of this run, owned by the run's user; in probe the one it will be below.
	 */
	const char *workdir;
	const char *directory; /* where a command starts */
	unsigned cpus;	       /* CPUs the workload may use */
	uint64_t seed;	       /* of the session */
};

/* What was captured of a run. Texts are NUL-terminated but may hold NUL bytes. */
struct pw_output {
	const char *out, *err;
	size_t out_length, err_length;
	int64_t elapsed_ns; /* of the whole command */
	int64_t window_ns;  /* of the measured window */
	bool marked;	    /* the window was bounded by both marks */
	/* A file that files() named, read after the run; NULL if it could not be read. */
	const char *(*file)(const struct pw_output *output, const char *path, size_t *ret_length);
	const void *context;
};

enum pw_workload_flags {
	PW_WORKLOAD_IDLE =
		1 << 0, /* measures the machine doing nothing: no cell of the ratio tables */
};

struct pw_workload {
	const char *name;    /* "tbench" */
	const char *summary; /* one line */
	const char *title;   /* for the detailed table: "tbench (network over loopback)" */
	enum pw_kind kind;   /* UNSET: by option "kind" */
	unsigned flags;
	const struct pw_option *options;      /* NULL-name terminated */
	const struct pw_metric_desc *metrics; /* NULL-name terminated; NULL: by the options */
	const char *sweep;		      /* name of the sweep option, or NULL */
	const char *sweep_title;	      /* "number of clients" */
	const char *missing;		      /* why this build cannot run it, or NULL */

	/* Further checks of the checked options, at config time; pure. Error places are relative to
	 * the entry. */
	int (*check)(const struct pw_value *options, struct pw_err *err);
	/* Can it run here: tools, memory, files. UNSUPPORTED with the reason and a hint. May be
	 * NULL. */
	int (*probe)(const struct pw_work *work, struct pw_err *err);
	/* The argv to start (argv[0] looked up in PATH). Exactly one of command and run is set. */
	int (*command)(const struct pw_work *work, struct pw_strv *argv, struct pw_err *err);
	/* Native body, in a process of its own, as the workload's user, in work->workdir. Exit
	 * status. */
	int (*run)(const struct pw_work *work);
	/* Files to be kept and parsed beside stdout and stderr. May be NULL. */
	int (*files)(const struct pw_work *work, struct pw_strv *paths, struct pw_err *err);
	/* PURE: captured output to metrics. A missing or unreadable result is -PW_EFAILED with the
	 * text. */
	int (*parse)(const struct pw_work *work, const struct pw_output *output,
		     struct pw_result *result, struct pw_err *err);
	/* How long one run takes at least (set-up, warm-up and window), ns; 0 = unknown. Pure. */
	int64_t (*duration)(const struct pw_work *work);
};

/* Generated from the files of workloads/; NULL-terminated. */
extern const struct pw_workload *const pw_workloads[];

#endif
