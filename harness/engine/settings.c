/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/settings.h"

#include <string.h>

#include "harness/engine/restore.h"
#include "harness/engine/settings_internal.h"
#include "lib/base/fault.h"
#include "lib/base/mem.h"

#define ATTR_SIZE 4096

static int by_order(const void *a, const void *b)
{
	const struct pw_setting_state *x = a, *y = b;

	if (x->knob->order != y->knob->order)
		return x->knob->order - y->knob->order;
	return strcmp(x->knob->name, y->knob->name);
}

void pw_settings_init(struct pw_settings *settings, const struct pw_knob_env *env,
		      const struct pw_catalog *catalog)
{
	struct pw_err ignored;

	*settings = (struct pw_settings){ .env = *env, .catalog = catalog };
	for (const struct pw_knob *const *at = catalog->knobs; *at; at++) {
		struct pw_setting_state state = { .knob = *at, .held_fd = -1 };
		struct pw_err err;

		if ((*at)->probe && (*at)->probe(env, &err) < 0)
			continue;
		PW_PUSH(settings->states, settings->count, settings->capacity, state);
	}
	if (settings->count)
		qsort(settings->states, settings->count, sizeof(*settings->states), by_order);
	(void)!pw_cpus_online(env->root, &settings->online, &ignored);
}

static void let_go(struct pw_setting_state *state)
{
	if (state->held_fd >= 0)
		close(pw_take_fd(&state->held_fd));
}

void pw_settings_release(struct pw_settings *settings)
{
	struct pw_err ignored;

	for (size_t i = 0; i < settings->count; i++) {
		let_go(&settings->states[i]);
		if (settings->states[i].knob->release)
			(void)!settings->states[i].knob->release(&settings->env, &ignored);
	}
	pw_launch_done(&settings->launch);
	settings->current = NULL;
}

void pw_settings_done(struct pw_settings *settings)
{
	for (size_t i = 0; i < settings->count; i++) {
		let_go(&settings->states[i]);
		pw_saved_done(&settings->states[i].saved);
	}
	free(settings->states);
	pw_launch_done(&settings->launch);
	pw_saved_done(&settings->snapshot);
	pw_cpuset_done(&settings->online);
	pw_cpuset_done(&settings->usable);
	*settings = (struct pw_settings){ 0 };
}

static const struct pw_setting *find_setting(const struct pw_configuration *configuration,
					     const struct pw_knob *knob)
{
	for (size_t i = 0; i < configuration->setting_count; i++) {
		if (configuration->settings[i].knob == knob)
			return &configuration->settings[i];
	}
	return NULL;
}

/* The files that the configurations name by themselves. */
static int save_named(const struct pw_settings *settings, struct pw_setting_state *state,
		      const struct pw_config *config, const bool *config_usable, struct pw_err *err)
{
	for (size_t i = 0; i < config->config_count; i++) {
		const struct pw_setting *setting = find_setting(&config->configs[i], state->knob);

		if (config_usable[i] && setting &&
		    state->knob->save_for(&settings->env, &setting->value, &state->saved, err) < 0)
			return -(int)err->code;
	}
	return 0;
}

static int save_state(const struct pw_settings *settings, struct pw_setting_state *state,
		      const struct pw_config *config, const bool *config_usable, struct pw_err *err)
{
	int r = 0;

	if (state->knob->save)
		r = state->knob->save(&settings->env, &state->saved, err);
	if (r == 0 && state->knob->save_for)
		r = save_named(settings, state, config, config_usable, err);
	return r;
}

int pw_settings_save(struct pw_settings *settings, const struct pw_config *config,
		     const bool *config_usable, struct pw_journal *journal, struct pw_err *err)
{
	for (size_t i = 0; i < settings->count; i++) {
		struct pw_setting_state *state = &settings->states[i];

		if (save_state(settings, state, config, config_usable, err) < 0)
			return pw_err_prefix(err, "save the present %s", state->knob->name);
		if (state->saved.count &&
		    pw_journal_saved(journal, state->knob->name, &state->saved, err) < 0)
			return -(int)err->code;
		if (state->knob->release && pw_journal_release(journal, state->knob->name, err) < 0)
			return -(int)err->code;
	}
	return 0;
}

