/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/collect.h"

#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/model/record.h"
#include "lib/platform/topology.h"

/* Rows kept of one run: at the default second a day and more; allocated before, never while
 * sampling. */
#define ROW_LIMIT 100000

static bool covered(const struct pw_collectors *set, const char *section)
{
	for (size_t i = 0; i < set->count; i++) {
		if (strcmp(set->sources[i].collector->section, section) == 0)
			return true;
	}
	return false;
}

static void add_missing(struct pw_collectors *set, const struct pw_collector *collector,
			const struct pw_err *err)
{
	struct pw_missing missing = { .what = pw_strdup(collector->section),
				      .why = pw_sprintf("%s: %s", collector->name, err->text),
				      .hint = pw_strdup(err->hint) };

	PW_PUSH(set->missing, set->missing_count, set->missing_capacity, missing);
}

static int open_source(struct pw_collectors *set, const struct pw_collector *collector,
		       const struct pw_collect *collect, struct pw_err *err)
{
	struct pw_collect_source source = { .collector = collector, .first_column = set->columns };
	const struct pw_series *series = NULL;

	if (collector->missing)
		return pw_fail(err, PW_EUNSUPPORTED, "%s", collector->missing);
	if (collector->probe && collector->probe(collect, err) < 0)
		return -(int)err->code;
	if (collector->open(collect, &source.state, err) < 0)
		return -(int)err->code;
	if (collector->series)
		source.column_count = collector->series(source.state, &series);
	for (size_t i = 0; i < source.column_count; i++)
		PW_PUSH(set->series, set->columns, set->series_capacity, &series[i]);
	PW_PUSH(set->sources, set->count, set->capacity, source);
	return 0;
}

static int by_rank(const void *a, const void *b)
{
	const struct pw_collector *x = *(const struct pw_collector *const *)a;
	const struct pw_collector *y = *(const struct pw_collector *const *)b;

	return x->rank - y->rank;
}

static void forget_missing(struct pw_collectors *set, const char *section)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->missing_count; i++) {
		if (strcmp(set->missing[i].what, section) != 0) {
			set->missing[kept++] = set->missing[i];
			continue;
		}
		free(set->missing[i].what);
		free(set->missing[i].why);
		free(set->missing[i].hint);
	}
	set->missing_count = kept;
}

/* The smallest of the sources' limits and the timeline's period. */
static void choose_period(struct pw_collectors *set, int64_t timeline_ns)
{
	set->period_ns = timeline_ns;
	for (size_t i = 0; i < set->count; i++) {
		const struct pw_collect_source *source = &set->sources[i];
		int64_t limit = source->collector->max_period_ns
					? source->collector->max_period_ns(source->state)
					: 0;

		if (limit > 0 && (set->period_ns == 0 || limit < set->period_ns))
			set->period_ns = limit;
	}
	if (set->count == 0)
		set->period_ns = 0;
}

void pw_collectors_open(struct pw_collectors *set, const struct pw_catalog *catalog,
			const struct pw_collect *collect, const struct pw_value *options,
			int64_t timeline_ns)
{
	const struct pw_collector **ranked = NULL;
	size_t count = 0, capacity = 0;

	*set = (struct pw_collectors){
		.timeline = timeline_ns > 0,
		.how = { .catalog = catalog,
			 .collect = *collect,
			 .options = options,
			 .timeline_ns = timeline_ns },
	};
	set->how.collect.cpus = NULL;
	set->how.collect.cpu_count = 0;
	for (const struct pw_collector *const *at = catalog->collectors; *at; at++)
		PW_PUSH(ranked, count, capacity, *at);
	if (count)
		qsort(ranked, count, sizeof(*ranked), by_rank);
	for (size_t i = 0; i < count; i++) {
		struct pw_collect own = *collect;
		struct pw_err err;

		own.options = pw_value_get(options, ranked[i]->name);
		/* What nobody asked for is not missing. */
		if (covered(set, ranked[i]->section) || (ranked[i]->needs_msr && !collect->msr))
			continue;
		if (open_source(set, ranked[i], &own, &err) < 0)
			add_missing(set, ranked[i], &err);
		else
			forget_missing(set, ranked[i]->section);
	}
	free(ranked);
	choose_period(set, timeline_ns);
	set->spare = pw_new(1 + set->columns, sizeof(double));
	if (set->timeline && set->columns) {
		set->row_limit = ROW_LIMIT;
		set->rows = pw_new(set->row_limit, (1 + set->columns) * sizeof(double));
	}
}

void pw_collectors_close(struct pw_collectors *set)
{
	for (size_t i = 0; i < set->count; i++)
		set->sources[i].collector->close(set->sources[i].state);
	for (size_t i = 0; i < set->missing_count; i++) {
		free(set->missing[i].what);
		free(set->missing[i].why);
		free(set->missing[i].hint);
	}
	free(set->sources);
	free(set->missing);
	free(set->series);
	free(set->rows);
	free(set->spare);
	*set = (struct pw_collectors){ 0 };
}

