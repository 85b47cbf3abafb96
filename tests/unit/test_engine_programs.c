/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs: how they are found and run, what a journal says of them, what their files hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/engine/command.h"
#include "harness/engine/contents.h"
#include "harness/engine/restore.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/plugin/catalog.h"

#define BEGIN	 "{\"type\":\"begin\",\"session\":\"s\",\"root\":\"%s\",\"tag\":\"1\"}\n"
#define UNDO	 "{\"type\":\"undo\",\"config\":\"%s\",\"argv\":[\"sh\",\"-c\",\"%s\"],"
#define UNDO_END "\"program\":\"/bin/sh\",\"directory\":\"%s\",\"env\":[\"WORD=%s\"]}\n"
#define UNDONE	 "{\"type\":\"undone\",\"config\":\"%s\"}\n"
#define APPEND	 "echo $PERFWATT_CONFIG $WORD >>log"

static const struct pw_knob *const no_knobs[] = { NULL };
static const struct pw_workload *const no_workloads[] = { NULL };
static const struct pw_collector *const no_collectors[] = { NULL };
static const struct pw_catalog catalog = { .workloads = no_workloads,
					   .collectors = no_collectors,
					   .knobs = no_knobs };

struct place {
	char *top, *journal, *log;
};

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

static void holds(const char *path, const char *expected)
{
	pw_auto_free char *text = NULL;
	struct pw_err err;
	size_t length;

	assert_int_equal(pw_read_path(path, 65536, &text, &length, &err), 0);
	assert_string_equal(text, expected);
}

static int make_place(void **state)
{
	char top[] = "/tmp/pwprograms-XXXXXX";
	struct place *place = pw_new(1, sizeof(*place));

	assert_non_null(mkdtemp(top));
	place->top = pw_strdup(top);
	place->journal = pw_sprintf("%s/" PW_JOURNAL_NAME, top);
	place->log = pw_sprintf("%s/log", top);
	*state = place;
	return 0;
}

static int remove_place(void **state)
{
	struct place *place = *state;
	struct pw_err err;

	assert_int_equal(pw_remove_tree(place->top, &err), 0);
	free(place->top);
	free(place->journal);
	free(place->log);
	free(place);
	return 0;
}

/* Runs `sh -c script`; its exit status, or -code. */
static int run(const char *script, char **ret_output, struct pw_err *err)
{
	pw_auto_strv struct pw_strv argv = PW_STRV_INIT, env = PW_STRV_INIT;
	struct pw_command command = { .argv = &argv, .env = &env, .stop_fd = -1 };
	int code = 0, r;

	pw_strv_push(&argv, "sh");
	pw_strv_push(&argv, "-c");
	pw_strv_push(&argv, script);
	pw_strv_push(&env, "PATH=/usr/bin:/bin");
	pw_strv_push(&env, "WORD=given");
	r = pw_command_run(&command, &code, ret_output, err);
	return r < 0 ? r : code;
}

static void a_command_has_both_streams_and_an_exit_status(void **state)
{
	pw_auto_free char *output = NULL;
	struct pw_err err;

	(void)state;
	assert_int_equal(run("echo $WORD; echo two >&2; cat; exit 5", &output, &err), 5);
	assert_string_equal(output, "given\ntwo\n");
	assert_int_equal(run("kill -9 $$", NULL, &err), 128 + 9);
}

/* In a session of its own: what a terminal sends to perfwatt's group does not reach it. */
static void a_command_leads_its_own_session(void **state)
{
	pw_auto_free char *output = NULL;
	struct pw_err err;

	(void)state;
	assert_int_equal(
		run("set -- $(cat /proc/$$/stat); test $1 = $5 && test $1 = $6", &output, &err), 0);
}

static void an_interrupt_ends_a_command(void **state)
{
	pw_auto_strv struct pw_strv argv = PW_STRV_INIT, env = PW_STRV_INIT;
	struct pw_command command = { .argv = &argv, .env = &env };
	struct pw_err err;
	int code, ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "x", 1), 1);
	pw_strv_push(&argv, "sleep");
	pw_strv_push(&argv, "60");
	command.stop_fd = ends[0];
	assert_int_equal(pw_command_run(&command, &code, NULL, &err), -PW_ESTOPPED);
	close(ends[0]);
	close(ends[1]);
}

