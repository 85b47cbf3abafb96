/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A prepared session in words: for `plan`, --dry-run and the question before a run. */
#ifndef PW_CLI_PLAN_TEXT_H
#define PW_CLI_PLAN_TEXT_H

#include "harness/engine/prepare.h"
#include "lib/base/strbuf.h"

/* Configurations (with what they set, or why they cannot be), workloads, how many runs, how long.
 */
void pw_plan_summary(const struct pw_prepared *prepared, struct pw_strbuf *text);
/* Every step in its order; with commands: what would be started. */
void pw_plan_steps(const struct pw_prepared *prepared, bool commands, struct pw_strbuf *text);

#endif
