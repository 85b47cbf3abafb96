/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/run.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "harness/engine/judge.h"
#include "harness/engine/surroundings.h"
#include "harness/engine/watch.h"
#include "lib/base/clock.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/model/json.h"

/* A run whose duration is unknown may take an hour; a known one twice its time and a minute. */
#define UNKNOWN_LIMIT_NS (3600 * PW_NS_PER_S)
#define EXTRA_LIMIT_NS	 (60 * PW_NS_PER_S)

char *pw_run_directory(const struct pw_config *config, const struct pw_entry *entry)
{
	const char *directory = pw_value_get_text(&entry->options, "directory", NULL);

	if (!directory)
		return pw_strdup(config->directory);
	return directory[0] == '/' ? pw_strdup(directory)
				   : pw_sprintf("%s/%s", config->directory, directory);
}

/* A relative path of an option starts where relative paths of its entry do. */
static void make_absolute(struct pw_value *options, const char *name, const char *directory)
{
	const char *path = pw_value_get_text(options, name, NULL);
	pw_auto_free char *full = NULL;

	if (!path || path[0] == '/')
		return;
	full = pw_sprintf("%s/%s", directory, path);
	pw_value_set(options, name, pw_value_text(full));
}

struct pw_value pw_run_options(const struct pw_config *config, const struct pw_entry *entry,
			       const struct pw_point *point)
{
	struct pw_value options = pw_entry_options(entry, point);
	pw_auto_free char *directory = pw_run_directory(config, entry);

	for (const struct pw_option *o = entry->workload->options; o && o->name; o++) {
		if (o->type == PW_OPT_PATH)
			make_absolute(&options, o->name, directory);
	}
	pw_value_set(&options, "point", pw_value_copy(&point->value));
	return options;
}

static void native_argv(const struct pw_entry *entry, const struct pw_work *work,
			struct pw_strv *ret)
{
	pw_auto_strbuf struct pw_strbuf json = PW_STRBUF_INIT;
	pw_auto_value struct pw_value order = pw_value_object();

	pw_value_set(&order, "options", pw_value_copy(work->options));
	pw_value_set(&order, "workdir", pw_value_text(work->workdir ? work->workdir : "."));
	pw_value_set(&order, "cpus", pw_value_int(work->cpus));
	pw_value_set(&order, "seed", pw_value_int((int64_t)work->seed));
	pw_json_write(&order, PW_JSON_COMPACT, &json);
	pw_strv_push(ret, "perfwatt");
	pw_strv_push(ret, "__workload");
	pw_strv_push(ret, entry->workload->name);
	pw_strv_push(ret, pw_strbuf_text(&json));
}

int pw_run_argv(const struct pw_entry *entry, const struct pw_work *work, struct pw_strv *ret,
		struct pw_err *err)
{
	if (entry->workload->command)
		return entry->workload->command(work, ret, err);
	native_argv(entry, work, ret);
	return 0;
}

/* Everything of one run that must be let go again. */
struct attempt {
	const struct pw_run_env *env;
	const struct pw_run_request *request;
	struct pw_value options;
	struct pw_work work;
	char *workdir,
		*directory; /* the run's own folder; the one that the entry or the config names */
	struct pw_strv argv, variables;
	struct pw_launch launch; /* the configuration's, with the entry's own affinity */
	struct pw_child child;
	struct pw_watch watch;
	struct pw_ending ending;
	int64_t started_ns, suspended_ns,
		cpu_ns; /* realtime; boottime minus monotonic; own CPU time */
};

static void attempt_done(struct attempt *attempt)
{
	struct pw_err ignored;

	pw_capture_close(&attempt->watch.out);
	pw_capture_close(&attempt->watch.err);
	if (attempt->workdir)
		(void)!pw_remove_tree(attempt->workdir, &ignored);
	free(attempt->workdir);
	free(attempt->directory);
	pw_strv_done(&attempt->argv);
	pw_strv_done(&attempt->variables);
	pw_launch_done(&attempt->launch);
	pw_value_done(&attempt->options);
}

