/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "harness/cli/cli.h"
#include "report/report.h"

int pw_cmd_report(const struct pw_command *command, int argc, char **argv)
{
	const char *baseline = NULL;
	pw_auto_strv struct pw_strv folders = PW_STRV_INIT;
	const struct pw_cli_option options[] = {
		{ "baseline", 0, "NAME", "the configuration that ratios refer to",
		  .text = &baseline },
		{ 0 },
	};
	const struct pw_usage usage = {
		.line = "DIR... [--baseline NAME]",
		.about = "Prints the tables of one or more results folders: what was compared and "
			 "whether it\n"
			 "held, performance and performance-per-watt ratios to the baseline, and a "
			 "detailed\n"
			 "table per workload. Reads nothing but the folders.",
		.options = options,
		.least = 1,
		.most = 1000,
	};
	int code = pw_cli_parse(command, &usage, argc, argv, &folders);
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_report_options report = { .baseline = baseline, .log = &pw_cli_log };
	struct pw_err err;

	if (code >= 0)
		return code;
	report.folders = (const char *const *)folders.items;
	report.folder_count = folders.count;
	if (pw_report_text(&report, &text, &err) < 0)
		return pw_cli_error(&err);
	fputs(pw_strbuf_text(&text), stdout);
	return PW_EXIT_OK;
}
