/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/exec/metric.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/text.h"
#include "lib/plugin/option.h"
#include "workloads/exec/pattern.h"
#include "workloads/exec/pointer.h"
#include "workloads/exec/unit.h"

static const char *const betters[] = { "higher", "lower", NULL };
static const char *const means[] = { "harmonic", "arithmetic", "geometric", NULL };
static const char *const picks[] = { "last", "first", "mean", "sum", NULL }; /* as the enum */

static const struct pw_option keys[] = {
	{ .name = "name",
	  .type = PW_OPT_TEXT,
	  .flags = PW_OPT_REQUIRED,
	  .help = "lower case letters, digits, dashes" },
	{ .name = "unit", .type = PW_OPT_TEXT, .flags = PW_OPT_REQUIRED, .help = "unit, as MB/s" },
	{ .name = "better",
	  .type = PW_OPT_CHOICE,
	  .choices = betters,
	  .flags = PW_OPT_REQUIRED,
	  .help = "higher or lower" },
	{ .name = "mean", .type = PW_OPT_CHOICE, .choices = means, .help = "kind of mean" },
	{ .name = "title", .type = PW_OPT_TEXT, .help = "for people" },
	{ .name = "regex", .type = PW_OPT_TEXT, .help = "PCRE2 pattern with a group" },
	{ .name = "pointer", .type = PW_OPT_TEXT, .help = "JSON pointer" },
	{ .name = "pick", .type = PW_OPT_CHOICE, .choices = picks, .help = "which match" },
	{ .name = "from",
	  .type = PW_OPT_TEXT,
	  .otherwise = "stdout",
	  .help = "stdout, stderr or a file" },
	{ .name = "work", .type = PW_OPT_SWITCH, .help = "its value is the work" },
	{ .name = "primary", .type = PW_OPT_SWITCH, .help = "the workload's one number" },
	{ .name = NULL },
};

void pw_exec_metrics_done(struct pw_exec_metrics *metrics)
{
	free(metrics->items);
	pw_value_done(&metrics->tree);
	*metrics = PW_EXEC_METRICS_INIT;
}

bool pw_exec_from_file(const char *from)
{
	return strcmp(from, "stdout") != 0 && strcmp(from, "stderr") != 0;
}

static int check_name(const char *name, struct pw_err *err)
{
	size_t length = strlen(name);

	if (length == 0 || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != length)
		return pw_fail_at(err, "/name", 0,
				  "'%.80s': only lower case letters, digits and dashes", name);
	/* The report computes a metric of this name from the primary one. */
	if (strcmp(name, "performance-per-watt") == 0)
		return pw_fail_at(err, "/name", 0, "'%s' is computed, never measured", name);
	return 0;
}

static int check_shown(const char *text, const char *where, struct pw_err *err)
{
	if (text[0] == '\0')
		return pw_fail_at(err, where, 0, "is empty");
	if (!pw_text_printable(text))
		return pw_fail_at(err, where, 0, "holds characters that cannot be shown");
	return 0;
}

/* Takes an error of ours as one at a place of the metric. */
static int fail_place(struct pw_err *err, const char *where)
{
	(void)snprintf(err->where, sizeof(err->where), "%s", where);
	return -(int)err->code;
}

static int check_regex(const struct pw_exec_metric *metric, struct pw_err *err)
{
	struct pw_exec_pattern *pattern = NULL;
	bool utf = pw_utf8_valid(metric->regex, strlen(metric->regex));

	if (pw_exec_pattern_new(metric->regex, utf, &pattern, err) < 0)
		return fail_place(err, "/regex");
	pw_exec_pattern_free(pattern);
	return 0;
}

static int check_source(const struct pw_exec_metric *metric, const struct pw_value *given,
			struct pw_err *err)
{
	if (metric->regex && metric->pointer)
		return pw_fail_at(err, "/pointer", 1, "either a regex or a pointer, not both");
	if (!metric->regex && !metric->pointer)
		return pw_fail_at(err, "", 0,
				  "needs \"regex\" or \"pointer\": where is the number?");
	if (metric->regex)
		return check_regex(metric, err);
	if (pw_value_get(given, "pick"))
		return pw_fail_at(err, "/pick", 1, "goes with a regex: a pointer names one value");
	if (pw_exec_pointer_check(metric->pointer, err) < 0)
		return fail_place(err, "/pointer");
	return 0;
}

static int check_work(const struct pw_exec_metric *metric, struct pw_err *err)
{
	pw_auto_free char *unit = NULL;
	bool rate;

	if (!metric->work)
		return 0;
	if (pw_exec_unit_work(metric->desc.unit, &unit, &rate, err) < 0)
		return fail_place(err, "/unit");
	return 0;
}

static enum pw_exec_pick pick_of(const char *text)
{
	for (size_t i = 0; picks[i]; i++) {
		if (strcmp(picks[i], text) == 0)
			return (enum pw_exec_pick)(i + 1);
	}
	return PW_EXEC_PICK_UNSET;
}

