/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/load.h"
#include "lib/base/text.h"
#include "lib/model/json.h"
#include "lib/platform/topology.h"

static struct pw_value item(const char *name, const char *summary)
{
	struct pw_value value = pw_value_object();

	pw_value_set(&value, "name", pw_value_text(name));
	pw_value_set(&value, "summary", pw_value_text(summary));
	return value;
}

static struct pw_value option_list(const struct pw_option *table)
{
	struct pw_value list = pw_value_list();

	for (; table && table->name; table++) {
		struct pw_value option = item(table->name, table->help ? table->help : "");

		pw_value_set(&option, "takes", pw_value_text(pw_option_type_text(table->type)));
		if (table->otherwise)
			pw_value_set(&option, "default", pw_value_text(table->otherwise));
		pw_value_push(&list, option);
	}
	return list;
}

static void list_workloads(struct pw_value *list)
{
	for (const struct pw_workload *const *at = pw_workloads; *at; at++) {
		struct pw_value value = item((*at)->name, (*at)->summary);

		if ((*at)->sweep)
			pw_value_set(&value, "sweep", pw_value_text((*at)->sweep));
		pw_value_set(&value, "options", option_list((*at)->options));
		if ((*at)->missing)
			pw_value_set(&value, "missing", pw_value_text((*at)->missing));
		pw_value_push(list, value);
	}
}

static void list_collectors(struct pw_value *list)
{
	for (const struct pw_collector *const *at = pw_collectors; *at; at++) {
		struct pw_value value = item((*at)->name, (*at)->summary);

		pw_value_set(&value, "section", pw_value_text((*at)->section));
		if ((*at)->missing)
			pw_value_set(&value, "missing", pw_value_text((*at)->missing));
		pw_value_push(list, value);
	}
}

/* Knobs with what this machine says of them. */
static int list_knobs(struct pw_value *list, struct pw_err *err)
{
	struct pw_knob_env env = { .tag = "list" };
	struct pw_cpuset usable = { 0 };
	struct pw_root root;

	if (pw_root_open(NULL, &root, err) < 0)
		return -(int)err->code;
	if (pw_cpus_usable(&root, &usable, err) < 0) {
		pw_root_close(&root);
		return -(int)err->code;
	}
	env.root = &root;
	env.usable = usable.cpus;
	env.usable_count = usable.count;
	for (const struct pw_knob *const *at = pw_knobs; *at; at++) {
		struct pw_value value = item((*at)->name, (*at)->summary);
		struct pw_err reason;
		bool here = !(*at)->probe || (*at)->probe(&env, &reason) == 0;

		pw_value_set(&value, "takes",
			     pw_value_text(pw_option_type_text((*at)->value.type)));
		pw_value_set(&value, "here", pw_value_bool(here));
		if (!here)
			pw_value_set(&value, "why", pw_value_text(reason.text));
		pw_value_push(list, value);
	}
	pw_cpuset_done(&usable);
	pw_root_close(&root);
	return 0;
}

static void print_list(const struct pw_value *list)
{
	size_t width = 0;

	for (size_t i = 0; i < list->count; i++) {
		size_t own = pw_text_width(pw_value_get_text(&list->items[i], "name", ""));

		width = own > width ? own : width;
	}
	for (size_t i = 0; i < list->count; i++) {
		const struct pw_value *value = &list->items[i];
		pw_auto_strbuf struct pw_strbuf line = PW_STRBUF_INIT;
		const char *why =
			pw_value_get_text(value, "why", pw_value_get_text(value, "missing", NULL));

		pw_text_pad(&line, pw_value_get_text(value, "name", ""), width + 2);
		pw_strbuf_puts(&line, pw_value_get_text(value, "summary", ""));
		if (why)
			pw_strbuf_printf(&line, "\n%*s(not here: %s)", (int)width + 2, "", why);
		puts(pw_strbuf_text(&line));
	}
}

static int fill(const char *what, struct pw_value *list)
{
	struct pw_err err;

	if (strcmp(what, "workloads") == 0) {
		list_workloads(list);
	} else if (strcmp(what, "collectors") == 0) {
		list_collectors(list);
	} else if (strcmp(what, "knobs") == 0) {
		if (list_knobs(list, &err) < 0)
			return pw_cli_error(&err);
	} else if (strcmp(what, "configs") == 0) {
		pw_value_push(list, item("quick",
					 "the built-in comparison that run uses without a config"));
	} else {
		return pw_cli_usage_error(
			"list: '%s' is none of workloads, collectors, knobs, configs", what);
	}
	return -1;
}

int pw_cmd_list(const struct pw_command *command, int argc, char **argv)
{
	bool json = false;
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	pw_auto_value struct pw_value list = pw_value_list();
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	const struct pw_cli_option options[] = {
		{ "json", 0, NULL, "as JSON, with every option", .on = &json },
		{ 0 },
	};
	const struct pw_usage usage = {
		.line = "workloads|collectors|knobs|configs [--json]",
		.about = "Lists what a config may name. Knobs are listed with whether this machine "
			 "has them.",
		.options = options,
		.least = 1,
		.most = 1,
	};
	int code = pw_cli_parse(command, &usage, argc, argv, &words);

	if (code < 0)
		code = fill(words.items[0], &list);
	if (code >= 0)
		return code;
	if (!json) {
		print_list(&list);
		return PW_EXIT_OK;
	}
	pw_json_write(&list, PW_JSON_INDENT, &text);
	puts(pw_strbuf_text(&text));
	return PW_EXIT_OK;
}
