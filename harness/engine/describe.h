/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session.json: what was compared, where, and how. Shape: docs/results.md. */
#ifndef PW_ENGINE_DESCRIBE_H
#define PW_ENGINE_DESCRIBE_H

#include "harness/engine/prepare.h"

/* An object, the caller's. `results`: the folder, for what it lies on. */
struct pw_value pw_session_describe(const struct pw_prepared *prepared, uint64_t seed,
				    const char *id, const char *results);
/*
 * The way back, for a session that goes on: what the files that configurations name held when it
 * began. Folders of an older perfwatt say nothing of that; then it is what was read now.
 */
int pw_session_recall(struct pw_prepared *prepared, const char *results, struct pw_err *err)
	pw_must_check;

#endif
