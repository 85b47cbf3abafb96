/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single arguments of load file operations: limits, and where they go in struct pw_op. */
#ifndef PW_WORKLOADS_ENGINE_ARGUMENT_H
#define PW_WORKLOADS_ENGINE_ARGUMENT_H

#include <stdint.h>

#include "lib/base/err.h"
#include "workloads/engine/op.h"

/* A name from a load file: "/" in front, no ".." in it, not too long. */
int pw_argument_check_name(const char *name, struct pw_err *err) pw_must_check;
/* Parses a number of this kind (OFFSET ... DELAY, HANDLE) and checks its limits. */
int pw_argument_number(enum pw_arg kind, const char *word, int64_t *ret, struct pw_err *err)
	pw_must_check;
/* Puts a number into its field; HANDLE has none. */
void pw_argument_store(struct pw_op *op, enum pw_arg kind, int64_t value);

#endif
