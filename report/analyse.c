/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From runs to cells. */
#include "report/analyse.h"

#include <math.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/pitfall.h"

static size_t cell_index(const struct pw_analysis *analysis, size_t config, size_t entry,
			 size_t point)
{
	return config * analysis->cells_per_config + analysis->first[entry] + point;
}

const struct pw_cell *pw_analysis_cell(const struct pw_analysis *analysis, size_t config,
				       size_t entry, size_t point)
{
	return &analysis->cells[cell_index(analysis, config, entry, point)];
}

static int compare(size_t a, size_t b)
{
	return a < b ? -1 : a > b;
}

/* Plan order, then block, then the order of the file (the runs lie in one array). */
static int compare_runs(const void *left, const void *right)
{
	const struct pw_run *a = *(const struct pw_run *const *)left;
	const struct pw_run *b = *(const struct pw_run *const *)right;
	int order = compare(a->entry, b->entry);

	order = order ? order : compare(a->point, b->point);
	order = order ? order : compare(a->config, b->config);
	order = order ? order : compare(a->block, b->block);
	return order ? order : (a < b ? -1 : a > b);
}

static bool same_place(const struct pw_run *a, const struct pw_run *b)
{
	return a->entry == b->entry && a->point == b->point && a->config == b->config &&
	       a->block == b->block;
}

/* Of several records of one place (retries) the last valid one counts, else the last. */
static const struct pw_run *choose(const struct pw_run *const *runs, size_t count)
{
	for (size_t i = count; i > 0; i--) {
		if (runs[i - 1]->status == PW_STATUS_OK)
			return runs[i - 1];
	}
	return runs[count - 1];
}

static void place(struct pw_analysis *analysis, const struct pw_run *run)
{
	struct pw_cell *cell;

	if (run->entry == PW_NONE) {
		if (run->status == PW_STATUS_OK)
			analysis->idle[run->config] = run;
		return;
	}
	cell = &analysis->cells[cell_index(analysis, run->config, run->entry, run->point)];
	cell->tried++;
	if (run->status == PW_STATUS_OK || pw_pitfall("failed-as-data")) {
		PW_PUSH(cell->runs, cell->n, cell->capacity, run);
		return;
	}
	cell->bad = run;
	PW_PUSH(analysis->bad, analysis->bad_count, analysis->bad_capacity, run);
}

static void place_runs(struct pw_analysis *analysis)
{
	const struct pw_results *results = analysis->results;
	size_t count = results->run_count;
	pw_auto_free const struct pw_run **sorted = pw_new(count + 1, sizeof(*sorted));
	size_t end;

	for (size_t i = 0; i < count; i++)
		sorted[i] = &results->runs[i];
	qsort(sorted, count, sizeof(*sorted), compare_runs);
	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && same_place(sorted[i], sorted[end]);)
			end++;
		analysis->runs_repeated += end - i - 1;
		place(analysis, choose(&sorted[i], end - i));
	}
}

bool pw_analysis_left_out(const struct pw_analysis *analysis, size_t config)
{
	if (!analysis->results->configs[config].skipped)
		return false;
	for (size_t i = 0; i < analysis->cells_per_config; i++) {
		if (analysis->cells[config * analysis->cells_per_config + i].n)
			return false;
	}
	return true;
}

static void choose_columns(struct pw_analysis *analysis)
{
	const struct pw_results *results = analysis->results;

	analysis->columns = pw_new(results->config_count + 1, sizeof(*analysis->columns));
	analysis->columns[analysis->column_count++] = results->baseline;
	for (size_t i = 0; i < results->config_count; i++) {
		if (i != results->baseline && !pw_analysis_left_out(analysis, i))
			analysis->columns[analysis->column_count++] = i;
	}
}

static void count_runs(struct pw_analysis *analysis)
{
	const struct pw_results *results = analysis->results;

	for (size_t config = 0; config < results->config_count; config++) {
		if (pw_analysis_left_out(analysis, config))
			continue;
		for (size_t i = 0; i < analysis->cells_per_config; i++) {
			const struct pw_cell *cell =
				&analysis->cells[config * analysis->cells_per_config + i];

			analysis->runs_valid += cell->n;
			analysis->runs_declared +=
				cell->tried > results->blocks ? cell->tried : results->blocks;
		}
	}
}

