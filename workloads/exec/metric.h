/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of an exec entry: {"name", "unit", "better", "mean", "title", "regex" or "pointer",
 * "pick", "from", "work", "primary"}. Reading checks everything, so that what was accepted at
 * config time cannot surprise after an hour of measuring.
 */
#ifndef PW_WORKLOADS_EXEC_METRIC_H
#define PW_WORKLOADS_EXEC_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/plugin/metric.h"
#include "lib/plugin/value.h"

/* Which of several matches counts. */
enum pw_exec_pick {
	PW_EXEC_PICK_UNSET,
	PW_EXEC_PICK_LAST,
	PW_EXEC_PICK_FIRST,
	PW_EXEC_PICK_MEAN,
	PW_EXEC_PICK_SUM,
};

/* Texts are borrowed from the list's tree. */
struct pw_exec_metric {
	struct pw_metric_desc desc;  /* title NULL if not given; the mean is always set */
	const char *regex, *pointer; /* exactly one is set */
	const char *from;	     /* "stdout", "stderr" or a path as written */
	enum pw_exec_pick pick;
	bool work; /* its value is the work, or the rate of it */
};

struct pw_exec_metrics {
	struct pw_value tree; /* the checked copy */
	struct pw_exec_metric *items;
	size_t count, capacity;
};

#define PW_EXEC_METRICS_INIT ((struct pw_exec_metrics){ .tree = PW_VALUE_INIT })
#define pw_auto_exec_metrics pw_auto(pw_exec_metrics_done)

/*
 * From the option "metrics" of an entry; no metrics (count 0) if it is absent. Errors are
 * -PW_EINVAL with the place relative to the entry ("/metrics/0/regex").
 */
int pw_exec_metrics_read(const struct pw_value *options, struct pw_exec_metrics *ret,
			 struct pw_err *err) pw_must_check;
void pw_exec_metrics_done(struct pw_exec_metrics *metrics);
/* Is `from` a file rather than one of the two streams. */
bool pw_exec_from_file(const char *from);

#endif
