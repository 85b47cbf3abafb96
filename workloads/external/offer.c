/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the drivers of the originals take, need and report: everything but the run itself. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "workloads/engine/probe.h"
#include "workloads/external/original.h"
#include "workloads/external/said.h"

#define HOUR_NS (3600 * PW_NS_PER_S)
/* What execvp(3) takes where PATH is not set. */
#define DEFAULT_PATH "/bin:/usr/bin"

const struct pw_option pw_original_options[] = {
	{ .name = "clients",
	  .type = PW_OPT_SWEEP,
	  .help = "number of clients, each a process",
	  .otherwise = "1x" },
	/* They measure in whole seconds, and with one second nothing. */
	{ .name = "time",
	  .type = PW_OPT_TIME,
	  .help = "length of what the original measures, in whole seconds",
	  .otherwise = "60s",
	  .min = 2 * PW_NS_PER_S,
	  .max = 24 * HOUR_NS },
	{ .name = "loadfile",
	  .type = PW_OPT_PATH,
	  .help = "a load file (default: the package's client.txt, else a generated one)" },
	{ .name = NULL },
};

const struct pw_metric_desc pw_original_metrics[] = {
	{ .name = "throughput",
	  .unit = "MB/s",
	  .title = "throughput",
	  .better = PW_BETTER_HIGHER,
	  .mean = PW_MEAN_HARMONIC,
	  .flags = PW_METRIC_PRIMARY },
	{ .name = "latency-max",
	  .unit = "ms",
	  .title = "longest latency",
	  .better = PW_BETTER_LOWER },
	{ .name = NULL },
};

int pw_original_check(const struct pw_value *options, struct pw_err *err)
{
	int64_t time_ns = pw_value_get_int(options, "time", 0);

	if (time_ns % PW_NS_PER_S == 0)
		return 0;
	return pw_fail_at(err, "/time", 0, "the original measures whole seconds only");
}

static bool on_path(const char *program)
{
	const char *path = secure_getenv("PATH");
	pw_auto_strv struct pw_strv folders = PW_STRV_INIT;

	pw_strv_split(&folders, path ? path : DEFAULT_PATH, ":");
	for (size_t i = 0; i < folders.count; i++) {
		pw_auto_free char *file = pw_sprintf("%s/%s", folders.items[i], program);

		if (access(file, X_OK) == 0)
			return true;
	}
	return false;
}

static int need_program(const char *program, struct pw_err *err)
{
	if (!program || on_path(program))
		return 0;
	(void)pw_fail(err, PW_EUNSUPPORTED, "no %s on PATH", program);
	return pw_err_hint(err, "Debian package dbench; the native workload needs none");
}

int pw_original_probe(const struct pw_original *original, const struct pw_work *work,
		      struct pw_err *err)
{
	/* A named load counts 50 MB a client, which is what the package's own needs twice over. */
	struct pw_replay replay;
	int r;

	if (need_program(original->program, err) < 0 || need_program(original->server, err) < 0 ||
	    pw_replay_read(work, &replay, err) < 0)
		return -(int)err->code;
	r = pw_probe_load(&replay, err);
	if (r == 0 && original->server)
		r = pw_probe_loopback(err);
	else if (r == 0)
		r = pw_probe_space(&replay, work->workdir, err);
	pw_replay_done(&replay);
	return r;
}

/* What the driver said about itself: "perfwatt: load NAME". A new text, or NULL. */
static char *word_after(const struct pw_output *output, const char *start)
{
	const char *found = strstr(output->out, start);

	if (!found || (found != output->out && found[-1] != '\n'))
		return NULL;
	found += strlen(start);
	return pw_strndup(found, strcspn(found, "\n"));
}

static void describe(const struct pw_output *output, const struct pw_said_run *run,
		     struct pw_result *result)
{
	pw_auto_free char *load = word_after(output, PW_ORIGINAL_LOAD);
	pw_auto_free char *version = word_after(output, PW_ORIGINAL_VERSION);

	result->flavour = word_after(output, PW_ORIGINAL_FILESYSTEM);
	result->identity = pw_value_object();
	pw_value_set(&result->identity, "version", pw_value_text(version ? version : "unknown"));
	if (load)
		pw_value_set(&result->identity, "loadfile", pw_value_text(load));
	result->detail = pw_value_object();
	pw_value_set(&result->detail, "progress_lines", pw_value_int(run->executes));
}

int pw_original_parse(const struct pw_work *work, const struct pw_output *output,
		      struct pw_result *result, struct pw_err *err)
{
	int64_t clients = pw_value_get_int(work->options, "clients", work->cpus ? work->cpus : 1);
	struct pw_said_run run;

	if (pw_said_parse(output->out, output->out_length, &run, err) < 0)
		return -(int)err->code;
	if (run.throughput.clients != clients) {
		return pw_fail(err, PW_EFAILED, "it ran %u clients instead of %" PRId64,
			       run.throughput.clients, clients);
	}
	pw_result_add(result, &pw_original_metrics[0], run.throughput.megabytes_per_s);
	pw_result_add(result, &pw_original_metrics[1], run.throughput.max_latency_ms);
	pw_result_work(result,
		       run.throughput.megabytes_per_s * (double)output->window_ns /
			       (double)PW_NS_PER_S,
		       "MB");
	describe(output, &run, result);
	return 0;
}
