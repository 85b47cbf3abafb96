/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ratios of rows, summaries of sweeps. */
#include <math.h>
#include <string.h>

#include "lib/base/mem.h"
#include "report/analyse.h"
#include "report/quantity.h"

/*
 * Where performance, power and performance per watt all exist, the third must be the quotient of
 * the others to this relative difference (reference: docs/statistics.md, energy); more is said.
 */
#define QUOTIENT_TOLERANCE 0.005
/* Below this the update period of energy counters (about 1 ms) is no longer negligible. */
#define SHORT_WINDOW_S 1.0

static char *differ(const char *what, const char *a, const char *b)
{
	a = a ? a : "";
	b = b ? b : "";
	return strcmp(a, b) == 0 ? NULL : pw_sprintf("%s differs (%s / %s)", what, a, b);
}

const struct pw_run *pw_cell_having(const struct pw_cell *cell, enum pw_quantity quantity)
{
	for (size_t i = 0; i < cell->n; i++) {
		pw_auto_free char *why = NULL;

		(void)pw_run_quantity(cell->runs[i], quantity, &why);
		if (!why)
			return cell->runs[i];
	}
	return NULL;
}

static char *why_metrics_differ(const struct pw_run *a, const struct pw_run *b)
{
	char *why = differ("metric", a->metric, b->metric);

	why = why ? why : differ("unit", a->unit, b->unit);
	why = why ? why : differ("direction", pw_better_text(a->better), pw_better_text(b->better));
	return why ? why : differ("kind of mean", pw_mean_text(a->mean), pw_mean_text(b->mean));
}

/* Which counters were read, what was asked of them, and what was summed. */
static char *why_counters_differ(const struct pw_run *a, const struct pw_run *b)
{
	char *why;

	if (!a->energy_id || !b->energy_id)
		return NULL;
	why = differ("energy source", a->energy_source, b->energy_source);
	why = why ? why : differ("energy scope", a->energy_scope, b->energy_scope);
	return why ? why
		   : differ("set of energy domains counted", a->energy_counted, b->energy_counted);
}

char *pw_energy_difference(const struct pw_run *a, const struct pw_run *b)
{
	char *why = why_counters_differ(a, b);

	why = why ? why : differ("kind of run", pw_kind_text(a->kind), pw_kind_text(b->kind));
	if (!why && a->work_unit && b->work_unit)
		why = differ("unit of work", a->work_unit, b->work_unit);
	return why;
}

static char *why_energies_differ(const struct pw_run *a, const struct pw_run *b,
				 enum pw_quantity quantity)
{
	char *why = why_counters_differ(a, b);

	if (quantity == PW_QUANTITY_POWER)
		return why;
	why = why ? why : differ("kind of run", pw_kind_text(a->kind), pw_kind_text(b->kind));
	if (!why && a->kind != PW_KIND_FIXED_WORK)
		why = differ("unit of work", a->work_unit, b->work_unit);
	return why;
}

/* Two sides, each with a value, that did not measure the same thing are not comparable. */
static char *why_not_comparable(const struct pw_identities *identities, const struct pw_cell *base,
				const struct pw_cell *cell, enum pw_quantity quantity)
{
	const struct pw_run *a = pw_cell_having(base, quantity);
	const struct pw_run *b = pw_cell_having(cell, quantity);
	char *why;

	if (!a || !b)
		return pw_strdup("no value");
	why = differ("what ran", a->flavour, b->flavour);
	why = why ? why : pw_identity_difference(identities, a->identity, b->identity);
	if (why)
		return why;
	if (quantity == PW_QUANTITY_PERFORMANCE)
		return why_metrics_differ(a, b);
	return why_energies_differ(a, b, quantity);
}

struct pw_row_ratio pw_row_ratio(const struct pw_analysis *analysis, enum pw_quantity quantity,
				 size_t config, size_t entry, size_t point)
{
	size_t baseline = analysis->results->baseline;
	const struct pw_cell *base = pw_analysis_cell(analysis, baseline, entry, point);
	const struct pw_cell *cell = pw_analysis_cell(analysis, config, entry, point);
	struct pw_row_ratio row = { 0 };

	if (cell->stats[quantity].n == 0)
		row.why = pw_strdup(cell->why[quantity]);
	else if (base->stats[quantity].n == 0)
		row.why = pw_sprintf("baseline: %s", base->why[quantity]);
	else
		row.why = why_not_comparable(&analysis->results->identities, base, cell, quantity);
	if (row.why)
		return row;
	row.ratio = cell->stats[quantity].mean / base->stats[quantity].mean;
	row.usable = isfinite(row.ratio) && row.ratio > 0;
	if (!row.usable)
		row.why = pw_strdup("the ratio is out of range");
	return row;
}

