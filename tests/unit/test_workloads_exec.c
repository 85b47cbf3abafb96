/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exec as a plug-in: config checks, the command, what becomes of an output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/clock.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/plugin/workload.h"
#include "workloads/exec/place.h"

extern const struct pw_workload pw_workload_exec;
extern const struct pw_workload pw_workload_idle;

#define ITEMS 8

/* "key=value" texts of a metric, up to a NULL; the values true and false are switches. */
static struct pw_value metric_of(const char *const *pairs)
{
	struct pw_value metric = pw_value_object();

	for (; *pairs; pairs++) {
		const char *equals = strchr(*pairs, '=');
		char *key = pw_strndup(*pairs, (size_t)(equals - *pairs));

		if (strcmp(equals + 1, "true") == 0 || strcmp(equals + 1, "false") == 0)
			pw_value_set(&metric, key, pw_value_bool(equals[1] == 't'));
		else
			pw_value_set(&metric, key, pw_value_text(equals + 1));
		free(key);
	}
	return metric;
}

static struct pw_value options_of(const char *const (*metrics)[ITEMS], size_t count)
{
	struct pw_value options = pw_value_object(), command = pw_value_list();
	struct pw_value list = pw_value_list();

	pw_value_push(&command, pw_value_text("true"));
	pw_value_set(&options, "command", command);
	for (size_t i = 0; i < count; i++)
		pw_value_push(&list, metric_of(metrics[i]));
	pw_value_set(&options, "metrics", list);
	return options;
}

static int check_metrics(const char *const (*metrics)[ITEMS], size_t count, struct pw_err *err)
{
	pw_auto_value struct pw_value options = options_of(metrics, count);

	return pw_workload_exec.check(&options, err);
}

static const struct {
	const char *where;
	int at_key;
	const char *text;
	const char *const metric[ITEMS];
} slips[] = {
	{ "", 0, "needs \"name\"", { "unit=s", "better=lower", "regex=(x)" } },
	{ "", 0, "needs \"unit\"", { "name=a", "better=lower", "regex=(x)" } },
	{ "", 0, "needs \"better\"", { "name=a", "unit=s", "regex=(x)" } },
	{ "", 0, "\"regex\" or \"pointer\"", { "name=a", "unit=s", "better=lower" } },
	{ "/name", 0, "lower case", { "name=A b", "unit=s", "better=lower", "regex=(x)" } },
	{ "/name", 0, "lower case", { "name=", "unit=s", "better=lower", "regex=(x)" } },
	{ "/name",
	  0,
	  "computed",
	  { "name=performance-per-watt", "unit=s", "better=lower", "regex=(x)" } },
	{ "/unit", 0, "empty", { "name=a", "unit=", "better=lower", "regex=(x)" } },
	{ "/better", 0, "more", { "name=a", "unit=s", "better=more", "regex=(x)" } },
	{ "/regx",
	  1,
	  "did you mean \"regex\"",
	  { "name=a", "unit=s", "better=lower", "regx=(x)" } },
	{ "/mean",
	  0,
	  "harmonic",
	  { "name=a", "unit=s", "better=lower", "regex=(x)", "mean=median" } },
	{ "/pick", 0, "first", { "name=a", "unit=s", "better=lower", "regex=(x)", "pick=best" } },
	{ "/pick", 1, "regex", { "name=a", "unit=s", "better=lower", "pointer=/a", "pick=first" } },
	{ "/from", 0, "empty", { "name=a", "unit=s", "better=lower", "regex=(x)", "from=" } },
	{ "/pointer",
	  1,
	  "not both",
	  { "name=a", "unit=s", "better=lower", "regex=(x)", "pointer=/a" } },
	{ "/pointer", 0, "begins", { "name=a", "unit=s", "better=lower", "pointer=a" } },
	{ "/pointer", 0, "~0", { "name=a", "unit=s", "better=lower", "pointer=/a~2" } },
	{ "/regex", 0, "at offset 5", { "name=a", "unit=s", "better=lower", "regex=([0-9" } },
	{ "/regex", 0, "no group", { "name=a", "unit=s", "better=lower", "regex=[0-9]" } },
	{ "/regex", 0, "no group", { "name=a", "unit=s", "better=lower", "regex=(?:[0-9])" } },
	{ "/regex",
	  0,
	  "first group",
	  { "name=a", "unit=s", "better=lower", "regex=(?<unit>s)([0-9])" } },
	{ "/regex",
	  0,
	  "twice",
	  { "name=a", "unit=s", "better=lower", "regex=(?J)(?<value>1)(?<value>2)" } },
	{ "/unit", 0, "amount", { "name=a", "unit=ms", "better=lower", "regex=(x)", "work=true" } },
	{ "/unit",
	  0,
	  "amount",
	  { "name=a", "unit=req/min", "better=higher", "regex=(x)", "work=true" } },
};

