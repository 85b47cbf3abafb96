/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/fault.h"

#ifdef PW_FAULTS
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/parse.h"

void pw_fault_point(const char *name)
{
	static uint64_t passes;
	const char *wanted = getenv("PERFWATT_FAULT");
	size_t length = strlen(name);
	struct pw_err err;
	uint64_t at;

	if (!wanted || strncmp(wanted, name, length) != 0 || wanted[length] != ':')
		return;
	if (pw_parse_u64(wanted + length + 1, &at, &err) == 0 && ++passes == at)
		(void)raise(SIGKILL);
}
#else
typedef int pw_fault_not_compiled;
#endif
