/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A number in JSON output, found by an RFC 6901 pointer. The text is one JSON document, or, if it
 * is not, its last line that is JSON (JSON lines, or a result line below progress lines). Only
 * lines that hold an object or a list count, so that a line "100" is not taken for a result; the
 * pointer "" (the whole value) takes numbers and texts too.
 */
#ifndef PW_WORKLOADS_EXEC_POINTER_H
#define PW_WORKLOADS_EXEC_POINTER_H

#include <stddef.h>

#include "lib/base/err.h"

/* -PW_EINVAL if the text is no RFC 6901 pointer. */
int pw_exec_pointer_check(const char *pointer, struct pw_err *err) pw_must_check;
/*
 * The number there: a JSON number, or a text that is one when read strictly. A key that stands
 * twice in an object makes a document unreadable: which of the two would be meant?
 * -PW_EFAILED: no JSON, nothing there, or no number.
 */
int pw_exec_pointer_number(const char *pointer, const char *text, size_t length, double *ret,
			   struct pw_err *err) pw_must_check;

#endif
