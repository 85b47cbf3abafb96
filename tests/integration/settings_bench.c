/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long settings take on the machine below a root (bench/settings.py gives it one of 512 CPUs):
 *     settings_bench ROOT JOURNAL '"governor": "performance", ...'
 * One line a step: its name and milliseconds. The root is as before at the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/engine/restore.h"
#include "harness/engine/settings.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/platform/topology.h"

static const struct pw_option no_options[] = { { .name = NULL } };
static const struct pw_workload work = { .name = "work",
					 .kind = PW_KIND_FIXED_WORK,
					 .options = no_options };
static const struct pw_workload *const workloads[] = { &work, NULL };
static const struct pw_collector *const collectors[] = { NULL };
static const struct pw_catalog catalog = { .workloads = workloads,
					   .collectors = collectors,
					   .knobs = pw_knobs };

struct bench {
	struct pw_root root;
	struct pw_config *config;
	struct pw_settings settings;
	struct pw_journal journal;
	const char *journal_path;
};

static void must(int r, const struct pw_err *err)
{
	if (r >= 0)
		return;
	fprintf(stderr, "settings_bench: %s\n", err->text);
	exit(1);
}

static void step(const char *name, int64_t *since)
{
	int64_t now = pw_clock_monotonic();

	printf("%-10s %8.1f\n", name, (double)(now - *since) / PW_NS_PER_MS);
	*since = pw_clock_monotonic();
}

static void open_bench(struct bench *bench, char **argv)
{
	pw_auto_free char *text = pw_sprintf("{\"configs\": [{\"name\": \"all\", \"set\": {%s}}], "
					     "\"workloads\": [{\"workload\": \"work\"}]}",
					     argv[3]);
	const struct pw_config_env env = { .catalog = &catalog, .cpus = 2 };
	struct pw_err err;

	bench->journal_path = argv[2];
	must(pw_root_open(argv[1], &bench->root, &err), &err);
	must(pw_config_parse("bench", ".", text, strlen(text), &env, &bench->config, &err), &err);
	must(pw_journal_open(bench->journal_path, &bench->journal, &err), &err);
	must(pw_journal_begin(&bench->journal, "bench", bench->root.path, "", "bench", &err), &err);
}

static void run(struct bench *bench, struct pw_knob_env *env)
{
	const struct pw_configuration *configuration = &bench->config->configs[0];
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	const bool usable = true;
	int64_t since = pw_clock_monotonic();
	struct pw_err err;

	pw_settings_init(&bench->settings, env, &catalog);
	step("find", &since);
	must(pw_settings_possible(&bench->settings, configuration, &err), &err);
	step("check", &since);
	must(pw_settings_save(&bench->settings, bench->config, &usable, &bench->journal, &err),
	     &err);
	step("save", &since);
	must(pw_journal_sync(&bench->journal, &err), &err);
	step("sync", &since);
	must(pw_settings_put_back(&bench->settings, configuration, &err), &err);
	step("put back", &since);
	must(pw_settings_apply(&bench->settings, configuration, &err), &err);
	step("apply", &since);
	must(pw_settings_held(&bench->settings, &err), &err);
	step("held", &since);
	must(pw_restore_open(&bench->journal, &catalog, "restore", &report, &err), &err);
	step("restore", &since);
	if (report.failed.count)
		must(pw_fail(&err, PW_EFAILED, "%s", report.failed.items[0]), &err);
	pw_restore_report_done(&report);
}

int main(int argc, char **argv)
{
	struct bench bench = { .journal = PW_JOURNAL_INIT };
	struct pw_cpuset usable = { 0 };
	struct pw_knob_env env;
	struct pw_err err;

	if (argc != 4) {
		fprintf(stderr, "usage: settings_bench ROOT JOURNAL SET\n");
		return 2;
	}
	open_bench(&bench, argv);
	must(pw_cpus_usable(&bench.root, &usable, &err), &err);
	env = (struct pw_knob_env){ .root = &bench.root,
				    .usable = usable.cpus,
				    .usable_count = usable.count,
				    .tag = "bench" };
	run(&bench, &env);
	pw_settings_done(&bench.settings);
	pw_journal_close(&bench.journal);
	pw_config_free(bench.config);
	pw_cpuset_done(&usable);
	pw_root_close(&bench.root);
	return 0;
}
