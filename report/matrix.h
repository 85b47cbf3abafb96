/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of texts: labels at the left, one column per configuration, the first one the baseline.
 * What is wider than PW_TEXT_COLUMNS is printed as bands of columns, each with the baseline again.
 */
#ifndef PW_REPORT_MATRIX_H
#define PW_REPORT_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/strbuf.h"

#define PW_TEXT_COLUMNS 120

struct pw_matrix {
	size_t rows, columns;
	char **labels; /* rows */
	char **heads;  /* columns */
	char **cells;  /* rows x columns */
};

/* All texts are empty ones until set; the setters take ownership and replace. */
void pw_matrix_init(struct pw_matrix *matrix, size_t rows, size_t columns);
void pw_matrix_done(struct pw_matrix *matrix);
void pw_matrix_label(struct pw_matrix *matrix, size_t row, char *text);
void pw_matrix_head(struct pw_matrix *matrix, size_t column, char *text);
void pw_matrix_cell(struct pw_matrix *matrix, size_t row, size_t column, char *text);
const char *pw_matrix_text(const struct pw_matrix *matrix, size_t row, size_t column);

/* Display width of a column: its head or its widest cell. Of the labels. */
size_t pw_matrix_width(const struct pw_matrix *matrix, size_t column);
size_t pw_matrix_label_width(const struct pw_matrix *matrix);

/*
 * One band: the baseline and the columns first..end-1. A walk starts with {0}; pw_band_next() is
 * false after the last one. `fixed` is the width of everything but the columns, `gap` what stands
 * before each column. Without further columns there is one band of the baseline alone.
 */
struct pw_band {
	bool started;
	size_t first, end;
};

bool pw_band_next(const struct pw_matrix *matrix, size_t fixed, size_t gap, struct pw_band *band);
/* Calls for the columns of a band: 0 is the baseline, then first, first + 1, ... */
size_t pw_band_count(const struct pw_band *band);
size_t pw_band_column(const struct pw_band *band, size_t place);

/* The detailed form: right-aligned heads, a dashed line, right-aligned cells. */
void pw_matrix_print(const struct pw_matrix *matrix, struct pw_strbuf *text);
/* Ends a line: blanks at its end are cut. */
void pw_end_line(struct pw_strbuf *text);

#endif
