/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "lib/base/text.h"
#include "lib/model/json.h"
#include "lib/model/store.h"

struct showing {
	const char *run; /* an id, or NULL for all */
	bool json;
	struct pw_value found; /* list of records, for JSON */
	size_t count;
};

static void add_metrics(const struct pw_value *record, struct pw_strbuf *line)
{
	const struct pw_value *metrics = pw_value_get(record, "metrics");

	for (size_t i = 0; metrics && metrics->type == PW_VALUE_LIST && i < metrics->count; i++) {
		const struct pw_value *metric = &metrics->items[i];

		if (!pw_value_get_bool(metric, "primary", false))
			continue;
		pw_text_escape(line, pw_value_get_text(metric, "name", "?"));
		pw_strbuf_printf(line, " %.6g ", pw_value_get_real(metric, "value", 0));
		pw_text_escape(line, pw_value_get_text(metric, "unit", ""));
	}
}

static void print_line(const struct pw_value *record)
{
	pw_auto_strbuf struct pw_strbuf line = PW_STRBUF_INIT;
	const struct pw_value *point = pw_value_get(record, "point");

	pw_text_escape(&line, pw_value_get_text(record, "id", "?"));
	pw_strbuf_printf(&line, "  block %lld  ", (long long)pw_value_get_int(record, "block", 0));
	pw_text_escape(&line, pw_value_get_text(record, "name", "?"));
	if (point && point->count) {
		pw_strbuf_putc(&line, ' ');
		pw_json_write(point, PW_JSON_COMPACT, &line);
	}
	pw_strbuf_puts(&line, "  '");
	pw_text_escape(&line, pw_value_get_text(record, "config", "?"));
	pw_strbuf_puts(&line, "'  ");
	pw_text_escape(&line, pw_value_get_text(record, "status", "?"));
	pw_strbuf_puts(&line, "  ");
	add_metrics(record, &line);
	pw_text_escape(&line, pw_value_get_text(record, "reason", ""));
	puts(pw_strbuf_text(&line));
}

static int take(void *context, struct pw_value *record, struct pw_err *err)
{
	struct showing *showing = context;
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	(void)err;
	if (showing->run && strcmp(showing->run, pw_value_get_text(record, "id", "")) != 0)
		return 0;
	showing->count++;
	if (showing->json) {
		pw_value_push(&showing->found, pw_value_copy(record));
	} else if (showing->run) {
		pw_json_write(record, PW_JSON_INDENT, &text);
		puts(pw_strbuf_text(&text));
	} else {
		print_line(record);
	}
	return 0;
}

static void print_json(struct showing *showing, const struct pw_value *session)
{
	pw_auto_value struct pw_value whole = pw_value_object();
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	pw_value_set(&whole, "session", pw_value_copy(session));
	pw_value_set(&whole, "runs", pw_value_copy(&showing->found));
	pw_json_write(&whole, PW_JSON_INDENT, &text);
	puts(pw_strbuf_text(&text));
}

static int show(const char *folder, struct showing *showing)
{
	pw_auto_value struct pw_value session = PW_VALUE_INIT;
	struct pw_err err;

	if (pw_store_read_session(folder, &session, &err) < 0 ||
	    pw_store_each_run(folder, &pw_cli_log, take, showing, &err) < 0)
		return pw_cli_error(&err);
	if (showing->run && showing->count == 0)
		return pw_cli_usage_error("%s holds no run '%s'", folder, showing->run);
	if (showing->json)
		print_json(showing, &session);
	else if (showing->count == 0)
		printf("no run has been recorded\n");
	return PW_EXIT_OK;
}

int pw_cmd_show(const struct pw_command *command, int argc, char **argv)
{
	struct showing showing = { .found = pw_value_list() };
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	const struct pw_cli_option options[] = {
		{ "json", 0, NULL, "the session and its records as one JSON object",
		  .on = &showing.json },
		{ 0 },
	};
	const struct pw_usage usage = {
		.line = "DIR [RUN] [--json]",
		.about = "Shows the runs of a results folder, a line each, or one run's whole "
			 "record.",
		.options = options,
		.least = 1,
		.most = 2,
	};
	int code = pw_cli_parse(command, &usage, argc, argv, &words);

	if (code >= 0)
		return code;
	showing.run = words.count > 1 ? words.items[1] : NULL;
	code = show(words.items[0], &showing);
	pw_value_done(&showing.found);
	return code;
}
