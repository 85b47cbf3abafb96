/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From output to value: strict numbers, units, picks, JSON pointers, patterns that explode. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/mem.h"
#include "workloads/exec/extract.h"
#include "workloads/exec/number.h"
#include "workloads/exec/pattern.h"
#include "workloads/exec/unit.h"

static struct pw_exec_metric metric_of(const char *regex, const char *pointer, const char *unit)
{
	return (struct pw_exec_metric){
		.desc = { .name = "m",
			  .unit = unit,
			  .better = PW_BETTER_HIGHER,
			  .mean = PW_MEAN_ARITHMETIC },
		.regex = regex,
		.pointer = pointer,
		.from = "stdout",
		.pick = PW_EXEC_PICK_LAST,
	};
}

static int extract_bytes(const struct pw_exec_metric *metric, const char *out, size_t length,
			 double *ret, struct pw_err *err)
{
	struct pw_value options = pw_value_object();
	struct pw_work work = { .options = &options };
	struct pw_output output = { .out = out, .out_length = length, .err = "" };
	int r = pw_exec_extract(metric, &work, &output, ret, err);

	pw_value_done(&options);
	return r;
}

static int extract(const struct pw_exec_metric *metric, const char *out, double *ret,
		   struct pw_err *err)
{
	return extract_bytes(metric, out, strlen(out), ret, err);
}

/* The part in [brackets] is the capture; the brackets are not in the text. */
static int number(const char *marked, double *ret, struct pw_err *err)
{
	const char *open = strchr(marked, '['), *close = strchr(marked, ']');
	pw_auto_free char *text = pw_sprintf("%.*s%.*s%s", (int)(open - marked), marked,
					     (int)(close - open - 1), open + 1, close + 1);
	size_t start = (size_t)(open - marked), end = start + (size_t)(close - open - 1);

	return pw_exec_number(text, strlen(text), start, end, ret, err);
}

static void numbers_that_go_on_are_refused(void **state)
{
	static const char *const refused[] = {
		"[1234],56",
		"1234,[56]",
		"[1].234,56",
		"1.[234],56",
		"1.234,[56]",
		"1.[5]",
		"[1].5",
		"=.[5]",
		"[1]2",
		"1[2]",
		"[1]'234",
		"1'[234]",
		"[1]_000",
		"1_[000]",
		"[1]\xc2\xa0"
		"234",
		"1\xe2\x80\xaf[234]",
		"[1.24]e+06",
		"[1.24]E6",
		"[1.24]+06",
		"[1.24]-06",
		"1.24e+[06]",
		"1.24e[06]",
		"1.24+[06]",
		"1.e[5]",
		"[0]x1F",
		"0x[1]",
		"rate -[5]",
		"-[5]",
		"=-[5]",
		"\xe2\x88\x92[5]",
		"1e[-5]",
		"10[-5]",
		"[1,234.5]",
		"[1.2.3]",
		"[nan]",
		"[inf]",
		"[0x10]",
		"[ 5]",
		"[]",
		"[1e999]",
		"[5 ]",
		"[12]\xe2\x80\x99"
		"345",
	};
	struct pw_err err = PW_ERR_INIT;
	double value = -1;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(refused); i++) {
		if (number(refused[i], &value, &err) != -PW_EFAILED)
			fail_msg("%s: taken as %g", refused[i], value);
	}
	assert_true(value == -1);
}

static void numbers_that_end_are_taken(void **state)
{
	static const struct {
		const char *text;
		double value;
	} taken[] = {
		{ "rate [5]", 5 },
		{ "rate [5].", 5 },
		{ "rate [5]. Next", 5 },
		{ "[5], [6", 5 },
		{ "name,[5.5],ops", 5.5 },
		{ "a,,[5],,", 5 },
		{ "rate.....[5]", 5 },
		{ "x=[-5]", -5 },
		{ "[1.5e3]s", 1500 },
		{ "[12.5]ms", 12.5 },
		{ "p99=[3]%", 3 },
		{ "([7])", 7 },
		{ "--[5]", 5 },
		{ "[10]x", 10 },
		{ "max-[5]", 5 },
		{ "+[5]", 5 },
		{ "[5]e", 5 },
		{ "[.5]", .5 },
		{ "[0]x", 0 },
		{ "'[5]'", 5 },
		{ "[3]\xc2\xa0ms", 3 },
		{ "the[5]", 5 },
		{ "10x[1]", 1 },
		{ "[0.5]x2", .5 },
	};
	struct pw_err err = PW_ERR_INIT;
	double value;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(taken); i++) {
		if (number(taken[i].text, &value, &err) != 0)
			fail_msg("%s: %s", taken[i].text, err.text);
		assert_true(value == taken[i].value);
	}
}