int pw_collectors_follow(struct pw_collectors *set, unsigned cpu_changes, struct pw_err *err)
{
	struct pw_collect collect = set->how.collect;
	const struct pw_catalog *catalog = set->how.catalog;
	const struct pw_value *options = set->how.options;
	int64_t timeline_ns = set->how.timeline_ns;
	struct pw_cpuset online = { 0 };

	if (!catalog || cpu_changes == set->how.cpu_changes)
		return 0;
	if (pw_cpus_online(collect.root, &online, err) < 0)
		return -(int)err->code;
	collect.cpus = online.cpus;
	collect.cpu_count = online.count;
	pw_collectors_close(set);
	pw_collectors_open(set, catalog, &collect, options, timeline_ns);
	set->how.cpu_changes = cpu_changes;
	pw_cpuset_done(&online);
	return 0;
}

void pw_collectors_describe(const struct pw_collectors *set, const char *section,
			    struct pw_value *ret)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct pw_collector *collector = set->sources[i].collector;

		if (collector->describe && strcmp(collector->section, section) == 0)
			collector->describe(set->sources[i].state, ret);
	}
}

void pw_collectors_begin(struct pw_collectors *set, int64_t now_ns)
{
	set->row_count = 0;
	set->rows_full = false;
	for (size_t i = 0; i < set->count; i++) {
		struct pw_collect_source *source = &set->sources[i];

		source->failed =
			source->collector->begin(source->state, now_ns, &source->failure) < 0;
	}
}

static void sample_source(struct pw_collect_source *source, int64_t now_ns, double *columns)
{
	for (size_t i = 0; i < source->column_count; i++)
		columns[i] = (double)__builtin_nan("");
	if (source->failed || !source->collector->sample)
		return;
	if (source->collector->sample(source->state, now_ns, columns, &source->failure) < 0)
		source->failed = true;
}

void pw_collectors_sample(struct pw_collectors *set, int64_t now_ns, int64_t begin_ns)
{
	bool keep = set->rows && set->row_count < set->row_limit;
	double *row = keep ? set->rows + set->row_count * (1 + set->columns) : set->spare;

	row[0] = (double)(now_ns - begin_ns) / 1e9;
	for (size_t i = 0; i < set->count; i++)
		sample_source(&set->sources[i], now_ns, row + 1 + set->sources[i].first_column);
	if (keep)
		set->row_count++;
	else if (set->rows)
		set->rows_full = true;
}

void pw_collectors_end(struct pw_collectors *set, int64_t now_ns)
{
	for (size_t i = 0; i < set->count; i++) {
		struct pw_collect_source *source = &set->sources[i];

		if (!source->failed &&
		    source->collector->end(source->state, now_ns, &source->failure) < 0)
			source->failed = true;
	}
}

static void report_source(struct pw_collect_source *source, struct pw_value *record)
{
	pw_auto_value struct pw_value section = pw_value_object();
	pw_auto_strv struct pw_strv warnings = PW_STRV_INIT;

	if (!source->failed &&
	    source->collector->report(source->state, &section, &warnings, &source->failure) < 0)
		source->failed = true;
	for (size_t i = 0; i < warnings.count; i++)
		pw_record_warning(record, warnings.items[i]);
	if (source->failed) {
		pw_record_unavailable(record, source->collector->section, source->failure.text,
				      source->failure.hint);
		return;
	}
	pw_value_set(record, source->collector->section, pw_value_copy(&section));
}

void pw_collectors_report(struct pw_collectors *set, struct pw_value *record)
{
	for (size_t i = 0; i < set->count; i++)
		report_source(&set->sources[i], record);
	for (size_t i = 0; i < set->missing_count; i++)
		pw_record_unavailable(record, set->missing[i].what, set->missing[i].why,
				      set->missing[i].hint);
	if (set->rows_full)
		pw_record_warning(record,
				  "the timeline was longer than its room: its end is missing");
}

static struct pw_value number_or_null(double x)
{
	if (__builtin_isfinite(x))
		return pw_value_real(x);
	return (struct pw_value){ .type = PW_VALUE_NULL };
}

bool pw_collectors_rows(const struct pw_collectors *set, const char *run, struct pw_value *ret)
{
	struct pw_value columns = pw_value_list(), units = pw_value_list(), rows = pw_value_list();

	if (!set->rows || set->row_count == 0)
		return false;
	pw_value_push(&columns, pw_value_text("time"));
	pw_value_push(&units, pw_value_text("s"));
	for (size_t i = 0; i < set->columns; i++) {
		pw_value_push(&columns, pw_value_text(set->series[i]->name));
		pw_value_push(&units, pw_value_text(set->series[i]->unit));
	}
	for (size_t i = 0; i < set->row_count; i++) {
		const double *row = set->rows + i * (1 + set->columns);
		struct pw_value line = pw_value_list();

		for (size_t k = 0; k <= set->columns; k++)
			pw_value_push(&line, number_or_null(row[k]));
		pw_value_push(&rows, line);
	}
	*ret = pw_value_object();
	pw_value_set(ret, "schema", pw_value_int(PW_SCHEMA));
	pw_value_set(ret, "type", pw_value_text("samples"));
	pw_value_set(ret, "run", pw_value_text(run));
	pw_value_set(ret, "columns", columns);
	pw_value_set(ret, "units", units);
	pw_value_set(ret, "rows", rows);
	return true;
}