/* Does it take CPUs offline and back, with all that hangs on them (policies, perf events)? */
static bool moves_cpus(const struct pw_knob *knob)
{
	return (knob->flags & PW_KNOB_RECREATES) && knob->order < PW_ORDER_PROFILE;
}

static bool same_cpus(const struct pw_cpuset *a, const struct pw_cpuset *b)
{
	return a->count == b->count &&
	       (a->count == 0 || memcmp(a->cpus, b->cpus, a->count * sizeof(*a->cpus)) == 0);
}

/* Which CPUs are there now: what this process may use follows from it. */
static int look_at_cpus(struct pw_settings *settings, struct pw_err *err)
{
	struct pw_cpuset online = { 0 }, usable = { 0 };
	int r = pw_cpus_online(settings->env.root, &online, err);

	if (r < 0)
		return r;
	if (same_cpus(&online, &settings->online)) {
		pw_cpuset_done(&online);
		return 0;
	}
	r = pw_cpus_usable(settings->env.root, &usable, err);
	if (r < 0) {
		pw_cpuset_done(&online);
		return r;
	}
	pw_cpuset_done(&settings->online);
	pw_cpuset_done(&settings->usable);
	settings->online = online;
	settings->usable = usable;
	settings->env.usable = settings->usable.cpus;
	settings->env.usable_count = settings->usable.count;
	settings->cpu_changes++;
	return 0;
}

/* Back to the saved state of one knob, as far as its files exist under the present driver. */
static int put_back(struct pw_settings *settings, struct pw_setting_state *state,
		    struct pw_err *err)
{
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	struct pw_saved present = PW_SAVED_INIT;
	int r = 0;

	let_go(state);
	for (size_t i = 0; i < state->saved.count; i++) {
		const struct pw_saved_item *item = &state->saved.items[i];

		if (pw_root_exists(settings->env.root, item->path))
			pw_saved_add(&present, item->path, item->value, item->restore);
	}
	pw_restore_items(&settings->env, state->knob, &present, &report);
	if (report.failed.count)
		r = pw_fail(err, PW_EFAILED, "%s", report.failed.items[0]);
	/* also if in the end the same ones are online: those that went and came are new ones */
	if (moves_cpus(state->knob) && report.mended.count)
		settings->cpu_changes++;
	pw_restore_report_done(&report);
	pw_saved_done(&present);
	return r;
}

/*
 * Does the configuration choose a driver mode? A switch makes new policies with the driver's own
 * defaults, and hardware keeps some of what was set under the mode before (EPP): such a
 * configuration starts from the saved state of everything, so that what it does not set is what
 * the driver makes of that, whichever configuration ran before.
 */
static bool chooses_driver(const struct pw_settings *settings,
			   const struct pw_configuration *configuration)
{
	for (size_t i = 0; i < settings->count; i++) {
		const struct pw_knob *knob = settings->states[i].knob;

		if ((knob->flags & PW_KNOB_RECREATES) && find_setting(configuration, knob))
			return true;
	}
	return false;
}

static int hold(struct pw_settings *settings, struct pw_setting_state *state,
		const struct pw_value *value, struct pw_err *err)
{
	int fd = -1;

	let_go(state);
	if (state->knob->hold(&settings->env, value, &fd, err) < 0)
		return -(int)err->code;
	state->held_fd = fd;
	return 0;
}

static int apply_one(struct pw_settings *settings, struct pw_setting_state *state,
		     const struct pw_setting *setting, struct pw_err *err)
{
	const struct pw_knob *knob = state->knob;
	int r = 0;

	if (knob->launch)
		r = knob->launch(&settings->env, &setting->value, &settings->launch, err);
	else if (knob->hold)
		r = hold(settings, state, &setting->value, err);
	else if (knob->apply)
		r = knob->apply(&settings->env, &setting->value, err);
	pw_fault_point("knob");
	settings->followed |= (knob->flags & PW_KNOB_FOLLOWS) != 0;
	return r == 0 && moves_cpus(knob) ? look_at_cpus(settings, err) : r;
}