/* One metric; the tree's item is checked and filled in place. */
static int read_metric(struct pw_value *item, struct pw_exec_metric *ret, struct pw_err *err)
{
	struct pw_exec_metric metric = { 0 };
	const char *mean;

	if (item->type != PW_VALUE_OBJECT)
		return pw_fail_at(err, "", 0, "wants an object {\"name\", \"unit\", ...}, not %s",
				  pw_value_type_name(item->type));
	if (pw_options_check(keys, NULL, NULL, item, err) < 0)
		return -(int)err->code;
	metric.desc.name = pw_value_get_text(item, "name", "");
	metric.desc.unit = pw_value_get_text(item, "unit", "");
	metric.desc.title = pw_value_get_text(item, "title", NULL);
	metric.desc.better = pw_better_parse(pw_value_get_text(item, "better", ""));
	mean = pw_value_get_text(item, "mean", NULL);
	metric.desc.mean = mean ? pw_mean_parse(mean) : pw_mean_default(metric.desc.better);
	metric.desc.flags = pw_value_get_bool(item, "primary", false) ? PW_METRIC_PRIMARY : 0;
	metric.regex = pw_value_get_text(item, "regex", NULL);
	metric.pointer = pw_value_get_text(item, "pointer", NULL);
	metric.from = pw_value_get_text(item, "from", "stdout");
	metric.pick = pick_of(pw_value_get_text(item, "pick", "last"));
	metric.work = pw_value_get_bool(item, "work", false);
	if (check_name(metric.desc.name, err) < 0 ||
	    check_shown(metric.desc.unit, "/unit", err) < 0 ||
	    check_shown(metric.from, "/from", err) < 0 ||
	    (metric.desc.title && check_shown(metric.desc.title, "/title", err) < 0) ||
	    check_source(&metric, item, err) < 0 || check_work(&metric, err) < 0)
		return -(int)err->code;
	*ret = metric;
	return 0;
}

/* What a further metric may not share with those before it. */
static int check_among(const struct pw_exec_metrics *before, const struct pw_exec_metric *metric,
		       struct pw_err *err)
{
	for (size_t i = 0; i < before->count; i++) {
		const struct pw_exec_metric *other = &before->items[i];

		if (strcmp(other->desc.name, metric->desc.name) == 0)
			return pw_fail_at(err, "/name", 0, "metric '%s' stands twice",
					  metric->desc.name);
		if (other->desc.flags & metric->desc.flags & PW_METRIC_PRIMARY)
			return pw_fail_at(err, "/primary", 1, "'%s' is the primary metric already",
					  other->desc.name);
		if (other->work && metric->work)
			return pw_fail_at(err, "/work", 1, "'%s' is the work already",
					  other->desc.name);
	}
	return 0;
}

/* The first is primary unless one says so; "performance" means the primary metric everywhere. */
static int settle_primary(struct pw_exec_metrics *metrics, struct pw_err *err)
{
	bool chosen = false;

	for (size_t i = 0; i < metrics->count; i++)
		chosen = chosen || (metrics->items[i].desc.flags & PW_METRIC_PRIMARY);
	if (!chosen)
		metrics->items[0].desc.flags |= PW_METRIC_PRIMARY;
	for (size_t i = 0; i < metrics->count; i++) {
		const struct pw_metric_desc *desc = &metrics->items[i].desc;

		if (strcmp(desc->name, "performance") != 0 || (desc->flags & PW_METRIC_PRIMARY))
			continue;
		(void)pw_fail_at(err, "/name", 0,
				 "'performance' stands for the primary metric, which this is not");
		return pw_err_below(err, "/metrics/%zu", i);
	}
	return 0;
}

static int read_list(struct pw_exec_metrics *metrics, struct pw_err *err)
{
	struct pw_value *tree = &metrics->tree;

	if (tree->type != PW_VALUE_LIST)
		return pw_fail_at(err, "/metrics", 0, "wants a list of metrics, not %s",
				  pw_value_type_name(tree->type));
	if (tree->count == 0)
		return pw_fail_at(err, "/metrics", 0,
				  "is empty; leave it out to measure the elapsed time");
	for (size_t i = 0; i < tree->count; i++) {
		struct pw_exec_metric metric;

		if (read_metric(&tree->items[i], &metric, err) < 0 ||
		    check_among(metrics, &metric, err) < 0)
			return pw_err_below(err, "/metrics/%zu", i);
		PW_PUSH(metrics->items, metrics->count, metrics->capacity, metric);
	}
	return settle_primary(metrics, err);
}

int pw_exec_metrics_read(const struct pw_value *options, struct pw_exec_metrics *ret,
			 struct pw_err *err)
{
	const struct pw_value *given = pw_value_get(options, "metrics");
	struct pw_exec_metrics metrics = PW_EXEC_METRICS_INIT;

	if (given) {
		metrics.tree = pw_value_copy(given);
		if (read_list(&metrics, err) < 0) {
			pw_exec_metrics_done(&metrics);
			return -(int)err->code;
		}
	}
	*ret = metrics;
	return 0;
}