static void slips_in_metrics_are_placed(void **state)
{
	(void)state;
	for (size_t i = 0; i < PW_LENGTH(slips); i++) {
		struct pw_err err = PW_ERR_INIT;
		char where[64];

		(void)snprintf(where, sizeof(where), "/metrics/0%s", slips[i].where);
		assert_int_equal(check_metrics(&slips[i].metric, 1, &err), -PW_EINVAL);
		assert_string_equal(err.where, where);
		assert_int_equal(err.at_key, slips[i].at_key);
		if (!strstr(err.text, slips[i].text))
			fail_msg("'%s' holds no '%s'", err.text, slips[i].text);
	}
}

static void metrics_are_checked_against_each_other(void **state)
{
	static const char *const names[][ITEMS] = {
		{ "name=a", "unit=s", "better=lower", "regex=(x)" },
		{ "name=a", "unit=s", "better=lower", "regex=(y)" },
	};
	static const char *const primaries[][ITEMS] = {
		{ "name=a", "unit=s", "better=lower", "regex=(x)", "primary=true" },
		{ "name=b", "unit=s", "better=lower", "regex=(y)", "primary=true" },
	};
	static const char *const works[][ITEMS] = {
		{ "name=a", "unit=MB", "better=higher", "regex=(x)", "work=true" },
		{ "name=b", "unit=op/s", "better=higher", "regex=(y)", "work=true" },
	};
	static const char *const reserved[][ITEMS] = {
		{ "name=a", "unit=MB", "better=higher", "regex=(x)" },
		{ "name=performance", "unit=op/s", "better=higher", "regex=(y)" },
	};
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	assert_int_equal(check_metrics(names, 2, &err), -PW_EINVAL);
	assert_string_equal(err.where, "/metrics/1/name");
	assert_int_equal(check_metrics(primaries, 2, &err), -PW_EINVAL);
	assert_string_equal(err.where, "/metrics/1/primary");
	assert_int_equal(check_metrics(works, 2, &err), -PW_EINVAL);
	assert_string_equal(err.where, "/metrics/1/work");
	assert_int_equal(check_metrics(reserved, 2, &err), -PW_EINVAL);
	assert_string_equal(err.where, "/metrics/1/name");
	assert_int_equal(check_metrics(reserved, 0, &err), -PW_EINVAL);
	assert_string_equal(err.where, "/metrics");
}

static struct pw_work program(struct pw_value *options, const char *name, const char *directory)
{
	struct pw_value command = pw_value_list();

	pw_value_push(&command, pw_value_text(name));
	pw_value_set(options, "command", command);
	return (struct pw_work){ .options = options, .directory = directory };
}

