/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/plugin/workload.h"

#include <string.h>

static const char *const kind_names[] = { "", "fixed-work", "fixed-time", "fixed-rate" };

const char *pw_kind_text(enum pw_kind kind)
{
	return kind_names[kind];
}

enum pw_kind pw_kind_parse(const char *text)
{
	for (size_t i = 1; i < PW_LENGTH(kind_names); i++) {
		if (strcmp(text, kind_names[i]) == 0)
			return (enum pw_kind)i;
	}
	return PW_KIND_UNSET;
}