/* Output of a tool that follows LC_NUMERIC, under three locales. */
static void other_locales_never_yield_a_part(void **state)
{
	static const struct {
		const char *regex, *out, *shown;
	} cases[] = {
		{ "([0-9.]+);watt-hours", "2;3071,25;watt-hours;\n", "'3071,25'" },
		{ "score: ([0-9.]+)", "score: 3.071,25 points\n", "'3.071,25'" },
		{ "^([0-9.]+),joules", "3071,25,joules,,\n", "pattern not found" },
		{ "([0-9.]+),joules", "3071,25,joules,,\n", "'3071,25" },
		{ "score: ([0-9]+)", "score: 3071.25\n", "'3071.25'" },
		{ "score: ([0-9.]+)", "score: 1.24+06\n", "'1.24+06'" },
	};
	struct pw_err err = PW_ERR_INIT;
	double value = -1;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		struct pw_exec_metric metric = metric_of(cases[i].regex, NULL, "J");

		assert_int_equal(extract(&metric, cases[i].out, &value, &err), -PW_EFAILED);
		if (!strstr(err.text, cases[i].shown))
			fail_msg("'%s' holds no %s", err.text, cases[i].shown);
		assert_memory_equal(err.text, "metric 'm': ", strlen("metric 'm': "));
	}
	assert_true(value == -1);
}

static void picks_choose_among_matches(void **state)
{
	static const struct {
		enum pw_exec_pick pick;
		double value;
	} cases[] = { { PW_EXEC_PICK_LAST, 3 },
		      { PW_EXEC_PICK_FIRST, 1 },
		      { PW_EXEC_PICK_MEAN, 2.5 },
		      { PW_EXEC_PICK_SUM, 10 } };
	struct pw_exec_metric metric = metric_of("^r=([0-9.,]+)$", NULL, "x");
	struct pw_err err = PW_ERR_INIT;
	double value;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		metric.pick = cases[i].pick;
		assert_int_equal(extract(&metric, "r=1\r\nr=2\rr=4\n r=9\nr=3\n", &value, &err), 0);
		assert_true(value == cases[i].value);
	}
	/* A mean over what cannot be read is no mean; the last alone can. */
	metric.pick = PW_EXEC_PICK_MEAN;
	assert_int_equal(extract(&metric, "r=1,5\nr=2\n", &value, &err), -PW_EFAILED);
	metric.pick = PW_EXEC_PICK_LAST;
	assert_int_equal(extract(&metric, "r=1,5\nr=2\n", &value, &err), 0);
}

static void the_named_group_wins(void **state)
{
	struct pw_exec_metric metric = metric_of("(a|b)=(?<value>[0-9]+)", NULL, "x");
	struct pw_err err = PW_ERR_INIT;
	double value;

	(void)state;
	assert_int_equal(extract(&metric, "a=7", &value, &err), 0);
	assert_true(value == 7);
	metric = metric_of("a=(\\d+)|b=\\d+", NULL, "x");
	assert_int_equal(extract(&metric, "a=7 b=8", &value, &err), -PW_EFAILED);
	assert_non_null(strstr(err.text, "without capturing"));
}

static void a_missing_result_shows_the_end(void **state)
{
	struct pw_exec_metric metric = metric_of("rate (\\d+)", NULL, "x");
	struct pw_err err = PW_ERR_INIT;
	double value;

	(void)state;
	assert_int_equal(extract(&metric, "1\n2\n3\nfour \x1b[31m\n5\n", &value, &err),
			 -PW_EFAILED);
	assert_string_equal(err.text, "metric 'm': pattern not found in stdout");
	assert_string_equal(err.hint, "it ends: 3 | four \\u{001b}[31m | 5");
	assert_int_equal(extract(&metric, "", &value, &err), -PW_EFAILED);
	assert_string_equal(err.hint, "stdout is empty");
	assert_int_equal(extract(&metric, "\n\n\n\n\n", &value, &err), -PW_EFAILED);
	assert_int_equal(extract_bytes(&metric, "a\0b\nc", 5, &value, &err), -PW_EFAILED);
}

