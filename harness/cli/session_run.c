/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/session_run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/cli/load.h"
#include "harness/cli/plan_text.h"
#include "harness/cli/progress.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/model/store.h"
#include "report/report.h"

/* "./perfwatt-<name>-<UTC>": only letters, digits, dots and dashes of the name. */
static char *default_folder(const char *name)
{
	char stamp[PW_UTC_SIZE];
	pw_auto_strbuf struct pw_strbuf folder = PW_STRBUF_INIT;

	pw_strbuf_puts(&folder, "perfwatt-");
	for (; *name; name++) {
		bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
			     (*name >= '0' && *name <= '9');

		pw_strbuf_putc(&folder, plain ? *name : '-');
	}
	pw_utc_text(pw_clock_realtime(), stamp);
	pw_strbuf_putc(&folder, '-');
	for (const char *c = stamp; *c; c++) {
		if (*c != '-' && *c != ':')
			pw_strbuf_putc(&folder, *c);
	}
	return pw_strbuf_take(&folder);
}

static int choose_seed(const char *text, uint64_t *ret)
{
	if (text)
		return pw_cli_number("seed", text, 0, INT64_MAX, ret);
	if (getrandom(ret, sizeof(*ret), 0) != (ssize_t)sizeof(*ret))
		*ret = (uint64_t)pw_clock_realtime();
	*ret &= INT64_MAX; /* records hold signed integers */
	return -1;
}

static bool answered_yes(void)
{
	char answer[16] = "";

	fprintf(stderr, "Go on? [y/N] ");
	return fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

/* The built-in comparison changes settings without a config of the user's: it needs a yes. */
static int confirm(const struct pw_prepared *prepared, const struct pw_session_request *request)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	if (!request->ask)
		return -1;
	pw_plan_summary(prepared, &text);
	pw_strbuf_puts(&text, "Every setting is put back afterwards, also after a crash.\n");
	fputs(pw_strbuf_text(&text), stderr);
	if (request->yes)
		return -1;
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return pw_cli_usage_error(
			"run without a config changes settings: say --yes to agree");
	return answered_yes() ? -1 : pw_cli_usage_error("nothing was done");
}

static int print_report(const char *folder)
{
	const char *const folders[] = { folder };
	struct pw_report_options options = { .folders = folders,
					     .folder_count = 1,
					     .log = &pw_cli_log };
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_err err;

	if (pw_report_text(&options, &text, &err) < 0)
		return pw_cli_error(&err);
	fputs(pw_strbuf_text(&text), stdout);
	printf("\nResults: %s\n", folder);
	return PW_EXIT_OK;
}

/* The exit code from what was declared and what was measured. */
static int judge_coverage(const char *folder, const struct pw_outcome *outcome)
{
	struct pw_coverage coverage = { 0 };
	struct pw_err err;
	int code = PW_EXIT_OK;

	if (pw_report_coverage(folder, &coverage, &err) < 0)
		return pw_cli_error(&err);
	for (size_t i = 0; i < coverage.missing.count; i++)
		fprintf(stderr, "perfwatt: no valid run of %s\n", coverage.missing.items[i]);
	if (coverage.missing.count)
		code = PW_EXIT_NOT_MEASURED;
	if (coverage.declared && coverage.measured == 0 && outcome->ok + outcome->not_ok == 0)
		code = PW_EXIT_NOTHING;
	pw_coverage_done(&coverage);
	return code;
}

static void print_unrestored(const struct pw_outcome *outcome)
{
	for (size_t i = 0; i < outcome->unrestored.count; i++)
		fprintf(stderr, "perfwatt: NOT put back: %s\n", outcome->unrestored.items[i]);
}

static int conclude(const char *folder, const struct pw_outcome *outcome)
{
	int code;

	print_unrestored(outcome);
	if (outcome->unwritten)
		fprintf(stderr, "perfwatt: %zu finished runs could not be written to %s\n",
			outcome->unwritten, folder);
	if (outcome->signal) {
		fprintf(stderr,
			"perfwatt: interrupted%s. Go on with: "
			"perfwatt run --resume %s\n",
			outcome->unrestored.count ? "" : "; the settings are as before", folder);
		return outcome->unrestored.count ? PW_EXIT_NOT_MEASURED
						 : PW_EXIT_SIGNAL + outcome->signal;
	}
	code = print_report(folder);
	if (code != PW_EXIT_OK)
		return code;
	code = judge_coverage(folder, outcome);
	if (code == PW_EXIT_OK && (outcome->unwritten || outcome->unrestored.count))
		code = PW_EXIT_NOT_MEASURED;
	return code;
}

