/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of attributes that a config gives as a text or a whole number, and what becomes of them:
 * the kernel prints a value in its own form ("0x10" as "16", a choice as the word in brackets among
 * the others, a boolean parameter as Y or N, a CPU mask with leading zeros).
 */
#ifndef PW_PLATFORM_ATTR_VALUE_H
#define PW_PLATFORM_ATTR_VALUE_H

#include "lib/platform/attr.h"

/* Is it a whole number or a text of one line that can be written; the error's place is the value.
 */
int pw_value_form(const struct pw_value *value, struct pw_err *err) pw_must_check;
/* A value of that form as it is written, into PW_ATTR_SIZE bytes. Returns the buffer. */
const char *pw_value_written(const struct pw_value *value, char buffer[PW_ATTR_SIZE]);
/*
 * The word in brackets of a list of choices, "always [madvise] never"; the caller's. NULL if the
 * text is no such list: not exactly one word in brackets.
 */
char *pw_value_chosen(const char *shown);
/*
 * The same value word for word: as texts, as whole numbers (decimal or 0x...), as masks (hex digits
 * and commas, leading zeros do not count), as yes and no. Any blanks between words. A list of
 * choices shows its chosen word.
 */
bool pw_value_same(const char *shown, const char *asked);

#endif
