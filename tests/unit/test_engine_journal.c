/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The journal under damage, and restoring from one that cannot be believed. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/engine/restore.h"
#include "harness/engine/surroundings.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"

#define BEGIN "{\"type\":\"begin\",\"session\":\"s\",\"root\":\"%s\",\"tag\":\"1\"}\n"
#define SAVED "{\"type\":\"saved\",\"knob\":\"%s\",\"path\":\"%s\",\"value\":\"%s\"}\n"

static const struct pw_knob known = { .name = "known", .scope = PW_KNOB_MACHINE };
static const struct pw_knob *const knobs[] = { &known, NULL };
static const struct pw_workload *const no_workloads[] = { NULL };
static const struct pw_collector *const no_collectors[] = { NULL };
static const struct pw_catalog catalog = { .workloads = no_workloads,
					   .collectors = no_collectors,
					   .knobs = knobs };

struct place {
	char *top, *journal, *file;
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
	char top[] = "/tmp/pwjournal-XXXXXX";
	struct place *place = pw_new(1, sizeof(*place));

	assert_non_null(mkdtemp(top));
	place->top = pw_strdup(top);
	place->journal = pw_sprintf("%s/" PW_JOURNAL_NAME, top);
	place->file = pw_sprintf("%s/file", top);
	write_text(place->file, "mine");
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
	free(place->file);
	free(place);
	return 0;
}

static void a_torn_line_is_cut_before_the_next_section(void **state)
{
	struct place *place = *state;
	struct pw_journal_state read = PW_JOURNAL_STATE_INIT;
	struct pw_journal journal;
	struct pw_err err;

	write_text(place->journal, "{\"type\":\"begin\",\"session\":\"old\",\"root\":\"/\"}\n"
				   "{\"type\":\"sav");
	assert_int_equal(pw_journal_open(place->journal, &journal, &err), 0);
	assert_int_equal(pw_journal_begin(&journal, "new", "/", "boot", "7", &err), 0);
	assert_int_equal(pw_journal_folder(&journal, "/var/tmp/x", &err), 0);
	assert_int_equal(pw_journal_reread(&journal, &read, &err), 0);
	assert_string_equal(read.session, "new");
	assert_int_equal(read.folders.count, 1);
	assert_int_equal(read.unreadable.count, 0);
	pw_journal_state_done(&read);
	pw_journal_close(&journal);
}

/* What a full disk took of a line is no part of the next one. A size limit stands in for the disk.
 */
