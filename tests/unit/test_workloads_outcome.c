/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tbench's and dbench's reading of their output: a good one, and every way in which it is not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/mem.h"
#include "workloads/engine/outcome.h"

extern const struct pw_workload pw_workload_tbench, pw_workload_dbench;

/* Recorded; numbers made round. */
static const char *const lines[] = {
	"perfwatt: begin",
	"perfwatt: end",
	"engine: 1",
	"clients: 2",
	"session-operations: 3538",
	"window-ns: 500000000",
	"skew-ns: 34000",
	"operations: 35380",
	"bytes: 200000000",
	"passes: 9",
	"client-operations-min: 15380",
	"client-operations-max: 20000",
	"client-bytes-min: 90000000",
	"client-bytes-max: 110000000",
	"latency-p50-ns: 11647",
	"latency-p95-ns: 22271",
	"latency-p99-ns: 34303",
	"latency-max-ns: 3332190",
	"profile: mmtests",
	"load: generated-1:f5da119cc67a396a",
	"flavour: tmpfs",
	"complete: yes",
};

#define FIRST_KEY 2

/* The recorded lines with one of them replaced (NULL: left out). */
static char *text_with(size_t line, const char *instead)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	for (size_t i = 0; i < PW_LENGTH(lines); i++) {
		const char *chosen = i == line ? instead : lines[i];

		if (chosen)
			pw_strbuf_printf(&text, "%s\n", chosen);
	}
	return pw_strbuf_take(&text);
}

static int parse(const struct pw_workload *workload, const char *text, struct pw_result *result,
		 struct pw_err *err)
{
	struct pw_work work = { 0 };
	struct pw_output output = { .out = text, .out_length = strlen(text), .err = "" };

	return workload->parse(&work, &output, result, err);
}

static double metric(const struct pw_result *result, const char *name)
{
	for (size_t i = 0; i < result->metric_count; i++) {
		if (strcmp(result->metrics[i].name, name) == 0)
			return result->metrics[i].value;
	}
	fail_msg("no metric %s", name);
	return 0;
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static void tbench_reports_throughput(void **state)
{
	pw_auto_result struct pw_result result = PW_RESULT_INIT;
	pw_auto_free char *text = text_with(0, lines[0]);
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	assert_int_equal(parse(&pw_workload_tbench, text, &result, &err), 0);
	assert_string_equal(result.metrics[0].name, "throughput");
	assert_true(result.metrics[0].primary);
	assert_int_equal(result.metrics[0].mean, PW_MEAN_HARMONIC);
	assert_true(near(metric(&result, "throughput"), 400));
	assert_true(near(metric(&result, "rate"), 70760));
	assert_true(near(metric(&result, "latency-p50"), 0.011647));
	assert_true(near(metric(&result, "latency-p95"), 0.022271));
	assert_true(near(metric(&result, "latency-p99"), 0.034303));
	assert_true(near(metric(&result, "latency-max"), 3.33219));
	assert_true(near(metric(&result, "fairness"), 0.769));
	assert_true(near(result.work, 200));
	assert_string_equal(result.work_unit, "MB");
	assert_true(result.has_operations);
	assert_int_equal(result.operations_ok, 35380);
	assert_int_equal(result.operations_failed, 0);
	assert_string_equal(result.flavour, "tmpfs");
	assert_int_equal(result.window_ns, 500000000);
	assert_int_equal(pw_value_get_int(&result.detail, "start_skew_ns", 0), 34000);
	assert_int_equal(pw_value_get_int(&result.detail, "whole_sessions", 0), 9);
	assert_int_equal(pw_value_get_int(&result.identity, "engine", 0), 1);
	assert_string_equal(pw_value_get_text(&result.identity, "profile", ""), "mmtests");
	assert_string_equal(pw_value_get_text(&result.identity, "loadfile", ""),
			    "generated-1:f5da119cc67a396a");
}

static void dbench_reports_the_session_time(void **state)
{
	pw_auto_result struct pw_result result = PW_RESULT_INIT;
	pw_auto_free char *text = text_with(0, lines[0]);
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	assert_int_equal(parse(&pw_workload_dbench, text, &result, &err), 0);
	assert_string_equal(result.metrics[0].name, "session-time");
	assert_true(result.metrics[0].primary);
	assert_int_equal(result.metrics[0].better, PW_BETTER_LOWER);
	/* 2 clients * 500 ms / 10 sessions */
	assert_true(near(metric(&result, "session-time"), 100));
	assert_true(near(metric(&result, "throughput"), 400));
	assert_true(near(result.work, 10));
	assert_string_equal(result.work_unit, "sessions");
}

static void refuses(const char *text, const char *reason)
{
	pw_auto_result struct pw_result result = PW_RESULT_INIT;
	struct pw_err err = PW_ERR_INIT;

	if (parse(&pw_workload_tbench, text, &result, &err) != -PW_EFAILED)
		fail_msg("accepted:\n%s", text);
	if (!strstr(err.text, reason))
		fail_msg("'%s' does not hold '%s'", err.text, reason);
	assert_int_equal(result.metric_count, 0);
}

static void every_line_is_needed_and_once(void **state)
{
	(void)state;
	for (size_t i = FIRST_KEY; i < PW_LENGTH(lines); i++) {
		pw_auto_free char *missing = text_with(i, NULL);
		pw_auto_free char *moved = pw_sprintf("%s%s\n", missing, lines[i]);
		pw_auto_free char *twice = pw_sprintf("%s%s\n", moved, lines[i]);
		pw_auto_result struct pw_result result = PW_RESULT_INIT;
		struct pw_err err = PW_ERR_INIT;

		refuses(missing, "no line");
		assert_int_equal(parse(&pw_workload_tbench, moved, &result, &err), 0);
		refuses(twice, "stands twice");
	}
}

static void numbers_are_read_strictly(void **state)
{
	static const char *const bad[] = { "nan",
					   "inf",
					   "-1",
					   "1.5",
					   "1e3",
					   "0x10",
					   "",
					   " 1",
					   "1 ",
					   "12,000",
					   "18446744073709551616" };

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(bad); i++) {
		pw_auto_free char *line = pw_sprintf("bytes: %s", bad[i]);
		pw_auto_free char *text = text_with(8, line);

		refuses(text, "bytes");
	}
}