static void bytes_that_are_no_text_do_no_harm(void **state)
{
	struct pw_exec_metric metric = metric_of("\xc2\xb5=(\\d+)", NULL, "x");
	struct pw_err err = PW_ERR_INIT;
	double value;

	(void)state;
	assert_int_equal(extract(&metric, "\xc2\xb5=5", &value, &err), 0);
	assert_int_equal(extract(&metric, "\xff\xfe \xc2\xb5=5", &value, &err), 0);
	assert_int_equal(extract_bytes(&metric, "\0\xc2\xb5=6\0", 6, &value, &err), 0);
	assert_true(value == 6);
	metric = metric_of("=([^;]+);", NULL, "x");
	assert_int_equal(extract_bytes(&metric, "v=5\0;", 5, &value, &err), -PW_EFAILED);
	metric = metric_of("\\x{20ac}=(\\d+)", NULL, "x");
	assert_int_equal(extract(&metric, "\xe2\x82\xac=5", &value, &err), 0);
	assert_int_equal(extract(&metric, "\xff \xe2\x82\xac=5", &value, &err), -PW_EFAILED);
	assert_non_null(strstr(err.text, "not UTF-8"));
}

static void patterns_that_explode_give_up(void **state)
{
	struct pw_exec_metric metric = metric_of("^(a+)+$", NULL, "x");
	struct pw_err err = PW_ERR_INIT;
	char out[64];
	double value;

	(void)state;
	memset(out, 'a', sizeof(out));
	out[sizeof(out) - 1] = 'b';
	assert_int_equal(extract_bytes(&metric, out, sizeof(out), &value, &err), -PW_EFAILED);
	assert_non_null(strstr(err.text, "gave up"));
}

static void empty_matches_end(void **state)
{
	static const char *const regexes[] = { "(x*)", "(?=(a))", "(^)", "()\xc3\xa4?" };
	struct pw_exec_match match;
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(regexes); i++) {
		struct pw_exec_pattern *pattern = NULL;
		const char *text = "a\xc3\xa4\na";
		size_t cursor = 0, count = 0;

		assert_int_equal(pw_exec_pattern_new(regexes[i], true, &pattern, &err), 0);
		while (pw_exec_pattern_next(pattern, text, strlen(text), &cursor, &match, &err) > 0)
			assert_true(++count < 10);
		assert_true(count > 0);
		pw_exec_pattern_free(pattern);
	}
}

static void units_convert_inside_their_family(void **state)
{
	static const struct {
		const char *from, *to;
		double factor;
	} cases[] = {
		{ "ms", "s", 0.001 },	      { "s", "ms", 1000 },
		{ "us", "ms", 0.001 },	      { "min", "s", 60 },
		{ "\xc2\xb5s", "us", 1 },     { "ns", "s", 1e-9 },
		{ "GB/s", "MB/s", 1000 },     { "MiB/s", "MB/s", 1.048576 },
		{ "KiB", "B", 1024 },	      { "Gbit/s", "MB/s", 125 },
		{ "MB/sec", "MB/s", 1 },      { "GHz", "MHz", 1000 },
		{ "mW", "W", 0.001 },	      { "kJ", "J", 1000 },
		{ "Wh", "J", 3600 },	      { "kops/s", "ops/s", 1000 },
		{ "ops/s", "kops/s", 0.001 }, { "Mops", "kops", 1000 },
		{ "k", "ops/s", 1000 },	      { "", "ops/s", 1 },
		{ "M", "kops/s", 1000 },      { "odd", "odd", 1 },
		{ "mugs", "mugs", 1 },
	};
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		double value = 3;

		if (pw_exec_unit_convert(cases[i].from, cases[i].to, &value, &err) != 0)
			fail_msg("%s", err.text);
		if (fabs(value / (3 * cases[i].factor) - 1) > 1e-15)
			fail_msg("%s to %s: %.17g", cases[i].from, cases[i].to, value);
	}
}

static void units_of_other_families_are_refused(void **state)
{
	static const char *const cases[][2] = {
		{ "MB", "MB/s" }, { "MB/s", "MB" },	{ "J", "W" },	   { "KB", "kB" },
		{ "ops", "ms" },  { "ops/s", "req/s" }, { "", "ms" },	   { "m", "s" },
		{ "k", "s" },	  { "Mb/s", "MB/s" },	{ "mops", "ops" }, { "ops/s", "kops" },
	};
	struct pw_exec_metric metric = metric_of("([0-9]+) ?(?<unit>\\w+)", NULL, "ms");
	struct pw_err err = PW_ERR_INIT;
	double value = 3;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		if (pw_exec_unit_convert(cases[i][0], cases[i][1], &value, &err) == 0)
			fail_msg("%s to %s", cases[i][0], cases[i][1]);
	}
	assert_true(value == 3);
	assert_int_equal(extract(&metric, "took 5 s", &value, &err), 0);
	assert_true(value == 5000);
	assert_int_equal(extract(&metric, "took 5 J", &value, &err), -PW_EFAILED);
	assert_string_equal(err.text,
			    "metric 'm': unit 'J' cannot be converted into the declared 'ms'");
}