static void placeholders_are_filled_once(void **state)
{
	static const char *const keys[] = { "point", "sweep" };
	static const char *const given[] = {
		"prog",	    "-c{clients}", "{clients}{mode}",	"{other} {}",
		"{{mode}}", "{load}",	   "{clients2}{clients"
	};
	static const char *const wanted[] = {
		"prog",	       "-c8", "8{clients}",	   "{other} {}",
		"{{clients}}", "0.1", "{clients2}{clients"
	};

	(void)state;
	for (size_t k = 0; k < PW_LENGTH(keys); k++) {
		pw_auto_value struct pw_value options = pw_value_object();
		pw_auto_strv struct pw_strv argv = PW_STRV_INIT;
		struct pw_work work = { .options = &options };
		struct pw_value command = pw_value_list(), point = pw_value_object();
		struct pw_err err = PW_ERR_INIT;

		for (size_t i = 0; i < PW_LENGTH(given); i++)
			pw_value_push(&command, pw_value_text(given[i]));
		pw_value_set(&point, "clients", pw_value_int(8));
		pw_value_set(&point, "mode", pw_value_text("{clients}"));
		pw_value_set(&point, "load", pw_value_real(0.1));
		pw_value_set(&options, "command", command);
		pw_value_set(&options, keys[k], point);
		assert_int_equal(pw_workload_exec.command(&work, &argv, &err), 0);
		assert_int_equal(argv.count, PW_LENGTH(wanted));
		for (size_t i = 0; i < argv.count; i++)
			assert_string_equal(argv.items[i], wanted[i]);
	}
}

static void a_sweep_of_lists_fills_nothing(void **state)
{
	pw_auto_value struct pw_value options = pw_value_object();
	pw_auto_strv struct pw_strv argv = PW_STRV_INIT;
	struct pw_work work = program(&options, "{clients}", NULL);
	struct pw_value sweep = pw_value_object();
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	pw_value_set(&sweep, "clients", pw_value_list());
	pw_value_set(&options, "sweep", sweep);
	assert_int_equal(pw_workload_exec.command(&work, &argv, &err), 0);
	assert_string_equal(argv.items[0], "{clients}");
}

static const char *no_file(const struct pw_output *output, const char *path, size_t *ret_length)
{
	if (strcmp(path, "/there/out-8.txt") != 0)
		return NULL;
	*ret_length = strlen(output->context);
	return output->context;
}

static int parse(const struct pw_value *options, const char *out, struct pw_result *result,
		 struct pw_err *err)
{
	struct pw_work work = { .options = options, .directory = "/there" };
	struct pw_output output = { .out = out,
				    .out_length = strlen(out),
				    .err = "stderr: 7",
				    .err_length = strlen("stderr: 7"),
				    .elapsed_ns = 5 * PW_NS_PER_S,
				    .window_ns = 4 * PW_NS_PER_S,
				    .file = no_file,
				    .context = "value 42\n" };

	return pw_workload_exec.parse(&work, &output, result, err);
}

static void without_metrics_time_counts(void **state)
{
	pw_auto_value struct pw_value options = options_of(NULL, 0);
	pw_auto_result struct pw_result result = PW_RESULT_INIT;
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	pw_value_unset(&options, "metrics");
	assert_int_equal(parse(&options, "", &result, &err), 0);
	assert_int_equal(result.metric_count, 1);
	assert_string_equal(result.metrics[0].name, "elapsed");
	assert_string_equal(result.metrics[0].unit, "s");
	assert_int_equal(result.metrics[0].better, PW_BETTER_LOWER);
	assert_true(result.metrics[0].primary);
	assert_true(result.metrics[0].value == 4.0);
	assert_false(result.has_work);
}

static void work_follows_the_unit(void **state)
{
	static const struct {
		const char *unit, *work_unit;
		double work;
	} cases[] = {
		{ "unit=MB/s", "MB", 4 * 12.5 },
		{ "unit=requests/sec", "requests", 4 * 12.5 },
		{ "unit=MB", "MB", 12.5 },
	};

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		const char *const metric[1][ITEMS] = { { "name=rate", cases[i].unit,
							 "better=higher", "regex=rate ([0-9.]+)",
							 "work=true", "title=Rate" } };
		pw_auto_value struct pw_value options = options_of(metric, 1);
		pw_auto_result struct pw_result result = PW_RESULT_INIT;
		struct pw_err err = PW_ERR_INIT;

		assert_int_equal(parse(&options, "rate 12.5\n", &result, &err), 0);
		assert_true(result.metrics[0].value == 12.5);
		assert_int_equal(result.metrics[0].mean, PW_MEAN_HARMONIC);
		assert_true(result.has_work);
		assert_true(result.work == cases[i].work);
		assert_string_equal(result.work_unit, cases[i].work_unit);
		assert_string_equal(pw_value_get_text(pw_value_get(&result.detail, "titles"),
						      "rate", ""),
				    "Rate");
	}
}

