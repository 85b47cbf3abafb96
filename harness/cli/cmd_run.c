/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/load.h"
#include "harness/cli/session_run.h"
#include "lib/base/mem.h"

#define BLOCKS_LIMIT 1000

/* --resume goes on with all that its folder was made for. */
static int check_resume(const char *path, const char *blocks,
			const struct pw_session_request *request)
{
	const struct {
		const char *given, *name;
	} others[] = {
		{ path, "the config" },
		{ request->seed, "--seed" },
		{ blocks, "--blocks" },
		{ request->user, "--user" },
		{ request->output, "--output" },
		{ request->only->count ? request->only->items[0] : NULL, "--only" },
	};

	for (size_t i = 0; request->resume && i < PW_LENGTH(others); i++) {
		if (others[i].given)
			return pw_cli_usage_error(
				"--resume goes on with what its folder was made for: leave %s out",
				others[i].name);
	}
	return -1;
}

static int check_only(const struct pw_strv *only)
{
	for (size_t i = 0; i < only->count; i++) {
		if (!strchr(only->items[i], '='))
			return pw_cli_usage_error("--only wants KEY=VALUE, not '%s'",
						  only->items[i]);
	}
	return -1;
}

static int resume(const struct pw_session_request *request)
{
	struct pw_session_request with = *request;
	pw_auto_free char *seed = NULL;
	struct pw_stored stored = PW_STORED_INIT;
	struct pw_err err;
	int code;

	if (pw_session_stored(request->resume, request->root, &stored, &err) < 0)
		return pw_cli_error(&err);
	seed = pw_sprintf("%" PRIu64, stored.seed);
	with.seed = seed;
	with.only = &stored.only;
	with.user = stored.user;
	code = pw_session_request_run(stored.config, &with);
	pw_stored_done(&stored);
	return code;
}

static int run(const char *path, const char *blocks, struct pw_session_request *request)
{
	struct pw_config *config = NULL;
	uint64_t count = 0;
	struct pw_err err;
	int code = blocks ? pw_cli_number("blocks", blocks, 1, BLOCKS_LIMIT, &count) : -1;

	if (code < 0)
		code = check_only(request->only);
	if (code < 0)
		code = check_resume(path, blocks, request);
	if (code >= 0)
		return code;
	if (request->resume)
		return resume(request);
	if (pw_cli_load(path, request->root, &config, &err) < 0)
		return pw_cli_error(&err);
	if (count)
		config->repeat.blocks = (unsigned)count;
	code = pw_session_request_run(config, request);
	pw_config_free(config);
	return code;
}

int pw_cmd_run(const struct pw_command *command, int argc, char **argv)
{
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	pw_auto_strv struct pw_strv only = PW_STRV_INIT;
	struct pw_session_request request = { .only = &only };
	const char *blocks = NULL;
	const struct pw_cli_option options[] = {
		{ "output", 'o', "DIR", "results folder (default ./perfwatt-NAME-UTC)",
		  .text = &request.output },
		{ "only", 0, "KEY=VALUE",
		  "only runs with config, workload, name or a sweep key of this value",
		  .list = &only },
		{ "blocks", 0, "N", "repetitions instead of the config's", .text = &blocks },
		{ "seed", 0, "N", "the seed of the order (default: drawn, and recorded)",
		  .text = &request.seed },
		{ "dry-run", 0, NULL, "print what would run, and the commands; change nothing",
		  .on = &request.dry_run },
		{ "resume", 0, "DIR", "go on with an unfinished results folder",
		  .text = &request.resume },
		{ "user", 0, "NAME", "as root: run workloads as this user", .text = &request.user },
		{ "no-timeline", 0, NULL,
		  "read counters at both ends of a run only (and against wraps)",
		  .on = &request.no_timeline },
		{ "progress", 0, "FORM", "auto, plain, json or none", .text = &request.progress },
		{ "strict", 0, NULL, "what this machine cannot do is an error, not skipped",
		  .on = &request.strict },
		{ "yes", 0, NULL, "do not ask", .on = &request.yes },
		{ "root", 0, "DIR", "a tree that stands in for the machine's /sys, /proc and /dev",
		  .text = &request.root },
		{ 0 },
	};
	const struct pw_usage usage = {
		.line = "[CONFIG] [OPTION]...",
		.about = "Runs a comparison: every configuration of CONFIG under every workload, "
			 "in randomised\n"
			 "blocks; prints the tables and keeps everything in a results folder. "
			 "Settings are saved\n"
			 "first and put back on every way out, also after a crash. Without CONFIG: "
			 "a quick\n"
			 "comparison of the present setting with the most different ones this "
			 "machine has.\n\n"
			 "Exit status: 0 every declared cell was measured; 2 usage, config or "
			 "set-up error;\n"
			 "3 a declared cell has no valid run; 77 nothing can be measured here; "
			 "128+N ended by\n"
			 "signal N, settings put back.",
		.options = options,
		.most = 1,
	};
	int code = pw_cli_parse(command, &usage, argc, argv, &words);

	if (code >= 0)
		return code;
	request.ask = words.count == 0 && !request.resume;
	return run(words.count ? words.items[0] : NULL, blocks, &request);
}
