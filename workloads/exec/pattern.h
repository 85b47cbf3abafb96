/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PCRE2 patterns over a program's output: multiline (^ and $ at every line, CR and CRLF count as
 * line ends too), the number in (?<value>...) or group 1, a unit in (?<unit>...). UTF-8 mode is on
 * when pattern and text both are valid UTF-8, else both are bytes.
 */
#ifndef PW_WORKLOADS_EXEC_PATTERN_H
#define PW_WORKLOADS_EXEC_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

/*
 * Limits against patterns that explode (PCRE2's own defaults, 10 million steps and 20 GB, would let
 * one hang a session). Steps count anew at each place of the text where a match is tried.
 */
#define PW_EXEC_MATCH_LIMIT UINT32_C(200000)
#define PW_EXEC_DEPTH_LIMIT UINT32_C(20000)
#define PW_EXEC_HEAP_KIB    UINT32_C(65536)

struct pw_exec_pattern; /* opaque */

/* A captured part of the text, [start, end); `set` false if the group took no part. */
struct pw_exec_capture {
	size_t start, end;
	bool set;
};

struct pw_exec_match {
	struct pw_exec_capture whole, value, unit;
};

/* -PW_EINVAL: does not compile (with the offset, bytes from 0), or has no group for the number. */
int pw_exec_pattern_new(const char *regex, bool utf, struct pw_exec_pattern **ret,
			struct pw_err *err) pw_must_check;
void pw_exec_pattern_free(struct pw_exec_pattern *pattern);
/* Has it a group for the unit. */
bool pw_exec_pattern_has_unit(const struct pw_exec_pattern *pattern);

/*
 * The next match in the text at or after *cursor (0 to begin with), which is moved past it. 1:
 * found, 0: no more, -PW_EFAILED: a limit was hit. A pattern made with `utf` wants valid UTF-8.
 */
int pw_exec_pattern_next(struct pw_exec_pattern *pattern, const char *text, size_t length,
			 size_t *cursor, struct pw_exec_match *ret, struct pw_err *err)
	pw_must_check;

#endif
