/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/exec/extract.h"

#include <math.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/text.h"
#include "workloads/exec/number.h"
#include "workloads/exec/pattern.h"
#include "workloads/exec/place.h"
#include "workloads/exec/pointer.h"
#include "workloads/exec/unit.h"

/* The lines of output that a hint shows, and how much of each. */
#define TAIL_LINES 3
#define TAIL_BYTES 120

struct source {
	const char *text;
	size_t length;
};

static void free_patternp(struct pw_exec_pattern **pattern)
{
	pw_exec_pattern_free(*pattern);
}

static int find_source(const struct pw_exec_metric *metric, const struct pw_work *work,
		       const struct pw_output *output, struct source *ret, struct pw_err *err)
{
	pw_auto_free char *path = NULL;

	if (strcmp(metric->from, "stdout") == 0) {
		*ret = (struct source){ output->out ? output->out : "", output->out_length };
		return 0;
	}
	if (strcmp(metric->from, "stderr") == 0) {
		*ret = (struct source){ output->err ? output->err : "", output->err_length };
		return 0;
	}
	path = pw_exec_path(work, metric->from);
	if (output->file)
		ret->text = output->file(output, path, &ret->length);
	if (!output->file || !ret->text)
		return pw_fail(err, PW_EFAILED, "the run left no file '%.200s'", metric->from);
	return 0;
}

/* Where the last lines of a text begin; a newline at its very end counts for nothing. */
static const char *tail_of(const struct source *source)
{
	size_t length = source->length;

	while (length > 0 && source->text[length - 1] == '\n')
		length--;
	for (int lines = 0; lines < TAIL_LINES; lines++) {
		const char *newline = memrchr(source->text, '\n', length);

		if (!newline)
			return source->text;
		length = (size_t)(newline - source->text);
	}
	return source->text + length + 1;
}

/* Adds the last lines to an error as its hint. */
static void hint_tail(const struct pw_exec_metric *metric, const struct source *source,
		      struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf shown = PW_STRBUF_INIT;
	const char *end = source->text + source->length;
	const char *line = source->length ? tail_of(source) : end;

	if (line == end) {
		(void)pw_err_hint(err, "%.200s is empty", metric->from);
		return;
	}
	while (line < end) {
		size_t size = strcspn(line, "\n");
		pw_auto_free char *copy = pw_strndup(line, size < TAIL_BYTES ? size : TAIL_BYTES);

		pw_strbuf_puts(&shown, shown.length ? " | " : "");
		pw_text_escape(&shown, copy);
		/* A NUL byte ends strcspn() too: what follows it belongs to the next round. */
		line += size + 1;
	}
	(void)pw_err_hint(err, "it ends: %.480s", pw_strbuf_text(&shown));
}

/* The number of one match, in the declared unit. */
static int match_value(const struct pw_exec_metric *metric, const struct source *source,
		       bool has_unit, const struct pw_exec_match *match, double *ret,
		       struct pw_err *err)
{
	pw_auto_free char *unit = NULL;
	double value;

	if (!match->value.set)
		return pw_fail(err, PW_EFAILED, "the pattern matched without capturing a number");
	if (pw_exec_number(source->text, source->length, match->value.start, match->value.end,
			   &value, err) < 0)
		return -(int)err->code;
	if (has_unit) {
		unit = pw_strndup(source->text + match->unit.start,
				  match->unit.end - match->unit.start);
		if (pw_exec_unit_convert(unit, metric->desc.unit, &value, err) < 0)
			return -(int)err->code;
	}
	*ret = value;
	return 0;
}

static int pick_value(const struct pw_exec_metric *metric, const struct source *source,
		      struct pw_exec_pattern *pattern, double *ret, struct pw_err *err)
{
	bool every = metric->pick == PW_EXEC_PICK_MEAN || metric->pick == PW_EXEC_PICK_SUM;
	bool has_unit = pw_exec_pattern_has_unit(pattern);
	struct pw_exec_match match, last = { 0 };
	size_t cursor = 0, count = 0;
	double value, sum = 0;
	int r;

	while ((r = pw_exec_pattern_next(pattern, source->text, source->length, &cursor, &match,
					 err)) > 0) {
		last = match;
		count++;
		if (metric->pick == PW_EXEC_PICK_FIRST)
			break;
		if (!every)
			continue;
		if (match_value(metric, source, has_unit, &match, &value, err) < 0)
			return -(int)err->code;
		sum += value;
	}
	if (r < 0)
		return r;
	if (count == 0) {
		(void)pw_fail(err, PW_EFAILED, "pattern not found in %.200s", metric->from);
		hint_tail(metric, source, err);
		return -PW_EFAILED;
	}
	if (!every)
		return match_value(metric, source, has_unit, &last, ret, err);
	*ret = metric->pick == PW_EXEC_PICK_MEAN ? sum / (double)count : sum;
	return 0;
}

static int regex_value(const struct pw_exec_metric *metric, const struct source *source,
		       double *ret, struct pw_err *err)
{
	pw_auto(free_patternp) struct pw_exec_pattern *pattern = NULL;
	bool utf = pw_utf8_valid(metric->regex, strlen(metric->regex)) &&
		   pw_utf8_valid(source->text, source->length);

	if (pw_exec_pattern_new(metric->regex, utf, &pattern, err) < 0)
		/* It compiled in UTF-8 mode when the config was read. */
		return pw_fail(err, PW_EFAILED,
			       "%.200s is not UTF-8, and as bytes the pattern is not valid",
			       metric->from);
	return pick_value(metric, source, pattern, ret, err);
}

static int pointer_value(const struct pw_exec_metric *metric, const struct source *source,
			 double *ret, struct pw_err *err)
{
	if (pw_exec_pointer_number(metric->pointer, source->text, source->length, ret, err) == 0)
		return 0;
	(void)pw_err_prefix(err, "%.200s", metric->from);
	hint_tail(metric, source, err);
	return -(int)err->code;
}

static int check_value(const struct pw_exec_metric *metric, double value, struct pw_err *err)
{
	if (!isfinite(value))
		return pw_fail(err, PW_EFAILED, "the value is out of range");
	if (metric->desc.mean == PW_MEAN_ARITHMETIC || value > 0)
		return 0;
	return pw_fail(err, PW_EFAILED, "%g %.40s is not more than 0, which its %s mean needs",
		       value, metric->desc.unit, pw_mean_text(metric->desc.mean));
}

int pw_exec_extract(const struct pw_exec_metric *metric, const struct pw_work *work,
		    const struct pw_output *output, double *ret, struct pw_err *err)
{
	struct source source = { .text = "", .length = 0 };
	double value = 0;
	int r = find_source(metric, work, output, &source, err);

	if (r == 0)
		r = metric->regex ? regex_value(metric, &source, &value, err)
				  : pointer_value(metric, &source, &value, err);
	if (r == 0)
		r = check_value(metric, value, err);
	if (r < 0)
		return pw_err_prefix(err, "metric '%s'", metric->desc.name);
	*ret = value;
	return 0;
}
