/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A number that a pattern captured, read strictly. A pattern sees only what its author thought of:
 * "([0-9.]+)" takes 56 out of "1234,56", 1.234 out of "1.234,56", 1.24 out of "1.24e+06" and 5 out
 * of "-5". So the bytes around the capture are looked at, and a number that goes on is refused.
 *
 * It goes on where the capture is touched by
 *  - a digit;
 *  - a point, comma, apostrophe, underscore or no-break space that has a digit on its other side
 *    (decimal and thousands separators of any locale); a point before it needs no digit (".5"),
 *    unless it is one of a row of leader points ("rate.....5"). A point, comma or other sign that
 *    ends a sentence or parts fields of words ("rate 5.", "name,5,ops") is none of these;
 *  - an exponent ("1.5e3", and "1.24+06", where the letter was lost), or "0x";
 *  - a minus in front that the capture left out.
 */
#ifndef PW_WORKLOADS_EXEC_NUMBER_H
#define PW_WORKLOADS_EXEC_NUMBER_H

#include <stddef.h>

#include "lib/base/err.h"

/*
 * The number at [start, end) of a text of `length` bytes. -PW_EFAILED names what was captured and
 * the whole text found around it.
 */
int pw_exec_number(const char *text, size_t length, size_t start, size_t end, double *ret,
		   struct pw_err *err) pw_must_check;

#endif
