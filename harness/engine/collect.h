/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The collectors of a session: of each section (energy, frequency, ...) the best usable source is
 * opened once and read around every measured window.
 */
#ifndef PW_ENGINE_COLLECT_H
#define PW_ENGINE_COLLECT_H

#include "lib/base/strv.h"
#include "lib/plugin/catalog.h"

struct pw_collect_source {
	const struct pw_collector *collector;
	void *state;
	size_t first_column, column_count; /* of a timeline row */
	bool failed;			   /* in this run */
	struct pw_err failure;
};

struct pw_missing {
	char *what, *why, *hint;
};

struct pw_collectors {
	struct pw_collect_source *sources;
	size_t count, capacity;
	struct pw_missing *missing; /* sections without a usable source */
	size_t missing_count, missing_capacity;
	const struct pw_series **series; /* of the columns; borrowed from the sources */
	size_t columns, series_capacity;
	int64_t period_ns; /* between samples; 0 = only at both ends */
	bool timeline;	   /* rows are kept, not only read against wraps */
	double *rows;	   /* [row_count][1 + columns]; first = seconds since the window began */
	size_t row_count, row_limit;
	bool rows_full;
	double *spare; /* where columns go when no row is kept */
	/* How it was opened, to open it anew; without the CPUs, which are looked up then. */
	struct {
		const struct pw_catalog *catalog;
		struct pw_collect collect;
		const struct pw_value *options;
		int64_t timeline_ns;
		unsigned cpu_changes;
	} how;
};

/*
 * Opens what is usable. timeline_ns 0 = no rows (counters are still read often enough). All but the
 * list of CPUs is borrowed until close.
 */
void pw_collectors_open(struct pw_collectors *set, const struct pw_catalog *catalog,
			const struct pw_collect *collect, const struct pw_value *options,
			int64_t timeline_ns);
void pw_collectors_close(struct pw_collectors *set);
/*
 * Between two runs: opens everything anew, on the CPUs that are online now, if CPUs came or went
 * since (`cpu_changes` of the settings is another number). A CPU that goes offline takes its perf
 * events and its files with it, and they do not come back with it: what is still open would fail,
 * or stand still.
 */
int pw_collectors_follow(struct pw_collectors *set, unsigned cpu_changes, struct pw_err *err)
	pw_must_check;

/* A window opens; may be called again to open it anew (at the mark). */
void pw_collectors_begin(struct pw_collectors *set, int64_t now_ns);
void pw_collectors_sample(struct pw_collectors *set, int64_t now_ns, int64_t begin_ns);
void pw_collectors_end(struct pw_collectors *set, int64_t now_ns);
/* What the source of a section says that is the same in every run; nothing without a source. */
void pw_collectors_describe(const struct pw_collectors *set, const char *section,
			    struct pw_value *ret);
/* Puts each section into the record, or why it is unavailable. */
void pw_collectors_report(struct pw_collectors *set, struct pw_value *record);
/* The kept rows as one sample record { "type":"samples", "run", "columns", "units", "rows" }; false
 * if none. */
bool pw_collectors_rows(const struct pw_collectors *set, const char *run, struct pw_value *ret);

#endif