static void no_work_is_no_run(void **state)
{
	static const char *const metric[1][ITEMS] = { { "name=rate", "unit=MB/s", "better=higher",
							"mean=arithmetic", "regex=rate (\\d+)",
							"work=true" } };
	pw_auto_value struct pw_value options = options_of(metric, 1);
	pw_auto_result struct pw_result result = PW_RESULT_INIT;
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	assert_int_equal(parse(&options, "rate 0\n", &result, &err), -PW_EFAILED);
	assert_non_null(strstr(err.text, "no work was done"));
}

static void the_first_metric_is_primary_unless_one_says_so(void **state)
{
	static const char *const metrics[2][ITEMS] = {
		{ "name=a", "unit=s", "better=lower", "regex=a ([0-9]+)" },
		{ "name=b", "unit=s", "better=lower", "regex=b ([0-9]+)", "primary=true" },
	};
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	for (size_t count = 1; count <= 2; count++) {
		pw_auto_value struct pw_value options = options_of(metrics, count);
		pw_auto_result struct pw_result result = PW_RESULT_INIT;

		assert_int_equal(parse(&options, "a 1\nb 2\n", &result, &err), 0);
		assert_int_equal(result.metric_count, count);
		assert_int_equal(result.metrics[0].primary, count == 1);
		assert_int_equal(result.metrics[count - 1].primary, 1);
	}
}

static void streams_and_files_are_told_apart(void **state)
{
	static const char *const metrics[3][ITEMS] = {
		{ "name=a", "unit=s", "better=lower", "regex=: ([0-9]+)", "from=stderr" },
		{ "name=c", "unit=s", "better=lower", "regex=value (42)", "from=out-8.txt" },
		{ "name=b", "unit=s", "better=lower", "regex=value ([0-9]+)",
		  "from=out-{clients}.txt" },
	};
	pw_auto_value struct pw_value options = options_of(metrics, 3);
	pw_auto_result struct pw_result result = PW_RESULT_INIT;
	pw_auto_strv struct pw_strv paths = PW_STRV_INIT;
	struct pw_work work = { .options = &options, .directory = "/there" };
	struct pw_value point = pw_value_object();
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	pw_value_set(&point, "clients", pw_value_int(8));
	pw_value_set(&options, "point", point);
	assert_int_equal(pw_workload_exec.files(&work, &paths, &err), 0);
	assert_int_equal(paths.count, 1);
	assert_string_equal(paths.items[0], "/there/out-8.txt");
	assert_int_equal(parse(&options, "", &result, &err), 0);
	assert_true(result.metrics[0].value == 7.0);
	assert_true(result.metrics[2].value == 42.0);
	pw_value_set(pw_value_find(&options, "point"), "clients", pw_value_int(9));
	assert_int_equal(parse(&options, "", &result, &err), -PW_EFAILED);
	assert_string_equal(err.text, "metric 'b': the run left no file 'out-{clients}.txt'");
}

