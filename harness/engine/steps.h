/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loop over the plan's steps: settle, run, commit, repeat what was hit at the end of its block.
 */
#ifndef PW_ENGINE_STEPS_H
#define PW_ENGINE_STEPS_H

#include "harness/engine/progress.h"
#include "harness/engine/run.h"
#include "harness/engine/session.h"

void pw_steps_run(struct pw_prepared *prepared, const struct pw_session_options *options,
		  const struct pw_run_env *env, struct pw_progress *progress,
		  struct pw_outcome *outcome);

#endif
