/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/exec/pointer.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/strbuf.h"

int pw_exec_pointer_check(const char *pointer, struct pw_err *err)
{
	if (pointer[0] != '\0' && pointer[0] != '/')
		return pw_fail(err, PW_EINVAL, "'%.80s' is no JSON pointer: it begins with '/'",
			       pointer);
	for (const char *p = strchr(pointer, '~'); p; p = strchr(p + 1, '~')) {
		if (p[1] != '0' && p[1] != '1')
			return pw_fail(err, PW_EINVAL,
				       "'%.80s' is no JSON pointer: '~' is written ~0 ('/': ~1)",
				       pointer);
	}
	return 0;
}

/* The step from `*at` (behind a '/') to the next one, unescaped into `key`. */
static const char *next_step(const char *at, struct pw_strbuf *key)
{
	pw_strbuf_clear(key);
	for (; *at && *at != '/'; at++) {
		if (at[0] == '~' && (at[1] == '0' || at[1] == '1'))
			pw_strbuf_putc(key, *++at == '0' ? '~' : '/');
		else
			pw_strbuf_putc(key, *at);
	}
	return at;
}

static const json_t *item_of(const json_t *list, const char *key)
{
	struct pw_err ignored = PW_ERR_INIT;
	uint64_t index;

	/* RFC 6901: no leading zeros; "-" names the item past the end, which is not there. */
	if ((key[0] == '0' && key[1] != '\0') || pw_parse_u64(key, &index, &ignored) < 0 ||
	    index > SIZE_MAX)
		return NULL;
	return json_array_get(list, (size_t)index);
}

/* What a pointer leads to, NULL if nothing. Borrowed. */
static const json_t *follow(const json_t *json, const char *pointer)
{
	pw_auto_strbuf struct pw_strbuf key = PW_STRBUF_INIT;

	while (json && *pointer) {
		pointer = next_step(pointer + 1, &key);
		if (json_is_object(json))
			json = json_object_get(json, pw_strbuf_text(&key));
		else if (json_is_array(json))
			json = item_of(json, pw_strbuf_text(&key));
		else
			json = NULL;
	}
	return json;
}

/*
 * Every number is wanted as a double, also one beyond 64 bits. NUL bytes are refused by jansson.
 */
#define LOAD_FLAGS (JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_REJECT_DUPLICATES)

static json_t *load(const char *text, size_t length, bool any)
{
	json_error_t error;
	json_t *json = json_loadb(text, length, LOAD_FLAGS, &error);

	if (json && !any && !json_is_object(json) && !json_is_array(json)) {
		json_decref(json);
		return NULL;
	}
	return json;
}

/* The last line that is JSON, owned; NULL if there is none. */
static json_t *load_last_line(const char *text, size_t length, bool any)
{
	while (length > 0) {
		const char *newline = memrchr(text, '\n', length);
		const char *line = newline ? newline + 1 : text;
		size_t size = length - (size_t)(line - text);
		json_t *json = load(line, size, any);

		if (json)
			return json;
		length = newline ? (size_t)(newline - text) : 0;
	}
	return NULL;
}

static int number_of(const json_t *json, const char *pointer, double *ret, struct pw_err *err)
{
	struct pw_err reason = PW_ERR_INIT;
	double value = 0;

	if (json_is_number(json)) {
		value = json_number_value(json);
		if (!isfinite(value))
			return pw_fail(err, PW_EFAILED, "%s: is not finite", pointer);
	} else if (!json_is_string(json)) {
		return pw_fail(err, PW_EFAILED, "%s: is neither a number nor a text with one",
			       pointer);
	} else if (strlen(json_string_value(json)) != json_string_length(json) ||
		   pw_parse_real(json_string_value(json), &value, &reason) < 0) {
		return pw_fail(err, PW_EFAILED, "%s: '%.80s' is not a number", pointer,
			       json_string_value(json));
	}
	*ret = value;
	return 0;
}

int pw_exec_pointer_number(const char *pointer, const char *text, size_t length, double *ret,
			   struct pw_err *err)
{
	pw_auto(json_decrefp) json_t *json = load(text, length, true);
	const json_t *found;

	if (!json)
		json = load_last_line(text, length, pointer[0] == '\0');
	if (!json)
		return pw_fail(err, PW_EFAILED, "no JSON found");
	found = follow(json, pointer);
	if (!found)
		return pw_fail(err, PW_EFAILED, "nothing at pointer '%.200s'", pointer);
	return number_of(found, pointer[0] ? pointer : "the document", ret, err);
}
