/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ratio blocks, in the form of published comparisons. */
#include <inttypes.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/text.h"
#include "report/names.h"
#include "report/text.h"

#define GAP	  2
#define BETTER_IF "better if"

struct block {
	enum pw_quantity quantity;
	const char *title;
};

static const struct block blocks[] = {
	{ PW_QUANTITY_PERFORMANCE, "PERFORMANCE RATIOS" },
	{ PW_QUANTITY_POWER, "POWER RATIOS" },
	{ PW_QUANTITY_PPW, "PERFORMANCE-PER-WATT RATIOS" },
};

/* Everything that is printed: all blocks in one matrix, so that their columns stand in line. */
struct summary {
	const struct pw_analysis *analysis;
	struct pw_matrix matrix;
	struct pw_strv notes; /* footnotes; number = place + 1 */
	size_t *entries;      /* rows of a block */
	size_t entry_count;
	size_t block_count;
};

static size_t note_number(struct pw_strv *notes, const char *text)
{
	for (size_t i = 0; i < notes->count; i++) {
		if (strcmp(notes->items[i], text) == 0)
			return i + 1;
	}
	pw_strv_push(notes, text);
	return notes->count;
}

static char *footnote(const struct pw_summary *cell)
{
	if (cell->usable == 0)
		return pw_strdup(cell->why ? cell->why : "no rows");
	if (cell->usable == cell->rows)
		return cell->note ? pw_strdup(cell->note) : NULL;
	return pw_sprintf("%zu/%zu rows%s%s", cell->usable, cell->rows, cell->note ? "; " : "",
			  cell->note ? cell->note : "");
}

static char *cell_text(struct summary *summary, enum pw_quantity quantity, size_t config,
		       size_t entry)
{
	pw_auto(pw_summary_done) struct pw_summary cell = { 0 };
	pw_auto_free char *number = NULL;
	pw_auto_free char *note = NULL;

	pw_summarise(summary->analysis, quantity, config, entry, &cell);
	number = cell.usable ? pw_ratio_text(cell.ratio) : pw_strdup("n/a");
	note = footnote(&cell);
	if (!note)
		return pw_take(number);
	return pw_sprintf("%s [%zu]", number, note_number(&summary->notes, note));
}

static void fill(struct summary *summary)
{
	const struct pw_analysis *analysis = summary->analysis;

	for (size_t row = 0; row < summary->matrix.rows; row++) {
		const struct block *block = &blocks[row / summary->entry_count];
		size_t entry = summary->entries[row % summary->entry_count];

		pw_matrix_label(&summary->matrix, row, pw_name_row(analysis, entry));
		for (size_t i = 0; i < analysis->column_count; i++)
			pw_matrix_cell(&summary->matrix, row, i,
				       cell_text(summary, block->quantity, analysis->columns[i],
						 entry));
	}
	pw_text_heads(analysis, false, &summary->matrix);
}

static size_t band_width(const struct summary *summary, const struct pw_band *band)
{
	size_t width = 2 + pw_matrix_label_width(&summary->matrix) + GAP + strlen(BETTER_IF);

	for (size_t i = 0; i < pw_band_count(band); i++)
		width += GAP + pw_matrix_width(&summary->matrix, pw_band_column(band, i));
	return width;
}

static void print_border(size_t width, struct pw_strbuf *text)
{
	pw_strbuf_putc(text, '+');
	for (size_t i = 3; i < width; i += 2)
		pw_strbuf_puts(text, " -");
	pw_strbuf_puts(text, " +\n");
}

static void print_title(size_t width, const char *title, struct pw_strbuf *text)
{
	size_t length = strlen(title);

	pw_strbuf_putc(text, '|');
	pw_strbuf_fill(text, ' ', width > length + 2 ? (width - length) / 2 : 1);
	pw_strbuf_puts(text, title);
	pw_strbuf_putc(text, '\n');
}

static void print_heads(const struct summary *summary, const struct pw_band *band,
			struct pw_strbuf *text)
{
	pw_strbuf_puts(text, "| ");
	pw_strbuf_fill(text, ' ', pw_matrix_label_width(&summary->matrix));
	for (size_t i = 0; i < pw_band_count(band); i++) {
		size_t column = pw_band_column(band, i);

		pw_strbuf_fill(text, ' ', GAP);
		pw_text_pad(text, summary->matrix.heads[column],
			    pw_matrix_width(&summary->matrix, column));
	}
	pw_strbuf_fill(text, ' ', GAP);
	pw_strbuf_puts(text, BETTER_IF "\n");
}

/* The widest cell of a column is centred; all cells of it start below one another. */
static size_t lead(const struct pw_matrix *matrix, size_t column)
{
	size_t widest = 0;

	for (size_t row = 0; row < matrix->rows; row++) {
		size_t width = pw_text_width(pw_matrix_text(matrix, row, column));

		widest = width > widest ? width : widest;
	}
	return (pw_matrix_width(matrix, column) - widest) / 2;
}

static const char *better_if(const struct summary *summary, size_t row)
{
	enum pw_quantity quantity = blocks[row / summary->entry_count].quantity;
	const struct pw_run *example;

	if (quantity == PW_QUANTITY_POWER)
		return "lower";
	if (quantity == PW_QUANTITY_PPW)
		return "higher";
	example = pw_analysis_example(summary->analysis,
				      summary->entries[row % summary->entry_count]);
	return example ? pw_better_text(example->better) : "-";
}

