/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/load.h"
#include "harness/cli/session_run.h"
#include "lib/base/parse.h"
#include "lib/model/json.h"

struct compare {
	struct pw_strv sets; /* "KEY=V1,V2" */
	struct pw_strv command;
	const char *blocks, *settle, *regex, *unit, *better;
	bool print_config;
	struct pw_session_request request;
};

static int unknown_setting(const char *name)
{
	const char *names[128];
	size_t count = 0;
	const char *nearest;

	for (const struct pw_knob *const *knob = pw_knobs; *knob && count < PW_LENGTH(names);
	     knob++)
		names[count++] = (*knob)->name;
	nearest = pw_nearest(name, names, count);
	if (nearest)
		return pw_cli_usage_error("--set: unknown setting '%s' (did you mean \"%s\"?)",
					  name, nearest);
	return pw_cli_usage_error("--set: unknown setting '%s' (perfwatt list knobs)", name);
}

/* A value as a config would hold it: a number where the setting takes one, else a text. */
static struct pw_value value_of(const struct pw_knob *knob, const char *text)
{
	struct pw_err err;
	int64_t integer;

	if (knob->value.type == PW_OPT_INT && pw_parse_i64(text, &integer, &err) == 0)
		return pw_value_int(integer);
	if (knob->value.type == PW_OPT_SWITCH && (strcmp(text, "0") == 0 || strcmp(text, "1") == 0))
		return pw_value_int(text[0] - '0');
	return pw_value_text(text);
}

static int add_axis(struct pw_value *matrix, const char *set)
{
	pw_auto_strv struct pw_strv values = PW_STRV_INIT;
	const char *equals = strchr(set, '=');
	struct pw_value axis = pw_value_list();
	const struct pw_knob *knob;
	char name[64];

	if (!equals || equals == set || (size_t)(equals - set) >= sizeof(name))
		return pw_cli_usage_error("--set wants KEY=VALUE[,VALUE...], not '%s'", set);
	(void)snprintf(name, sizeof(name), "%.*s", (int)(equals - set), set);
	knob = pw_catalog_knob(&pw_cli_catalog, name);
	if (!knob)
		return unknown_setting(name);
	if (pw_value_get(matrix, name))
		return pw_cli_usage_error("--set: %s is given twice (list its values with commas)",
					  name);
	pw_strv_split(&values, equals + 1, ",");
	if (values.count == 0)
		return pw_cli_usage_error("--set %s: no value", name);
	for (size_t i = 0; i < values.count; i++)
		pw_value_push(&axis, value_of(knob, values.items[i]));
	pw_value_set(matrix, name, axis);
	return -1;
}

static struct pw_value workload_of(const struct compare *compare)
{
	struct pw_value workload = pw_value_object(), command = pw_value_list();

	for (size_t i = 0; i < compare->command.count; i++)
		pw_value_push(&command, pw_value_text(compare->command.items[i]));
	pw_value_set(&workload, "workload", pw_value_text("exec"));
	pw_value_set(&workload, "command", command);
	if (compare->regex) {
		struct pw_value metrics = pw_value_list(), metric = pw_value_object();

		pw_value_set(&metric, "name", pw_value_text("value"));
		pw_value_set(&metric, "unit",
			     pw_value_text(compare->unit ? compare->unit : "units"));
		pw_value_set(&metric, "better",
			     pw_value_text(compare->better ? compare->better : "higher"));
		pw_value_set(&metric, "regex", pw_value_text(compare->regex));
		pw_value_push(&metrics, metric);
		pw_value_set(&workload, "metrics", metrics);
	} else {
		pw_value_set(&workload, "kind", pw_value_text("fixed-work"));
	}
	return workload;
}

