/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/exec/pattern.h"

#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "lib/base/mem.h"

struct pw_exec_pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	bool utf;
	uint32_t value, unit; /* group numbers; unit 0 = none */
};

void pw_exec_pattern_free(struct pw_exec_pattern *pattern)
{
	if (!pattern)
		return;
	pcre2_match_context_free(pattern->context);
	pcre2_match_data_free(pattern->data);
	pcre2_code_free(pattern->code);
	free(pattern);
}

static void free_patternp(struct pw_exec_pattern **pattern)
{
	pw_exec_pattern_free(*pattern);
}

bool pw_exec_pattern_has_unit(const struct pw_exec_pattern *pattern)
{
	return pattern->unit != 0;
}

static int pcre_message(int code, char *message, size_t size)
{
	return pcre2_get_error_message(code, (PCRE2_UCHAR *)message, size) < 0
		       ? snprintf(message, size, "error %d", code)
		       : 0;
}

static int compile(struct pw_exec_pattern *pattern, const char *regex, struct pw_err *err)
{
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	uint32_t options = PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;
	PCRE2_SIZE offset = 0;
	char message[128];
	int code = 0;

	/* "(*UTF)" in a pattern must not turn on what we decided by looking at the text. */
	options |= pattern->utf ? PCRE2_UTF : PCRE2_NEVER_UTF;
	if (context)
		(void)pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
	pattern->code =
		pcre2_compile((PCRE2_SPTR)regex, strlen(regex), options, &code, &offset, context);
	pcre2_compile_context_free(context);
	if (pattern->code)
		return 0;
	(void)pcre_message(code, message, sizeof(message));
	return pw_fail(err, PW_EINVAL, "does not compile: %s (at offset %zu)", message,
		       (size_t)offset);
}

/* The number of a named group; 0 if there is none, -1 if the name stands for several. */
static int named_group(const struct pw_exec_pattern *pattern, const char *name)
{
	int group = pcre2_substring_number_from_name(pattern->code, (PCRE2_SPTR)name);

	if (group == PCRE2_ERROR_NOUNIQUESUBSTRING)
		return -1;
	return group > 0 ? group : 0;
}

static int find_groups(struct pw_exec_pattern *pattern, struct pw_err *err)
{
	int value = named_group(pattern, "value");
	int unit = named_group(pattern, "unit");
	uint32_t count = 0;

	(void)pcre2_pattern_info(pattern->code, PCRE2_INFO_CAPTURECOUNT, &count);
	if (value < 0 || unit < 0)
		return pw_fail(err, PW_EINVAL, "names a group twice");
	if (count == 0)
		return pw_fail(err, PW_EINVAL,
			       "has no group for the number: put it in (...) or (?<value>...)");
	if (value == 0 && unit == 1)
		return pw_fail(err, PW_EINVAL,
			       "has the unit as its first group: name the number's (?<value>...)");
	pattern->value = value ? (uint32_t)value : 1;
	pattern->unit = (uint32_t)unit;
	return 0;
}

int pw_exec_pattern_new(const char *regex, bool utf, struct pw_exec_pattern **ret,
			struct pw_err *err)
{
	pw_auto(free_patternp) struct pw_exec_pattern *pattern = pw_new(1, sizeof(*pattern));

	pattern->utf = utf;
	if (compile(pattern, regex, err) < 0 || find_groups(pattern, err) < 0)
		return -(int)err->code;
	pattern->data = pcre2_match_data_create_from_pattern(pattern->code, NULL);
	pattern->context = pcre2_match_context_create(NULL);
	if (!pattern->data || !pattern->context)
		return pw_fail(err, PW_EIO, "out of memory");
	(void)pcre2_set_match_limit(pattern->context, PW_EXEC_MATCH_LIMIT);
	(void)pcre2_set_depth_limit(pattern->context, PW_EXEC_DEPTH_LIMIT);
	(void)pcre2_set_heap_limit(pattern->context, PW_EXEC_HEAP_KIB);
	*ret = pw_take(pattern);
	return 0;
}

static struct pw_exec_capture capture(const struct pw_exec_pattern *pattern, uint32_t group)
{
	const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(pattern->data);
	PCRE2_SIZE start = ends[2 * group], end = ends[2 * group + 1];
	struct pw_exec_capture found = { 0 };

	/* \K inside a lookahead can put the start behind the end. */
	if (start == PCRE2_UNSET || end == PCRE2_UNSET || start > end)
		return found;
	return (struct pw_exec_capture){ .start = start, .end = end, .set = true };
}

/* One character on, so that an empty match does not come twice. */
static size_t step(const struct pw_exec_pattern *pattern, const char *text, size_t length, size_t i)
{
	i++;
	while (pattern->utf && i < length && ((unsigned char)text[i] & 0xc0) == 0x80)
		i++;
	return i;
}

int pw_exec_pattern_next(struct pw_exec_pattern *pattern, const char *text, size_t length,
			 size_t *cursor, struct pw_exec_match *ret, struct pw_err *err)
{
	struct pw_exec_match match;
	char message[128];
	int r;

	if (*cursor > length)
		return 0;
	/* The caller has looked at the whole text once; a check at every match would be quadratic.
	 */
	r = pcre2_match(pattern->code, (PCRE2_SPTR)text, length, *cursor,
			pattern->utf ? PCRE2_NO_UTF_CHECK : 0, pattern->data, pattern->context);
	if (r == PCRE2_ERROR_NOMATCH)
		return 0;
	if (r < 0) {
		(void)pcre_message(r, message, sizeof(message));
		return pw_fail(err, PW_EFAILED, "pattern gave up: %s", message);
	}
	match.whole = capture(pattern, 0);
	match.value = capture(pattern, pattern->value);
	match.unit = (struct pw_exec_capture){ 0 };
	if (pattern->unit)
		match.unit = capture(pattern, pattern->unit);
	if (match.whole.set && match.whole.end > *cursor && match.whole.end > match.whole.start)
		*cursor = match.whole.end;
	else
		*cursor = step(pattern, text, length,
			       match.whole.end > *cursor ? match.whole.end : *cursor);
	*ret = match;
	return 1;
}
