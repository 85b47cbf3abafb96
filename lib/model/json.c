/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/model/json.h"

#include <inttypes.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/text.h"
#include "lib/model/position.h"

/* False: nested deeper than PW_JSON_DEPTH. What was built so far is in *ret and owned by it. */
static bool value_of(const json_t *json, unsigned depth, struct pw_value *ret);

static bool list_of(const json_t *json, unsigned depth, struct pw_value *ret)
{
	size_t count = json_array_size(json);

	*ret = pw_value_list();
	for (size_t i = 0; i < count; i++) {
		struct pw_value item = PW_VALUE_INIT;
		bool fits = value_of(json_array_get(json, i), depth + 1, &item);

		pw_value_push(ret, item);
		if (!fits)
			return false;
	}
	return true;
}

/*
 * Appends without looking for an older value of the key as pw_value_set() would: jansson has
 * refused duplicates, and an object of many keys stays linear.
 */
static void append(struct pw_value *object, const char *key, struct pw_value item)
{
	pw_grow(&object->keys, &object->key_capacity, object->count + 1, sizeof(*object->keys));
	object->keys[object->count] = pw_strdup(key);
	PW_PUSH(object->items, object->count, object->capacity, item);
}

static bool object_of(const json_t *json, unsigned depth, struct pw_value *ret)
{
	json_t *object = (json_t *)json; /* jansson's iterators want it writable; nothing is */

	*ret = pw_value_object();
	for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
		struct pw_value item = PW_VALUE_INIT;
		bool fits = value_of(json_object_iter_value(at), depth + 1, &item);

		append(ret, json_object_iter_key(at), item);
		if (!fits)
			return false;
	}
	return true;
}

static bool value_of(const json_t *json, unsigned depth, struct pw_value *ret)
{
	switch (json_typeof(json)) {
	case JSON_OBJECT:
		return depth < PW_JSON_DEPTH && object_of(json, depth, ret);
	case JSON_ARRAY:
		return depth < PW_JSON_DEPTH && list_of(json, depth, ret);
	case JSON_STRING:
		*ret = pw_value_text(json_string_value(json));
		return true;
	case JSON_INTEGER:
		*ret = pw_value_int(json_integer_value(json));
		return true;
	case JSON_REAL:
		*ret = pw_value_real(json_real_value(json));
		return true;
	case JSON_TRUE:
	case JSON_FALSE:
		*ret = pw_value_bool(json_is_true(json));
		return true;
	default:
		*ret = (struct pw_value){ .type = PW_VALUE_NULL };
		return true;
	}
}

/* What is wrong, in our words and with a place in bytes; jansson's words if we see nothing. */
static int describe(const char *text, size_t length, const char *otherwise, struct pw_err *err)
{
	struct pw_positions *positions = NULL;
	size_t offset = 0, line, column;

	if (pw_positions_build(text, length, &positions, &offset, err) == 0) {
		pw_positions_free(positions);
		return pw_fail(err, PW_EINVAL, "%s", otherwise);
	}
	pw_line_column(text, offset, &line, &column);
	return pw_err_prefix(err, "line %zu, column %zu", line, column);
}