static void pointers_lead_to_numbers(void **state)
{
	static const struct {
		const char *pointer, *out;
		double value;
	} cases[] = {
		{ "/a/b", "{\"a\":{\"b\":1.5}}", 1.5 },
		{ "/a/1", "{\n \"a\": [1,\n 2]\n}\n", 2 },
		{ "/m~1n~0", "{\"m/n~\":3}", 3 },
		{ "/", "{\"\":4}", 4 },
		{ "/a", "{\"a\":\"5.5\"}", 5.5 },
		{ "/a", "{\"a\":18446744073709551616}", 18446744073709551616.0 },
		{ "/a", "starting\n{\"a\":1}\n{\"a\":2}\n100\ndone\n", 2 },
		{ "", "hello\n7\n", 7 },
	};
	struct pw_err err = PW_ERR_INIT;
	double value;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		struct pw_exec_metric metric = metric_of(NULL, cases[i].pointer, "x");

		if (extract(&metric, cases[i].out, &value, &err) != 0)
			fail_msg("%s: %s", cases[i].pointer, err.text);
		assert_true(value == cases[i].value);
	}
}

static void pointers_that_miss_say_how(void **state)
{
	static const struct {
		const char *pointer, *out, *text;
	} cases[] = {
		{ "/a", "a: 1\n", "no JSON" },
		{ "/a", "", "no JSON" },
		{ "/a", "{\"a\":1,\"a\":2}", "no JSON" },
		{ "/b", "{\"a\":1}", "nothing at" },
		{ "/a/01", "{\"a\":[1,2]}", "nothing at" },
		{ "/a/-", "{\"a\":[1,2]}", "nothing at" },
		{ "/a/b", "{\"a\":1}", "nothing at" },
		{ "/a", "{\"a\":true}", "neither" },
		{ "/a", "{\"a\":null}", "neither" },
		{ "/a", "{\"a\":\"1,5\"}", "'1,5' is not a number" },
		{ "/a", "{\"a\":\"nan\"}", "not a number" },
		{ "/a", "{\"a\":NaN}", "no JSON" },
		{ "/a", "{\"a\":1e999}", "no JSON" },
		/* The last line that is JSON is the result, not the last that would fit. */
		{ "/a", "{\"a\":1}\n{\"end\":true}\n", "nothing at" },
	};
	struct pw_err err = PW_ERR_INIT;
	double value;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		struct pw_exec_metric metric = metric_of(NULL, cases[i].pointer, "x");

		assert_int_equal(extract(&metric, cases[i].out, &value, &err), -PW_EFAILED);
		if (!strstr(err.text, cases[i].text))
			fail_msg("%s: '%s' holds no '%s'", cases[i].out, err.text, cases[i].text);
		assert_true(err.hint[0] != '\0');
	}
}

static void means_that_want_positive_values_get_them(void **state)
{
	static const enum pw_mean strict[] = { PW_MEAN_HARMONIC, PW_MEAN_GEOMETRIC };
	struct pw_exec_metric metric = metric_of("v=(\\S+)", NULL, "MB/s");
	struct pw_err err = PW_ERR_INIT;
	double value;

	(void)state;
	assert_int_equal(extract(&metric, "v=0", &value, &err), 0);
	for (size_t i = 0; i < PW_LENGTH(strict); i++) {
		metric.desc.mean = strict[i];
		assert_int_equal(extract(&metric, "v=0", &value, &err), -PW_EFAILED);
		assert_int_equal(extract(&metric, "v=-1", &value, &err), -PW_EFAILED);
		assert_non_null(strstr(err.text, "metric 'm': -1 MB/s"));
		assert_int_equal(extract(&metric, "v=1", &value, &err), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_that_go_on_are_refused),
		cmocka_unit_test(numbers_that_end_are_taken),
		cmocka_unit_test(other_locales_never_yield_a_part),
		cmocka_unit_test(picks_choose_among_matches),
		cmocka_unit_test(the_named_group_wins),
		cmocka_unit_test(a_missing_result_shows_the_end),
		cmocka_unit_test(bytes_that_are_no_text_do_no_harm),
		cmocka_unit_test(patterns_that_explode_give_up),
		cmocka_unit_test(empty_matches_end),
		cmocka_unit_test(units_convert_inside_their_family),
		cmocka_unit_test(units_of_other_families_are_refused),
		cmocka_unit_test(pointers_lead_to_numbers),
		cmocka_unit_test(pointers_that_miss_say_how),
		cmocka_unit_test(means_that_want_positive_values_get_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
