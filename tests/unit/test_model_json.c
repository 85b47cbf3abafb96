/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON to values and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "lib/model/json.h"

static struct pw_value parsed(const char *text)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_value value = PW_VALUE_INIT;

	if (pw_json_parse(text, strlen(text), &value, &err) < 0)
		fail_msg("%s", err.text);
	return value;
}

static void refused(const char *text, size_t length, const char *message)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_value value = pw_value_int(7);

	assert_int_equal(pw_json_parse(text, length, &value, &err), -PW_EINVAL);
	assert_string_equal(err.text, message);
	assert_int_equal(value.integer, 7);
}

static void written(const struct pw_value *value, enum pw_json_flags flags, const char *wanted)
{
	struct pw_strbuf text = PW_STRBUF_INIT;

	pw_json_write(value, flags, &text);
	assert_string_equal(pw_strbuf_text(&text), wanted);
	pw_strbuf_done(&text);
}

static void every_type_comes_back(void **state)
{
	static const char text[] =
		"{\"z\":[null,true,false,-3,2.5,\"\\u00e4\\n\"],\"a\":{},\"m\":[]}";
	struct pw_value value = parsed(text);

	(void)state;
	assert_string_equal(value.keys[0], "z"); /* order as written */
	assert_int_equal(value.items[0].items[0].type, PW_VALUE_NULL);
	assert_int_equal(value.items[0].items[3].type, PW_VALUE_INT);
	assert_int_equal(value.items[0].items[4].type, PW_VALUE_REAL);
	written(&value, PW_JSON_COMPACT,
		"{\"z\":[null,true,false,-3,2.5,\"\xc3\xa4\\n\"],\"a\":{},\"m\":[]}");
	pw_value_done(&value);
}

static void indented_form(void **state)
{
	struct pw_value value = parsed("{\"a\":[1,{\"b\":2}],\"c\":[]}");

	(void)state;
	written(&value, PW_JSON_INDENT,
		"{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ],\n  \"c\": []\n}");
	pw_value_done(&value);
}

static void integers_keep_all_64_bits(void **state)
{
	struct pw_value value = parsed("[9223372036854775807,-9223372036854775808]");

	(void)state;
	assert_true(value.items[0].integer == INT64_MAX);
	assert_true(value.items[1].integer == INT64_MIN);
	written(&value, PW_JSON_COMPACT, "[9223372036854775807,-9223372036854775808]");
	pw_value_done(&value);
	refused("[9223372036854775808]", 21, "line 1, column 2: number beyond 64 bits");
}

static void reals_are_the_shortest_that_read_back(void **state)
{
	static const struct {
		double real;
		const char *text;
	} cases[] = {
		{ 0.1, "0.1" },
		{ 1.0, "1.0" },
		{ -0.0, "-0.0" },
		{ 1449.93, "1449.93" },
		{ 1e300, "1e+300" },
		{ 5e-324, "5e-324" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 123456789.0, "123456789.0" },
	};

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		struct pw_strbuf text = PW_STRBUF_INIT;
		struct pw_value value;

		pw_json_real(cases[i].real, &text);
		assert_string_equal(text.text, cases[i].text);
		value = parsed(text.text);
		assert_int_equal(value.type, PW_VALUE_REAL);
		assert_memory_equal(&value.real, &cases[i].real, sizeof(double));
		pw_strbuf_done(&text);
	}
}

static void what_json_cannot_say(void **state)
{
	struct pw_value list = pw_value_list();

	(void)state;
	pw_value_push(&list, pw_value_real(NAN));
	pw_value_push(&list, pw_value_real(INFINITY));
	pw_value_push(&list, PW_VALUE_INIT);
	pw_value_push(&list, pw_value_text("a\xff\"\\\x01\x7f\t"));
	written(&list, PW_JSON_COMPACT,
		"[null,null,null,\"a\xef\xbf\xbd\\\"\\\\\\u0001\\u007f\\t\"]");
	pw_value_done(&list);
}

static void what_is_refused(void **state)
{
	(void)state;
	refused("", 0, "line 1, column 1: expected a value, found the end of the text");
	refused("{\"a\":1,\n\"a\":2}", 14,
		"line 2, column 1: repeated key (first at line 1, column 2)");
	refused("[1,\n 2,]", 8, "line 2, column 3: trailing comma before ']': take it out");
	refused("[1] // no comments here", 23,
		"line 1, column 5: expected nothing more, found '/'");
	refused("[\"a\0b\"]", 7,
		"line 1, column 4: control character in a text (write it as \\u0000)");
	refused("[1\0]", 4, "line 1, column 3: expected ',' or ']', found a NUL byte");
	refused("[\"\xc3\x28\"]", 6, "line 1, column 3: byte 0xc3 is not valid UTF-8");
	refused("{\"a\": tru", 9,
		"line 1, column 7: unknown word 'tru' (a text stands in double quotes)");
}

static void nesting_has_a_limit(void **state)
{
	char text[2 * 5000 + 1];
	struct pw_value value;

	(void)state;
	memset(text, '[', 100);
	memset(text + 100, ']', 100);
	text[200] = '\0';
	value = parsed(text);
	pw_value_done(&value);
	memset(text, '[', 101);
	memset(text + 101, ']', 101);
	refused(text, 202, "line 1, column 101: nested deeper than 100 levels");
	memset(text, '[', 5000);
	memset(text + 5000, ']', 5000);
	refused(text, 10000, "line 1, column 101: nested deeper than 100 levels");
}

static void many_keys(void **state)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_value value;

	(void)state;
	pw_strbuf_puts(&text, "{\"first\":0");
	for (int i = 0; i < 100000; i++)
		pw_strbuf_printf(&text, ",\"k%d\":%d", i, i);
	pw_strbuf_putc(&text, '}');
	value = parsed(text.text);
	assert_int_equal(value.count, 100001);
	assert_string_equal(value.keys[100000], "k99999");
	assert_int_equal(value.items[100000].integer, 99999);
	pw_value_done(&value);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_comes_back),
		cmocka_unit_test(indented_form),
		cmocka_unit_test(integers_keep_all_64_bits),
		cmocka_unit_test(reals_are_the_shortest_that_read_back),
		cmocka_unit_test(what_json_cannot_say),
		cmocka_unit_test(what_is_refused),
		cmocka_unit_test(nesting_has_a_limit),
		cmocka_unit_test(many_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