static void look_for_energy(struct pw_analysis *analysis)
{
	const struct pw_results *results = analysis->results;

	for (size_t i = 0; i < results->run_count; i++) {
		const struct pw_run *run = &results->runs[i];

		if (run->entry != PW_NONE && run->status == PW_STATUS_OK && run->energy_j > 0)
			analysis->any_energy = true;
		if (!analysis->energy_why)
			analysis->energy_why = run->energy_why;
	}
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

bool pw_same_energy(const struct pw_run *a, const struct pw_run *b)
{
	pw_auto_free char *why = pw_energy_difference(a, b);

	return !why;
}

bool pw_same_metric(const struct pw_run *a, const struct pw_run *b)
{
	return same_text(a->metric, b->metric) && same_text(a->unit, b->unit) &&
	       a->better == b->better && a->mean == b->mean;
}

static char *why_no_runs(const struct pw_cell *cell)
{
	if (cell->bad)
		return pw_sprintf("%s: %s", pw_status_text(cell->bad->status), cell->bad->reason);
	if (cell->skipped)
		return pw_sprintf("skipped: %s", cell->skipped);
	return pw_strdup("no run recorded");
}

/* Each run against the first that records the part: two of them stand for all pairs. */
static char *why_mixed_energy(const struct pw_cell *cell)
{
	const struct pw_run *with_energy = cell->runs[0], *with_unit = cell->runs[0];

	for (size_t i = 1; i < cell->n; i++) {
		const struct pw_run *run = cell->runs[i];
		pw_auto_free char *why = NULL;

		with_energy = with_energy->energy_id ? with_energy : run;
		with_unit = with_unit->work_unit ? with_unit : run;
		why = pw_energy_difference(with_energy, run);
		why = why ? why : pw_energy_difference(with_unit, run);
		if (why)
			return pw_sprintf("of its own runs the %s", why);
	}
	return NULL;
}

/* Runs of one cell that measured different things have no common mean. */
static char *why_mixed(const struct pw_identities *identities, const struct pw_cell *cell,
		       enum pw_quantity quantity)
{
	const struct pw_run *a = cell->runs[0];

	for (size_t i = 1; i < cell->n; i++) {
		const struct pw_run *b = cell->runs[i];

		char *why = pw_identity_difference(identities, a->identity, b->identity);

		if (why)
			return why;
		if (!pw_same_metric(a, b) || !same_text(a->flavour, b->flavour))
			return pw_strdup("its runs differ in metric, unit, mean or flavour");
	}
	return quantity == PW_QUANTITY_PERFORMANCE ? NULL : why_mixed_energy(cell);
}

static enum pw_mean mean_of(const struct pw_cell *cell, enum pw_quantity quantity)
{
	switch (quantity) {
	case PW_QUANTITY_PERFORMANCE:
		return cell->runs[0]->mean;
	case PW_QUANTITY_PPW:
		return PW_MEAN_HARMONIC;
	default:
		return PW_MEAN_ARITHMETIC;
	}
}

/* The values of the runs that have one; the reason of the first that has none. */
static size_t collect(const struct pw_cell *cell, enum pw_quantity quantity, double *values,
		      char **ret_why)
{
	size_t n = 0;

	*ret_why = NULL;
	for (size_t i = 0; i < cell->n; i++) {
		char *why = NULL;
		double value = pw_run_quantity(cell->runs[i], quantity, &why);

		if (!why)
			values[n++] = value;
		else if (!*ret_why)
			*ret_why = pw_take(why);
		free(why);
	}
	return n;
}

static void fill_stat(const struct pw_identities *identities, struct pw_cell *cell,
		      enum pw_quantity quantity)
{
	pw_auto_free double *values = pw_new(cell->n + 1, sizeof(*values));
	struct pw_stat *stat = &cell->stats[quantity];
	char *why;

	if (cell->n == 0) {
		cell->why[quantity] = why_no_runs(cell);
		return;
	}
	cell->why[quantity] = why_mixed(identities, cell, quantity);
	if (cell->why[quantity])
		return;
	stat->n = collect(cell, quantity, values, &why);
	if (stat->n == 0) {
		cell->why[quantity] = why;
		return;
	}
	free(why);
	stat->mean = pw_mean_of(mean_of(cell, quantity), values, stat->n);
	stat->cv = pw_cv_of(mean_of(cell, quantity), values, stat->n);
	if (!isfinite(stat->mean) || !(stat->mean > 0)) {
		stat->n = 0;
		cell->why[quantity] = pw_strdup("its mean is out of range");
	}
}

static void note_skipped(struct pw_analysis *analysis)
{
	const struct pw_results *results = analysis->results;
	struct pw_cell *cell = analysis->cells;

	for (size_t config = 0; config < results->config_count; config++) {
		for (size_t entry = 0; entry < results->entry_count; entry++) {
			const char *why = results->configs[config].skipped;

			for (size_t i = 0; i < results->entries[entry].point_count; i++)
				cell++->skipped = why ? why : results->entries[entry].skipped;
		}
	}
}

static void fill_cells(struct pw_analysis *analysis)
{
	size_t count = analysis->results->config_count * analysis->cells_per_config;

	note_skipped(analysis);
	for (size_t i = 0; i < count; i++) {
		for (int q = 0; q < PW_QUANTITY_COUNT; q++)
			fill_stat(&analysis->results->identities, &analysis->cells[i],
				  (enum pw_quantity)q);
	}
}

void pw_analyse(const struct pw_results *results, struct pw_analysis *ret)
{
	struct pw_analysis analysis = { .results = results };

	analysis.first = pw_new(results->entry_count + 1, sizeof(*analysis.first));
	for (size_t i = 0; i < results->entry_count; i++) {
		analysis.first[i] = analysis.cells_per_config;
		analysis.cells_per_config += results->entries[i].point_count;
	}
	analysis.cells = pw_new(results->config_count * analysis.cells_per_config + 1,
				sizeof(*analysis.cells));
	analysis.idle = pw_new(results->config_count + 1, sizeof(*analysis.idle));
	place_runs(&analysis);
	choose_columns(&analysis);
	count_runs(&analysis);
	look_for_energy(&analysis);
	fill_cells(&analysis);
	*ret = analysis;
}

void pw_analysis_done(struct pw_analysis *analysis)
{
	size_t count = analysis->results->config_count * analysis->cells_per_config;

	for (size_t i = 0; i < count; i++) {
		for (int q = 0; q < PW_QUANTITY_COUNT; q++)
			free(analysis->cells[i].why[q]);
		free(analysis->cells[i].runs);
	}
	free(analysis->cells);
	free(analysis->first);
	free(analysis->columns);
	free(analysis->idle);
	free(analysis->bad);
	*analysis = (struct pw_analysis){ 0 };
}

const struct pw_run *pw_analysis_example(const struct pw_analysis *analysis, size_t entry)
{
	for (size_t column = 0; column < analysis->column_count; column++) {
		for (size_t i = 0; i < analysis->results->entries[entry].point_count; i++) {
			const struct pw_cell *cell =
				pw_analysis_cell(analysis, analysis->columns[column], entry, i);

			if (cell->n)
				return cell->runs[0];
		}
	}
	return NULL;
}