/* Each knob is proven at its turn: one that depends on another finds the other in force. */
static int prove_one(const struct pw_settings *settings, const struct pw_setting *setting,
		     struct pw_err *err)
{
	if (!setting->knob->verify)
		return 0;
	return setting->knob->verify(&settings->env, &setting->value, err);
}

/*
 * What every present knob's files hold now: under the driver in force, not the saved one. Of the
 * files that configurations name, all that the session saved.
 */
static void snapshot_named(struct pw_settings *settings, const struct pw_setting_state *state)
{
	for (size_t i = 0; i < state->saved.count; i++) {
		const char *path = state->saved.items[i].path;
		char now[ATTR_SIZE];

		if (pw_attr_get(settings->env.root, path, now, sizeof(now)))
			pw_saved_add(&settings->snapshot, path, now, NULL);
	}
}

static void take_snapshot(struct pw_settings *settings)
{
	pw_saved_done(&settings->snapshot);
	for (size_t i = 0; i < settings->count; i++) {
		const struct pw_knob *knob = settings->states[i].knob;
		struct pw_err ignored;

		if (knob->save_for)
			snapshot_named(settings, &settings->states[i]);
		else if (knob->save && knob->scope != PW_KNOB_HELD)
			(void)!knob->save(&settings->env, &settings->snapshot, &ignored);
	}
}

static void release_workload_knobs(struct pw_settings *settings)
{
	struct pw_err ignored;

	pw_launch_done(&settings->launch);
	for (size_t i = 0; i < settings->count; i++) {
		if (settings->states[i].knob->release)
			(void)!settings->states[i].knob->release(&settings->env, &ignored);
	}
}

int pw_settings_put_back(struct pw_settings *settings, const struct pw_configuration *configuration,
			 struct pw_err *err)
{
	/* A governor keeps its tunables as long as a policy is in it: left and entered anew, it has
	 * its defaults again. */
	bool everything = settings->followed || chooses_driver(settings, configuration);

	release_workload_knobs(settings);
	settings->current = NULL;
	for (size_t i = 0; i < settings->count; i++) {
		struct pw_setting_state *state = &settings->states[i];

		/* Which files a value names differs from configuration to configuration. */
		if (!everything && !state->knob->save_for &&
		    !(state->knob->flags & PW_KNOB_BELOW) &&
		    find_setting(configuration, state->knob))
			continue;
		if (put_back(settings, state, err) < 0)
			return pw_err_prefix(err, "config '%s': %s", configuration->name,
					     state->knob->name);
	}
	settings->followed = false;
	if (look_at_cpus(settings, err) < 0)
		return pw_err_prefix(err, "config '%s'", configuration->name);
	return 0;
}

/* What came into being only with the settings just applied. */
static int put_back_followers(struct pw_settings *settings,
			      const struct pw_configuration *configuration, struct pw_err *err)
{
	for (size_t i = 0; i < settings->count; i++) {
		struct pw_setting_state *state = &settings->states[i];

		if ((state->knob->flags & PW_KNOB_FOLLOWS) &&
		    !find_setting(configuration, state->knob) && put_back(settings, state, err) < 0)
			return pw_err_prefix(err, "%s", state->knob->name);
	}
	return 0;
}

/*
 * The state of a knob. One that only the new driver mode has gets a fresh one, with nothing saved:
 * it goes with that mode. Without such a switch (`rebuilt`) the knob was there all along and could
 * not be looked at when the session began: what nobody saved is not written.
 */
