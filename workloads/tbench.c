/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tbench: the network side of a file server load over loopback. Every client sends the requests of
 * the load file to a server process of its own on 127.0.0.1 and waits for each reply: it measures
 * the scheduler, TCP and wake-ups, not files.
 */
#include "lib/plugin/workload.h"
#include "workloads/engine/body.h"
#include "workloads/engine/outcome.h"
#include "workloads/engine/probe.h"
#include "workloads/engine/replay.h"

static const struct pw_metric_desc metrics[] = {
	{ .name = "throughput",
	  .unit = "MB/s",
	  .title = "throughput",
	  .better = PW_BETTER_HIGHER,
	  .mean = PW_MEAN_HARMONIC,
	  .flags = PW_METRIC_PRIMARY },
	{ .name = "rate", .unit = "ops/s", .title = "operation rate", .better = PW_BETTER_HIGHER },
	{ .name = "latency-p50",
	  .unit = "ms",
	  .title = "median latency",
	  .better = PW_BETTER_LOWER },
	{ .name = "latency-p95", .unit = "ms", .title = "95 % latency", .better = PW_BETTER_LOWER },
	{ .name = "latency-p99", .unit = "ms", .title = "99 % latency", .better = PW_BETTER_LOWER },
	{ .name = "latency-max",
	  .unit = "ms",
	  .title = "longest latency",
	  .better = PW_BETTER_LOWER },
	/* May be 0, where a harmonic mean has no value. */
	{ .name = "fairness",
	  .unit = "ratio",
	  .title = "slowest client to fastest",
	  .better = PW_BETTER_HIGHER,
	  .mean = PW_MEAN_ARITHMETIC },
	{ .name = NULL },
};

static const struct pw_body_kind kind = {
	.name = "tbench",
	.backend = &pw_backend_messages,
	.servers = true,
};

static int run(const struct pw_work *work)
{
	return pw_body_run(&kind, work);
}

static int probe(const struct pw_work *work, struct pw_err *err)
{
	struct pw_replay replay;
	int r;

	if (pw_replay_read(work, &replay, err) < 0)
		return -(int)err->code;
	r = pw_probe_load(&replay, err);
	pw_replay_done(&replay);
	return r < 0 ? r : pw_probe_loopback(err);
}

static int parse(const struct pw_work *work, const struct pw_output *output,
		 struct pw_result *result, struct pw_err *err)
{
	struct pw_outcome outcome;

	(void)work;
	if (pw_outcome_parse(output, &outcome, err) < 0)
		return -(int)err->code;
	pw_outcome_report(&outcome, metrics, result);
	pw_result_work(result, pw_outcome_megabytes(&outcome), "MB");
	return 0;
}

const struct pw_workload pw_workload_tbench = {
	.name = "tbench",
	.summary = "request and reply over loopback TCP, a process per client and per server",
	.title = "tbench (network over loopback)",
	.kind = PW_KIND_FIXED_TIME,
	.options = pw_replay_options,
	.metrics = metrics,
	.sweep = "clients",
	.sweep_title = "number of clients",
	.probe = probe,
	.run = run,
	.parse = parse,
	.duration = pw_replay_duration,
};
