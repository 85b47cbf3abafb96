/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The detailed tables: one row per sweep point, mean +- CV (gain) per configuration. */
#include <math.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/text.h"
#include "report/names.h"
#include "report/text.h"

/* The parts of one cell, padded to a common width before they are joined. */
struct parts {
	char *value, *cv, *gain;
};

static const char *mean_label(enum pw_mean mean)
{
	switch (mean) {
	case PW_MEAN_HARMONIC:
		return "Hmean";
	case PW_MEAN_GEOMETRIC:
		return "Gmean";
	default:
		return "Amean";
	}
}

char *pw_text_row_label(const struct pw_analysis *analysis, size_t entry, size_t point,
			enum pw_mean mean)
{
	pw_auto_free char *shown =
		pw_name_escaped(analysis->results->entries[entry].points[point].shown);

	return pw_sprintf("%s   %s", mean_label(mean), shown);
}

void pw_text_heads(const struct pw_analysis *analysis, bool mark, struct pw_matrix *matrix)
{
	for (size_t i = 0; i < analysis->column_count; i++) {
		pw_auto_free char *name =
			pw_name_escaped(analysis->results->configs[analysis->columns[i]].name);

		pw_matrix_head(matrix, i,
			       pw_sprintf("%s%s", name, mark && i == 0 ? " (BASELINE)" : ""));
	}
}

/* Positive is better, whichever way the metric points. */
static char *gain_text(const struct pw_analysis *analysis, size_t config, size_t entry,
		       size_t point, enum pw_better better)
{
	struct pw_row_ratio row;
	double gain;

	if (config == analysis->results->baseline)
		return pw_strdup("");
	row = pw_row_ratio(analysis, PW_QUANTITY_PERFORMANCE, config, entry, point);
	free(row.why);
	if (!row.usable)
		return pw_strdup("n/a");
	gain = 100 * (better == PW_BETTER_LOWER ? 1 - row.ratio : row.ratio - 1);
	return pw_sprintf("%.2f%%", gain);
}

static struct parts cell_parts(const struct pw_analysis *analysis, const struct pw_run *example,
			       size_t config, size_t entry, size_t point)
{
	const struct pw_cell *cell = pw_analysis_cell(analysis, config, entry, point);
	const struct pw_stat *stat = &cell->stats[PW_QUANTITY_PERFORMANCE];

	if (stat->n == 0 || !pw_same_metric(cell->runs[0], example))
		return (struct parts){ .value = pw_strdup("n/a") };
	return (struct parts){
		.value = pw_number_text(stat->mean),
		.cv = isfinite(stat->cv) ? pw_sprintf("%.2f", 100 * stat->cv) : pw_strdup("--"),
		.gain = gain_text(analysis, config, entry, point, example->better),
	};
}

static size_t wider(size_t width, const char *text)
{
	size_t other = text ? pw_text_width(text) : 0;

	return other > width ? other : width;
}

static char *join_parts(const struct parts *parts, size_t value, size_t cv, size_t gain)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	pw_text_pad_left(&text, parts->value, value);
	if (!parts->cv) {
		pw_strbuf_fill(&text, ' ', strlen("  +- % ()") + cv + gain);
		return pw_strbuf_take(&text);
	}
	pw_strbuf_puts(&text, "  +- ");
	pw_text_pad_left(&text, parts->cv, cv);
	pw_strbuf_puts(&text, "% (");
	pw_text_pad_left(&text, parts->gain, gain);
	pw_strbuf_putc(&text, ')');
	return pw_strbuf_take(&text);
}

static void fill_cells(const struct pw_analysis *analysis, size_t entry,
		       const struct pw_run *example, size_t rows, struct pw_matrix *matrix)
{
	size_t columns = analysis->column_count;
	pw_auto_free struct parts *parts = pw_new(rows * columns + 1, sizeof(*parts));
	size_t value = 0, cv = strlen("0.00"), gain = strlen(" -00.00%");

	for (size_t i = 0; i < rows * columns; i++) {
		parts[i] = cell_parts(analysis, example, analysis->columns[i % columns], entry,
				      i / columns);
		value = wider(value, parts[i].value);
		cv = wider(cv, parts[i].cv);
		gain = wider(gain, parts[i].gain);
	}
	for (size_t i = 0; i < rows * columns; i++) {
		pw_matrix_cell(matrix, i / columns, i % columns,
			       join_parts(&parts[i], value, cv, gain));
		free(parts[i].value);
		free(parts[i].cv);
		free(parts[i].gain);
	}
}