static void a_failure_tells_the_last_lines(void **state)
{
	pw_auto_strv struct pw_strv argv = PW_STRV_INIT, env = PW_STRV_INIT;
	struct pw_command command = { .argv = &argv, .env = &env, .stop_fd = -1 };
	struct pw_err err;

	(void)state;
	pw_strv_push(&argv, "sh");
	pw_strv_push(&argv, "-c");
	pw_strv_push(&argv, "printf '1\\n2\\n3\\n\\033[1m4\\n'; exit 2");
	assert_int_equal(pw_command_succeed(&command, &err), -PW_EFAILED);
	assert_string_equal(err.text,
			    "'sh -c printf '1\\n2\\n3\\n\\033[1m4\\n'; exit 2' ended with exit "
			    "status 2; it printed last: 2|3|\\u{001b}[1m4");
}

static void programs_are_found_as_the_shell_would(void **state)
{
	struct place *place = *state;
	pw_auto_strv struct pw_strv env = PW_STRV_INIT;
	pw_auto_free char *program = pw_sprintf("%s/tool", place->top), *found = NULL;
	struct pw_err err;

	pw_strv_pushf(&env, "PATH=/nowhere:%s", place->top);
	write_text(program, "#!/bin/sh\n");
	assert_int_equal(pw_command_find("tool", &env, "/", &found, &err), -PW_ENOTFOUND);
	assert_int_equal(chmod(program, 0755), 0);
	assert_int_equal(pw_command_find("tool", &env, "/", &found, &err), 0);
	assert_string_equal(found, program);
	free(pw_take(found));
	assert_int_equal(pw_command_find("./tool", &env, "/", &found, &err), -PW_ENOTFOUND);
	assert_int_equal(pw_command_find("./tool", &env, place->top, &found, &err), 0);
	free(pw_take(found));
	assert_int_equal(pw_command_find(place->top, &env, "/", &found, &err), -PW_ENOTFOUND);
	assert_int_equal(pw_command_find("none", &env, "/", &found, &err), -PW_ENOTFOUND);
	assert_non_null(strstr(err.text, "no program 'none' in PATH (/nowhere:/tmp/"));
}

static void a_long_command_is_cut_in_messages(void **state)
{
	pw_auto_strv struct pw_strv argv = PW_STRV_INIT;
	pw_auto_free char *text = NULL;
	char word[302] = "";

	(void)state;
	for (size_t i = 0; i < 300; i += 2)
		memcpy(word + i, "\xc3\xa4", 2);
	pw_strv_push(&argv, "x");
	pw_strv_push(&argv, word);
	text = pw_command_text(&argv);
	assert_int_equal(strlen(text), 1 + 200 + 4);
	assert_string_equal(text + strlen(text) - 6, "\xc3\xa4...'");
}

/* A journal of these lines behind its beginning; the caller's place. */
static void write_journal(const struct place *place, const char *lines)
{
	pw_auto_free char *text = pw_sprintf(BEGIN "%s", place->top, lines);

	write_text(place->journal, text);
}

static char *undo_line(const struct place *place, const char *config, const char *script)
{
	return pw_sprintf(UNDO UNDO_END, config, script, place->top, config);
}

static void what_is_pending(void **state)
{
	struct place *place = *state;
	pw_auto_free char *one = undo_line(place, "one", "x"), *two = undo_line(place, "two", "x");
	pw_auto_free char *lines =
		pw_sprintf("%s" UNDONE "%s%s{\"type\":\"service\",\"name\":\"a\",\"init\":\"i\"}\n"
			   "{\"type\":\"service\",\"name\":\"b\",\"init\":\"i\"}\n"
			   "{\"type\":\"started\",\"name\":\"a\"}\n",
			   one, "one", two, one);
	struct pw_journal_state read = PW_JOURNAL_STATE_INIT;
	struct pw_err err;

	write_journal(place, lines);
	assert_int_equal(pw_journal_read(place->journal, &read, &err), 0);
	assert_int_equal(read.unreadable.count, 0);
	assert_int_equal(read.undo_count, 2);
	assert_string_equal(read.undos[0].config, "two");
	assert_string_equal(read.undos[1].config, "one");
	assert_int_equal(read.undos[1].argv.count, 3);
	assert_string_equal(read.undos[1].env.items[0], "WORD=one");
	assert_int_equal(read.service_count, 1);
	assert_string_equal(read.services[0].name, "b");
	pw_journal_state_done(&read);
}

