/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places in a JSON text, comments, and the paths that messages show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/strbuf.h"
#include "lib/model/position.h"

static struct pw_positions *indexed(const char *text)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_positions *positions = NULL;
	size_t offset;

	if (pw_positions_build(text, strlen(text), &positions, &offset, &err) < 0)
		fail_msg("%zu: %s", offset, err.text);
	return positions;
}

static const char doc[] = "{ \"a\": [10, {\"b/c\": true}, []],\n  \"m~n\": \"x\", \"\": null }";

/* Both offsets, given by what stands there: the first place of that text in the document. */
static void at(const struct pw_positions *positions, const char *pointer, const char *key,
	       const char *value)
{
	struct pw_place place = pw_positions_find(positions, pointer);

	assert_ptr_equal(doc + place.key, strstr(doc, key));
	assert_ptr_equal(doc + place.value, strstr(doc, value));
}

static void everything_is_found(void **state)
{
	struct pw_positions *positions = indexed(doc);

	(void)state;
	at(positions, "", "{ \"a\"", "{ \"a\"");
	at(positions, "/a", "\"a\"", "[10");
	at(positions, "/a/0", "10", "10");
	at(positions, "/a/1", "{\"b/c", "{\"b/c");
	at(positions, "/a/1/b~1c", "\"b/c\"", "true");
	at(positions, "/a/2", "[]", "[]");
	at(positions, "/m~0n", "\"m~n\"", "\"x\"");
	at(positions, "/", "\"\"", "null");
	pw_positions_free(positions);
}

static void what_is_not_there_gives_its_parent(void **state)
{
	struct pw_positions *positions = indexed(doc);

	(void)state;
	at(positions, "/none", "{ \"a\"", "{ \"a\"");
	at(positions, "/a/3", "\"a\"", "[10");
	at(positions, "/a/01", "\"a\"", "[10");
	at(positions, "/a/-1", "\"a\"", "[10");
	at(positions, "/a/99999999999999999999", "\"a\"", "[10");
	at(positions, "/a/0/deeper/still", "10", "10");
	at(positions, "/a/1/b~1", "{\"b/c", "{\"b/c");
	pw_positions_free(positions);
}

static void refused(const char *text, size_t offset, const char *message)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_positions *positions = NULL;
	size_t found = SIZE_MAX;

	assert_int_equal(pw_positions_build(text, strlen(text), &positions, &found, &err),
			 -PW_EINVAL);
	assert_null(positions);
	if (!strstr(err.text, message))
		fail_msg("%s: '%s' instead of '%s'", text, err.text, message);
	assert_int_equal(found, offset);
}

static void faults_are_placed(void **state)
{
	(void)state;
	refused("[1, 2 ,\n ]", 6, "trailing comma before ']'");
	refused("{\"a\":1 , }", 7, "trailing comma before '}'");
	refused("[1,,2]", 3, "expected a value, found ','");
	refused("[1 2]", 3, "expected ',' or ']', found '2'");
	refused("{\"a\" 1}", 5, "expected ':' after the key, found '1'");
	refused("{a: 1}", 1, "expected a key in double quotes, found 'a'");
	refused("{'a': 1}", 1, "JSON quotes with \"");
	refused("{\"a\": [1}", 8, "expected ',' or ']', found '}'");
	refused("{\"a\":\n [1", 9, "the '[' of line 2, column 2 is not closed");
	refused("{\"a\":", 5, "expected a value, found the end of the text");
	refused("[\"abc", 1, "this text has no closing quote");
	refused("[\"abc\n\"]", 1, "does not end on its line");
	refused("[\"a\tb\"]", 3, "control character");
	refused("[\"a\\x\"]", 3, "unknown escape");
	refused("[\"\\ud83d\"]", 2, "half of a surrogate pair");
	refused("[\"\\udc00\\ud83d\"]", 2, "half of a surrogate pair");
	refused("[\"\\u0000\"]", 2, "not allowed");
	refused("[\"\\u00g0\"]", 2, "four hexadecimal digits");
	refused("[012]", 1, "may not start with a zero");
	refused("[1.]", 3, "a digit after the point");
	refused("[1e]", 3, "a digit of the exponent");
	refused("[-]", 2, "a digit after '-'");
	refused("[+1]", 1, "expected a value, found '+'");
	refused("[1e999]", 1, "out of range");
	refused("[NaN]", 1, "unknown word 'NaN'");
	refused("{} x", 3, "expected nothing more, found 'x'");
}

