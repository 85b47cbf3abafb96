/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The compact table of energy: J per unit of work and mean power. */
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/text.h"
#include "report/names.h"
#include "report/text.h"

static const struct pw_run *find_example(const struct pw_analysis *analysis, size_t entry,
					 enum pw_quantity quantity)
{
	for (size_t i = 0; i < analysis->column_count; i++) {
		for (size_t p = 0; p < analysis->results->entries[entry].point_count; p++) {
			const struct pw_run *run = pw_cell_having(
				pw_analysis_cell(analysis, analysis->columns[i], entry, p),
				quantity);

			if (run)
				return run;
		}
	}
	return NULL;
}

/* The run that the head of the table speaks of: one that also knows its work, if any does. */
static const struct pw_run *example_with_energy(const struct pw_analysis *analysis, size_t entry)
{
	const struct pw_run *run = find_example(analysis, entry, PW_QUANTITY_ENERGY);

	return run ? run : find_example(analysis, entry, PW_QUANTITY_POWER);
}

static char *stat_text(const struct pw_stat *stat)
{
	return stat->n ? pw_number_text(stat->mean) : pw_strdup("n/a");
}

static bool same_energy(const struct pw_cell *cell, const struct pw_run *example)
{
	for (size_t i = 0; i < cell->n; i++) {
		if (!pw_same_energy(cell->runs[i], example))
			return false;
	}
	return true;
}

static char *cell_text(const struct pw_cell *cell, const struct pw_run *example)
{
	pw_auto_free char *energy = NULL;
	pw_auto_free char *power = NULL;

	/* What the head of the table says must hold for every cell of it. */
	if (!same_energy(cell, example))
		return pw_strdup("n/a J        n/a W");
	energy = stat_text(&cell->stats[PW_QUANTITY_ENERGY]);
	power = stat_text(&cell->stats[PW_QUANTITY_POWER]);
	return pw_sprintf("%s J %10s W", energy, power);
}

static void print_header(const struct pw_run *example, struct pw_strbuf *text)
{
	pw_strbuf_puts(text, "\nEnergy             : ");
	pw_text_escape(text, example->energy_id);
	pw_strbuf_puts(text, "\nUnit               : J/");
	if (example->kind == PW_KIND_FIXED_WORK)
		pw_strbuf_puts(text, "run");
	else
		pw_text_escape(text, example->work_unit && *example->work_unit ? example->work_unit
									       : "unit of work");
	pw_strbuf_puts(text, "; mean W (lower is better)\n\n");
}

void pw_text_energy(const struct pw_analysis *analysis, size_t entry, struct pw_strbuf *text)
{
	const struct pw_run *example = example_with_energy(analysis, entry);
	size_t rows = analysis->results->entries[entry].point_count;
	struct pw_matrix matrix;

	if (!example)
		return;
	print_header(example, text);
	pw_matrix_init(&matrix, rows, analysis->column_count);
	pw_text_heads(analysis, true, &matrix);
	for (size_t row = 0; row < rows; row++) {
		pw_matrix_label(&matrix, row,
				pw_text_row_label(analysis, entry, row, PW_MEAN_ARITHMETIC));
		for (size_t i = 0; i < analysis->column_count; i++)
			pw_matrix_cell(&matrix, row, i,
				       cell_text(pw_analysis_cell(analysis, analysis->columns[i],
								  entry, row),
						 example));
	}
	pw_matrix_print(&matrix, text);
	pw_matrix_done(&matrix);
}