static void commands_are_looked_for(void **state)
{
	char folder[] = "/tmp/pw-exec-XXXXXX";
	pw_auto_value struct pw_value options = pw_value_object();
	pw_auto_free char *path = NULL, *path_list = NULL;
	struct pw_err err = PW_ERR_INIT;
	struct pw_value sweep = pw_value_object();
	struct pw_work work;
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(folder));
	path = pw_sprintf("%s/tool", folder);
	file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs("#!/bin/sh\n", file) >= 0);
	assert_int_equal(fclose(file), 0);
	work = program(&options, "./tool", folder);
	assert_int_equal(pw_workload_exec.probe(&work, &err), -PW_EINVAL);
	assert_string_equal(err.where, "/command/0");
	assert_non_null(strstr(err.hint, "chmod"));
	work = program(&options, "tool", NULL);
	assert_int_equal(pw_exec_find(&work, folder, &err), -PW_EINVAL);
	assert_non_null(strstr(err.hint, "chmod"));
	assert_int_equal(chmod(path, 0755), 0);
	path_list = pw_sprintf("/nowhere:%s", folder);
	assert_int_equal(pw_exec_find(&work, path_list, &err), 0);
	work = program(&options, "./tool", folder);
	assert_int_equal(pw_workload_exec.probe(&work, &err), 0);
	work = program(&options, path, NULL);
	assert_int_equal(pw_workload_exec.probe(&work, &err), 0);
	work = program(&options, "sh", folder);
	assert_int_equal(pw_workload_exec.probe(&work, &err), 0);
	work = program(&options, "no-such-program-anywhere", folder);
	assert_int_equal(pw_workload_exec.probe(&work, &err), -PW_EINVAL);
	assert_non_null(strstr(err.hint, "PATH"));
	work = program(&options, "./", folder);
	assert_int_equal(pw_workload_exec.probe(&work, &err), -PW_EINVAL);
	work = program(&options, "sh", "/no/such/folder");
	assert_int_equal(pw_workload_exec.probe(&work, &err), -PW_EINVAL);
	assert_string_equal(err.where, "/directory");
	work = program(&options, "./{variant}", folder);
	pw_value_set(&sweep, "variant", pw_value_list());
	pw_value_set(&options, "sweep", sweep);
	assert_int_equal(pw_workload_exec.probe(&work, &err), 0);
	assert_int_equal(pw_remove_tree(folder, &err), 0);
}

static void idle_wants_its_marks(void **state)
{
	pw_auto_value struct pw_value options = pw_value_object();
	pw_auto_result struct pw_result result = PW_RESULT_INIT;
	struct pw_work work = { .options = &options };
	struct pw_output output = { .out = "", .err = "" };
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	assert_int_equal(pw_options_check(pw_workload_idle.options, NULL, NULL, &options, &err), 0);
	assert_int_equal(pw_workload_idle.duration(&work), 30 * PW_NS_PER_S);
	assert_int_equal(pw_workload_idle.parse(&work, &output, &result, &err), -PW_EFAILED);
	output.marked = true;
	assert_int_equal(pw_workload_idle.parse(&work, &output, &result, &err), 0);
	assert_int_equal(result.metric_count, 0);
}

static void idle_sleeps_between_its_marks(void **state)
{
	pw_auto_value struct pw_value options = pw_value_object();
	struct pw_work work = { .options = &options };
	struct pw_err err = PW_ERR_INIT;
	pw_auto_free char *text = NULL;
	int64_t before = pw_clock_monotonic();
	int ends[2], saved = dup(STDOUT_FILENO), status;
	size_t length;

	(void)state;
	pw_value_set(&options, "time", pw_value_int(20 * PW_NS_PER_MS));
	assert_int_equal(pipe(ends), 0);
	(void)fflush(stdout);
	assert_true(dup2(ends[1], STDOUT_FILENO) >= 0);
	status = pw_workload_idle.run(&work);
	assert_true(dup2(saved, STDOUT_FILENO) >= 0);
	close(saved);
	close(ends[1]);
	assert_int_equal(status, 0);
	assert_true(pw_clock_monotonic() - before >= 20 * PW_NS_PER_MS);
	assert_int_equal(pw_read_fd(ends[0], 1024, &text, &length, &err), 0);
	assert_string_equal(text, PW_MARK_BEGIN "\n" PW_MARK_END "\n");
	close(ends[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slips_in_metrics_are_placed),
		cmocka_unit_test(metrics_are_checked_against_each_other),
		cmocka_unit_test(placeholders_are_filled_once),
		cmocka_unit_test(a_sweep_of_lists_fills_nothing),
		cmocka_unit_test(without_metrics_time_counts),
		cmocka_unit_test(work_follows_the_unit),
		cmocka_unit_test(no_work_is_no_run),
		cmocka_unit_test(the_first_metric_is_primary_unless_one_says_so),
		cmocka_unit_test(streams_and_files_are_told_apart),
		cmocka_unit_test(commands_are_looked_for),
		cmocka_unit_test(idle_wants_its_marks),
		cmocka_unit_test(idle_sleeps_between_its_marks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
