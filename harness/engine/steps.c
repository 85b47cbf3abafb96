/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/steps.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"

/* What goes round with the loop. */
struct steps {
	struct pw_prepared *prepared;
	const struct pw_session_options *options;
	const struct pw_run_env *env;
	struct pw_progress *progress;
	struct pw_outcome *outcome;
	struct pw_entry idle; /* the idle measurement as an entry of its own */
	struct pw_point idle_point;
	struct pw_user idle_user;
	size_t *again; /* steps of this block to be repeated */
	size_t again_count, again_capacity;
	struct pw_value
		*unwritten; /* records that a full disk did not take; tried again each time */
	size_t unwritten_count, unwritten_capacity;
	int64_t begun_ns;
	size_t finished_before; /* by an earlier start of this session */
};

/* From what the runs so far took; before the first one from the plan, if that knows. */
static int64_t time_left(const struct steps *steps)
{
	const struct pw_plan *plan = &steps->prepared->plan;
	size_t finished = steps->progress->finished - steps->finished_before;
	size_t left = plan->runs - steps->progress->finished;

	if (finished)
		return (pw_clock_monotonic() - steps->begun_ns) / (int64_t)finished * (int64_t)left;
	return plan->duration_known && plan->runs
		       ? plan->duration_ns / (int64_t)plan->runs * (int64_t)left
		       : 0;
}

static void emit(const struct steps *steps, struct pw_event event)
{
	const struct pw_plan *plan = &steps->prepared->plan;

	event.prepared = steps->prepared;
	event.done = steps->progress->finished;
	event.total = plan->runs;
	event.left_ns = time_left(steps);
	steps->options->emit(steps->options->context, &event);
}

static void note_error(const struct steps *steps, const struct pw_err *err)
{
	emit(steps, (struct pw_event){ .kind = PW_EVENT_NOTE, .text = err->text });
}

static void make_idle(struct steps *steps)
{
	const struct pw_config *config = steps->prepared->config;
	struct pw_err err;

	steps->idle_point = (struct pw_point){ .value = pw_value_object(), .text = pw_strdup("") };
	steps->idle = (struct pw_entry){
		.workload = pw_catalog_workload(steps->options->catalog, "idle"),
		.name = pw_strdup("idle"),
		.options = pw_value_object(),
		.points = &steps->idle_point,
		.point_count = 1,
	};
	pw_value_set(&steps->idle.options, "time", pw_value_int(config->idle_ns));
	if (pw_user_find(NULL, NULL, config->user, &steps->idle_user, &err) < 0)
		note_error(steps, &err);
}

static void steps_done(struct steps *steps)
{
	for (size_t i = 0; i < steps->unwritten_count; i++)
		pw_value_done(&steps->unwritten[i]);
	free(steps->unwritten);
	free(steps->again);
	pw_value_done(&steps->idle.options);
	free(steps->idle.name);
	pw_value_done(&steps->idle_point.value);
	free(steps->idle_point.text);
	pw_user_done(&steps->idle_user);
}

/* Waits, but not past a signal. False: interrupted (the signal stays readable). */
static bool wait_for(const struct steps *steps, int64_t ns)
{
	int64_t until = pw_clock_monotonic() + ns;
	int64_t left;

	while ((left = until - pw_clock_monotonic()) > 0) {
		struct pollfd watched = { .fd = steps->env->signal_fd, .events = POLLIN };
		struct timespec timeout = { .tv_sec = left / PW_NS_PER_S,
					    .tv_nsec = left % PW_NS_PER_S };
		int ready = ppoll(&watched, 1, &timeout, NULL);

		if (ready > 0)
			return false;
		if (ready < 0 && errno != EINTR)
			break;
	}
	return true;
}

