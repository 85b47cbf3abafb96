/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/fault.h"

#ifdef PW_FAULTS
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/parse.h"

/* The number that PERFWATT_FAULT gives to this name; false: it names another, or nothing. */
static bool number_of(const char *name, uint64_t *ret)
{
	const char *wanted = getenv("PERFWATT_FAULT");
	size_t length = strlen(name);
	struct pw_err err;

	return wanted && strncmp(wanted, name, length) == 0 && wanted[length] == ':' &&
	       pw_parse_u64(wanted + length + 1, ret, &err) == 0;
}

void pw_fault_point(const char *name)
{
	static uint64_t passes;
	uint64_t at;

	if (number_of(name, &at) && ++passes == at)
		(void)raise(SIGKILL);
}

int64_t pw_fault_number(const char *name, int64_t otherwise)
{
	uint64_t number;

	return number_of(name, &number) && number <= INT64_MAX ? (int64_t)number : otherwise;
}
#else
typedef int pw_fault_not_compiled;
#endif
