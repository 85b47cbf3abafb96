/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/argument.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "workloads/engine/loadfile.h"

/* A FIND reply of 39 + 90 n bytes has to fit the buffers. */
#define ENTRIES_LIMIT 776
/* One hour; a longer pause is no load. */
#define DELAY_LIMIT_US INT64_C(3600000000)
/* The largest offset of a 64-bit file that leaves room for one operation. */
#define OFFSET_LIMIT (INT64_MAX / 64)

static const struct {
	const char *what;
	int64_t least, most;
} limits[] = {
	[PW_ARG_HANDLE] = { "handle", INT32_MIN, UINT32_MAX },
	[PW_ARG_OFFSET] = { "offset", 0, OFFSET_LIMIT },
	[PW_ARG_SIZE] = { "size", 0, PW_LOAD_SIZE_LIMIT - 1 },
	[PW_ARG_EXPECTED] = { "expected size", 0, PW_LOAD_SIZE_LIMIT - 1 },
	[PW_ARG_OPTIONS] = { "level or option word", 0, UINT32_MAX },
	[PW_ARG_DISPOSITION] = { "disposition or count", 0, UINT32_MAX },
	[PW_ARG_ENTRIES] = { "number of entries", 0, ENTRIES_LIMIT },
	[PW_ARG_DELAY] = { "delay in us", 0, DELAY_LIMIT_US },
};

int pw_argument_check_name(const char *name, struct pw_err *err)
{
	if (name[0] != '/')
		return pw_fail(err, PW_EINVAL,
			       "the name '%.80s' must begin with \\ (or /) and stand in quotes",
			       name);
	if (strlen(name) > PW_NAME_LIMIT)
		return pw_fail(err, PW_EINVAL, "a name is longer than %d bytes", PW_NAME_LIMIT);
	for (const char *part = name; part; part = strchr(part, '/')) {
		part++;
		if (part[0] == '.' && part[1] == '.' && (part[2] == '/' || part[2] == '\0'))
			return pw_fail(err, PW_EINVAL, "the name '%.80s' leaves the work directory",
				       name);
	}
	return 0;
}

int pw_argument_number(enum pw_arg kind, const char *word, int64_t *ret, struct pw_err *err)
{
	int64_t value;

	if (!pw_number_parse(word, &value))
		return pw_fail(err, PW_EINVAL, "'%.80s' is no number (%s)", word,
			       limits[kind].what);
	if (value < limits[kind].least || value > limits[kind].most)
		return pw_fail(err, PW_EINVAL, "%s %" PRId64 " is outside %" PRId64 " to %" PRId64,
			       limits[kind].what, value, limits[kind].least, limits[kind].most);
	*ret = value;
	return 0;
}

void pw_argument_store(struct pw_op *op, enum pw_arg kind, int64_t value)
{
	switch (kind) {
	case PW_ARG_OFFSET:
	case PW_ARG_DELAY:
		op->offset = value;
		break;
	case PW_ARG_SIZE:
		op->size = (uint32_t)value;
		break;
	case PW_ARG_EXPECTED:
	case PW_ARG_ENTRIES:
		op->expected = (uint32_t)value;
		break;
	case PW_ARG_OPTIONS:
		op->options = (uint32_t)value;
		break;
	case PW_ARG_DISPOSITION:
		op->disposition = (uint32_t)value;
		break;
	default:
		break;
	}
}
