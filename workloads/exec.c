/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec: any command as a workload. What it measures is said by the config: metrics found in its
 * output by pattern or JSON pointer, or, without any, the time it takes (docs/workloads.md).
 */
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/plugin/workload.h"
#include "workloads/exec/extract.h"
#include "workloads/exec/metric.h"
#include "workloads/exec/place.h"
#include "workloads/exec/unit.h"

/* What execvp(3) takes where PATH is not set. */
#define DEFAULT_PATH "/bin:/usr/bin"

static const char *const kinds[] = { "fixed-work", "fixed-time", "fixed-rate", NULL };

static const struct pw_option options[] = {
	{ .name = "command",
	  .type = PW_OPT_ARGV,
	  .flags = PW_OPT_REQUIRED,
	  .help = "program and arguments; {key} stands for a sweep value" },
	{ .name = "kind",
	  .type = PW_OPT_CHOICE,
	  .choices = kinds,
	  .help = "what a run holds equal" },
	{ .name = "metrics", .type = PW_OPT_TREE, .help = "list of metrics; default: elapsed" },
	/* The model expands it (and checks its keys): a run sees one point. */
	{ .name = "sweep", .type = PW_OPT_TREE, .help = "object of key and list of values" },
	{ .name = NULL },
};

static const struct pw_metric_desc elapsed = {
	.name = "elapsed",
	.unit = "s",
	.title = "elapsed time",
	.better = PW_BETTER_LOWER,
	.mean = PW_MEAN_ARITHMETIC,
	.flags = PW_METRIC_PRIMARY,
};

static int check(const struct pw_value *entry, struct pw_err *err)
{
	pw_auto_exec_metrics struct pw_exec_metrics metrics = PW_EXEC_METRICS_INIT;

	return pw_exec_metrics_read(entry, &metrics, err);
}

static int probe(const struct pw_work *work, struct pw_err *err)
{
	const char *path_list = secure_getenv("PATH");

	return pw_exec_find(work, path_list ? path_list : DEFAULT_PATH, err);
}

static int command(const struct pw_work *work, struct pw_strv *argv, struct pw_err *err)
{
	const struct pw_value *list = pw_value_get(work->options, "command");

	if (!list || list->type != PW_VALUE_LIST || list->count == 0)
		return pw_fail_at(err, "/command", 0, "is missing");
	for (size_t i = 0; i < list->count; i++)
		pw_strv_push_own(argv, pw_exec_fill(list->items[i].text, pw_exec_point(work)));
	return 0;
}

static int files(const struct pw_work *work, struct pw_strv *paths, struct pw_err *err)
{
	pw_auto_exec_metrics struct pw_exec_metrics metrics = PW_EXEC_METRICS_INIT;

	if (pw_exec_metrics_read(work->options, &metrics, err) < 0)
		return -(int)err->code;
	for (size_t i = 0; i < metrics.count; i++) {
		pw_auto_free char *path = NULL;

		if (!pw_exec_from_file(metrics.items[i].from))
			continue;
		path = pw_exec_path(work, metrics.items[i].from);
		if (!pw_strv_has(paths, path))
			pw_strv_push(paths, path);
	}
	return 0;
}

static int add_work(const struct pw_exec_metric *metric, const struct pw_output *output,
		    double value, struct pw_result *result, struct pw_err *err)
{
	pw_auto_free char *unit = NULL;
	bool rate;

	if (pw_exec_unit_work(metric->desc.unit, &unit, &rate, err) < 0)
		return -(int)err->code;
	if (rate)
		value *= (double)output->window_ns / (double)PW_NS_PER_S;
	if (!(value > 0))
		return pw_fail(err, PW_EFAILED, "metric '%s': no work was done (%g %s)",
			       metric->desc.name, value, unit);
	pw_result_work(result, value, unit);
	return 0;
}

/* Titles go into the record's detail: the schema's metrics carry none. */
static void add_title(const struct pw_metric_desc *desc, struct pw_result *result)
{
	if (!desc->title)
		return;
	if (result->detail.type != PW_VALUE_OBJECT)
		result->detail = pw_value_object();
	if (!pw_value_get(&result->detail, "titles"))
		pw_value_set(&result->detail, "titles", pw_value_object());
	pw_value_set(pw_value_find(&result->detail, "titles"), desc->name,
		     pw_value_text(desc->title));
}

static int parse(const struct pw_work *work, const struct pw_output *output,
		 struct pw_result *result, struct pw_err *err)
{
	pw_auto_exec_metrics struct pw_exec_metrics metrics = PW_EXEC_METRICS_INIT;

	if (pw_exec_metrics_read(work->options, &metrics, err) < 0)
		return -(int)err->code;
	if (metrics.count == 0)
		pw_result_add(result, &elapsed, (double)output->window_ns / (double)PW_NS_PER_S);
	for (size_t i = 0; i < metrics.count; i++) {
		const struct pw_exec_metric *metric = &metrics.items[i];
		double value;

		if (pw_exec_extract(metric, work, output, &value, err) < 0)
			return -(int)err->code;
		if (metric->work && add_work(metric, output, value, result, err) < 0)
			return -(int)err->code;
		pw_result_add(result, &metric->desc, value);
		add_title(&metric->desc, result);
	}
	return 0;
}

/* Nobody knows how long a foreign command takes. */
static int64_t duration(const struct pw_work *work)
{
	(void)work;
	return 0;
}

const struct pw_workload pw_workload_exec = {
	.name = "exec",
	.summary = "any command, with metrics taken from its output",
	.title = "exec (command of the config)",
	.options = options,
	.check = check,
	.probe = probe,
	.command = command,
	.files = files,
	.parse = parse,
	.duration = duration,
};
