/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/base/parse.h"
#include "lib/base/text.h"
#include "lib/model/json.h"
#include "lib/model/record.h"

enum pw_progress_form pw_progress_form_parse(const char *text)
{
	if (strcmp(text, "auto") == 0)
		return isatty(STDERR_FILENO) ? PW_PROGRESS_LINE : PW_PROGRESS_PLAIN;
	if (strcmp(text, "plain") == 0)
		return PW_PROGRESS_PLAIN;
	if (strcmp(text, "json") == 0)
		return PW_PROGRESS_JSON;
	return strcmp(text, "none") == 0 ? PW_PROGRESS_NONE : PW_PROGRESS_UNSET;
}

/* "tbench clients=8, 'schedutil', block 2" */
static void cell_text(const struct pw_event *event, struct pw_strbuf *text)
{
	const struct pw_config *config = event->prepared->config;
	const struct pw_step *step = event->step;

	if (step->kind == PW_STEP_IDLE) {
		pw_strbuf_puts(text, "idle");
	} else {
		const struct pw_entry *entry = &config->entries[step->entry];

		pw_text_escape(text, entry->name);
		if (entry->points[step->point].text[0]) {
			pw_strbuf_putc(text, ' ');
			pw_text_escape(text, entry->points[step->point].text);
		}
	}
	pw_strbuf_puts(text, ", '");
	pw_text_escape(text, config->configs[step->config].name);
	pw_strbuf_puts(text, "'");
	if (step->kind == PW_STEP_WARMUP)
		pw_strbuf_puts(text, ", warm-up");
	else if (step->block)
		pw_strbuf_printf(text, ", block %u", step->block);
	if (event->again)
		pw_strbuf_puts(text, " (again)");
}

/* The primary metric's value with its unit. */
static void metric_text(const struct pw_value *record, struct pw_strbuf *text)
{
	const struct pw_value *metrics = pw_value_get(record, "metrics");

	for (size_t i = 0; metrics && metrics->type == PW_VALUE_LIST && i < metrics->count; i++) {
		const struct pw_value *metric = &metrics->items[i];

		if (!pw_value_get_bool(metric, "primary", false))
			continue;
		pw_strbuf_printf(text, "%.6g ", pw_value_get_real(metric, "value", 0));
		pw_text_escape(text, pw_value_get_text(metric, "unit", ""));
	}
}

static void record_text(const struct pw_event *event, struct pw_strbuf *text)
{
	const char *status = pw_value_get_text(event->record, "status", "?");
	const struct pw_value *warnings = pw_value_get(event->record, "warnings");

	pw_strbuf_printf(text, "%zu/%zu ", event->done, event->total);
	cell_text(event, text);
	pw_strbuf_puts(text, ": ");
	if (strcmp(status, pw_status_text(PW_STATUS_OK)) == 0) {
		metric_text(event->record, text);
	} else {
		pw_strbuf_printf(text, "%s: ", status);
		pw_text_escape(text, pw_value_get_text(event->record, "reason", ""));
	}
	for (size_t i = 0; warnings && warnings->type == PW_VALUE_LIST && i < warnings->count;
	     i++) {
		pw_strbuf_puts(text, "; warning: ");
		if (warnings->items[i].type == PW_VALUE_TEXT)
			pw_text_escape(text, warnings->items[i].text);
	}
}

void pw_progress_finish(struct pw_progress_view *view)
{
	if (view->drawn)
		fputs("\r\033[K", stderr);
	view->drawn = 0;
	(void)fflush(stderr);
}

static size_t terminal_width(void)
{
	struct winsize size = { 0 };

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col < 20)
		return 80;
	return size.ws_col;
}

/* The bytes of the longest start of a text that fits into `width` columns. */
static size_t fitting(const char *text, size_t width)
{
	struct pw_strbuf start = PW_STRBUF_INIT;
	size_t bytes = 0;

	while (text[bytes]) {
		uint32_t character;
		int step = pw_utf8_next(text + bytes, &character);
		size_t length = step > 0 ? (size_t)step : 1;

		pw_strbuf_add(&start, text + bytes, length);
		if (pw_text_width(pw_strbuf_text(&start)) > width)
			break;
		bytes += length;
	}
	pw_strbuf_done(&start);
	return bytes;
}

static void draw_line(struct pw_progress_view *view, const struct pw_event *event)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	char left[32];

	pw_strbuf_printf(&text, "%zu/%zu  ", event->done, event->total);
	cell_text(event, &text);
	if (event->left_ns > 0) {
		pw_time_text(event->left_ns, left, sizeof(left));
		pw_strbuf_printf(&text, "  about %s left", left);
	}
	fprintf(stderr, "\r\033[K%.*s", (int)fitting(pw_strbuf_text(&text), terminal_width() - 1),
		pw_strbuf_text(&text));
	(void)fflush(stderr);
	view->drawn = 1;
}

static void print_json(const struct pw_event *event)
{
	static const char *const names[] = { "", "step", "record", "note" };
	pw_auto_value struct pw_value line = pw_value_object();
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	pw_auto_strbuf struct pw_strbuf cell = PW_STRBUF_INIT;

	pw_value_set(&line, "event", pw_value_text(names[event->kind]));
	pw_value_set(&line, "done", pw_value_int((int64_t)event->done));
	pw_value_set(&line, "total", pw_value_int((int64_t)event->total));
	pw_value_set(&line, "left_s", pw_value_int(event->left_ns / 1000000000));
	if (event->step) {
		cell_text(event, &cell);
		pw_value_set(&line, "cell", pw_value_text(pw_strbuf_text(&cell)));
	}
	if (event->text)
		pw_value_set(&line, "text", pw_value_text(event->text));
	if (event->record)
		pw_value_set(&line, "record", pw_value_copy(event->record));
	pw_json_write(&line, PW_JSON_COMPACT, &text);
	fprintf(stderr, "%s\n", pw_strbuf_text(&text));
}

static void print_line(struct pw_progress_view *view, const struct pw_event *event)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	pw_progress_finish(view);
	if (event->kind == PW_EVENT_NOTE) {
		fprintf(stderr, "perfwatt: %s\n", event->text);
		return;
	}
	record_text(event, &text);
	fprintf(stderr, "%s\n", pw_strbuf_text(&text));
}

void pw_progress_emit(void *context, const struct pw_event *event)
{
	struct pw_progress_view *view = context;
	bool bad = event->record && strcmp(pw_value_get_text(event->record, "status", ""),
					   pw_status_text(PW_STATUS_OK)) != 0;

	if (view->form == PW_PROGRESS_JSON) {
		print_json(event);
	} else if (event->kind == PW_EVENT_STEP) {
		if (view->form == PW_PROGRESS_LINE)
			draw_line(view, event);
	} else if (event->kind == PW_EVENT_NOTE || bad || view->form == PW_PROGRESS_PLAIN) {
		if (view->form != PW_PROGRESS_NONE || event->kind == PW_EVENT_NOTE)
			print_line(view, event);
	}
}
