/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cells, ratios and summaries of one results folder (definitions: docs/statistics.md). Plain
 * structs: every renderer prints these and computes nothing of its own.
 *
 * Cell    = the mean, over the blocks, of one quantity at one sweep point under one configuration.
 * Ratio   = cell / baseline cell.
 * Summary = geometric mean of the row ratios of a sweep, over the rows that both sides have. It is
 *           never turned round by the direction: a time keeps "lower is better".
 */
#ifndef PW_REPORT_ANALYSE_H
#define PW_REPORT_ANALYSE_H

#include "report/quantity.h"
#include "report/results.h"

struct pw_stat {
	size_t n; /* runs behind it; 0 = no value */
	double mean;
	double cv; /* fraction, divisor n - 1; NAN for n = 1 */
};

struct pw_cell {
	const struct pw_run **runs; /* the valid ones, by block, one a block */
	size_t n, capacity;
	const struct pw_run *bad; /* the last that was not valid, if any */
	const char *skipped;	  /* why it was left out on this machine; borrowed, may be NULL */
	size_t tried;		  /* blocks with a record */
	struct pw_stat stats[PW_QUANTITY_COUNT];
	char *why[PW_QUANTITY_COUNT]; /* why there is no value */
};

struct pw_analysis {
	const struct pw_results *results; /* borrowed */
	struct pw_cell *cells;
	size_t *first; /* per entry: index of its first cell within one configuration */
	size_t cells_per_config;
	size_t *columns; /* configurations with a column: the baseline first */
	size_t column_count;
	const struct pw_run **idle; /* per configuration: the idle measurement, or NULL */
	const struct pw_run **bad;  /* runs that were not valid and not replaced, plan order */
	size_t bad_count, bad_capacity;
	size_t runs_declared, runs_valid, runs_repeated;
	bool any_energy;
	const char *energy_why; /* a reason why there is none, from the records; may be NULL */
};

void pw_analyse(const struct pw_results *results, struct pw_analysis *ret);
void pw_analysis_done(struct pw_analysis *analysis);
const struct pw_cell *pw_analysis_cell(const struct pw_analysis *analysis, size_t config,
				       size_t entry, size_t point);
/* A skipped or impossible configuration without any valid run: no column. */
bool pw_analysis_left_out(const struct pw_analysis *analysis, size_t config);
/* The run that stands for an entry's metric, unit and kind (the baseline's if it has one), or
 * NULL. */
const struct pw_run *pw_analysis_example(const struct pw_analysis *analysis, size_t entry);

/* Name, unit, direction and kind of mean agree. */
bool pw_same_metric(const struct pw_run *a, const struct pw_run *b);
/* Kind of run, unit of work and what was counted agree, as far as both record them. */
bool pw_same_energy(const struct pw_run *a, const struct pw_run *b);
/* What of it does not agree, for people; NULL: nothing. Energies are compared where both have one.
 */
char *pw_energy_difference(const struct pw_run *a, const struct pw_run *b);
/* The first valid run of a cell that has such a value, or NULL. */
const struct pw_run *pw_cell_having(const struct pw_cell *cell, enum pw_quantity quantity);

struct pw_row_ratio {
	bool usable;
	double ratio;
	char *why; /* if not usable; owned */
};

/* The ratio of one row. `why` is the caller's. */
struct pw_row_ratio pw_row_ratio(const struct pw_analysis *analysis, enum pw_quantity quantity,
				 size_t config, size_t entry, size_t point);

struct pw_summary {
	size_t rows, usable; /* K and k */
	double ratio;	     /* if usable > 0 */
	double least, largest;
	char *why;  /* if usable = 0 */
	char *note; /* what a reader must know beside k/K, or NULL */
};

void pw_summarise(const struct pw_analysis *analysis, enum pw_quantity quantity, size_t config,
		  size_t entry, struct pw_summary *ret);
void pw_summary_done(struct pw_summary *summary);

#endif
