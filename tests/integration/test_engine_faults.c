/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tbench and dbench when something goes wrong: a message, a status, nobody and nothing left. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine_rig.h"
#include "lib/base/strbuf.h"
#include "workloads/engine/generator.h"

#define NOBODY 65534

static const char *const quick[] = { "time=200ms", "clients=2", NULL };
static const char *const lasting[] = { "time=60s", "warmup=0ms", "clients=2", NULL };

static void check_failed(struct rig *rig, const char *reason)
{
	assert_true(WIFEXITED(rig->status));
	assert_int_equal(WEXITSTATUS(rig->status), 1);
	if (!strstr(rig->err_text, reason))
		fail_msg("'%s' does not hold '%s'", rig->err_text, reason);
	assert_int_equal(strncmp(rig->err_text, rig->workload->name, 6), 0);
	/* One message of one line, and no result that could be taken for one. */
	assert_ptr_equal(strchr(rig->err_text, '\n'), rig->err_text + rig->err_length - 1);
	assert_null(strstr(rig->out_text, "complete"));
	assert_true(rig_all_gone(rig));
	assert_true(rig_workdir_empty(rig));
}

static void refuses(const char *workload, const char *load, size_t length, const char *reason)
{
	struct rig rig;

	assert_true(rig_init(&rig, workload, quick));
	rig_loadfile(&rig, load, length);
	rig_start(&rig);
	rig_finish(&rig);
	check_failed(&rig, reason);
	assert_int_equal(rig.out_length, 0);
	rig_done(&rig);
}

static void bad_load_files_are_refused_before_anything_starts(void **state)
{
	static const char negative[] = "NTCreateX \"/a\" 0x40 0x2 1 NT_STATUS_OK\n"
				       "WriteX 1 0 -5 -5 NT_STATUS_OK\n";
	static const char escape[] = "Mkdir \"/../x\" NT_STATUS_OK\n";
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	(void)state;
	pw_generator_text(PW_GENERATOR_SEED, &text);
	for (int i = 0; i < 2; i++) {
		const char *workload = i ? "dbench" : "tbench";

		refuses(workload, negative, sizeof(negative) - 1, "line 2: WriteX: size -5");
		refuses(workload, escape, sizeof(escape) - 1, "line 1: Mkdir: the name '/../x'");
		refuses(workload, text.text, text.length / 2, "(is it cut short?)");
		refuses(workload, "", 0, "reads and writes nothing");
	}
}

/* What the load file says must go well goes wrong, and the other way round. */
static void operations_that_go_otherwise_end_the_run(void **state)
{
	static const struct {
		const char *load, *reason;
	} cases[] = {
		{ "NTCreateX \"/no\" 0x40 0x1 1 NT_STATUS_OK\n"
		  "WriteX 1 0 5 5 NT_STATUS_OK\n"
		  "Close 1 NT_STATUS_OK\n",
		  "load file line 1: NTCreateX ./no: No such file" },
		{ "NTCreateX \"/a\" 0x40 0x5 1 NT_STATUS_OK\n"
		  "WriteX 1 0 5 5 NT_STATUS_OK\n"
		  "ReadX 1 3 5 5 NT_STATUS_OK\n"
		  "Close 1 NT_STATUS_OK\n",
		  "load file line 3: ReadX moved 2 of 5 bytes at 3 of ./a" },
		{ "NTCreateX \"/a\" 0x40 0x5 1 NT_STATUS_OK\n"
		  "WriteX 1 0 5 5 NT_STATUS_OK\n"
		  "Close 1 NT_STATUS_OK\n"
		  "Unlink \"/a\" 0 NT_STATUS_NO_SUCH_FILE\n",
		  "load file line 4: Unlink ./a succeeded, but was to fail" },
	};
	const char *const settings[] = { "time=200ms", "clients=1", NULL };

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		struct rig rig;

		assert_true(rig_init(&rig, "dbench", settings));
		rig_loadfile(&rig, cases[i].load, strlen(cases[i].load));
		rig_start(&rig);
		rig_finish(&rig);
		check_failed(&rig, cases[i].reason);
		rig_done(&rig);
	}
}

static void a_missing_load_file_is_named(void **state)
{
	const char *const settings[] = { "time=200ms", "loadfile=/no/such.load", NULL };
	struct rig rig;

	(void)state;
	assert_true(rig_init(&rig, "tbench", settings));
	rig_start(&rig);
	rig_finish(&rig);
	check_failed(&rig, "/no/such.load: No such file");
	rig_done(&rig);
}

static void a_folder_that_cannot_be_written_is_named(void **state)
{
	struct rig rig;

	(void)state;
	assert_true(rig_init(&rig, "dbench", quick));
	assert_int_equal(chmod(rig.workdir, 0555), 0);
	rig.user = getuid() == 0 ? NOBODY : 0;
	rig_start(&rig);
	rig_finish(&rig);
	check_failed(&rig, rig.workdir);
	check_failed(&rig, "Permission denied");
	rig_done(&rig);
}

/* Any child that is killed ends the run: the last ones are clients, the first ones servers. */
static void a_killed_child_ends_the_run(const char *workload, unsigned child, const char *reason)
{
	struct rig rig;
	pid_t pid;

	assert_true(rig_init(&rig, workload, lasting));
	rig_start(&rig);
	assert_true(rig_wait_for(&rig, PW_MARK_BEGIN));
	pid = rig_child(&rig, child);
	if (pid == 0) {
		rig_done(&rig);
		skip();
	}
	assert_int_equal(kill(pid, SIGKILL), 0);
	rig_finish(&rig);
	check_failed(&rig, reason);
	assert_null(strstr(rig.out_text, PW_MARK_END));
	rig_done(&rig);
}

static void a_killed_client_ends_the_run(void **state)
{
	(void)state;
	a_killed_child_ends_the_run("tbench", 0, "client 1 was ended by signal 9");
	a_killed_child_ends_the_run("dbench", 0, "client 1 was ended by signal 9");
}

static void a_killed_server_ends_the_run(void **state)
{
	(void)state;
	a_killed_child_ends_the_run("tbench", 3, "server 0 was ended by signal 9");
}

static void nobody_outlives_the_body(void **state)
{
	static const char *const names[] = { "tbench", "dbench" };

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(names); i++) {
		struct rig rig;

		assert_true(rig_init(&rig, names[i], lasting));
		rig_start(&rig);
		assert_true(rig_wait_for(&rig, PW_MARK_BEGIN));
		assert_int_equal(kill(rig.pid, SIGKILL), 0);
		rig_finish(&rig);
		assert_true(WIFSIGNALED(rig.status));
		assert_true(rig_all_gone(&rig));
		rig_done(&rig);
	}
}

static void a_body_asked_to_end_cleans_up(void **state)
{
	struct rig rig;

	(void)state;
	assert_true(rig_init(&rig, "dbench", lasting));
	rig_start(&rig);
	assert_true(rig_wait_for(&rig, PW_MARK_BEGIN));
	assert_int_equal(kill(rig.pid, SIGTERM), 0);
	rig_finish(&rig);
	check_failed(&rig, "stopped by signal 15");
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_load_files_are_refused_before_anything_starts),
		cmocka_unit_test(operations_that_go_otherwise_end_the_run),
		cmocka_unit_test(a_missing_load_file_is_named),
		cmocka_unit_test(a_folder_that_cannot_be_written_is_named),
		cmocka_unit_test(a_killed_client_ends_the_run),
		cmocka_unit_test(a_killed_server_ends_the_run),
		cmocka_unit_test(nobody_outlives_the_body),
		cmocka_unit_test(a_body_asked_to_end_cleans_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
