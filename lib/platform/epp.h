/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Energy Performance Preference: words and numbers. Drivers show a word where the number is one of
 * their table, whichever of both was written.
 */
#ifndef PW_PLATFORM_EPP_H
#define PW_PLATFORM_EPP_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/plugin/value.h"

#define PW_EPP_TEXT_SIZE 48

/* The word or number of a config as text to write; EINVAL for another type or beyond 0 to 255. */
int pw_epp_text(const struct pw_value *value, char text[PW_EPP_TEXT_SIZE], struct pw_err *err)
	pw_must_check;
/* Is this one of the kernel's words ("default" among them). */
bool pw_epp_is_word(const char *text);
/* The word for a number that every driver has a word for (0, 128, 191 or 192, 255), else NULL. */
const char *pw_epp_word(const char *number);
/* Does what a driver shows mean what was asked, in word or number. */
bool pw_epp_same(const char *shown, const char *asked);

#endif
