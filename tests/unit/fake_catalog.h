/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small catalog for tests of the config: a few workloads, knobs and collectors of every option
 * type, with no behaviour. It stands for the real plug-ins, which lib/model never sees.
 */
#ifndef PW_TEST_FAKE_CATALOG_H
#define PW_TEST_FAKE_CATALOG_H

#include <string.h>

#include "lib/plugin/catalog.h"

static const char *const fake_kinds[] = { "fixed-work", "fixed-time", "fixed-rate", NULL };
static const char *const fake_flavours[] = { "synthetic", "linux", NULL };
static const char *const fake_modes[] = { "active", "passive", "off", NULL };

static const struct pw_option fake_tbench_options[] = {
	{ .name = "clients", .type = PW_OPT_SWEEP, .help = "clients", .otherwise = "1..4x" },
	{ .name = "time",
	  .type = PW_OPT_TIME,
	  .help = "window",
	  .otherwise = "60s",
	  .max = 1LL << 52 },
	{ .name = NULL },
};

static const struct pw_option fake_kernbench_options[] = {
	{ .name = "jobs", .type = PW_OPT_SWEEP, .help = "jobs", .max = 4096 },
	{ .name = "flavour",
	  .type = PW_OPT_CHOICE,
	  .help = "what is built",
	  .otherwise = "synthetic",
	  .choices = fake_flavours },
	{ .name = NULL },
};

static const struct pw_option fake_exec_options[] = {
	{ .name = "command", .type = PW_OPT_ARGV, .help = "what runs", .flags = PW_OPT_REQUIRED },
	{ .name = "kind",
	  .type = PW_OPT_CHOICE,
	  .help = "kind of run",
	  .otherwise = "fixed-work",
	  .choices = fake_kinds },
	{ .name = "metrics", .type = PW_OPT_TREE, .help = "what is read from the output" },
	{ .name = "sweep", .type = PW_OPT_TREE, .help = "what varies" },
	{ .name = NULL },
};

static const struct pw_option fake_plain_options[] = { { .name = NULL } };

static const struct pw_option fake_meter_options[] = {
	{ .name = "rate",
	  .type = PW_OPT_INT,
	  .help = "reads a second",
	  .otherwise = "2",
	  .max = 50 },
	{ .name = NULL },
};

static inline int fake_exec_check(const struct pw_value *options, struct pw_err *err)
{
	const struct pw_value *metrics = pw_value_get(options, "metrics");

	if (metrics && metrics->type != PW_VALUE_LIST)
		return pw_fail_at(err, "/metrics", 0, "wants a list");
	for (size_t i = 0; metrics && i < metrics->count; i++) {
		if (!pw_value_get(&metrics->items[i], "name")) {
			(void)pw_fail_at(err, "", 0, "needs \"name\"");
			return pw_err_below(err, "/metrics/%zu", i);
		}
	}
	return 0;
}

static const struct pw_workload fake_tbench = { .name = "tbench",
						.kind = PW_KIND_FIXED_TIME,
						.options = fake_tbench_options,
						.sweep = "clients" };
static const struct pw_workload fake_kernbench = { .name = "kernbench",
						   .kind = PW_KIND_FIXED_WORK,
						   .options = fake_kernbench_options,
						   .sweep = "jobs" };
static const struct pw_workload fake_exec = { .name = "exec",
					      .options = fake_exec_options,
					      .check = fake_exec_check };
static const struct pw_workload fake_idle = { .name = "idle",
					      .kind = PW_KIND_FIXED_TIME,
					      .flags = PW_WORKLOAD_IDLE,
					      .options = fake_plain_options };

#define FAKE_KNOB(symbol, text, at, ...)                                                           \
	static const struct pw_knob symbol = { .name = text,                                       \
					       .order = at,                                        \
					       .value = { .name = text, __VA_ARGS__ } }

FAKE_KNOB(fake_governor, "governor", PW_ORDER_GOVERNOR, .type = PW_OPT_TEXT);
FAKE_KNOB(fake_driver_mode, "driver-mode", PW_ORDER_DRIVER, .type = PW_OPT_CHOICE,
	  .choices = fake_modes);
FAKE_KNOB(fake_boost, "boost", PW_ORDER_BOOST, .type = PW_OPT_SWITCH);
FAKE_KNOB(fake_epp, "epp", PW_ORDER_EPP, .type = PW_OPT_TREE);
FAKE_KNOB(fake_min_freq, "min-freq", PW_ORDER_LIMITS, .type = PW_OPT_FREQ);
FAKE_KNOB(fake_max_freq, "max-freq", PW_ORDER_LIMITS, .type = PW_OPT_FREQ);
FAKE_KNOB(fake_max_perf, "max-perf-pct", PW_ORDER_LIMITS, .type = PW_OPT_INT, .min = 1, .max = 100);

static const struct pw_collector fake_energy = { .name = "energy-perf", .section = "energy" };
static const struct pw_collector fake_meter = { .name = "meter",
						.section = "energy",
						.options = fake_meter_options };

static const struct pw_workload *const fake_workloads[] = { &fake_exec, &fake_idle, &fake_kernbench,
							    &fake_tbench, NULL };
static const struct pw_knob *const fake_knobs[] = { &fake_boost,    &fake_driver_mode,
						    &fake_epp,	    &fake_governor,
						    &fake_max_freq, &fake_max_perf,
						    &fake_min_freq, NULL };
static const struct pw_collector *const fake_collectors[] = { &fake_energy, &fake_meter, NULL };

static const struct pw_catalog fake_catalog = { .workloads = fake_workloads,
						.collectors = fake_collectors,
						.knobs = fake_knobs };

#endif