/* The way out of the journal is the way in. */
static void lines_read_as_they_were_written(void **state)
{
	struct place *place = *state;
	struct pw_journal_state read = PW_JOURNAL_STATE_INIT;
	struct pw_journal_undo undo = { .config = pw_strdup("a \"b\""),
					.program = pw_strdup("/x"),
					.directory = pw_strdup("/d") };
	struct pw_journal journal;
	struct pw_err err;

	pw_strv_push(&undo.argv, "x");
	pw_strv_push(&undo.argv, "");
	assert_int_equal(pw_journal_open(place->journal, &journal, &err), 0);
	assert_int_equal(pw_journal_begin(&journal, "s", "/", "boot", "7", &err), 0);
	assert_int_equal(pw_journal_undo(&journal, &undo, &err), 0);
	assert_int_equal(pw_journal_service(&journal, "n", "systemd", &err), 0);
	assert_int_equal(pw_journal_reread(&journal, &read, &err), 0);
	assert_int_equal(read.undo_count, 1);
	assert_string_equal(read.undos[0].config, "a \"b\"");
	assert_int_equal(read.undos[0].argv.count, 2);
	assert_int_equal(read.undos[0].env.count, 0);
	assert_string_equal(read.services[0].init, "systemd");
	pw_journal_state_done(&read);
	assert_int_equal(pw_journal_undone(&journal, "a \"b\"", &err), 0);
	assert_int_equal(pw_journal_started(&journal, "n", &err), 0);
	assert_int_equal(pw_journal_reread(&journal, &read, &err), 0);
	assert_int_equal(read.undo_count + read.service_count, 0);
	pw_journal_state_done(&read);
	pw_journal_close(&journal);
	pw_journal_undo_done(&undo);
}

static void a_damaged_undo_is_told_and_not_run(void **state)
{
	static const char *const lines[] = {
		"{\"type\":\"undo\",\"config\":\"a\",\"argv\":[],\"program\":\"/bin/true\","
		"\"directory\":\"/\",\"env\":[]}\n",
		"{\"type\":\"undo\",\"config\":\"a\",\"argv\":[\"x\",1],\"program\":\"/bin/true\","
		"\"directory\":\"/\",\"env\":[]}\n",
		"{\"type\":\"undo\",\"config\":\"a\",\"argv\":\"x\",\"program\":\"/bin/true\","
		"\"directory\":\"/\",\"env\":[]}\n",
		"{\"type\":\"undo\",\"config\":\"a\",\"argv\":[\"x\"],\"directory\":\"/\","
		"\"env\":[]}\n",
		"{\"type\":\"service\",\"name\":\"x\"}\n",
	};
	struct place *place = *state;

	for (size_t i = 0; i < PW_LENGTH(lines); i++) {
		struct pw_journal_state read = PW_JOURNAL_STATE_INIT;
		struct pw_err err;

		write_journal(place, lines[i]);
		assert_int_equal(pw_journal_read(place->journal, &read, &err), 0);
		assert_int_equal(read.unreadable.count, 1);
		assert_int_equal(read.undo_count + read.service_count, 0);
		pw_journal_state_done(&read);
	}
}

static void restoring_undoes_the_latest_first_and_once(void **state)
{
	struct place *place = *state;
	pw_auto_free char *one = undo_line(place, "one", APPEND);
	pw_auto_free char *two = undo_line(place, "two", APPEND);
	pw_auto_free char *lines = pw_sprintf("%s%s", one, two);
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	struct pw_err err;

	write_journal(place, lines);
	assert_int_equal(pw_restore(place->journal, &catalog, "restore", &report, &err), 0);
	assert_int_equal(report.failed.count, 0);
	assert_int_equal(report.mended.count, 2);
	assert_string_equal(report.mended.items[0], "config 'two': undo 'sh -c " APPEND "'");
	pw_restore_report_done(&report);
	assert_int_equal(pw_restore(place->journal, &catalog, "restore", &report, &err), 0);
	assert_true(report.nothing);
	pw_restore_report_done(&report);
	holds(place->log, "two two\none one\n");
}