/* A native body works inside the folder its entry names; for a command it is where that starts. */
static const char *work_parent(const struct attempt *attempt)
{
	const struct pw_entry *entry = attempt->request->entry;

	return entry->workload->run && pw_value_get(&entry->options, "directory")
		       ? attempt->directory
		       : PW_WORK_PARENT;
}

static int prepare(struct attempt *attempt, struct pw_err *err)
{
	const struct pw_run_request *request = attempt->request;
	pw_auto_strbuf struct pw_strbuf point = PW_STRBUF_INIT;
	struct pw_surroundings around = { 0 };

	attempt->directory = pw_run_directory(attempt->env->config, request->entry);
	if (pw_work_folder(work_parent(attempt), request->user, attempt->env->journal,
			   &attempt->workdir, err) < 0)
		return -(int)err->code;
	attempt->options = pw_run_options(attempt->env->config, request->entry, request->point);
	attempt->work = (struct pw_work){ .options = &attempt->options,
					  .workdir = attempt->workdir,
					  .cpus = attempt->env->cpus,
					  .seed = attempt->env->seed };
	attempt->work.directory =
		request->entry->workload->run ? attempt->workdir : attempt->directory;
	pw_json_write(&request->point->value, PW_JSON_COMPACT, &point);
	around = (struct pw_surroundings){ .config = request->configuration->name,
					   .workload = request->entry->workload->name,
					   .point_json = pw_strbuf_text(&point),
					   .workdir = attempt->workdir,
					   .block = request->block,
					   .config_env = &request->configuration->env };
	pw_environment(&around, request->user, &attempt->variables);
	return pw_run_argv(request->entry, &attempt->work, &attempt->argv, err);
}

static int open_raw(const struct attempt *attempt, const char *ending, struct pw_err *err)
{
	pw_auto_free char *name = NULL;

	if (!attempt->request->id)
		return -1;
	name = pw_sprintf("%s.%s", attempt->request->id, ending);
	return pw_store_raw(attempt->env->store, name, err);
}

/* Opens both captures; the write ends go to the spawn. A raw file that cannot be made is the run's
 * failure. */
static int open_captures(struct attempt *attempt, struct pw_spawn *spawn, struct pw_err *err)
{
	int out, err_raw;

	pw_err_clear(err);
	out = open_raw(attempt, "out", err);
	if (out < 0 && err->code != PW_OK)
		return -(int)err->code;
	if (pw_capture_open(&attempt->watch.out, out, &spawn->out_fd, err) < 0)
		return -(int)err->code;
	err_raw = open_raw(attempt, "err", err);
	if (err_raw < 0 && err->code != PW_OK)
		return -(int)err->code;
	return pw_capture_open(&attempt->watch.err, err_raw, &spawn->err_fd, err);
}

/* The configuration's affinity wins over the entry's. */
static int make_launch(struct attempt *attempt, struct pw_err *err)
{
	const struct pw_launch *from = &attempt->env->settings->launch;
	const char *own = pw_value_get_text(&attempt->request->entry->options, "affinity", NULL);

	pw_strv_append(&attempt->launch.cgroups, &from->cgroups);
	if (from->cpu_count) {
		attempt->launch.cpus = pw_memdup(from->cpus, from->cpu_count * sizeof(*from->cpus));
		attempt->launch.cpu_count = from->cpu_count;
		return 0;
	}
	if (!own)
		return 0;
	return pw_parse_cpulist(own, &attempt->launch.cpus, &attempt->launch.cpu_count, err);
}