/* The summary of the sweep, with the range that a mean hides. */
static void fill_summary(const struct pw_analysis *analysis, size_t entry, size_t row,
			 struct pw_matrix *matrix)
{
	pw_matrix_label(matrix, row, pw_strdup("Gmean   ratio"));
	for (size_t i = 0; i < analysis->column_count; i++) {
		pw_auto(pw_summary_done) struct pw_summary cell = { 0 };
		pw_auto_free char *ratio = NULL;
		pw_auto_free char *least = NULL;
		pw_auto_free char *largest = NULL;

		pw_summarise(analysis, PW_QUANTITY_PERFORMANCE, analysis->columns[i], entry, &cell);
		if (cell.usable == 0) {
			pw_matrix_cell(matrix, row, i, pw_strdup("n/a"));
			continue;
		}
		ratio = pw_ratio_text(cell.ratio);
		least = pw_ratio_text(cell.least);
		largest = pw_ratio_text(cell.largest);
		pw_matrix_cell(matrix, row, i, pw_sprintf("%s [%s, %s]", ratio, least, largest));
	}
}

static void print_title(const struct pw_analysis *analysis, size_t entry, struct pw_strbuf *text)
{
	pw_auto_free char *label = pw_name_row(analysis, entry);
	pw_auto_free char *title = pw_name_escaped(analysis->results->entries[entry].title);

	pw_strbuf_puts(text, "\nBenchmark          : ");
	if (strncmp(title, label, strlen(label)) != 0)
		pw_strbuf_printf(text, "%s: ", label);
	pw_strbuf_printf(text, "%s\n", title);
}

/* The window over which rate and energy were taken; nothing where it was not recorded. */
static void print_window(const struct pw_analysis *analysis, size_t entry, struct pw_strbuf *text)
{
	bool timed = false, whole = false;
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < analysis->column_count; i++) {
		for (size_t p = 0; p < analysis->results->entries[entry].point_count; p++) {
			const struct pw_cell *cell =
				pw_analysis_cell(analysis, analysis->columns[i], entry, p);

			for (size_t j = 0; j < cell->n; j++) {
				timed |= cell->runs[j]->timed_window;
				whole |= cell->runs[j]->whole_window;
				sum += cell->runs[j]->window_s;
				n += cell->runs[j]->window_s > 0;
			}
		}
	}
	if (n == 0 || (!timed && !whole))
		return;
	pw_strbuf_printf(text, "Measured window    : %s%s%s, mean %.1f s\n",
			 timed ? "timed part" : "", timed && whole ? " or " : "",
			 whole ? "whole command" : "", sum / (double)n);
}

static void print_header(const struct pw_analysis *analysis, size_t entry,
			 const struct pw_run *example, struct pw_strbuf *text)
{
	const char *sweep = analysis->results->entries[entry].sweep_title;

	print_title(analysis, entry, text);
	pw_strbuf_puts(text, "Varying parameter  : ");
	pw_text_escape(text, sweep ? sweep : "none");
	pw_strbuf_puts(text, "\nUnit               : ");
	if (!example) {
		pw_strbuf_puts(text, "not known: no valid run\n");
		return;
	}
	pw_text_escape(text, *example->unit ? example->unit : "none");
	pw_strbuf_printf(text, " (%s is better)\n", pw_better_text(example->better));
	if (example->kind)
		pw_strbuf_printf(text, "Kind of run        : %s\n", pw_kind_text(example->kind));
	print_window(analysis, entry, text);
}

void pw_text_detail(const struct pw_analysis *analysis, size_t entry, struct pw_strbuf *text)
{
	const struct pw_run *example = pw_analysis_example(analysis, entry);
	size_t rows = analysis->results->entries[entry].point_count;
	bool sweep = rows > 1;
	struct pw_matrix matrix;

	print_header(analysis, entry, example, text);
	if (!example)
		return;
	pw_matrix_init(&matrix, rows + sweep, analysis->column_count);
	pw_text_heads(analysis, true, &matrix);
	for (size_t i = 0; i < rows; i++)
		pw_matrix_label(&matrix, i, pw_text_row_label(analysis, entry, i, example->mean));
	fill_cells(analysis, entry, example, rows, &matrix);
	if (sweep)
		fill_summary(analysis, entry, rows, &matrix);
	pw_strbuf_putc(text, '\n');
	pw_matrix_print(&matrix, text);
	pw_matrix_done(&matrix);
}
