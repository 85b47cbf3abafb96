/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The position index against jansson: the same texts are accepted, and everything that jansson
 * finds in a text has its place in the index.
 */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "fuzz.h"
#include "lib/base/mem.h"
#include "lib/base/strbuf.h"
#include "lib/model/json.h"
#include "lib/model/position.h"

#define FLAGS (JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)

static size_t depth_of(const json_t *json)
{
	json_t *writable = (json_t *)json;
	size_t deepest = 0;

	for (size_t i = 0; i < json_array_size(json); i++) {
		size_t depth = depth_of(json_array_get(json, i));

		deepest = depth > deepest ? depth : deepest;
	}
	for (void *at = json_object_iter(writable); at; at = json_object_iter_next(writable, at)) {
		size_t depth = depth_of(json_object_iter_value(at));

		deepest = depth > deepest ? depth : deepest;
	}
	return deepest + (json_is_array(json) || json_is_object(json));
}

struct check {
	const char *text;
	size_t length;
	const struct pw_positions *positions;
	struct pw_strbuf pointer;
};

/* What stands at the offset reads as an equal scalar, or opens the same kind of container. */
static void check_value(const struct check *check, size_t offset, const json_t *json)
{
	json_t *there;

	FUZZ_CHECK(offset < check->length);
	if (json_is_object(json) || json_is_array(json)) {
		FUZZ_CHECK(check->text[offset] == (json_is_object(json) ? '{' : '['));
		return;
	}
	there = json_loadb(check->text + offset, check->length - offset,
			   JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, NULL);
	FUZZ_CHECK(there && json_equal(there, json));
	json_decref(there);
}

static void check_key(const struct check *check, size_t offset, const char *key)
{
	json_t *there = json_loadb(check->text + offset, check->length - offset,
				   JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, NULL);

	FUZZ_CHECK(there && json_is_string(there) && strcmp(json_string_value(there), key) == 0);
	json_decref(there);
}

static void add_step(struct pw_strbuf *pointer, const char *key)
{
	pw_strbuf_putc(pointer, '/');
	for (; *key; key++) {
		if (*key == '~' || *key == '/')
			pw_strbuf_puts(pointer, *key == '~' ? "~0" : "~1");
		else
			pw_strbuf_putc(pointer, *key);
	}
}

static void cut(struct pw_strbuf *pointer, size_t length)
{
	pointer->length = length;
	if (pointer->text)
		pointer->text[length] = '\0';
}

/* Every value has a place of its own, in the order of the text: `last` only grows. */
static void check_tree(struct check *check, const json_t *json, const char *key, size_t *last)
{
	json_t *writable = (json_t *)json;
	size_t length = check->pointer.length;
	struct pw_place place =
		pw_positions_find(check->positions, pw_strbuf_text(&check->pointer));

	FUZZ_CHECK(*last == SIZE_MAX || place.value > *last);
	*last = place.value;
	check_value(check, place.value, json);
	if (key)
		check_key(check, place.key, key);
	else
		FUZZ_CHECK(place.key == place.value);
	for (size_t i = 0; i < json_array_size(json); i++) {
		pw_strbuf_printf(&check->pointer, "/%zu", i);
		check_tree(check, json_array_get(json, i), NULL, last);
		cut(&check->pointer, length);
	}
	for (void *at = json_object_iter(writable); at; at = json_object_iter_next(writable, at)) {
		add_step(&check->pointer, json_object_iter_key(at));
		check_tree(check, json_object_iter_value(at), json_object_iter_key(at), last);
		cut(&check->pointer, length);
	}
}

static void compare(const char *text, size_t size)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_positions *positions = NULL;
	size_t offset = SIZE_MAX, last = SIZE_MAX;
	int r = pw_positions_build(text, size, &positions, &offset, &err);
	json_t *json = json_loadb(text, size, FLAGS, NULL);
	struct check check = { .text = text, .length = size, .positions = positions };

	if (r < 0) {
		FUZZ_CHECK(!positions && offset <= size && err.text[0]);
		/* jansson 2.14 skips a NUL byte behind a number; the index never does. */
		FUZZ_CHECK(!json || depth_of(json) > PW_JSON_DEPTH || memchr(text, 0, size));
	} else {
		FUZZ_CHECK(json && depth_of(json) <= PW_JSON_DEPTH);
		check_tree(&check, json, NULL, &last);
	}
	pw_strbuf_done(&check.pointer);
	pw_positions_free(positions);
	json_decref(json);
}

/* A value read is written and read again as the same, with and without indentation. */
static void round_trip(const char *text, size_t size)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_value value = PW_VALUE_INIT, again = PW_VALUE_INIT;

	if (pw_json_parse(text, size, &value, &err) < 0)
		return;
	for (int flags = PW_JSON_COMPACT; flags <= PW_JSON_INDENT; flags++) {
		struct pw_strbuf written = PW_STRBUF_INIT;

		pw_json_write(&value, (enum pw_json_flags)flags, &written);
		FUZZ_CHECK(pw_json_parse(written.text, written.length, &again, &err) == 0);
		FUZZ_CHECK(pw_value_equal(&value, &again));
		pw_value_done(&again);
		pw_strbuf_done(&written);
	}
	pw_value_done(&value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = pw_memdup(data, size);
	struct pw_err err = PW_ERR_INIT;
	size_t offset = SIZE_MAX;

	if (pw_json_blank_comments(text, size, &offset, &err) == 0) {
		compare(text, size);
		round_trip(text, size);
	} else {
		FUZZ_CHECK(offset < size && text[offset] == '/');
	}
	for (size_t i = 0; i < size; i++)
		FUZZ_CHECK((data[i] == '\n') == (text[i] == '\n'));
	free(text);
	return 0;
}
