/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Known wrong behaviour, to be switched on: with -DPW_PITFALLS (test builds only) pw_pitfall(NAME)
 * is true in a process with PERFWATT_PITFALL=NAME, and at the place it stands the code then does
 * what the public fault of that name did. docs/pitfalls.md names fault and test of each;
 * tests/docs/pitfalls.py shows that the test fails with it and passes without. Otherwise false.
 */
#ifndef PW_BASE_PITFALL_H
#define PW_BASE_PITFALL_H

#include <stdbool.h>

#ifdef PW_PITFALLS
bool pw_pitfall(const char *name);
#else
static inline bool pw_pitfall(const char *name)
{
	(void)name;
	return false;
}
#endif

#endif
