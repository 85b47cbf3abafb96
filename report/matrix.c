/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/matrix.h"

#include <stdlib.h>

#include "lib/base/mem.h"
#include "lib/base/text.h"

#define GAP 4 /* between columns of the detailed form */

static char **new_texts(size_t count)
{
	char **texts = pw_new(count + 1, sizeof(*texts));

	for (size_t i = 0; i < count; i++)
		texts[i] = pw_strdup("");
	return texts;
}

static void free_texts(char **texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
	free(texts);
}

void pw_matrix_init(struct pw_matrix *matrix, size_t rows, size_t columns)
{
	*matrix = (struct pw_matrix){
		.rows = rows,
		.columns = columns,
		.labels = new_texts(rows),
		.heads = new_texts(columns),
		.cells = new_texts(rows * columns),
	};
}

void pw_matrix_done(struct pw_matrix *matrix)
{
	free_texts(matrix->labels, matrix->rows);
	free_texts(matrix->heads, matrix->columns);
	free_texts(matrix->cells, matrix->rows * matrix->columns);
	*matrix = (struct pw_matrix){ 0 };
}

static void replace(char **place, char *text)
{
	free(*place);
	*place = text;
}

void pw_matrix_label(struct pw_matrix *matrix, size_t row, char *text)
{
	replace(&matrix->labels[row], text);
}

void pw_matrix_head(struct pw_matrix *matrix, size_t column, char *text)
{
	replace(&matrix->heads[column], text);
}

void pw_matrix_cell(struct pw_matrix *matrix, size_t row, size_t column, char *text)
{
	replace(&matrix->cells[row * matrix->columns + column], text);
}

const char *pw_matrix_text(const struct pw_matrix *matrix, size_t row, size_t column)
{
	return matrix->cells[row * matrix->columns + column];
}

size_t pw_matrix_width(const struct pw_matrix *matrix, size_t column)
{
	size_t width = pw_text_width(matrix->heads[column]);

	for (size_t row = 0; row < matrix->rows; row++) {
		size_t cell = pw_text_width(pw_matrix_text(matrix, row, column));

		width = cell > width ? cell : width;
	}
	return width;
}

size_t pw_matrix_label_width(const struct pw_matrix *matrix)
{
	size_t width = 0;

	for (size_t row = 0; row < matrix->rows; row++) {
		size_t label = pw_text_width(matrix->labels[row]);

		width = label > width ? label : width;
	}
	return width;
}

bool pw_band_next(const struct pw_matrix *matrix, size_t fixed, size_t gap, struct pw_band *band)
{
	size_t width = fixed + gap + pw_matrix_width(matrix, 0);

	if (band->started && band->end >= matrix->columns)
		return false;
	band->first = band->started ? band->end : 1;
	band->end = band->first;
	band->started = true;
	while (band->end < matrix->columns) {
		width += gap + pw_matrix_width(matrix, band->end);
		/* A column that fits nowhere still gets a band. */
		if (width > PW_TEXT_COLUMNS && band->end > band->first)
			break;
		band->end++;
	}
	return true;
}

size_t pw_band_count(const struct pw_band *band)
{
	return 1 + band->end - band->first;
}

size_t pw_band_column(const struct pw_band *band, size_t place)
{
	return place == 0 ? 0 : band->first + place - 1;
}

void pw_end_line(struct pw_strbuf *text)
{
	while (text->length && text->text[text->length - 1] == ' ')
		text->length--;
	pw_strbuf_putc(text, '\n');
}

static void print_line(const struct pw_matrix *matrix, const struct pw_band *band,
		       const char *label, char *const *cells, struct pw_strbuf *text)
{
	pw_text_pad(text, label, pw_matrix_label_width(matrix));
	for (size_t place = 0; place < pw_band_count(band); place++) {
		size_t column = pw_band_column(band, place);

		pw_strbuf_fill(text, ' ', GAP);
		pw_text_pad_left(text, cells[column], pw_matrix_width(matrix, column));
	}
	pw_end_line(text);
}

static void print_rule(const struct pw_matrix *matrix, const struct pw_band *band,
		       struct pw_strbuf *text)
{
	size_t width = pw_matrix_label_width(matrix);

	for (size_t place = 0; place < pw_band_count(band); place++)
		width += GAP + pw_matrix_width(matrix, pw_band_column(band, place));
	for (size_t i = 0; i < width; i += 2)
		pw_strbuf_puts(text, "- ");
	pw_end_line(text);
}

void pw_matrix_print(const struct pw_matrix *matrix, struct pw_strbuf *text)
{
	struct pw_band band = { 0 };

	while (pw_band_next(matrix, pw_matrix_label_width(matrix), GAP, &band)) {
		if (band.first > 1)
			pw_strbuf_putc(text, '\n');
		print_line(matrix, &band, "", matrix->heads, text);
		print_rule(matrix, &band, text);
		for (size_t row = 0; row < matrix->rows; row++)
			print_line(matrix, &band, matrix->labels[row],
				   &matrix->cells[row * matrix->columns], text);
	}
}
