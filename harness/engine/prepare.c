/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/prepare.h"

#include <string.h>

#include "harness/engine/first.h"
#include "harness/engine/program.h"
#include "harness/engine/run.h"
#include "harness/engine/surroundings.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"

static void free_texts(char **texts, size_t count)
{
	for (size_t i = 0; texts && i < count; i++)
		free(texts[i]);
	free(texts);
}

void pw_prepared_done(struct pw_prepared *prepared)
{
	const struct pw_config *config = prepared->config;

	if (!config)
		return;
	pw_plan_done(&prepared->plan);
	for (size_t i = 0; prepared->users && i < config->entry_count; i++)
		pw_user_done(&prepared->users[i]);
	free(prepared->users);
	free_texts(prepared->entry_reason, config->entry_count);
	free_texts(prepared->config_reason, config->config_count);
	free(prepared->config_usable);
	for (size_t i = 0; prepared->contents && i < config->config_count; i++)
		pw_contents_done(&prepared->contents[i]);
	free(prepared->contents);
	pw_services_done(&prepared->services);
	pw_settings_done(&prepared->settings);
	pw_cpuset_done(&prepared->usable);
	pw_root_close(&prepared->root);
	*prepared = (struct pw_prepared){ 0 };
}

static int refuse_if_strict(const struct pw_prepare_options *options, const char *what,
			    const char *name, struct pw_err *err)
{
	if (!options->strict)
		return 0;
	(void)pw_err_prefix(err, "%s '%s'", what, name);
	err->code = PW_EINVAL;
	return -PW_EINVAL;
}

/* Why, and what would mend it. */
static char *reason_of(const struct pw_err *err)
{
	return err->hint[0] ? pw_sprintf("%s (%s)", err->text, err->hint) : pw_strdup(err->text);
}

static int check_configs(struct pw_prepared *prepared, const struct pw_prepare_options *options,
			 struct pw_err *err)
{
	for (size_t i = 0; i < prepared->config->config_count; i++) {
		const struct pw_configuration *configuration = &prepared->config->configs[i];

		prepared->config_usable[i] = true;
		if (pw_settings_possible(&prepared->settings, configuration, err) == 0 &&
		    pw_programs_find(prepared->config, configuration, err) == 0)
			continue;
		prepared->config_usable[i] = false;
		prepared->config_reason[i] = reason_of(err);
		if (refuse_if_strict(options, "config", configuration->name, err) < 0)
			return -(int)err->code;
	}
	return 0;
}

/* The ratios of a matrix need their baseline; a listed one is the user's own to see as skipped. */
static int check_baseline(const struct pw_prepared *prepared, struct pw_err *err)
{
	const struct pw_config *config = prepared->config;

	if (prepared->config_usable[config->baseline] || !pw_value_get(&config->tree, "matrix"))
		return 0;
	(void)pw_fail(err, PW_EINVAL, "the baseline '%s' cannot be had here: %s",
		      config->configs[config->baseline].name,
		      prepared->config_reason[config->baseline]);
	return pw_err_hint(err, "name another combination as \"baseline\"");
}

static struct pw_work work_of(const struct pw_prepared *prepared, const struct pw_value *options,
			      const char *directory)
{
	return (struct pw_work){ .options = options,
				 .directory = directory,
				 .cpus = (unsigned)prepared->usable.count };
}

/* A program given by a path; one without a slash is found in PATH and needs no trial. */
static int check_reach(const struct pw_prepared *prepared, const struct pw_entry *entry,
		       const struct pw_user *user, struct pw_err *err)
{
	pw_auto_value struct pw_value options =
		pw_run_options(prepared->config, entry, &entry->points[0]);
	pw_auto_free char *directory = pw_run_directory(prepared->config, entry);
	struct pw_work work = work_of(prepared, &options, directory);
	pw_auto_strv struct pw_strv argv = PW_STRV_INIT;
	struct pw_spawn spawn = { .directory = directory,
				  .change_user = user->change,
				  .uid = user->uid,
				  .gid = user->gid,
				  .user_name = user->name };
	const char *program = NULL;

	if (entry->workload->run && !pw_value_get(&entry->options, "directory"))
		spawn.directory = PW_WORK_PARENT;
	if (!entry->workload->run && pw_run_argv(entry, &work, &argv, err) < 0)
		return -(int)err->code;
	if (argv.count && strchr(argv.items[0], '/'))
		program = argv.items[0];
	if (pw_first_reachable(&spawn, program, err) < 0) {
		(void)pw_err_prefix(err, "workload '%s': user '%s'", entry->name,
				    user->name ? user->name : "(this one)");
		if (user->change)
			(void)pw_err_hint(
				err, "give that user access, choose another with --user NAME, or "
				     "accept the risk with --user root");
		return -(int)err->code;
	}
	return 0;
}