static int run_session(struct pw_prepared *prepared, const struct pw_session_request *request,
		       uint64_t seed, const char *folder, enum pw_progress_form form)
{
	struct pw_progress_view view = { .form = form };
	struct pw_session_options options = {
		.catalog = &pw_cli_catalog,
		.results = folder,
		.resume = request->resume != NULL,
		.seed = seed,
		.no_timeline = request->no_timeline,
		.emit = pw_progress_emit,
		.context = &view,
		.log = &pw_cli_log,
	};
	struct pw_outcome outcome = PW_OUTCOME_INIT;
	struct pw_err err;
	int code;

	if (pw_session_run(prepared, &options, &outcome, &err) < 0) {
		pw_progress_finish(&view);
		print_unrestored(&outcome);
		code = pw_cli_error(&err);
	} else {
		pw_progress_finish(&view);
		code = conclude(folder, &outcome);
	}
	pw_outcome_done(&outcome);
	return code;
}

static int dry_run(const struct pw_prepared *prepared)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	pw_plan_summary(prepared, &text);
	pw_plan_steps(prepared, true, &text);
	fputs(pw_strbuf_text(&text), stdout);
	return PW_EXIT_OK;
}

int pw_session_request_run(const struct pw_config *config, const struct pw_session_request *request)
{
	enum pw_progress_form form =
		pw_progress_form_parse(request->progress ? request->progress : "auto");
	pw_auto_free char *folder = NULL;
	struct pw_prepare_options options = { .root = request->root,
					      .user = request->user,
					      .only = request->only,
					      .strict = request->strict };
	struct pw_prepared prepared = { 0 };
	struct pw_err err;
	int code;

	if (form == PW_PROGRESS_UNSET)
		return pw_cli_usage_error("--progress wants auto, plain, json or none, not '%s'",
					  request->progress);
	code = choose_seed(request->seed, &options.seed);
	if (code >= 0)
		return code;
	if (pw_prepare(config, &pw_cli_catalog, &options, &prepared, &err) < 0)
		return pw_cli_error(&err);
	if (request->resume)
		folder = pw_strdup(request->resume);
	else
		folder =
			request->output ? pw_strdup(request->output) : default_folder(config->name);
	code = request->dry_run ? dry_run(&prepared) : confirm(&prepared, request);
	if (code < 0)
		code = run_session(&prepared, request, options.seed, folder, form);
	pw_prepared_done(&prepared);
	return code;
}

void pw_stored_done(struct pw_stored *stored)
{
	pw_config_free(stored->config);
	pw_strv_done(&stored->only);
	free(stored->user);
	*stored = PW_STORED_INIT;
}

/* The config that a session was made from: relative paths start where they did. */
static int stored_config(const char *results, const struct pw_value *session, const char *root,
			 struct pw_config **ret, struct pw_err *err)
{
	pw_auto_free char *here = getcwd(NULL, 0);
	const char *text = pw_value_get_text(session, "config_text", NULL);
	const char *directory = pw_value_get_text(session, "config_directory", here);
	int r;

	if (!text)
		return pw_fail(err, PW_EINVAL, "%s holds no config to go on with", results);
	if (directory && chdir(directory) < 0)
		return pw_fail_errno(err, errno, "the config's folder %s", directory);
	r = pw_cli_load_text(pw_value_get_text(session, "config_file", "stored config"), text,
			     strlen(text), root, ret, err);
	if (here && chdir(here) < 0)
		return pw_fail_errno(err, errno, "%s", here);
	return r;
}

int pw_session_stored(const char *results, const char *root, struct pw_stored *ret,
		      struct pw_err *err)
{
	pw_auto_value struct pw_value session = PW_VALUE_INIT;
	const struct pw_value *request, *repeat, *only;
	int64_t blocks;

	if (pw_store_read_session(results, &session, err) < 0 ||
	    stored_config(results, &session, root, &ret->config, err) < 0)
		return -(int)err->code;
	ret->seed = (uint64_t)pw_value_get_int(&session, "seed", 0);
	repeat = pw_value_get(&session, "repeat");
	blocks = repeat ? pw_value_get_int(repeat, "blocks", 0) : 0;
	if (blocks > 0 && blocks <= UINT32_MAX)
		ret->config->repeat.blocks = (unsigned)blocks;
	request = pw_value_get(&session, "request");
	only = request ? pw_value_get(request, "only") : NULL;
	for (size_t i = 0; only && only->type == PW_VALUE_LIST && i < only->count; i++) {
		if (only->items[i].type == PW_VALUE_TEXT)
			pw_strv_push(&ret->only, only->items[i].text);
	}
	if (request && pw_value_get_text(request, "user", NULL))
		ret->user = pw_strdup(pw_value_get_text(request, "user", NULL));
	return 0;
}