static void numbers_that_cannot_be_true_are_refused(void **state)
{
	static const struct {
		size_t line;
		const char *instead, *reason;
	} bad[] = {
		{ 2, "engine: 2", "version 2" },
		{ 3, "clients: 0", "nothing was done" },
		{ 4, "session-operations: 0", "nothing was done" },
		{ 5, "window-ns: 0", "nothing was done" },
		{ 7, "operations: 0", "nothing was done" },
		{ 8, "bytes: 0", "nothing was done" },
		{ 7, "operations: 100", "contradict" },
		{ 10, "client-operations-min: 20001", "contradict" },
		{ 12, "client-bytes-min: 110000001", "contradict" },
		{ 14, "latency-p50-ns: 22272", "contradict" },
		{ 17, "latency-max-ns: 1", "contradict" },
		{ 21, "complete: no", "not complete" },
		{ 20, "flavour: \x1b[31m", "unreadable flavour" },
		{ 20, "flavour: ", "unreadable flavour" },
		{ 18, "profile: a-name-much-too-long-for-it", "unreadable profile" },
	};

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(bad); i++) {
		pw_auto_free char *text = text_with(bad[i].line, bad[i].instead);

		refuses(text, bad[i].reason);
	}
}

static void garbage_is_refused(void **state)
{
	pw_auto_result struct pw_result result = PW_RESULT_INIT;
	pw_auto_free char *text = text_with(0, lines[0]);
	struct pw_output output = { .out = text, .out_length = strlen(text), .err = "" };
	struct pw_work work = { 0 };
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	refuses("", "no line");
	refuses("\xff\xfe: : :\n\n:", "no line");
	refuses("perfwatt: begin\n", "no line");
	text[3] = '\0';
	assert_int_equal(pw_workload_dbench.parse(&work, &output, &result, &err), -PW_EFAILED);
}

static void an_outcome_survives_writing_and_reading(void **state)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_outcome outcome = { .profile = "v4", .load = "fnv1a64:0", .flavour = "0x1234" };
	struct pw_output output;
	struct pw_outcome again = { 0 };
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	for (size_t i = 0; i < PW_OUTCOME_NUMBERS; i++)
		outcome.numbers[i] = 1;
	pw_outcome_write(&outcome, &text);
	output = (struct pw_output){ .out = text.text, .out_length = text.length, .err = "" };
	assert_int_equal(pw_outcome_parse(&output, &again, &err), 0);
	assert_memory_equal(&again, &outcome, sizeof(outcome));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tbench_reports_throughput),
		cmocka_unit_test(dbench_reports_the_session_time),
		cmocka_unit_test(every_line_is_needed_and_once),
		cmocka_unit_test(numbers_are_read_strictly),
		cmocka_unit_test(numbers_that_cannot_be_true_are_refused),
		cmocka_unit_test(garbage_is_refused),
		cmocka_unit_test(an_outcome_survives_writing_and_reading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
