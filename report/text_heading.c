/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/text.h"
#include "report/ladder.h"
#include "report/names.h"
#include "report/text.h"

static void field(struct pw_strbuf *text, const char *name)
{
	pw_strbuf_printf(text, "%-11s", name);
}

static void escaped(struct pw_strbuf *text, const char *before, const char *value)
{
	if (!value || !*value)
		return;
	pw_strbuf_puts(text, before);
	pw_text_escape(text, value);
}

static void print_session(const struct pw_value *session, struct pw_strbuf *text)
{
	pw_auto_free char *name = pw_name_escaped(
		pw_value_get_text(session, "name", pw_value_get_text(session, "id", "comparison")));

	pw_strbuf_printf(text, "%s\n", name);
	pw_strbuf_fill(text, '=', pw_text_width(name));
	pw_strbuf_putc(text, '\n');
	field(text, "Session");
	pw_text_escape(text, pw_value_get_text(session, "id", "-"));
	escaped(text, ", started ", pw_value_get_text(session, "start", NULL));
	pw_strbuf_putc(text, '\n');
}

static void print_machine(const struct pw_value *session, struct pw_strbuf *text)
{
	const struct pw_value *host = pw_value_get(session, "host");
	const char *driver = pw_value_get_text(host, "driver_mode", NULL);
	int64_t cpus = pw_value_get_int(host, "cpus", 0);

	field(text, "Machine");
	pw_text_escape(text, pw_value_get_text(host, "name", "unnamed"));
	escaped(text, ": ", pw_value_get_text(host, "cpu", NULL));
	if (cpus > 0)
		pw_strbuf_printf(text, ", %" PRId64 " CPUs", cpus);
	escaped(text, ", kernel ",
		pw_value_get_text(session, "kernel", pw_value_get_text(host, "kernel", NULL)));
	escaped(text, ", driver ", driver ? driver : pw_value_get_text(host, "driver", NULL));
	pw_strbuf_putc(text, '\n');
}

static size_t widest_name(const struct pw_results *results)
{
	size_t widest = 0;

	for (size_t i = 0; i < results->config_count; i++) {
		pw_auto_free char *name = pw_name_escaped(results->configs[i].name);
		size_t width = pw_text_width(name);

		widest = width > widest ? width : widest;
	}
	return widest;
}

static void print_config(const struct pw_analysis *analysis, size_t config, size_t width,
			 struct pw_strbuf *text)
{
	const struct pw_res_config *from = &analysis->results->configs[config];
	pw_auto_free char *name = pw_name_escaped(from->name);

	pw_strbuf_puts(text, "  ");
	pw_text_pad(text, name, width + 2);
	pw_text_escape(text, *from->set ? from->set : "the machine as it stands");
	if (config == analysis->results->baseline)
		pw_strbuf_puts(text, " (baseline)");
	if (from->skipped)
		escaped(text, from->impossible ? " (impossible: " : " (skipped: ", from->skipped);
	if (from->skipped)
		pw_strbuf_putc(text, ')');
	pw_strbuf_putc(text, '\n');
}

static void print_bad_runs(const struct pw_analysis *analysis, struct pw_strbuf *text)
{
	for (size_t i = 0; i < analysis->bad_count; i++) {
		const struct pw_run *run = analysis->bad[i];
		pw_auto_free char *cell = NULL;

		if (pw_analysis_left_out(analysis, run->config))
			continue;
		cell = pw_name_cell(analysis->results, run->config, run->entry, run->point);
		pw_strbuf_printf(text, "  %s: %s, block %u", pw_status_text(run->status), cell,
				 run->block);
		escaped(text, ": ", run->reason);
		pw_strbuf_putc(text, '\n');
	}
}

static void print_gap(const struct pw_analysis *analysis, size_t config, size_t entry, size_t point,
		      struct pw_strbuf *text)
{
	const struct pw_cell *cell = pw_analysis_cell(analysis, config, entry, point);
	pw_auto_free char *name = NULL;

	if (cell->n >= analysis->results->blocks || pw_analysis_left_out(analysis, config))
		return;
	name = pw_name_cell(analysis->results, config, entry, point);
	if (cell->n) {
		pw_strbuf_printf(text, "  short: %s: %zu of %u runs\n", name, cell->n,
				 analysis->results->blocks);
		return;
	}
	pw_strbuf_printf(text, "  missing: %s", name);
	escaped(text, ": ", cell->why[PW_QUANTITY_PERFORMANCE]);
	pw_strbuf_putc(text, '\n');
}

static void print_gaps(const struct pw_analysis *analysis, struct pw_strbuf *text)
{
	const struct pw_results *results = analysis->results;

	for (size_t entry = 0; entry < results->entry_count; entry++) {
		for (size_t point = 0; point < results->entries[entry].point_count; point++) {
			for (size_t config = 0; config < results->config_count; config++)
				print_gap(analysis, config, entry, point, text);
		}
	}
}

static void print_runs(const struct pw_analysis *analysis, struct pw_strbuf *text)
{
	const struct pw_results *results = analysis->results;

	field(text, "Runs");
	pw_strbuf_printf(text, "%zu of %zu valid (blocks declared: %u", analysis->runs_valid,
			 analysis->runs_declared, results->blocks);
	if (analysis->runs_repeated)
		pw_strbuf_printf(text, "; repeated: %zu", analysis->runs_repeated);
	if (results->unplanned)
		pw_strbuf_printf(text, "; not of this plan: %zu", results->unplanned);
	pw_strbuf_puts(text, ")\n");
	print_bad_runs(analysis, text);
	print_gaps(analysis, text);
	if (analysis->runs_valid == 0)
		pw_strbuf_puts(text, "  no cell has data\n");
}

void pw_text_heading(const struct pw_analysis *analysis, struct pw_strbuf *text)
{
	const struct pw_results *results = analysis->results;
	size_t width = widest_name(results);

	print_session(&results->session, text);
	print_machine(&results->session, text);
	pw_ladder_text(pw_value_get(pw_value_get(&results->session, "machine"), "turbo"), text);
	field(text, "Compared");
	pw_strbuf_puts(text, "configurations and their settings\n");
	for (size_t i = 0; i < results->config_count; i++)
		print_config(analysis, i, width, text);
	print_runs(analysis, text);
}