static void take_signal(struct steps *steps)
{
	struct signalfd_siginfo info = { 0 };

	if (read(steps->env->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		steps->outcome->signal = (int)info.ssi_signo;
	else
		steps->outcome->signal = SIGINT;
}

static bool write_record(struct steps *steps, const struct pw_value *record)
{
	struct pw_err err;

	if (pw_store_commit_run(steps->env->store, record, &err) == 0)
		return true;
	note_error(steps, &err);
	return false;
}

/* A record that cannot be written now is kept, and written with the next one that can. */
static void commit(struct steps *steps, struct pw_value *record)
{
	size_t written = 0;

	while (written < steps->unwritten_count && write_record(steps, &steps->unwritten[written]))
		pw_value_done(&steps->unwritten[written++]);
	steps->unwritten_count -= written;
	if (written)
		memmove(steps->unwritten, steps->unwritten + written,
			steps->unwritten_count * sizeof(*steps->unwritten));
	if (steps->unwritten_count || !write_record(steps, record))
		PW_PUSH(steps->unwritten, steps->unwritten_count, steps->unwritten_capacity,
			pw_value_copy(record));
}

static bool is_ok(const struct pw_value *record)
{
	return strcmp(pw_value_get_text(record, "status", ""), pw_status_text(PW_STATUS_OK)) == 0;
}

static struct pw_run_request request_of(struct steps *steps, const struct pw_step *step,
					const char *id)
{
	const struct pw_config *config = steps->prepared->config;
	bool idle = step->kind == PW_STEP_IDLE;
	const struct pw_entry *entry = idle ? &steps->idle : &config->entries[step->entry];

	return (struct pw_run_request){
		.configuration = &config->configs[step->config],
		.entry = entry,
		.point = idle ? &steps->idle_point : &entry->points[step->point],
		.user = idle ? &steps->idle_user : &steps->prepared->users[step->entry],
		.id = step->kind == PW_STEP_WARMUP ? NULL : id,
		.block = step->block,
		.position = step->position,
		.order = step->order,
	};
}

/* The configuration in force, and the machine at rest. `id` names what this step leaves. */
static int make_ready(struct steps *steps, const struct pw_run_request *request, const char *id,
		      struct pw_err *err)
{
	const struct pw_settings *settings = &steps->prepared->settings;
	struct pw_configure *configure = steps->env->configure;

	if (pw_configure_enter(configure, request->configuration, id, err) < 0 ||
	    pw_collectors_follow(steps->env->collectors, settings->cpu_changes, err) < 0)
		return -(int)err->code;
	if (request->entry != &steps->idle &&
	    !wait_for(steps, steps->prepared->config->repeat.settle_ns))
		return pw_fail(err, PW_ESTOPPED, "interrupted");
	return pw_configure_ready(configure, err);
}

/* The run itself, with its settings. 0 or -PW_ESTOPPED; any other trouble is in the record. */
static int run_step(struct steps *steps, const struct pw_run_request *request, const char *id,
		    struct pw_value *record, struct pw_err *err)
{
	struct pw_settings *settings = &steps->prepared->settings;
	int r = make_ready(steps, request, id, err);
	struct pw_value state;

	if (r == -PW_ESTOPPED)
		return r;
	if (r == 0)
		return pw_run(steps->env, request, record, err);
	state = pw_value_object();
	pw_settings_describe(settings, &state);
	pw_run_describe_failed(steps->env, request, record, err->text);
	pw_value_set(record, "settings", state);
	return r;
}

/* Nothing is changed on a machine that nobody would put back. False: so the session ends. */
static bool keep_guarded(struct steps *steps)
{
	struct pw_guard *guard = steps->env->guard;
	pw_auto_free char *text = NULL;
	struct pw_err err;

	if (pw_guard_lives(guard))
		return true;
	if (pw_guard_renew(guard, &err) == 0) {
		pw_configure_new_guard(steps->env->configure, guard->pid);
		emit(steps, (struct pw_event){ .kind = PW_EVENT_NOTE,
					       .text = "the guard was ended from outside; "
						       "another one has been started" });
		return true;
	}
	text = pw_sprintf("the guard was ended from outside, and no other could be started (%s): "
			  "the session ends here",
			  err.text);
	emit(steps, (struct pw_event){ .kind = PW_EVENT_NOTE, .text = text });
	return false;
}

/* One step from start to commit. False: the session ends here, or the user interrupted. */
static bool take_step(struct steps *steps, size_t index, bool again)
{
	const struct pw_step *step = &steps->prepared->plan.steps[index];
	pw_auto_free char *id = pw_sprintf("r%04zu", steps->progress->records + 1);
	struct pw_run_request request = request_of(steps, step, id);
	pw_auto_value struct pw_value record = pw_value_object();
	struct pw_err err;

	if (!keep_guarded(steps))
		return false;
	emit(steps, (struct pw_event){ .kind = PW_EVENT_STEP, .step = step, .again = again });
	if (run_step(steps, &request, id, &record, &err) == -PW_ESTOPPED) {
		take_signal(steps);
		return false;
	}
	if (step->kind == PW_STEP_WARMUP) {
		if (!is_ok(&record))
			emit(steps, (struct pw_event){ .kind = PW_EVENT_RECORD,
						       .step = step,
						       .record = &record });
		return true;
	}
	commit(steps, &record);
	steps->progress->records++;
	if (is_ok(&record)) {
		pw_progress_mark(steps->progress, &steps->prepared->plan, index);
		steps->outcome->ok++;
	} else {
		steps->outcome->not_ok++;
		if (step->kind == PW_STEP_RUN && !again)
			PW_PUSH(steps->again, steps->again_count, steps->again_capacity, index);
	}
	emit(steps,
	     (struct pw_event){
		     .kind = PW_EVENT_RECORD, .step = step, .again = again, .record = &record });
	return true;
}

/* The block is over: what failed in it is tried again, as often as the config says. */
static bool repeat_failed(struct steps *steps)
{
	for (size_t i = 0; i < steps->again_count; i++) {
		size_t index = steps->again[i];

		for (unsigned n = 0; n < steps->prepared->config->repeat.retry; n++) {
			if (!steps->progress->done[index] && !take_step(steps, index, true))
				return false;
		}
	}
	steps->again_count = 0;
	return true;
}

static bool block_ends(const struct pw_plan *plan, size_t index)
{
	unsigned block = plan->steps[index].block;

	for (size_t next = index + 1; next < plan->count; next++) {
		if (plan->steps[next].kind == PW_STEP_RUN)
			return plan->steps[next].block != block;
	}
	return true;
}

/* Is there a run of this warm-up's workload still to come? */
static bool still_needed(const struct steps *steps, size_t index)
{
	const struct pw_plan *plan = &steps->prepared->plan;

	for (size_t i = index + 1; i < plan->count; i++) {
		if (plan->steps[i].kind == PW_STEP_RUN &&
		    plan->steps[i].entry == plan->steps[index].entry && !steps->progress->done[i])
			return true;
	}
	return false;
}

static bool loop(struct steps *steps)
{
	const struct pw_plan *plan = &steps->prepared->plan;

	for (size_t i = 0; i < plan->count; i++) {
		const struct pw_step *step = &plan->steps[i];
		bool skip = steps->progress->done[i] ||
			    (step->kind == PW_STEP_WARMUP && !still_needed(steps, i));

		if (!skip && !take_step(steps, i, false))
			return false;
		if (step->kind == PW_STEP_RUN && block_ends(plan, i) && !repeat_failed(steps))
			return false;
	}
	return true;
}

void pw_steps_run(struct pw_prepared *prepared, const struct pw_session_options *options,
		  const struct pw_run_env *env, struct pw_progress *progress,
		  struct pw_outcome *outcome)
{
	struct steps steps = { .prepared = prepared,
			       .options = options,
			       .env = env,
			       .progress = progress,
			       .outcome = outcome,
			       .begun_ns = pw_clock_monotonic(),
			       .finished_before = progress->finished };

	make_idle(&steps);
	(void)loop(&steps);
	for (size_t i = 0; i < steps.unwritten_count; i++)
		outcome->unwritten += !write_record(&steps, &steps.unwritten[i]);
	steps_done(&steps);
}
