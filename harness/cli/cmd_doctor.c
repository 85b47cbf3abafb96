/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/doctor.h"
#include "lib/model/json.h"

static int exit_code(const struct pw_value *findings, const char *require)
{
	if (require && !pw_value_get_bool(findings, require, false))
		return PW_EXIT_NOT_MEASURED;
	return pw_value_get_bool(findings, "comparison", false) ? PW_EXIT_OK : PW_EXIT_NOTHING;
}

static int examine(const char *root_path, bool json, const char *require)
{
	pw_auto_value struct pw_value findings = pw_value_object();
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_root root;
	struct pw_err err;
	int r;

	if (pw_root_open(root_path, &root, &err) < 0)
		return pw_cli_error(&err);
	r = pw_doctor(&root, &findings, &err);
	pw_root_close(&root);
	if (r < 0)
		return pw_cli_error(&err);
	if (json) {
		pw_json_write(&findings, PW_JSON_INDENT, &text);
		pw_strbuf_putc(&text, '\n');
	} else {
		pw_doctor_text(&findings, &text);
	}
	fputs(pw_strbuf_text(&text), stdout);
	return exit_code(&findings, require);
}

int pw_cmd_doctor(const struct pw_command *command, int argc, char **argv)
{
	const char *root = NULL, *require = NULL;
	bool json = false;
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	const struct pw_cli_option options[] = {
		{ "json", 0, NULL, "as JSON", .on = &json },
		{ "require", 0, "WHAT", "exit with 3 if energy (or frequency) cannot be measured",
		  .text = &require },
		{ "root", 0, "DIR", "a tree that stands in for the machine", .text = &root },
		{ 0 },
	};
	const struct pw_usage usage = {
		.line = "[--json] [--require energy|frequency] [--root DIR]",
		.about = "Tells what can be measured and set on this machine, what cannot, why, "
			 "and what would\n"
			 "mend it. Exit status: 0 a comparison can run; 3 what --require names is "
			 "missing;\n"
			 "77 nothing can be measured.",
		.options = options,
	};
	int code = pw_cli_parse(command, &usage, argc, argv, &words);

	if (code < 0 && require && strcmp(require, "energy") != 0 &&
	    strcmp(require, "frequency") != 0)
		code = pw_cli_usage_error("doctor: --require wants energy or frequency, not '%s'",
					  require);
	return code >= 0 ? code : examine(root, json, require);
}
