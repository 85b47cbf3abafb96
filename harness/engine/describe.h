/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session.json: what was compared, where, and how. Shape: docs/results.md. */
#ifndef PW_ENGINE_DESCRIBE_H
#define PW_ENGINE_DESCRIBE_H

#include "harness/engine/prepare.h"

/* An object, the caller's. */
struct pw_value pw_session_describe(const struct pw_prepared *prepared, uint64_t seed,
				    const char *id);

#endif