static struct pw_setting_state *state_of(struct pw_settings *settings, const struct pw_knob *knob,
					 bool rebuilt, struct pw_err *err)
{
	struct pw_setting_state fresh = { .knob = knob, .held_fd = -1 };

	for (size_t i = 0; i < settings->count; i++) {
		if (settings->states[i].knob == knob)
			return &settings->states[i];
	}
	if (!rebuilt) {
		(void)pw_fail(err, PW_EFAILED,
			      "%s could not be read when the session began: its state is not saved",
			      knob->name);
		return NULL;
	}
	PW_PUSH(settings->states, settings->count, settings->capacity, fresh);
	return &settings->states[settings->count - 1];
}

/* Written over what was put back: one file may belong to both (a pair of limits). */
static int apply_all(struct pw_settings *settings, const struct pw_configuration *configuration,
		     struct pw_err *err)
{
	bool rebuilt = false;

	for (size_t i = 0; i < configuration->setting_count; i++) {
		const struct pw_setting *setting = &configuration->settings[i];
		struct pw_setting_state *state;

		if (pw_setting_can_be(&settings->env, setting, true, err) < 0)
			return -(int)err->code;
		state = state_of(settings, setting->knob, rebuilt, err);
		if (!state)
			return -(int)err->code;
		if (apply_one(settings, state, setting, err) < 0 ||
		    prove_one(settings, setting, err) < 0)
			return pw_err_prefix(err, "%s", setting->knob->name);
		rebuilt |= (setting->knob->flags & PW_KNOB_RECREATES) != 0;
	}
	for (size_t i = 0; i < configuration->setting_count; i++) {
		if (prove_one(settings, &configuration->settings[i], err) < 0)
			return pw_err_prefix(err, "%s", configuration->settings[i].knob->name);
	}
	return 0;
}

int pw_settings_apply(struct pw_settings *settings, const struct pw_configuration *configuration,
		      struct pw_err *err)
{
	if (apply_all(settings, configuration, err) < 0 ||
	    put_back_followers(settings, configuration, err) < 0)
		return pw_err_prefix(err, "config '%s'", configuration->name);
	take_snapshot(settings);
	settings->current = configuration;
	return 0;
}

int pw_settings_held(const struct pw_settings *settings, struct pw_err *err)
{
	for (size_t i = 0; i < settings->snapshot.count; i++) {
		const struct pw_saved_item *item = &settings->snapshot.items[i];
		char now[ATTR_SIZE] = "";

		if (pw_attr_read(settings->env.root, item->path, now, sizeof(now), err) < 0)
			return pw_fail(err, PW_EFAILED,
				       "%s was '%s' and cannot be read any more: %s", item->path,
				       item->value, strerror(err->sys));
		if (strcmp(now, item->value) != 0)
			return pw_fail(err, PW_EFAILED,
				       "%s changed during the run: was '%s', is '%s'", item->path,
				       item->value, now);
	}
	return 0;
}

/* Of files that values name: those that the session knows, whichever configuration sets them. */
static int read_state(const struct pw_settings *settings, const struct pw_setting_state *state,
		      struct pw_value *ret, struct pw_err *err)
{
	const struct pw_knob *knob = state->knob;

	if (knob->read_saved && state->saved.count)
		return knob->read_saved(&settings->env, &state->saved, ret, err);
	if (knob->read)
		return knob->read(&settings->env, ret, err);
	return pw_fail(err, PW_ENOTFOUND, "%s: nothing to read", knob->name);
}

void pw_settings_describe(const struct pw_settings *settings, struct pw_value *ret)
{
	for (size_t i = 0; i < settings->count; i++) {
		const struct pw_knob *knob = settings->states[i].knob;
		const struct pw_setting *setting =
			settings->current ? find_setting(settings->current, knob) : NULL;
		struct pw_value value = PW_VALUE_INIT;
		struct pw_err err;

		if (knob->scope == PW_KNOB_WORKLOAD || knob->scope == PW_KNOB_HELD) {
			if (setting)
				pw_value_set(ret, knob->name, pw_value_copy(&setting->value));
			continue;
		}
		if (read_state(settings, &settings->states[i], &value, &err) == 0)
			pw_value_set(ret, knob->name, value);
	}
}