static void repeated_keys_are_found(void **state)
{
	static const char text[] = "{\"a\": [0, {\"k\": 1, \"x\": {}, \"\\u006b\": 2}]}";
	struct pw_err err = PW_ERR_INIT;
	struct pw_positions *positions = NULL;
	size_t offset = 0;

	(void)state;
	assert_int_equal(pw_positions_build(text, sizeof(text) - 1, &positions, &offset, &err),
			 -PW_EINVAL);
	assert_ptr_equal(text + offset, strstr(text, "\"\\u006b\""));
	assert_string_equal(err.where, "/a/1/k");
	assert_int_equal(err.at_key, 1);
	assert_string_equal(err.text, "repeated key (first at line 1, column 12)");
	/* The same name in another object is no repetition. */
	pw_positions_free(indexed("{\"k\": {\"k\": {\"k\": 1}}, \"l\": {\"k\": 2}}"));
}

/* A repetition is found wherever the table grows: at every count of keys before it. */
static void repeated_keys_are_found_at_every_size(void **state)
{
	struct pw_strbuf text = PW_STRBUF_INIT;

	(void)state;
	pw_strbuf_puts(&text, "{\"k0\":0");
	for (int i = 1; i < 300; i++) {
		size_t length = text.length;

		pw_strbuf_puts(&text, ",\"k0\":1}");
		refused(text.text, length + 1, "repeated key");
		text.length = length;
		pw_strbuf_printf(&text, ",\"k%d\":0", i);
	}
	pw_strbuf_done(&text);
}

static void many_keys(void **state)
{
	struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_positions *positions;
	struct pw_place place;

	(void)state;
	pw_strbuf_putc(&text, '{');
	for (int i = 0; i < 100000; i++)
		pw_strbuf_printf(&text, "%s\"k%d\":[%d]", i ? "," : "", i, i);
	pw_strbuf_putc(&text, '}');
	positions = indexed(text.text);
	place = pw_positions_find(positions, "/k77777/0");
	assert_memory_equal(text.text + place.value, "77777]", 6);
	pw_positions_free(positions);
	pw_strbuf_done(&text);
}

static void comments_become_blanks(void **state)
{
	char text[] = "{ // one \"\n \"a//\": 1, /* * / \n*/ \"\\\"/*\": 2 /**/ } //";
	static const char wanted[] = "{         \n \"a//\": 1,        \n   \"\\\"/*\": 2      }   ";
	char open[] = "[ /* ] ", slash[] = "[] /", star[] = "/*/";
	struct pw_err err = PW_ERR_INIT;
	size_t offset = 0;

	(void)state;
	assert_int_equal(pw_json_blank_comments(text, strlen(text), &offset, &err), 0);
	assert_string_equal(text, wanted);
	assert_int_equal(pw_json_blank_comments(open, strlen(open), &offset, &err), -PW_EINVAL);
	assert_int_equal(offset, 2);
	assert_int_equal(pw_json_blank_comments(star, strlen(star), &offset, &err), -PW_EINVAL);
	assert_int_equal(offset, 0);
	assert_int_equal(pw_json_blank_comments(slash, strlen(slash), &offset, &err), 0);
	assert_string_equal(slash, "[] /");
}

static void lines_and_columns(void **state)
{
	static const char text[] = "ab\n\n\xc3\xa4x";
	size_t line, column;

	(void)state;
	pw_line_column(text, 0, &line, &column);
	assert_int_equal(line, 1);
	assert_int_equal(column, 1);
	pw_line_column(text, 2, &line, &column);
	assert_int_equal(line, 1);
	assert_int_equal(column, 3);
	pw_line_column(text, 6, &line, &column); /* bytes, not characters */
	assert_int_equal(line, 3);
	assert_int_equal(column, 3);
}

static void paths_for_people(void **state)
{
	static const char *const cases[][2] = {
		{ "", "" },
		{ "/repeat", "repeat" },
		{ "/configs/1/set/min-freq", "configs[1].set.min-freq" },
		{ "/0/1", "[0][1]" },
		{ "/a~1b/c", "[\"a/b\"].c" },
		{ "/x/a.b~0", "x[\"a.b~\"]" },
		{ "/x//y", "x[\"\"].y" },
		{ "/\x1b", "[\"\\u{001b}\"]" },
	};

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		char *path = pw_pointer_path(cases[i][0]);

		assert_string_equal(path, cases[i][1]);
		free(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_found),
		cmocka_unit_test(what_is_not_there_gives_its_parent),
		cmocka_unit_test(faults_are_placed),
		cmocka_unit_test(repeated_keys_are_found),
		cmocka_unit_test(repeated_keys_are_found_at_every_size),
		cmocka_unit_test(many_keys),
		cmocka_unit_test(comments_become_blanks),
		cmocka_unit_test(lines_and_columns),
		cmocka_unit_test(paths_for_people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
