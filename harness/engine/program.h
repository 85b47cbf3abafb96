/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A configuration's programs: `apply`, which changes the machine, `undo`, which takes that back,
 * and `verify`. They run with perfwatt's own rights, in the config's folder, with the
 * configuration's environment.
 */
#ifndef PW_ENGINE_PROGRAM_H
#define PW_ENGINE_PROGRAM_H

#include "harness/engine/command.h"
#include "harness/engine/journal.h"
#include "lib/model/config.h"

/* What programs need of their session. All borrowed. */
struct pw_program_env {
	const struct pw_config *config;
	struct pw_journal *journal;
	const struct rlimit *files; /* limit of open files that perfwatt was started with */
	int signal_fd;		    /* readable: the user interrupts */
	pid_t spared[PW_SPARED];
};

/* Are all four programs of the configuration there? PW_EUNSUPPORTED names the one that is not. */
int pw_programs_find(const struct pw_config *config, const struct pw_configuration *configuration,
		     struct pw_err *err) pw_must_check;

/* The file that argv[0] of one of its programs stands for; the caller's. */
int pw_program_file(const struct pw_config *config, const struct pw_configuration *configuration,
		    const struct pw_strv *argv, char **ret, struct pw_err *err) pw_must_check;

/*
 * Runs `apply`. What takes it back is in the journal and on disk before that; *ret_undo gets it
 * (the caller's) also if `apply` failed, as it may have changed a part. Nothing without `apply`.
 */
int pw_program_apply(const struct pw_program_env *env, const struct pw_configuration *configuration,
		     struct pw_journal_undo *ret_undo, struct pw_err *err) pw_must_check;
/* Runs `verify`, if there is one. */
int pw_program_verify(const struct pw_program_env *env,
		      const struct pw_configuration *configuration, struct pw_err *err)
	pw_must_check;
/*
 * Takes back what an `apply` did, and notes that it is undone. Killed in between, or where nothing
 * can be noted any more, the program runs once more at the next restore: it has to stand that.
 * files NULL: the limit stays.
 */
int pw_program_undo(const struct pw_journal_undo *undo, struct pw_journal *journal,
		    const struct rlimit *files, const pid_t spared[PW_SPARED], struct pw_err *err)
	pw_must_check;

#endif
