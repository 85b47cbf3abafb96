/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tbench:external: the original tbench and its server as found on PATH, 4.0 or 5.x. */
#include "workloads/external/original.h"

static const struct pw_original original = {
	.name = "tbench:external",
	.program = "tbench",
	.backend = "sockio",
	.server = "tbench_srv",
};

static int probe(const struct pw_work *work, struct pw_err *err)
{
	return pw_original_probe(&original, work, err);
}

static int run(const struct pw_work *work)
{
	return pw_original_run(&original, work);
}

const struct pw_workload pw_workload_tbench_external = {
	.name = "tbench:external",
	.summary = "the original tbench and its server as found on PATH, 4.0 or 5.x",
	.title = "tbench (the original)",
	.kind = PW_KIND_FIXED_TIME,
	.options = pw_original_options,
	.metrics = pw_original_metrics,
	.sweep = "clients",
	.sweep_title = "number of clients",
	.check = pw_original_check,
	.probe = probe,
	.run = run,
	.parse = pw_original_parse,
	.duration = pw_original_duration,
};
