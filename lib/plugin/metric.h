/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics. Name, unit, direction and kind of mean travel with every value into the record, so that
 * results stay readable on another machine and in another year.
 */
#ifndef PW_PLUGIN_METRIC_H
#define PW_PLUGIN_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/strv.h"
#include "lib/plugin/value.h"
#include "lib/stats/summary.h"

enum pw_better { PW_BETTER_UNSET, PW_BETTER_HIGHER, PW_BETTER_LOWER };

enum pw_metric_flags {
	PW_METRIC_PRIMARY = 1 << 0, /* the workload's one number */
};

struct pw_metric_desc {
	const char *name;  /* "throughput"; lower case, digits, dashes */
	const char *unit;  /* "MB/s" */
	const char *title; /* "throughput", for table heads */
	enum pw_better better;
	enum pw_mean mean; /* unset: harmonic for higher, arithmetic for lower */
	unsigned flags;
};

/* One value of a run; name and unit are owned. */
struct pw_metric {
	char *name;
	char *unit;
	enum pw_better better;
	enum pw_mean mean;
	bool primary;
	double value; /* finite */
};

/* What the pure parser of a workload makes of a run's output. Start with PW_RESULT_INIT. */
struct pw_result {
	struct pw_metric *metrics;
	size_t metric_count, metric_capacity;
	bool has_work;
	double work; /* amount of work done in the window */
	char *work_unit;
	bool has_operations;
	uint64_t operations_ok, operations_failed;
	int64_t window_ns; /* the timed part by the workload's own clock; 0 = it does not know */
	char *flavour;	   /* what ran, for the row label: "native", "tmpfs"; may be NULL */
	struct pw_strv warnings;
	struct pw_value detail; /* unset, or an object kept as "detail" in the record */
	struct pw_value
		identity; /* unset, or an object: what must be equal for two runs to compare */
};

#define PW_RESULT_INIT ((struct pw_result){ 0 })
#define pw_auto_result pw_auto(pw_result_done)

void pw_result_done(struct pw_result *result);
void pw_result_add(struct pw_result *result, const struct pw_metric_desc *desc, double value);
void pw_result_work(struct pw_result *result, double work, const char *unit);

/* The mean that a metric without one of its own gets from its direction. */
enum pw_mean pw_mean_default(enum pw_better better);
/* "higher" / "lower"; "harmonic" / "arithmetic" / "geometric". Parsers return the 0 value if
 * unknown. */
const char *pw_better_text(enum pw_better better);
enum pw_better pw_better_parse(const char *text);
const char *pw_mean_text(enum pw_mean mean);
enum pw_mean pw_mean_parse(const char *text);

#endif
