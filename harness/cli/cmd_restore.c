/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "harness/cli/cli.h"
#include "harness/engine/place.h"
#include "harness/engine/restore.h"
#include "lib/base/mem.h"

static void print_all(const char *title, const struct pw_strv *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		printf("%s %s\n", title, lines->items[i]);
}

static int restore_from(const char *journal, const struct pw_places *places, bool noted)
{
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	struct pw_err err;
	int code = PW_EXIT_OK;

	if (pw_restore(journal, &pw_cli_catalog, "restore", &report, &err) < 0)
		return pw_cli_error(&err);
	print_all("put back", &report.mended);
	print_all("NOT put back", &report.failed);
	print_all("left over:", &report.left);
	if (report.note)
		printf("%s%s\n", report.nothing ? "nothing to do: " : "", report.note);
	else if (report.failed.count == 0)
		printf("the machine is as it was saved in %s\n", journal);
	if (report.failed.count)
		code = PW_EXIT_NOT_MEASURED;
	else if (noted)
		pw_forget_journal(places);
	pw_restore_report_done(&report);
	return code;
}

/* The journal to use: of the folder given, else the one noted. Takes the lock for the time of the
 * work. */
static int restore_locked(const char *folder, const struct pw_places *places)
{
	pw_auto_free char *noted = pw_noted_journal(places);
	pw_auto_free char *journal = folder ? pw_sprintf("%s/" PW_JOURNAL_NAME, folder) : NULL;
	pw_auto_close int lock = -1;
	struct pw_err err;

	if (!journal && !noted) {
		printf("nothing to do: no session has left anything changed\n");
		return PW_EXIT_OK;
	}
	lock = pw_lock_take(places, "restore", &err);
	if (lock < 0)
		return pw_cli_error(&err);
	return restore_from(journal ? journal : noted, places, !journal);
}

int pw_cmd_restore(const struct pw_command *command, int argc, char **argv)
{
	const char *root_path = NULL;
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	const struct pw_cli_option options[] = {
		{ "root", 0, "DIR", "a tree that stands in for the machine (the one given to run)",
		  .text = &root_path },
		{ 0 },
	};
	const struct pw_usage usage = {
		.line = "[DIR] [--root DIR]",
		.about = "Puts the machine back from the journal of a results folder, or of the "
			 "last session that\n"
			 "did not do it itself: runs the undo programs that are due, writes what "
			 "differs, reads\n"
			 "everything back, starts services again, and prints each difference it "
			 "mended. Exits 0\n"
			 "only when all reads as it was saved.",
		.options = options,
		.most = 1,
	};
	int code = pw_cli_parse(command, &usage, argc, argv, &words);
	struct pw_places places = { 0 };
	struct pw_root root;
	struct pw_err err;

	if (code >= 0)
		return code;
	if (pw_root_open(root_path, &root, &err) < 0)
		return pw_cli_error(&err);
	if (pw_places_make(&root, &places, &err) < 0)
		code = pw_cli_error(&err);
	else
		code = restore_locked(words.count ? words.items[0] : NULL, &places);
	pw_places_done(&places);
	pw_root_close(&root);
	return code;
}