static void a_service_that_no_init_knows_is_not_started(void **state)
{
	struct place *place = *state;
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	struct pw_err err;

	write_journal(place, "{\"type\":\"service\",\"name\":\"x\",\"init\":\"/bin/sh\"}\n"
			     "{\"type\":\"service\",\"name\":\"--x\",\"init\":\"systemd\"}\n");
	assert_int_equal(pw_restore(place->journal, &catalog, "restore", &report, &err), 0);
	assert_int_equal(report.failed.count, 2);
	pw_restore_report_done(&report);
}

/* Whoever restores, and also on a tree that only stands in for a machine. */
static void a_journal_that_others_can_change_runs_nothing(void **state)
{
	struct place *place = *state;
	pw_auto_free char *one = undo_line(place, "one", APPEND);
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	struct pw_err err;

	write_journal(place, one);
	assert_int_equal(chmod(place->journal, 0664), 0);
	assert_int_equal(pw_restore(place->journal, &catalog, "restore", &report, &err),
			 -PW_EDENIED);
	assert_int_equal(access(place->log, F_OK), -1);
	pw_restore_report_done(&report);
}

static struct pw_contents contents_of(const struct place *place, const char *hash)
{
	pw_auto_value struct pw_value object = pw_value_object();
	struct pw_contents contents;

	pw_value_set(&object, place->log, pw_value_text(hash));
	pw_value_set(&object, "ignored", pw_value_text("md5:1"));
	pw_value_set(&object, "ignored too", pw_value_int(1));
	pw_contents_recorded(&object, &contents);
	assert_int_equal(contents.count, 1);
	return contents;
}

/* The hash of "abc" is the first test vector of FIPS 180. */
static void contents_are_sha256(void **state)
{
	struct place *place = *state;
	struct pw_contents contents = contents_of(
		place, "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	struct pw_err err;

	write_text(place->log, "abc");
	assert_int_equal(pw_contents_same(&contents, &err), 0);
	/* as long as before, and within the same second */
	write_text(place->log, "abd");
	assert_int_equal(pw_contents_same(&contents, &err), -PW_EFAILED);
	assert_non_null(strstr(err.text, "was sha256:ba7816bf8f01..., is sha256:a52d159f262b..."));
	assert_int_equal(unlink(place->log), 0);
	assert_int_equal(pw_contents_same(&contents, &err), -PW_ENOTFOUND);
	assert_int_equal(mkfifo(place->log, 0600), 0);
	assert_int_equal(pw_contents_same(&contents, &err), -PW_EFAILED);
	assert_non_null(strstr(err.text, "is no ordinary file any more"));
	pw_contents_done(&contents);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_has_both_streams_and_an_exit_status),
		cmocka_unit_test(a_command_leads_its_own_session),
		cmocka_unit_test(an_interrupt_ends_a_command),
		cmocka_unit_test(a_failure_tells_the_last_lines),
		cmocka_unit_test_setup_teardown(programs_are_found_as_the_shell_would, make_place,
						remove_place),
		cmocka_unit_test(a_long_command_is_cut_in_messages),
		cmocka_unit_test_setup_teardown(what_is_pending, make_place, remove_place),
		cmocka_unit_test_setup_teardown(lines_read_as_they_were_written, make_place,
						remove_place),
		cmocka_unit_test_setup_teardown(a_damaged_undo_is_told_and_not_run, make_place,
						remove_place),
		cmocka_unit_test_setup_teardown(restoring_undoes_the_latest_first_and_once,
						make_place, remove_place),
		cmocka_unit_test_setup_teardown(a_service_that_no_init_knows_is_not_started,
						make_place, remove_place),
		cmocka_unit_test_setup_teardown(a_journal_that_others_can_change_runs_nothing,
						make_place, remove_place),
		cmocka_unit_test_setup_teardown(contents_are_sha256, make_place, remove_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
