/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/text.h"

#include "report/report.h"

void pw_text_legend(struct pw_strbuf *text)
{
	static const char *const lines[] = {
		"Ratio: mean / mean of the baseline; no test yet: ratios carry no marks. A summary "
		"is the",
		"geometric mean of the ratios of a sweep's rows, over the rows that both sides "
		"have; it keeps",
		"the direction of its metric (better if). [least, largest] are row ratios.",
		"Hmean, Amean, Gmean: harmonic, arithmetic, geometric mean over independent runs; "
		"+- is their",
		"coefficient of variation (standard deviation, divisor n - 1, over the mean). In "
		"parentheses the",
		"gain over the baseline: positive is better, whichever way the metric points.",
		"Performance per watt is taken run by run, then the harmonic mean: 1/J for fixed "
		"work, work/J",
		"for fixed time, work/J at the same rate for fixed rate. Power: energy / window of "
		"each run.",
	};

	pw_strbuf_putc(text, '\n');
	for (size_t i = 0; i < PW_LENGTH(lines); i++)
		pw_strbuf_printf(text, "%s\n", lines[i]);
}

static void render(const struct pw_results *results, struct pw_strbuf *text)
{
	struct pw_analysis analysis;

	pw_analyse(results, &analysis);
	pw_text_heading(&analysis, text);
	pw_text_summary(&analysis, text);
	for (size_t i = 0; i < results->entry_count; i++) {
		pw_text_detail(&analysis, i, text);
		pw_text_energy(&analysis, i, text);
	}
	pw_analysis_done(&analysis);
}

int pw_report_text(const struct pw_report_options *options, struct pw_strbuf *text,
		   struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf buffer = PW_STRBUF_INIT;

	for (size_t i = 0; i < options->folder_count; i++) {
		pw_auto(pw_results_done) struct pw_results results = { 0 };
		int r = pw_results_load(options->folders[i], options->baseline, options->log,
					&results, err);

		if (r < 0)
			return r;
		if (i)
			pw_strbuf_puts(&buffer, "\n\n");
		render(&results, &buffer);
	}
	pw_text_legend(&buffer);
	pw_strbuf_add(text, pw_strbuf_text(&buffer), buffer.length);
	return 0;
}
