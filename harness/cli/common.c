/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/cli.h"

const struct pw_catalog pw_cli_catalog = {
	.workloads = pw_workloads,
	.collectors = pw_collectors,
	.knobs = pw_knobs,
};

static void emit(void *context, enum pw_log_level level, const char *text)
{
	static const char *const names[] = { "", "error: ", "warning: ", "", "debug: " };

	(void)context;
	fprintf(stderr, "perfwatt: %s%s\n", names[level], text);
}

const struct pw_log pw_cli_log = { .emit = emit };
