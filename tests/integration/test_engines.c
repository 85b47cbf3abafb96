/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tbench and dbench as they are meant to go: real processes, real sockets and files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "engine_rig.h"

static const struct pw_metric *find_metric(const struct pw_result *result, const char *name)
{
	for (size_t i = 0; i < result->metric_count; i++) {
		if (strcmp(result->metrics[i].name, name) == 0)
			return &result->metrics[i];
	}
	fail_msg("no metric %s", name);
	return NULL;
}

/* Both marks once, in order, each on a line of its own, before the result. */
static void check_marks(const struct rig *rig)
{
	const char *begin = strstr(rig->out_text, PW_MARK_BEGIN "\n");
	const char *end = strstr(rig->out_text, PW_MARK_END "\n");
	const char *result = strstr(rig->out_text, "engine: ");

	assert_ptr_equal(begin, rig->out_text);
	assert_true(end > begin && result > end);
	assert_null(strstr(begin + 1, PW_MARK_BEGIN));
	assert_null(strstr(end + 1, PW_MARK_END));
}

static void check_result(struct rig *rig, int64_t time_ns)
{
	struct pw_output output = { .out = rig->out_text,
				    .out_length = rig->out_length,
				    .err = rig->err_text,
				    .err_length = rig->err_length };
	pw_auto_result struct pw_result result = PW_RESULT_INIT;
	struct pw_err err = PW_ERR_INIT;

	if (rig->workload->parse(&rig->work, &output, &result, &err) < 0)
		fail_msg("%s", err.text);
	for (const struct pw_metric_desc *desc = rig->workload->metrics; desc->name; desc++)
		assert_true(find_metric(&result, desc->name)->value >= 0);
	assert_true(find_metric(&result, "throughput")->value > 0);
	assert_true(find_metric(&result, "latency-max")->value > 0);
	assert_true(find_metric(&result, "fairness")->value <= 1);
	assert_true(result.window_ns >= time_ns);
	assert_true(result.operations_ok > 0);
	assert_int_equal(result.operations_failed, 0);
	assert_true(result.has_work && result.work > 0);
}

static void runs_well(const char *workload, const char *clients, const char *profile)
{
	const char *const settings[] = { clients, profile, "time=300ms", NULL };
	struct rig rig;

	assert_true(rig_init(&rig, workload, settings));
	rig_start(&rig);
	rig_finish(&rig);
	assert_true(WIFEXITED(rig.status));
	if (WEXITSTATUS(rig.status) != 0 || rig.err_length != 0)
		fail_msg("%s %s %s: %s", workload, clients, profile, rig.err_text);
	check_marks(&rig);
	check_result(&rig, 300000000);
	assert_true(rig_all_gone(&rig));
	assert_true(rig_workdir_empty(&rig));
	rig_done(&rig);
}

static void tbench_runs(void **state)
{
	(void)state;
	runs_well("tbench", "clients=1", "profile=mmtests");
	runs_well("tbench", "clients=4", "profile=mmtests");
	runs_well("tbench", "clients=1", "profile=v4");
	runs_well("tbench", "clients=4", "profile=v4");
}

static void dbench_runs(void **state)
{
	(void)state;
	runs_well("dbench", "clients=1", "profile=mmtests");
	runs_well("dbench", "clients=4", "profile=mmtests");
	runs_well("dbench", "clients=1", "profile=v4");
	runs_well("dbench", "clients=4", "profile=v4");
}

static const char *value_of(const struct rig *rig, const char *key)
{
	const char *line = strstr(rig->out_text, key);

	assert_non_null(line);
	return line + strlen(key);
}

/* A load file of the user's own goes the same way, pauses and timestamps included. */
static void a_foreign_load_file_runs(void **state)
{
	static const char load[] = "Mkdir \"\\clients\" NT_STATUS_OK\n"
				   "Mkdir \"\\clients\\client1\" NT_STATUS_OK\n"
				   "# perfwatt: session\n"
				   "NTCreateX \"\\clients\\client1\\A\" 0x40 0x5 1 NT_STATUS_OK\n"
				   "REPEAT 3\n"
				   "WriteX 1 0 1000 1000 NT_STATUS_OK\n"
				   "0.002 ReadX 1 0 1000 1000 NT_STATUS_OK\n"
				   "ReadX 1 5000 10 0 NT_STATUS_OK\n"
				   "SLEEP 500 SUCCESS\n"
				   "Close 1 NT_STATUS_OK\n"
				   /* Another case: searched for, but not what is then used. */
				   "Unlink \"\\clients\\client1\\a\" 0 NT_STATUS_NO_SUCH_FILE\n"
				   "Unlink \"\\clients\\client1\\A\" 0 NT_STATUS_OK\n"
				   "Rmdir \"\\clients\\client1\\no\" 0xC0000034\n";
	const char *const settings[] = { "time=200ms", "warmup=0ms", NULL };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct rig rig;

		assert_true(rig_init(&rig, i ? "tbench" : "dbench", settings));
		rig_loadfile(&rig, load, sizeof(load) - 1);
		rig_start(&rig);
		rig_finish(&rig);
		if (!WIFEXITED(rig.status) || WEXITSTATUS(rig.status) != 0)
			fail_msg("%s", rig.err_text);
		check_result(&rig, 200000000);
		assert_int_equal(strncmp(value_of(&rig, "load: "), "fnv1a64:", 8), 0);
		assert_int_equal(strncmp(value_of(&rig, "session-operations: "), "11\n", 3), 0);
		assert_true(rig_workdir_empty(&rig));
		rig_done(&rig);
	}
}

static void both_can_run_here(void **state)
{
	static const char *const names[] = { "tbench", "dbench" };
	const char *const settings[] = { "time=200ms", NULL };

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(names); i++) {
		struct pw_err err = PW_ERR_INIT;
		struct rig rig;

		assert_true(rig_init(&rig, names[i], settings));
		if (rig.workload->probe(&rig.work, &err) < 0)
			fail_msg("%s", err.text);
		rig.work.workdir = NULL;
		assert_int_equal(rig.workload->probe(&rig.work, &err), 0);
		rig_loadfile(&rig, "x\n", 2);
		assert_int_equal(rig.workload->probe(&rig.work, &err), -PW_EINVAL);
		assert_non_null(strstr(err.text, "line 1"));
		rig_done(&rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tbench_runs),
		cmocka_unit_test(dbench_runs),
		cmocka_unit_test(a_foreign_load_file_runs),
		cmocka_unit_test(both_can_run_here),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
