/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/configure.h"

#include <string.h>

#include "harness/engine/surroundings.h"
#include "lib/base/mem.h"

enum { SPARED_GUARD, SPARED_COMPANION };

static void stop_companion(struct pw_configure *configure)
{
	pw_companion_stop(&configure->companion);
	configure->programs.spared[SPARED_COMPANION] = 0;
}

static int start_companion(struct pw_configure *configure, const struct pw_configuration *to,
			   const char *id, struct pw_err *err)
{
	const struct pw_program_env *env = &configure->programs;
	pw_auto_free char *name = pw_sprintf("%s.with", id), *file = NULL;
	pw_auto_strv struct pw_strv variables = PW_STRV_INIT;
	struct pw_command command = { .argv = &to->with,
				      .env = &variables,
				      .directory = env->config->directory,
				      .files = env->files,
				      .stop_fd = -1,
				      .spared = { env->spared[SPARED_GUARD] } };
	int output, r;

	if (pw_program_file(env->config, to, &to->with, &file, err) < 0)
		return pw_err_prefix(err, "with");
	pw_program_environment(to->name, &to->env, &variables);
	command.program = file;
	output = pw_store_raw(configure->store, name, err);
	if (output < 0)
		return pw_err_prefix(err, "with");
	r = pw_companion_start(&configure->companion, &command, output, err);
	configure->programs.spared[SPARED_COMPANION] = configure->companion.child.tender;
	return r;
}

static int undo(struct pw_configure *configure, struct pw_err *err)
{
	const struct pw_program_env *env = &configure->programs;

	if (!configure->undo.config)
		return 0;
	if (pw_program_undo(&configure->undo, env->journal, env->files, env->spared, err) < 0)
		return -(int)err->code;
	pw_journal_undo_done(&configure->undo);
	return 0;
}

/* Everything behind the undoing: its errors belong to the new configuration. */
static int make(struct pw_configure *configure, const struct pw_configuration *to, const char *id,
		struct pw_err *err)
{
	const struct pw_program_env *env = &configure->programs;

	if (pw_program_apply(env, to, &configure->undo, err) < 0)
		return pw_err_prefix(err, "config '%s'", to->name);
	if (pw_settings_apply(configure->settings, to, err) < 0)
		return -(int)err->code;
	if (pw_program_verify(env, to, err) < 0 ||
	    (to->with.count && start_companion(configure, to, id, err) < 0))
		return pw_err_prefix(err, "config '%s'", to->name);
	configure->current = to;
	return 0;
}

static int switch_to(struct pw_configure *configure, const struct pw_configuration *to,
		     const char *id, struct pw_err *err)
{
	configure->current = NULL;
	stop_companion(configure);
	if (undo(configure, err) < 0 || pw_settings_put_back(configure->settings, to, err) < 0)
		return -(int)err->code;
	return make(configure, to, id, err);
}

int pw_configure_enter(struct pw_configure *configure, const struct pw_configuration *to,
		       const char *id, struct pw_err *err)
{
	size_t index = (size_t)(to - configure->programs.config->configs);

	if (pw_contents_same(&configure->contents[index], err) < 0)
		return pw_err_prefix(err, "config '%s'", to->name);
	/* What something else changed since is put right first: a run repeated for that reason
	 * would only be hit again. */
	if (configure->current != to || pw_settings_held(configure->settings, err) < 0)
		return switch_to(configure, to, id, err);
	if (to->with.count && !pw_companion_runs(&configure->companion) &&
	    start_companion(configure, to, id, err) < 0)
		return pw_err_prefix(err, "config '%s'", to->name);
	return 0;
}

int pw_configure_ready(struct pw_configure *configure, struct pw_err *err)
{
	const struct pw_configuration *current = configure->current;

	if (!current || current->with.count == 0 ||
	    pw_companion_check(&configure->companion, err) == 0)
		return 0;
	return pw_err_prefix(err, "config '%s'", current->name);
}

int pw_configure_held(struct pw_configure *configure, struct pw_err *err)
{
	const struct pw_configuration *current = configure->current;

	if (pw_settings_held(configure->settings, err) < 0 ||
	    pw_configure_ready(configure, err) < 0)
		return -(int)err->code;
	if (!current || pw_program_verify(&configure->programs, current, err) == 0)
		return 0;
	configure->current = NULL; /* the next run has to find it made anew */
	return pw_err_prefix(err, "config '%s': after the run", current->name);
}

static void describe_argv(struct pw_value *settings, const char *key, const struct pw_strv *argv)
{
	struct pw_value list;

	if (argv->count == 0)
		return;
	list = pw_value_list();
	for (size_t i = 0; i < argv->count; i++)
		pw_value_push(&list, pw_value_text(argv->items[i]));
	pw_value_set(settings, key, list);
}

void pw_configure_describe(const struct pw_configure *configure, struct pw_value *settings)
{
	if (!configure->current)
		return;
	describe_argv(settings, "apply", &configure->current->apply);
	describe_argv(settings, "with", &configure->current->with);
}

void pw_configure_new_guard(struct pw_configure *configure, pid_t guard)
{
	stop_companion(configure);
	configure->programs.spared[SPARED_GUARD] = guard;
}

void pw_configure_done(struct pw_configure *configure)
{
	stop_companion(configure);
	pw_journal_undo_done(&configure->undo);
	configure->current = NULL;
}
