/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loop around a running workload: output, marks, samples, limits. */
#ifndef PW_ENGINE_WATCH_H
#define PW_ENGINE_WATCH_H

#include "harness/engine/capture.h"
#include "harness/engine/collect.h"
#include "harness/engine/tender.h"

struct pw_watch {
	struct pw_child *child;
	struct pw_capture out, err;
	struct pw_collectors *collectors;
	int signal_fd;
	int pause_fd;	  /* readable: perfwatt was stopped and continued */
	int64_t limit_ns; /* from the release; 0 = none */
	/* results, CLOCK_MONOTONIC */
	int64_t released_ns, ended_ns;
	int64_t window_start_ns, window_end_ns;
	int64_t stop_ns; /* when the tree was told to end */
	bool begin_marked, end_marked;
	bool window_closed;
	bool timed_out, stopped, too_long;
	bool paused;	      /* perfwatt itself stood still meanwhile: nothing was read in time */
	unsigned stray_marks; /* marks in a wrong order or given twice */
};

/*
 * Opens the window, releases the child and watches until its tree has ended (or was ended for a
 * reason above). The child is finished by the caller.
 */
int pw_watch(struct pw_watch *watch, struct pw_err *err) pw_must_check;

#endif
