/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "harness/cli/cli.h"
#include "harness/cli/load.h"
#include "harness/cli/plan_text.h"

/* A plan is shown for this seed unless one is given; a run draws its own. */
#define SHOWN_SEED 1

static int print_plan(const struct pw_config *config, const char *root, uint64_t seed)
{
	struct pw_prepare_options options = { .root = root, .seed = seed };
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_prepared prepared = { 0 };
	struct pw_err err;

	if (pw_prepare(config, &pw_cli_catalog, &options, &prepared, &err) < 0)
		return pw_cli_error(&err);
	pw_plan_summary(&prepared, &text);
	pw_strbuf_printf(&text, "Order (seed %llu; a run draws its own unless --seed is given):\n",
			 (unsigned long long)seed);
	pw_plan_steps(&prepared, false, &text);
	fputs(pw_strbuf_text(&text), stdout);
	pw_prepared_done(&prepared);
	return PW_EXIT_OK;
}

int pw_cmd_plan(const struct pw_command *command, int argc, char **argv)
{
	const char *root = NULL, *seed_text = NULL;
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	const struct pw_cli_option options[] = {
		{ "seed", 0, "N", "the seed of the order", .text = &seed_text },
		{ "root", 0, "DIR", "a tree that stands in for the machine", .text = &root },
		{ 0 },
	};
	const struct pw_usage usage = {
		.line = "[CONFIG] [--seed N] [--root DIR]",
		.about = "Shows what a config would run on this machine: its configurations (and "
			 "which of them\n"
			 "cannot be had here, and why), every run in its order, and the time it "
			 "takes.\n"
			 "Changes nothing. Without CONFIG: the built-in quick comparison.",
		.options = options,
		.most = 1,
	};
	int code = pw_cli_parse(command, &usage, argc, argv, &words);
	struct pw_config *config = NULL;
	uint64_t seed = SHOWN_SEED;
	struct pw_err err;

	if (code < 0 && seed_text)
		code = pw_cli_number("seed", seed_text, 0, INT64_MAX, &seed);
	if (code >= 0)
		return code;
	if (pw_cli_load(words.count ? words.items[0] : NULL, root, &config, &err) < 0)
		return pw_cli_error(&err);
	code = print_plan(config, root, seed);
	pw_config_free(config);
	return code;
}
