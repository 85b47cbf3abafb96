/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/names.h"

#include "lib/base/mem.h"
#include "lib/base/text.h"

/* From here on two decimals would be noise of the double itself (2^53 is 9.0e15). */
#define HUGE_VALUE 1e15

char *pw_name_escaped(const char *text)
{
	pw_auto_strbuf struct pw_strbuf buffer = PW_STRBUF_INIT;

	pw_text_escape(&buffer, text);
	return pw_strbuf_take(&buffer);
}

char *pw_name_cell(const struct pw_results *results, size_t config, size_t entry, size_t point)
{
	const struct pw_res_entry *from = &results->entries[entry];
	const char *text = from->points[point].text;
	pw_auto_free char *raw = pw_sprintf("%s%s%s (%s)", from->name, *text ? " " : "", text,
					    results->configs[config].name);

	return pw_name_escaped(raw);
}

char *pw_name_row(const struct pw_analysis *analysis, size_t entry)
{
	const struct pw_run *example = pw_analysis_example(analysis, entry);
	const char *name = analysis->results->entries[entry].name;
	pw_auto_free char *raw = NULL;

	if (!example || !example->flavour)
		return pw_name_escaped(name);
	raw = pw_sprintf("%s(%s)", name, example->flavour);
	return pw_name_escaped(raw);
}

char *pw_number_text(double value)
{
	if (value >= HUGE_VALUE)
		return pw_sprintf("%.6e", value);
	return value >= 1 ? pw_sprintf("%.2f", value) : pw_sprintf("%#.4g", value);
}

char *pw_ratio_text(double ratio)
{
	if (ratio >= HUGE_VALUE)
		return pw_sprintf("%.3e", ratio);
	return ratio >= 0.1 ? pw_sprintf("%.2f", ratio) : pw_sprintf("%#.2g", ratio);
}