/* The config that stands for the command line. */
static int build(const struct compare *compare, struct pw_value *config)
{
	struct pw_value matrix = pw_value_object(), workloads = pw_value_list();
	struct pw_value repeat = pw_value_object();
	uint64_t blocks = 5;
	int code =
		compare->blocks ? pw_cli_number("blocks", compare->blocks, 1, 1000, &blocks) : -1;

	for (size_t i = 0; code < 0 && i < compare->sets.count; i++)
		code = add_axis(&matrix, compare->sets.items[i]);
	pw_value_set(config, "name", pw_value_text("compare"));
	pw_value_set(config, "matrix", matrix);
	pw_value_set(config, "idle", pw_value_bool(false));
	pw_value_push(&workloads, workload_of(compare));
	pw_value_set(config, "workloads", workloads);
	pw_value_set(&repeat, "blocks", pw_value_int((int64_t)blocks));
	if (compare->settle)
		pw_value_set(&repeat, "settle", pw_value_text(compare->settle));
	pw_value_set(config, "repeat", repeat);
	return code;
}

static int run(const struct compare *compare)
{
	pw_auto_value struct pw_value tree = pw_value_object();
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_config *config = NULL;
	struct pw_err err;
	int code = build(compare, &tree);

	if (code >= 0)
		return code;
	pw_json_write(&tree, PW_JSON_INDENT, &text);
	if (compare->print_config) {
		printf("%s\n", pw_strbuf_text(&text));
		return PW_EXIT_OK;
	}
	if (pw_cli_load_text("compare", pw_strbuf_text(&text), text.length, compare->request.root,
			     &config, &err) < 0)
		return pw_cli_error(&err);
	code = pw_session_request_run(config, &compare->request);
	pw_config_free(config);
	return code;
}

int pw_cmd_compare(const struct pw_command *command, int argc, char **argv)
{
	struct compare compare = { .print_config = false };
	const struct pw_cli_option options[] = {
		{ "set", 0, "KEY=V1,V2,...", "a setting and its values; several: their product",
		  .list = &compare.sets },
		{ "blocks", 0, "N", "repetitions (default 5)", .text = &compare.blocks },
		{ "settle", 0, "TIME", "pause before every run (default 5s)",
		  .text = &compare.settle },
		{ "regex", 0, "RE", "the result in the output: group 1 (default: the elapsed time)",
		  .text = &compare.regex },
		{ "unit", 0, "UNIT", "the unit of that result (default: units)",
		  .text = &compare.unit },
		{ "better", 0, "WAY", "higher (default) or lower results are better",
		  .text = &compare.better },
		{ "print-config", 0, NULL, "print the config this stands for, and end",
		  .on = &compare.print_config },
		{ "output", 'o', "DIR", "results folder (default ./perfwatt-compare-UTC)",
		  .text = &compare.request.output },
		{ "user", 0, "NAME", "as root: run the command as this user",
		  .text = &compare.request.user },
		{ "seed", 0, "N", "the seed of the order", .text = &compare.request.seed },
		{ "dry-run", 0, NULL, "print what would run; change nothing",
		  .on = &compare.request.dry_run },
		{ "progress", 0, "FORM", "auto, plain, json or none",
		  .text = &compare.request.progress },
		{ "strict", 0, NULL, "what this machine cannot do is an error, not skipped",
		  .on = &compare.request.strict },
		{ "root", 0, "DIR", "a tree that stands in for the machine",
		  .text = &compare.request.root },
		{ 0 },
	};
	const struct pw_usage usage = {
		.line = "--set KEY=V1,V2,... [--set ...] [OPTION]... -- COMMAND [ARGUMENT]...",
		.about = "Compares settings on one command, without a config file. The first "
			 "combination is the\n"
			 "baseline. Without --regex the result is the command's elapsed time (the "
			 "same work in\n"
			 "each run), lower is better.",
		.options = options,
		.least = 1,
		.most = 10000,
	};
	int code = pw_cli_parse(command, &usage, argc, argv, &compare.command);

	if (code < 0 && compare.sets.count == 0)
		code = pw_cli_usage_error("compare: what is to be compared? (--set KEY=V1,V2)");
	if (code < 0)
		code = run(&compare);
	pw_strv_done(&compare.sets);
	pw_strv_done(&compare.command);
	return code;
}
