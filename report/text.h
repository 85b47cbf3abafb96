/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the text report, in the order in which they appear. All append to `text`. */
#ifndef PW_REPORT_TEXT_H
#define PW_REPORT_TEXT_H

#include "report/analyse.h"
#include "report/matrix.h"

/* What was compared, where, and how much of it is valid. */
void pw_text_heading(const struct pw_analysis *analysis, struct pw_strbuf *text);
/* The ratio blocks of one machine, their footnotes, the idle line. */
void pw_text_summary(const struct pw_analysis *analysis, struct pw_strbuf *text);
/* One table per workload: means, spreads, gains. */
void pw_text_detail(const struct pw_analysis *analysis, size_t entry, struct pw_strbuf *text);
/* J per unit of work and mean W of a workload; nothing where no run has energy. */
void pw_text_energy(const struct pw_analysis *analysis, size_t entry, struct pw_strbuf *text);
/* What the signs mean. */
void pw_text_legend(struct pw_strbuf *text);

/* Heads of a table: the configurations of analysis->columns, escaped, the baseline marked. */
void pw_text_heads(const struct pw_analysis *analysis, bool mark, struct pw_matrix *matrix);
/* "Hmean   16": the label of a row of the detailed tables; the caller's. */
char *pw_text_row_label(const struct pw_analysis *analysis, size_t entry, size_t point,
			enum pw_mean mean);

#endif
