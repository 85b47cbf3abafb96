/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/program.h"

#include <string.h>

#include "harness/engine/surroundings.h"
#include "lib/base/fault.h"
#include "lib/base/mem.h"

int pw_program_file(const struct pw_config *config, const struct pw_configuration *configuration,
		    const struct pw_strv *argv, char **ret, struct pw_err *err)
{
	pw_auto_strv struct pw_strv env = PW_STRV_INIT;

	pw_program_environment(configuration->name, &configuration->env, &env);
	return pw_command_find(argv->items[0], &env, config->directory, ret, err);
}

int pw_programs_find(const struct pw_config *config, const struct pw_configuration *configuration,
		     struct pw_err *err)
{
	const struct {
		const char *key;
		const struct pw_strv *argv;
	} programs[] = { { "apply", &configuration->apply },
			 { "undo", &configuration->undo },
			 { "verify", &configuration->verify },
			 { "with", &configuration->with } };

	for (size_t i = 0; i < PW_LENGTH(programs); i++) {
		pw_auto_free char *file = NULL;

		if (programs[i].argv->count == 0 ||
		    pw_program_file(config, configuration, programs[i].argv, &file, err) == 0)
			continue;
		err->code = PW_EUNSUPPORTED;
		return pw_err_prefix(err, "%s", programs[i].key);
	}
	return 0;
}

/* One of the programs that are run to their end. */
static int run_one(const struct pw_program_env *env, const struct pw_configuration *configuration,
		   const struct pw_strv *argv, struct pw_err *err)
{
	pw_auto_strv struct pw_strv variables = PW_STRV_INIT;
	pw_auto_free char *file = NULL;
	struct pw_command command = { .argv = argv,
				      .env = &variables,
				      .directory = env->config->directory,
				      .files = env->files,
				      .stop_fd = env->signal_fd };

	memcpy(command.spared, env->spared, sizeof(command.spared));
	pw_program_environment(configuration->name, &configuration->env, &variables);
	if (pw_program_file(env->config, configuration, argv, &file, err) < 0)
		return -(int)err->code;
	command.program = file;
	return pw_command_succeed(&command, err);
}

static int make_undo(const struct pw_program_env *env, const struct pw_configuration *configuration,
		     struct pw_journal_undo *ret, struct pw_err *err)
{
	char *file = NULL;

	if (pw_program_file(env->config, configuration, &configuration->undo, &file, err) < 0)
		return -(int)err->code;
	*ret = (struct pw_journal_undo){ .config = pw_strdup(configuration->name),
					 .program = file,
					 .directory = pw_strdup(env->config->directory) };
	pw_strv_append(&ret->argv, &configuration->undo);
	pw_strv_append(&ret->env, &configuration->env);
	return 0;
}

int pw_program_apply(const struct pw_program_env *env, const struct pw_configuration *configuration,
		     struct pw_journal_undo *ret_undo, struct pw_err *err)
{
	struct pw_journal_undo undo = { 0 };

	if (configuration->apply.count == 0)
		return 0;
	if (make_undo(env, configuration, &undo, err) < 0)
		return pw_err_prefix(err, "undo");
	if (pw_journal_undo(env->journal, &undo, err) < 0 ||
	    pw_journal_sync(env->journal, err) < 0) {
		pw_journal_undo_done(&undo);
		return -(int)err->code;
	}
	*ret_undo = undo;
	if (run_one(env, configuration, &configuration->apply, err) < 0)
		return pw_err_prefix(err, "apply");
	return 0;
}

int pw_program_verify(const struct pw_program_env *env,
		      const struct pw_configuration *configuration, struct pw_err *err)
{
	if (configuration->verify.count == 0)
		return 0;
	if (run_one(env, configuration, &configuration->verify, err) < 0)
		return pw_err_prefix(err, "verify");
	return 0;
}

int pw_program_undo(const struct pw_journal_undo *undo, struct pw_journal *journal,
		    const struct rlimit *files, const pid_t spared[PW_SPARED], struct pw_err *err)
{
	pw_auto_strv struct pw_strv variables = PW_STRV_INIT;
	struct pw_err ignored;
	struct pw_command command = { .argv = &undo->argv,
				      .program = undo->program,
				      .env = &variables,
				      .directory = undo->directory,
				      .files = files,
				      .stop_fd = -1 };

	if (spared)
		memcpy(command.spared, spared, sizeof(command.spared));
	pw_program_environment(undo->config, &undo->env, &variables);
	if (pw_command_succeed(&command, err) < 0)
		return pw_err_prefix(err, "config '%s': undo", undo->config);
	pw_fault_point("undo");
	/* On a disk that is full it cannot be noted, and runs once more: it has to stand that. */
	if (pw_journal_undone(journal, undo->config, &ignored) == 0)
		(void)!pw_journal_sync(journal, &ignored);
	return 0;
}