static int start(struct attempt *attempt, struct pw_err *err)
{
	const struct pw_user *user = attempt->request->user;
	struct pw_spawn spawn = {
		.argv = &attempt->argv,
		.exe_fd = attempt->request->entry->workload->run ? attempt->env->exe_fd : -1,
		.env = &attempt->variables,
		.directory = attempt->work.directory,
		.change_user = user->change,
		.uid = user->uid,
		.gid = user->gid,
		.user_name = user->name,
		.launch = &attempt->launch,
		.use_namespace = attempt->env->use_namespace,
		.spared = { attempt->env->guard->pid,
			    attempt->env->configure->companion.child.tender },
		.files = &attempt->env->files,
		.root = attempt->env->settings->env.root,
		.out_fd = -1,
		.err_fd = -1,
	};
	int r = make_launch(attempt, err);

	if (r == 0)
		r = open_captures(attempt, &spawn, err);
	if (r == 0)
		r = pw_child_start(&spawn, &attempt->child, err);
	if (spawn.out_fd >= 0)
		close(spawn.out_fd);
	if (spawn.err_fd >= 0)
		close(spawn.err_fd);
	return r;
}

static int64_t time_limit(const struct attempt *attempt)
{
	const struct pw_entry *entry = attempt->request->entry;
	int64_t given = pw_value_get_int(&entry->options, "timeout", 0);
	int64_t known = entry->workload->duration ? entry->workload->duration(&attempt->work) : 0;

	if (given > 0)
		return given;
	return known > 0 ? 2 * known + EXTRA_LIMIT_NS : UNKNOWN_LIMIT_NS;
}

/* Runs and watches; the tree is gone afterwards, however it went. */
static int execute(struct attempt *attempt, struct pw_err *err)
{
	struct pw_err finish_err;
	int r;

	attempt->watch.child = &attempt->child;
	attempt->watch.collectors = attempt->env->collectors;
	attempt->watch.signal_fd = attempt->env->signal_fd;
	attempt->watch.pause_fd = attempt->env->pause_fd;
	attempt->watch.limit_ns = time_limit(attempt);
	if (start(attempt, err) < 0)
		return -(int)err->code;
	r = pw_watch(&attempt->watch, err);
	if (r < 0)
		pw_child_stop(&attempt->child);
	if (pw_child_finish(&attempt->child, &attempt->ending, &finish_err) < 0 && r == 0) {
		*err = finish_err;
		r = -(int)err->code;
	}
	return r;
}

static void describe(const struct attempt *attempt, struct pw_value *record)
{
	const struct pw_run_request *request = attempt->request;
	char start_text[PW_UTC_SIZE];

	pw_utc_text(attempt->started_ns, start_text);
	pw_value_set(record, "schema", pw_value_int(PW_SCHEMA));
	pw_value_set(record, "type", pw_value_text("run"));
	pw_value_set(record, "id", pw_value_text(request->id ? request->id : ""));
	pw_value_set(record, "config", pw_value_text(request->configuration->name));
	pw_value_set(record, "boot", pw_value_text(attempt->env->boot));
	pw_value_set(record, "workload", pw_value_text(request->entry->workload->name));
	pw_value_set(record, "name", pw_value_text(request->entry->name));
	pw_value_set(record, "point", pw_value_copy(&request->point->value));
	pw_value_set(record, "block", pw_value_int(request->block));
	pw_value_set(record, "position", pw_value_int(request->position));
	pw_value_set(record, "order", pw_value_int(request->order));
	pw_value_set(record, "status", pw_value_text(pw_status_text(PW_STATUS_OK)));
	pw_value_set(record, "start", pw_value_text(start_text));
}

void pw_run_describe_failed(const struct pw_run_env *env, const struct pw_run_request *request,
			    struct pw_value *record, const char *reason)
{
	struct attempt attempt = { .env = env,
				   .request = request,
				   .started_ns = pw_clock_realtime() };

	describe(&attempt, record);
	pw_record_fail(record, PW_STATUS_FAILED, reason);
}

static int64_t suspended_so_far(void)
{
	return pw_clock_boottime() - pw_clock_monotonic();
}

