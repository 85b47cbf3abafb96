/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the declared plan has a valid primary metric. */
#include "lib/base/mem.h"
#include "report/analyse.h"
#include "report/names.h"
#include "report/report.h"

static void count_cell(const struct pw_analysis *analysis, size_t config, size_t entry,
		       size_t point, struct pw_coverage *coverage)
{
	const struct pw_cell *cell = pw_analysis_cell(analysis, config, entry, point);

	coverage->declared++;
	if (cell->n == 0) {
		pw_strv_push_own(&coverage->missing,
				 pw_name_cell(analysis->results, config, entry, point));
		return;
	}
	coverage->measured++;
	if (cell->n < analysis->results->blocks)
		coverage->short_cells++;
}

static void count_point(const struct pw_analysis *analysis, size_t entry, size_t point,
			struct pw_coverage *coverage)
{
	for (size_t config = 0; config < analysis->results->config_count; config++) {
		if (!analysis->results->configs[config].impossible)
			count_cell(analysis, config, entry, point, coverage);
	}
}

static void count(const struct pw_analysis *analysis, struct pw_coverage *coverage)
{
	const struct pw_results *results = analysis->results;

	for (size_t entry = 0; entry < results->entry_count; entry++) {
		for (size_t point = 0; point < results->entries[entry].point_count; point++)
			count_point(analysis, entry, point, coverage);
	}
}

int pw_report_coverage(const char *folder, struct pw_coverage *ret, struct pw_err *err)
{
	pw_auto(pw_results_done) struct pw_results results = { 0 };
	struct pw_analysis analysis;
	struct pw_coverage coverage = { 0 };
	int r = pw_results_load(folder, NULL, NULL, &results, err);

	if (r < 0)
		return r;
	pw_analyse(&results, &analysis);
	count(&analysis, &coverage);
	pw_analysis_done(&analysis);
	*ret = coverage;
	return 0;
}

void pw_coverage_done(struct pw_coverage *coverage)
{
	pw_strv_done(&coverage->missing);
	*coverage = (struct pw_coverage){ 0 };
}