static bool row_value(const struct pw_analysis *analysis, enum pw_quantity quantity, size_t config,
		      size_t entry, size_t point, double *ret)
{
	struct pw_row_ratio row = pw_row_ratio(analysis, quantity, config, entry, point);

	free(row.why);
	*ret = row.ratio;
	return row.usable;
}

/* Performance ratio, turned so that more is better, over power ratio, where all three exist. */
static char *quotient_note(const struct pw_analysis *analysis, size_t config, size_t entry)
{
	const struct pw_run *example = pw_analysis_example(analysis, entry);
	double sum_ppw = 0, sum_quotient = 0;
	size_t rows = 0;

	for (size_t i = 0; i < analysis->results->entries[entry].point_count; i++) {
		double s, p, q;

		if (!row_value(analysis, PW_QUANTITY_PERFORMANCE, config, entry, i, &s) ||
		    !row_value(analysis, PW_QUANTITY_POWER, config, entry, i, &p) ||
		    !row_value(analysis, PW_QUANTITY_PPW, config, entry, i, &q))
			continue;
		sum_ppw += log(q);
		sum_quotient += (example->better == PW_BETTER_LOWER ? -log(s) : log(s)) - log(p);
		rows++;
	}
	if (rows == 0 || fabs(sum_ppw - sum_quotient) <= QUOTIENT_TOLERANCE * (double)rows)
		return NULL;
	return pw_sprintf("performance ratio / power ratio would give %.2f",
			  exp(sum_quotient / (double)rows));
}

/* Runs without energy, and windows too short for its counters. */
static char *energy_note(const struct pw_analysis *analysis, size_t config, size_t entry,
			 enum pw_quantity quantity)
{
	size_t with = 0, all = 0;
	bool brief = false;

	for (size_t i = 0; i < analysis->results->entries[entry].point_count; i++) {
		const struct pw_cell *cell = pw_analysis_cell(analysis, config, entry, i);

		all += cell->n;
		with += cell->stats[quantity].n;
		for (size_t j = 0; cell->stats[quantity].n && j < cell->n; j++)
			brief |= cell->runs[j]->window_s > 0 &&
				 cell->runs[j]->window_s < SHORT_WINDOW_S;
	}
	if (with == all && !brief)
		return NULL;
	if (with == all)
		return pw_strdup("windows under 1 s: too short for energy counters");
	return pw_sprintf("from %zu of %zu valid runs%s", with, all,
			  brief ? "; windows under 1 s: too short for energy counters" : "");
}

static char *join_notes(char *a, char *b)
{
	char *joined;

	if (!a || !b)
		return a ? a : b;
	joined = pw_sprintf("%s; %s", a, b);
	free(a);
	free(b);
	return joined;
}

static char *notes(const struct pw_analysis *analysis, enum pw_quantity quantity, size_t config,
		   size_t entry)
{
	char *note;

	if (quantity == PW_QUANTITY_PERFORMANCE)
		return NULL;
	note = energy_note(analysis, config, entry, quantity);
	if (quantity != PW_QUANTITY_PPW || config == analysis->results->baseline)
		return note;
	return join_notes(note, quotient_note(analysis, config, entry));
}

void pw_summarise(const struct pw_analysis *analysis, enum pw_quantity quantity, size_t config,
		  size_t entry, struct pw_summary *ret)
{
	struct pw_summary summary = { .rows = analysis->results->entries[entry].point_count };
	pw_auto_free double *ratios = pw_new(summary.rows + 1, sizeof(*ratios));

	for (size_t i = 0; i < summary.rows; i++) {
		struct pw_row_ratio row = pw_row_ratio(analysis, quantity, config, entry, i);

		if (row.usable)
			ratios[summary.usable++] = row.ratio;
		else if (!summary.why)
			summary.why = pw_take(row.why);
		free(row.why);
	}
	if (summary.usable) {
		free(pw_take(summary.why));
		summary.ratio = pw_geometric_mean(ratios, summary.usable);
		summary.least = summary.largest = ratios[0];
		summary.note = notes(analysis, quantity, config, entry);
	}
	for (size_t i = 1; i < summary.usable; i++) {
		summary.least = fmin(summary.least, ratios[i]);
		summary.largest = fmax(summary.largest, ratios[i]);
	}
	*ret = summary;
}

void pw_summary_done(struct pw_summary *summary)
{
	free(summary->why);
	free(summary->note);
	*summary = (struct pw_summary){ 0 };
}