static int probe_point(const struct pw_prepared *prepared, const struct pw_entry *entry,
		       const struct pw_point *point, struct pw_err *err)
{
	pw_auto_value struct pw_value options = pw_run_options(prepared->config, entry, point);
	pw_auto_free char *directory = pw_run_directory(prepared->config, entry);
	struct pw_work work = work_of(prepared, &options, directory);

	if (entry->workload->missing)
		return pw_fail(err, PW_EUNSUPPORTED, "%s", entry->workload->missing);
	if (entry->workload->run)
		work.workdir =
			pw_value_get(&entry->options, "directory") ? directory : PW_WORK_PARENT;
	return entry->workload->probe ? entry->workload->probe(&work, err) : 0;
}

/* Every point: one may need more memory than the machine has. The first refusal speaks for all. */
static int probe_entry(const struct pw_prepared *prepared, const struct pw_entry *entry,
		       struct pw_err *err)
{
	for (size_t i = 0; i < entry->point_count; i++) {
		if (probe_point(prepared, entry, &entry->points[i], err) == 0)
			continue;
		return entry->point_count > 1 ? pw_err_prefix(err, "%s", entry->points[i].text)
					      : -(int)err->code;
	}
	return 0;
}

/* The CPUs that an entry names must be ours to use. */
static int check_affinity(const struct pw_prepared *prepared, const struct pw_entry *entry,
			  struct pw_err *err)
{
	const char *text = pw_value_get_text(&entry->options, "affinity", NULL);
	pw_auto_free unsigned *cpus = NULL;
	size_t count = 0, found = 0;

	if (!text)
		return 0;
	if (pw_parse_cpulist(text, &cpus, &count, err) < 0)
		return -(int)err->code;
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < prepared->usable.count; k++)
			found += prepared->usable.cpus[k] == cpus[i];
	}
	if (found != count)
		return pw_fail(err, PW_EINVAL,
			       "affinity \"%s\" names CPUs that are not usable here", text);
	return 0;
}

static int check_entry(struct pw_prepared *prepared, const struct pw_prepare_options *options,
		       size_t index, struct pw_err *err)
{
	const struct pw_entry *entry = &prepared->config->entries[index];
	const char *user = pw_value_get_text(&entry->options, "user", NULL);
	int r;

	if (pw_user_find(options->user, user, prepared->config->user, &prepared->users[index],
			 err) < 0)
		return pw_err_prefix(err, "workload '%s'", entry->name);
	if (check_affinity(prepared, entry, err) < 0)
		return pw_err_prefix(err, "workload '%s'", entry->name);
	r = probe_entry(prepared, entry, err);
	if (r == -PW_EUNSUPPORTED || r == -PW_EDENIED) {
		prepared->entry_reason[index] = reason_of(err);
		return refuse_if_strict(options, "workload", entry->name, err);
	}
	if (r < 0)
		return pw_err_prefix(err, "workload '%s'", entry->name);
	return check_reach(prepared, entry, &prepared->users[index], err);
}

/* The value that a step has for a key of --only; NULL: it has no such key. */
static const char *value_of(const struct pw_config *config, const struct pw_step *step,
			    const char *key, char *number, size_t size)
{
	const struct pw_entry *entry = &config->entries[step->entry];
	const struct pw_value *value;

	if (strcmp(key, "config") == 0)
		return config->configs[step->config].name;
	if (step->kind == PW_STEP_IDLE)
		return NULL;
	if (strcmp(key, "workload") == 0)
		return entry->workload->name;
	if (strcmp(key, "name") == 0)
		return entry->name;
	value = pw_value_get(&entry->points[step->point].value, key);
	if (!value)
		return NULL;
	if (value->type == PW_VALUE_TEXT)
		return value->text;
	(void)snprintf(number, size, "%lld", (long long)value->integer);
	return number;
}

/* Of several values for one key any may match; every key must. */
static bool wanted(const struct pw_config *config, const struct pw_step *step,
		   const struct pw_strv *only)
{
	for (size_t i = 0; only && i < only->count; i++) {
		size_t length = strcspn(only->items[i], "=");
		pw_auto_free char *key = pw_strndup(only->items[i], length);
		char number[32];
		const char *value = value_of(config, step, key, number, sizeof(number));
		bool matched = false;

		for (size_t k = 0; value && k < only->count; k++)
			matched |= strncmp(only->items[k], only->items[i], length + 1) == 0 &&
				   strcmp(only->items[k] + length + 1, value) == 0;
		if (!matched)
			return false;
	}
	return true;
}

