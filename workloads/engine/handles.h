/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The handle table of a load file while it is checked: which handles are open, since which line,
 * and in which slot of the client's table.
 */
#ifndef PW_WORKLOADS_ENGINE_HANDLES_H
#define PW_WORKLOADS_ENGINE_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"

#define PW_HANDLES_MAX 200 /* as in dbench 4.0 */

struct pw_handles {
	struct {
		int64_t handle;
		uint32_t line; /* 0 = free */
	} slots[PW_HANDLES_MAX];
	unsigned most; /* slots ever used */
};

/* Each gives the slot. Errors do not name the line of the operation itself. */
int pw_handles_open(struct pw_handles *handles, int64_t handle, uint32_t line, uint16_t *ret_slot,
		    struct pw_err *err) pw_must_check;
int pw_handles_find(const struct pw_handles *handles, int64_t handle, uint16_t *ret_slot,
		    struct pw_err *err) pw_must_check;
int pw_handles_close(struct pw_handles *handles, int64_t handle, uint16_t *ret_slot,
		     struct pw_err *err) pw_must_check;
/* The same handles in the same slots? */
bool pw_handles_same(const struct pw_handles *a, const struct pw_handles *b);
/* Fails if a handle is open at `what` ("the end of the file"). */
int pw_handles_all_closed(const struct pw_handles *handles, const char *what, struct pw_err *err)
	pw_must_check;

#endif