int pw_json_parse(const char *text, size_t length, struct pw_value *ret, struct pw_err *err)
{
	json_error_t error = { .text = "" };
	/* jansson 2.14 skips a NUL byte behind a number; a file that lost a block holds many. */
	json_auto_t *json = memchr(text, '\0', length)
				    ? NULL
				    : json_loadb(text, length,
						 JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	struct pw_value value = PW_VALUE_INIT;

	if (!json)
		return describe(text, length, error.text, err);
	if (!value_of(json, 0, &value)) {
		pw_value_done(&value);
		return describe(text, length, "nested too deep", err);
	}
	*ret = value;
	return 0;
}

void pw_json_real(double real, struct pw_strbuf *buffer)
{
	struct pw_err ignored;
	char text[40] = "";
	double back;
	locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	locale_t before = uselocale(c_locale);

	/* 17 digits always read back equal (IEEE 754 binary64); most values need fewer. */
	for (int digits = 1; digits <= 17; digits++) {
		(void)snprintf(text, sizeof(text), "%.*g", digits, real);
		if (pw_parse_real(text, &back, &ignored) == 0 && back == real)
			break;
	}
	(void)uselocale(before);
	freelocale(c_locale);
	pw_strbuf_puts(buffer, text);
	if (!strpbrk(text, ".e"))
		pw_strbuf_puts(buffer, ".0");
}

/* Malformed bytes (captured output) become U+FFFD, so that what is written can always be read. */
static void write_text(const char *text, struct pw_strbuf *buffer)
{
	uint32_t character = 0;

	pw_strbuf_putc(buffer, '"');
	while (*text) {
		int step = pw_utf8_next(text, &character);

		if (step < 0)
			pw_strbuf_puts(buffer, "\xef\xbf\xbd");
		else if (character == '"' || character == '\\')
			pw_strbuf_printf(buffer, "\\%c", (char)character);
		else if (character == '\n')
			pw_strbuf_puts(buffer, "\\n");
		else if (character == '\t')
			pw_strbuf_puts(buffer, "\\t");
		else if (character < 0x20 || character == 0x7f)
			pw_strbuf_printf(buffer, "\\u%04x", character);
		else
			pw_strbuf_add(buffer, text, (size_t)step);
		text += step < 0 ? 1 : step;
	}
	pw_strbuf_putc(buffer, '"');
}

#define NO_INDENT SIZE_MAX

static void new_line(size_t indent, struct pw_strbuf *buffer)
{
	if (indent == NO_INDENT)
		return;
	pw_strbuf_putc(buffer, '\n');
	pw_strbuf_fill(buffer, ' ', 2 * indent);
}

static void write_value(const struct pw_value *value, size_t indent, struct pw_strbuf *buffer);

static void write_items(const struct pw_value *value, size_t indent, struct pw_strbuf *buffer)
{
	bool object = value->type == PW_VALUE_OBJECT;
	size_t inner = indent == NO_INDENT ? NO_INDENT : indent + 1;

	pw_strbuf_putc(buffer, object ? '{' : '[');
	for (size_t i = 0; i < value->count; i++) {
		if (i)
			pw_strbuf_putc(buffer, ',');
		new_line(inner, buffer);
		if (object) {
			write_text(value->keys[i], buffer);
			pw_strbuf_puts(buffer, indent == NO_INDENT ? ":" : ": ");
		}
		write_value(&value->items[i], inner, buffer);
	}
	if (value->count)
		new_line(indent, buffer);
	pw_strbuf_putc(buffer, object ? '}' : ']');
}

static void write_value(const struct pw_value *value, size_t indent, struct pw_strbuf *buffer)
{
	switch (value->type) {
	case PW_VALUE_BOOL:
		pw_strbuf_puts(buffer, value->boolean ? "true" : "false");
		break;
	case PW_VALUE_INT:
		pw_strbuf_printf(buffer, "%" PRId64, value->integer);
		break;
	case PW_VALUE_REAL:
		/* JSON has no other numbers; who writes one where it matters has checked it. */
		if (isfinite(value->real))
			pw_json_real(value->real, buffer);
		else
			pw_strbuf_puts(buffer, "null");
		break;
	case PW_VALUE_TEXT:
		write_text(value->text, buffer);
		break;
	case PW_VALUE_LIST:
	case PW_VALUE_OBJECT:
		write_items(value, indent, buffer);
		break;
	default:
		pw_strbuf_puts(buffer, "null");
	}
}

void pw_json_write(const struct pw_value *value, enum pw_json_flags flags, struct pw_strbuf *buffer)
{
	write_value(value, flags & PW_JSON_INDENT ? 0 : NO_INDENT, buffer);
}