bool pw_prepared_wants_config(const struct pw_prepared *prepared, size_t config)
{
	for (size_t entry = 0; entry < prepared->config->entry_count; entry++) {
		for (size_t point = 0; point < prepared->config->entries[entry].point_count;
		     point++) {
			struct pw_step step = { PW_STEP_RUN, config, entry, point, 1, 1, 1 };

			if (wanted(prepared->config, &step, prepared->only))
				return true;
		}
	}
	return false;
}

bool pw_prepared_wants_point(const struct pw_prepared *prepared, size_t entry, size_t point)
{
	for (size_t config = 0; config < prepared->config->config_count; config++) {
		struct pw_step step = { PW_STEP_RUN, config, entry, point, 1, 1, 1 };

		if (wanted(prepared->config, &step, prepared->only))
			return true;
	}
	return false;
}

static int filter_plan(struct pw_prepared *prepared, const struct pw_strv *only, struct pw_err *err)
{
	struct pw_plan *plan = &prepared->plan;
	size_t kept = 0, runs = 0, before = plan->count;

	for (size_t i = 0; i < plan->count; i++) {
		const struct pw_step *step = &plan->steps[i];

		if (step->kind != PW_STEP_IDLE && prepared->entry_reason[step->entry])
			continue;
		if (!wanted(prepared->config, step, only))
			continue;
		runs += step->kind == PW_STEP_RUN;
		plan->steps[kept++] = *step;
	}
	if (kept == 0 && only && only->count)
		return pw_fail(err, PW_EINVAL, "--only leaves no run");
	if (before)
		plan->duration_ns = plan->duration_ns / (int64_t)before * (int64_t)kept;
	plan->count = kept;
	plan->runs = runs;
	return 0;
}

/* More runs than anybody waits for, and a plan that would not fit into memory. */
#define RUNS_LIMIT 1000000

static int check_size(const struct pw_config *config, struct pw_err *err)
{
	size_t points = 0, runs;

	for (size_t i = 0; i < config->entry_count; i++)
		points += config->entries[i].point_count;
	if (__builtin_mul_overflow(points, config->config_count, &runs) ||
	    __builtin_mul_overflow(runs, (size_t)config->repeat.blocks, &runs) || runs > RUNS_LIMIT)
		return pw_fail(err, PW_EINVAL,
			       "%zu configurations, %zu workloads and points, %u blocks: that is "
			       "more than %d runs",
			       config->config_count, points, config->repeat.blocks, RUNS_LIMIT);
	return 0;
}

static int fill(struct pw_prepared *prepared, const struct pw_catalog *catalog,
		const struct pw_prepare_options *options, struct pw_err *err)
{
	const struct pw_config *config = prepared->config;
	struct pw_knob_env env = { .tag = prepared->tag, .root = &prepared->root };

	if (check_size(config, err) < 0 || pw_root_open(options->root, &prepared->root, err) < 0 ||
	    pw_cpus_usable(&prepared->root, &prepared->usable, err) < 0)
		return -(int)err->code;
	env.usable = prepared->usable.cpus;
	env.usable_count = prepared->usable.count;
	(void)snprintf(prepared->tag, sizeof(prepared->tag), "%d", (int)getpid());
	pw_settings_init(&prepared->settings, &env, catalog);
	if (check_configs(prepared, options, err) < 0 || check_baseline(prepared, err) < 0 ||
	    pw_services_find(&prepared->root, &config->services, &prepared->services, err) < 0)
		return -(int)err->code;
	for (size_t i = 0; i < config->entry_count; i++) {
		if (check_entry(prepared, options, i, err) < 0)
			return -(int)err->code;
	}
	pw_plan_make(config, prepared->config_usable, options->seed,
		     (unsigned)prepared->usable.count, &prepared->plan);
	return filter_plan(prepared, options->only, err);
}

int pw_prepare(const struct pw_config *config, const struct pw_catalog *catalog,
	       const struct pw_prepare_options *options, struct pw_prepared *ret,
	       struct pw_err *err)
{
	*ret = (struct pw_prepared){
		.config = config,
		.only = options->only,
		.user = options->user,
		.root = { .fd = -1 },
		.config_usable = pw_new(config->config_count, sizeof(bool)),
		.config_reason = pw_new(config->config_count, sizeof(char *)),
		.entry_reason = pw_new(config->entry_count, sizeof(char *)),
		.contents = pw_new(config->config_count, sizeof(struct pw_contents)),
		.users = pw_new(config->entry_count, sizeof(struct pw_user)),
	};
	if (fill(ret, catalog, options, err) < 0) {
		pw_prepared_done(ret);
		return -(int)err->code;
	}
	return 0;
}