static void a_full_disk_tears_nothing(void **state)
{
	struct place *place = *state;
	struct pw_journal_state read = PW_JOURNAL_STATE_INIT;
	struct rlimit before, small;
	struct pw_journal journal;
	struct stat info;
	struct pw_err err;

	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(pw_journal_open(place->journal, &journal, &err), 0);
	assert_int_equal(pw_journal_begin(&journal, "s", "/", "boot", "7", &err), 0);
	assert_int_equal(fstat(journal.fd, &info), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = (struct rlimit){ (rlim_t)info.st_size + 10, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(pw_journal_folder(&journal, "/var/tmp/one", &err), -PW_EIO);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(pw_journal_folder(&journal, "/var/tmp/two", &err), 0);
	assert_int_equal(pw_journal_reread(&journal, &read, &err), 0);
	assert_int_equal(read.unreadable.count, 0);
	assert_int_equal(read.folders.count, 1);
	assert_string_equal(read.folders.items[0], "/var/tmp/two");
	pw_journal_state_done(&read);
	pw_journal_close(&journal);
}

/* A damaged line costs no other line, and is told. */
static void damage_in_the_middle_costs_one_line(void **state)
{
	struct place *place = *state;
	pw_auto_free char *root = pw_sprintf("%s/root", place->top);
	pw_auto_free char *attribute = pw_sprintf("%s/a", root);
	pw_auto_free char *text =
		pw_sprintf(BEGIN "{\"type\":\"fol{\"type\":\n" SAVED, root, "known", "/a", "old");
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	struct pw_err err;

	assert_int_equal(mkdir(root, 0755), 0);
	write_text(attribute, "new");
	write_text(place->journal, text);
	assert_int_equal(pw_restore(place->journal, &catalog, "restore", &report, &err), 0);
	holds(attribute, "old");
	assert_int_equal(report.failed.count, 1);
	assert_non_null(strstr(report.failed.items[0], "line 2"));
	pw_restore_report_done(&report);
}

/* The open journal serves after its file is gone. */
static void a_removed_journal_still_restores(void **state)
{
	struct place *place = *state;
	pw_auto_free char *root = pw_sprintf("%s/root", place->top);
	pw_auto_free char *attribute = pw_sprintf("%s/a", root);
	pw_auto_free char *text = pw_sprintf(BEGIN SAVED, root, "known", "/a", "old");
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	struct pw_journal journal;
	struct pw_err err;

	assert_int_equal(mkdir(root, 0755), 0);
	write_text(attribute, "new");
	write_text(place->journal, text);
	assert_int_equal(pw_journal_find(place->journal, &journal, &err), 0);
	assert_int_equal(unlink(place->journal), 0);
	assert_int_equal(pw_restore_open(&journal, &catalog, "restore", &report, &err), 0);
	assert_int_equal(report.failed.count, 0);
	holds(attribute, "old");
	pw_restore_report_done(&report);
	pw_journal_close(&journal);
}

/* On the machine itself a forged journal writes and removes nothing that is no setting's. */
static void a_forged_journal_harms_nothing(void **state)
{
	struct place *place = *state;
	pw_auto_free char *around = pw_sprintf("/sys/..%s", place->file);
	pw_auto_free char *folder = pw_sprintf("%s/victim", place->top);
	pw_auto_free char *text =
		pw_sprintf(BEGIN SAVED SAVED SAVED "{\"type\":\"folder\",\"path\":\"%s\"}\n", "/",
			   "known", place->file, "HACKED", "none", place->file, "HACKED", "known",
			   around, "HACKED", folder);
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	struct pw_err err;

	assert_int_equal(mkdir(folder, 0755), 0);
	write_text(place->journal, text);
	assert_int_equal(pw_restore(place->journal, &catalog, "restore", &report, &err), 0);
	assert_int_equal(report.failed.count, 3);
	assert_int_equal(report.left.count, 1);
	assert_int_equal(report.mended.count, 0);
	holds(place->file, "mine");
	assert_int_equal(access(folder, F_OK), 0);
	pw_restore_report_done(&report);
}

static void refuses(const struct place *place, enum pw_code code)
{
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	struct pw_err err;

	assert_int_equal(pw_restore(place->journal, &catalog, "restore", &report, &err),
			 -(int)code);
	assert_int_equal(report.mended.count, 0);
	pw_restore_report_done(&report);
}

static void only_a_file_of_roots_own_is_believed(void **state)
{
	struct place *place = *state;
	pw_auto_free char *text = pw_sprintf(BEGIN, "/");

	write_text(place->file, text);
	assert_int_equal(symlink(place->file, place->journal), 0);
	refuses(place, PW_EIO); /* ELOOP: not through a link */
	assert_int_equal(unlink(place->journal), 0);
	assert_int_equal(mkfifo(place->journal, 0600), 0);
	refuses(place, PW_EINVAL); /* and without waiting for a writer */
	assert_int_equal(unlink(place->journal), 0);
	write_text(place->journal, text);
	assert_int_equal(chmod(place->journal, 0666), 0);
	if (geteuid() != 0)
		skip();
	refuses(place, PW_EDENIED);
}

static void a_lost_beginning_restores_nothing_silently(void **state)
{
	struct place *place = *state;
	pw_auto_free char *text =
		pw_sprintf(BEGIN "{\"type\":\"restored\",\"by\":\"x\"}\n{\"type\":\"beg\n" SAVED,
			   place->top, "known", "/file", "old");
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	struct pw_err err;

	write_text(place->journal, text);
	assert_int_equal(pw_restore(place->journal, &catalog, "restore", &report, &err), 0);
	assert_int_equal(report.failed.count, 2);
	holds(place->file, "mine");
	pw_restore_report_done(&report);
}

static void work_folders_are_known_by_their_names(void **state)
{
	(void)state;
	assert_true(pw_is_work_folder("/var/tmp/perfwatt-0123456789abcdef"));
	assert_false(pw_is_work_folder("/var/tmp/perfwatt-0123456789abcde"));
	assert_false(pw_is_work_folder("/var/tmp/perfwatt-0123456789abcdeg"));
	assert_false(pw_is_work_folder("/var/tmp/perfwatt-0123456789abcdef/.."));
	assert_false(pw_is_work_folder("/x/../perfwatt-0123456789abcdef"));
	assert_false(pw_is_work_folder("tmp/perfwatt-0123456789abcdef"));
	assert_false(pw_is_work_folder("/"));
	assert_false(pw_is_work_folder(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_torn_line_is_cut_before_the_next_section,
						make_place, remove_place),
		cmocka_unit_test_setup_teardown(a_full_disk_tears_nothing, make_place,
						remove_place),
		cmocka_unit_test_setup_teardown(damage_in_the_middle_costs_one_line, make_place,
						remove_place),
		cmocka_unit_test_setup_teardown(a_removed_journal_still_restores, make_place,
						remove_place),
		cmocka_unit_test_setup_teardown(a_forged_journal_harms_nothing, make_place,
						remove_place),
		cmocka_unit_test_setup_teardown(only_a_file_of_roots_own_is_believed, make_place,
						remove_place),
		cmocka_unit_test_setup_teardown(a_lost_beginning_restores_nothing_silently,
						make_place, remove_place),
		cmocka_unit_test(work_folders_are_known_by_their_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