static void print_row(const struct summary *summary, const struct pw_band *band, size_t row,
		      struct pw_strbuf *text)
{
	const struct pw_matrix *matrix = &summary->matrix;

	pw_strbuf_puts(text, "| ");
	pw_text_pad(text, matrix->labels[row], pw_matrix_label_width(matrix));
	for (size_t i = 0; i < pw_band_count(band); i++) {
		size_t column = pw_band_column(band, i);
		size_t before = lead(matrix, column);

		pw_strbuf_fill(text, ' ', GAP + before);
		pw_text_pad(text, pw_matrix_text(matrix, row, column),
			    pw_matrix_width(matrix, column) - before);
	}
	pw_strbuf_fill(text, ' ', GAP);
	pw_strbuf_printf(text, "%s\n", better_if(summary, row));
}

static void print_band(const struct summary *summary, const struct pw_band *band,
		       struct pw_strbuf *text)
{
	size_t width = band_width(summary, band);

	print_border(width, text);
	print_heads(summary, band, text);
	print_border(width, text);
	for (size_t row = 0; row < summary->matrix.rows; row++) {
		if (row % summary->entry_count == 0) {
			if (row)
				print_border(width, text);
			print_title(width, blocks[row / summary->entry_count].title, text);
		}
		print_row(summary, band, row, text);
	}
	if (!summary->analysis->any_energy) {
		print_border(width, text);
		pw_strbuf_puts(text, "| PERFORMANCE-PER-WATT RATIOS: n/a (no energy: ");
		pw_text_escape(text, summary->analysis->energy_why ? summary->analysis->energy_why
								   : "none recorded");
		pw_strbuf_puts(text, ")\n");
	}
	print_border(width, text);
}

static void print_machine_line(const struct pw_value *session, struct pw_strbuf *text)
{
	const struct pw_value *machine = pw_value_get(session, "machine");
	const struct pw_value *host = pw_value_get(session, "host");
	const char *about =
		pw_value_get_text(machine, "about", pw_value_get_text(host, "cpu", NULL));

	pw_text_escape(text, pw_value_get_text(machine, "label",
					       pw_value_get_text(host, "name", "machine")));
	if (about) {
		pw_strbuf_puts(text, ": ");
		pw_text_escape(text, about);
	}
	pw_strbuf_putc(text, '\n');
}

static void print_notes(const struct summary *summary, struct pw_strbuf *text)
{
	for (size_t i = 0; i < summary->notes.count; i++) {
		pw_strbuf_printf(text, "  [%zu] ", i + 1);
		pw_text_escape(text, summary->notes.items[i]);
		pw_strbuf_putc(text, '\n');
	}
}

static char *idle_text(const struct pw_analysis *analysis, size_t config)
{
	const struct pw_run *run = analysis->idle[config];
	pw_auto_free char *name = pw_name_escaped(analysis->results->configs[config].name);
	pw_auto_free char *unit = run ? pw_name_escaped(run->unit) : NULL;
	pw_auto_free char *number = run ? pw_number_text(run->value) : NULL;

	return run ? pw_sprintf("%s %s %s", name, number, unit) : pw_sprintf("%s n/a", name);
}

/* One line, wrapped after a comma. */
static void print_idle(const struct pw_analysis *analysis, struct pw_strbuf *text)
{
	static const char head[] = "Idle       ";
	size_t width = strlen(head);
	bool any = false;

	for (size_t i = 0; i < analysis->column_count; i++)
		any |= analysis->idle[analysis->columns[i]] != NULL;
	if (!any)
		return;
	pw_strbuf_puts(text, head);
	for (size_t i = 0; i < analysis->column_count; i++) {
		pw_auto_free char *item = idle_text(analysis, analysis->columns[i]);

		width += pw_text_width(item) + 2;
		if (i && width > PW_TEXT_COLUMNS) {
			pw_strbuf_printf(text, ",\n%*s", (int)strlen(head), "");
			width = strlen(head) + pw_text_width(item) + 2;
		} else if (i) {
			pw_strbuf_puts(text, ", ");
		}
		pw_strbuf_puts(text, item);
	}
	pw_strbuf_putc(text, '\n');
}

static void print_bands(struct summary *summary, struct pw_strbuf *text)
{
	size_t fixed = 2 + pw_matrix_label_width(&summary->matrix) + GAP + strlen(BETTER_IF);
	struct pw_band band = { 0 };

	while (pw_band_next(&summary->matrix, fixed, GAP, &band)) {
		if (band.first > 1)
			pw_strbuf_putc(text, '\n');
		print_band(summary, &band, text);
	}
}

void pw_text_summary(const struct pw_analysis *analysis, struct pw_strbuf *text)
{
	const struct pw_results *results = analysis->results;
	struct summary summary = { .analysis = analysis,
				   .block_count = analysis->any_energy ? PW_LENGTH(blocks) : 1 };

	summary.entries = pw_new(results->entry_count + 1, sizeof(*summary.entries));
	for (size_t i = 0; i < results->entry_count; i++) {
		if (!results->entries[i].idle)
			summary.entries[summary.entry_count++] = i;
	}
	pw_matrix_init(&summary.matrix, summary.entry_count * summary.block_count,
		       analysis->column_count);
	pw_strbuf_putc(text, '\n');
	print_machine_line(&results->session, text);
	if (summary.entry_count) {
		fill(&summary);
		print_bands(&summary, text);
		print_notes(&summary, text);
	}
	print_idle(analysis, text);
	pw_matrix_done(&summary.matrix);
	pw_strv_done(&summary.notes);
	free(summary.entries);
}
