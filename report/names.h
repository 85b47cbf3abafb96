/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names as they are shown: escaped, with what ran. All results are the caller's. */
#ifndef PW_REPORT_NAMES_H
#define PW_REPORT_NAMES_H

#include "report/analyse.h"

char *pw_name_escaped(const char *text);
/* "tbench clients=8 (new)"; "gitsource (new)" without a sweep. */
char *pw_name_cell(const struct pw_results *results, size_t config, size_t entry, size_t point);
/* The label of a row: "kernbench(synth)", the flavour where the records have one. */
char *pw_name_row(const struct pw_analysis *analysis, size_t entry);
/*
 * A value for a table: two decimals from 1 up, below it four significant digits, so that neither
 * a rate of thousands nor a few microjoules loses what matters.
 */
char *pw_number_text(double value);
/* A ratio: two decimals as published, below a tenth two significant digits. */
char *pw_ratio_text(double ratio);

#endif