/* The files a workload wants parsed, read before its work folder goes. */
static int read_files(const struct attempt *attempt, struct pw_files *files, struct pw_err *err)
{
	const struct pw_workload *workload = attempt->request->entry->workload;

	if (!workload->files)
		return 0;
	if (workload->files(&attempt->work, &files->paths, err) < 0)
		return -(int)err->code;
	pw_files_read(files, attempt->work.directory, attempt->request->user, attempt->started_ns);
	return 0;
}

static void judge(const struct attempt *attempt, struct pw_value *record)
{
	pw_auto(pw_files_done) struct pw_files files = { 0 };
	struct pw_evidence evidence = {
		.entry = attempt->request->entry,
		.work = &attempt->work,
		.watch = &attempt->watch,
		.ending = &attempt->ending,
		.files = &files,
		.block = attempt->request->block,
		.suspended_ns = suspended_so_far() - attempt->suspended_ns,
		.own_cpu_ns = pw_clock_process_cpu() - attempt->cpu_ns,
	};
	int64_t tree_ns = attempt->ending.user_ns + attempt->ending.system_ns;
	struct pw_err err;

	if (read_files(attempt, &files, &err) < 0)
		pw_record_fail(record, PW_STATUS_FAILED, err.text);
	pw_judge(&evidence, record);
	pw_noise_report(attempt->env->noise, tree_ns, record);
	pw_collectors_report(attempt->env->collectors, record);
	pw_judge_sections(&evidence, record);
}

/* -PW_ESTOPPED: interrupted while it was looked at whether the configuration still holds. */
static int note_settings(const struct attempt *attempt, struct pw_value *record, struct pw_err *err)
{
	struct pw_value settings = pw_value_object();
	const char *own_affinity =
		pw_value_get_text(&attempt->request->entry->options, "affinity", NULL);
	int r;

	pw_settings_describe(attempt->env->settings, &settings);
	pw_configure_describe(attempt->env->configure, &settings);
	pw_value_set(record, "settings", settings);
	if (own_affinity)
		pw_value_set(record, "affinity", pw_value_text(own_affinity));
	r = pw_configure_held(attempt->env->configure, err);
	if (r == -PW_ESTOPPED)
		return r;
	if (r < 0) {
		pw_auto_free char *blame = pw_noise_blame(attempt->env->noise, err->text);
		pw_auto_free char *reason = pw_sprintf("%s%s", err->text, blame);

		pw_record_fail(record, PW_STATUS_INVALIDATED, reason);
	}
	return 0;
}

static void keep_samples(const struct attempt *attempt, struct pw_value *record)
{
	pw_auto_value struct pw_value rows = PW_VALUE_INIT;
	struct pw_err err;

	if (!attempt->request->id ||
	    !pw_collectors_rows(attempt->env->collectors, attempt->request->id, &rows))
		return;
	if (pw_store_append_sample(attempt->env->store, &rows, &err) < 0)
		pw_record_warning(record, err.text);
}

int pw_run(const struct pw_run_env *env, const struct pw_run_request *request,
	   struct pw_value *record, struct pw_err *err)
{
	pw_auto(attempt_done) struct attempt attempt = {
		.env = env,
		.request = request,
		.child = PW_CHILD_INIT,
		.watch = { .out = { .fd = -1, .raw_fd = -1 }, .err = { .fd = -1, .raw_fd = -1 } },
		.started_ns = pw_clock_realtime(),
		.suspended_ns = suspended_so_far(),
		.cpu_ns = pw_clock_process_cpu(),
	};
	int r;

	describe(&attempt, record);
	r = prepare(&attempt, err);
	if (r == 0) {
		pw_noise_begin(env->noise);
		r = execute(&attempt, err);
		pw_noise_end(env->noise);
	}
	if (attempt.watch.stopped)
		return pw_fail(err, PW_ESTOPPED, "interrupted");
	if (r < 0) {
		pw_record_fail(record, PW_STATUS_FAILED, err->text);
		return r;
	}
	judge(&attempt, record);
	if (note_settings(&attempt, record, err) < 0)
		return -(int)err->code;
	keep_samples(&attempt, record);
	return 0;
}
