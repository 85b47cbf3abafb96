/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/pitfall.h"

#ifdef PW_PITFALLS
#include <stdlib.h>
#include <string.h>

bool pw_pitfall(const char *name)
{
	const char *wanted = getenv("PERFWATT_PITFALL");

	return wanted && strcmp(wanted, name) == 0;
}
#else
typedef int pw_pitfall_not_compiled;
#endif
