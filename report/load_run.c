/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One record to one pw_run. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "report/results.h"

void pw_run_done(struct pw_run *run)
{
	free(run->reason);
	free(run->flavour);
	free(run->metric);
	free(run->unit);
	free(run->energy_id);
	free(run->energy_source);
	free(run->energy_scope);
	free(run->energy_counted);
	free(run->energy_why);
	free(run->work_unit);
	free(run->limited_by);
}

static char *text_or_null(const struct pw_value *object, const char *key)
{
	const char *text = pw_value_get_text(object, key, NULL);

	return text && *text ? pw_strdup(text) : NULL;
}

static const struct pw_value *primary_metric(const struct pw_value *record)
{
	const struct pw_value *metrics = pw_value_get(record, "metrics");

	if (!metrics || metrics->type != PW_VALUE_LIST)
		return NULL;
	for (size_t i = 0; i < metrics->count; i++) {
		if (pw_value_get_bool(&metrics->items[i], "primary", false))
			return &metrics->items[i];
	}
	return NULL;
}

/* A run without a usable number is a failed run, whatever its status says; never clamped. */
static void fail(struct pw_run *run, char *reason)
{
	run->status = PW_STATUS_FAILED;
	free(run->reason);
	run->reason = reason;
}

static void take_metric(struct pw_run *run, const struct pw_value *record)
{
	const struct pw_value *metric = primary_metric(record);

	if (!metric) {
		fail(run, pw_strdup("no primary metric"));
		return;
	}
	run->metric = pw_strdup(pw_value_get_text(metric, "name", ""));
	run->unit = pw_strdup(pw_value_get_text(metric, "unit", ""));
	run->better = pw_better_parse(pw_value_get_text(metric, "better", ""));
	run->mean = pw_mean_parse(pw_value_get_text(metric, "mean", ""));
	run->value = pw_value_get_real(metric, "value", (double)NAN);
	if (run->mean == PW_MEAN_UNSET)
		run->mean = pw_mean_default(run->better);
	if (run->better == PW_BETTER_UNSET)
		fail(run, pw_sprintf("%s: its direction is not recorded", run->metric));
	else if (!isfinite(run->value))
		fail(run, pw_sprintf("%s: no number", run->metric));
	else if (!(run->value > 0))
		fail(run, pw_sprintf("%s is %g: not above zero", run->metric, run->value));
}

static void take_window(struct pw_run *run, const struct pw_value *record)
{
	const struct pw_value *window = pw_value_get(record, "window");
	const char *kind = pw_value_get_text(window, "kind", "");
	int64_t ns = pw_value_get_int(record, "elapsed_ns", 0);

	run->timed_window = strcmp(kind, "timed") == 0;
	run->whole_window = strcmp(kind, "whole") == 0;
	if (pw_value_get(window, "start_ns") && pw_value_get(window, "end_ns")) {
		int64_t start = pw_value_get_int(window, "start_ns", 0);
		int64_t end = pw_value_get_int(window, "end_ns", 0);

		if (__builtin_sub_overflow(end, start, &ns))
			ns = 0;
	}
	run->window_s = ns > 0 ? (double)ns / (double)PW_NS_PER_S : 0;
}

static char *energy_why(const struct pw_value *record)
{
	const struct pw_value *list = pw_value_get(record, "unavailable");

	if (!list || list->type != PW_VALUE_LIST)
		return NULL;
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(pw_value_get_text(&list->items[i], "what", ""), "energy") == 0)
			return text_or_null(&list->items[i], "why");
	}
	return NULL;
}

static void take_energy(struct pw_run *run, const struct pw_value *record)
{
	const struct pw_value *energy = pw_value_get(record, "energy");
	double uj = pw_value_get_real(energy, "total_uj", 0);
	pw_auto_strv struct pw_strv counted = PW_STRV_INIT;

	run->energy_why = energy_why(record);
	if (!energy || energy->type != PW_VALUE_OBJECT)
		return;
	if (!isfinite(uj) || !(uj > 0)) {
		free(run->energy_why);
		run->energy_why = pw_strdup("the energy recorded is not above zero");
		return;
	}
	pw_value_get_strv(energy, "counted", &counted);
	pw_strv_sort_natural(&counted);
	run->energy_j = uj / 1e6;
	run->energy_source = pw_strdup(pw_value_get_text(energy, "source", "?"));
	run->energy_scope = pw_strdup(pw_value_get_text(energy, "scope", "?"));
	run->energy_counted = pw_strv_join(&counted, " ");
	run->energy_id = pw_sprintf("%s, %s: %s", run->energy_source, run->energy_scope,
				    run->energy_counted);
}

/* The idle measurement may hold its energy only: watts are then made of it. */
static bool idle_power(struct pw_run *run, const struct pw_value *record)
{
	if (run->entry != PW_NONE || primary_metric(record) || !(run->energy_j > 0) ||
	    !(run->window_s > 0))
		return false;
	run->metric = pw_strdup("power");
	run->unit = pw_strdup("W");
	run->better = PW_BETTER_LOWER;
	run->mean = PW_MEAN_ARITHMETIC;
	run->value = run->energy_j / run->window_s;
	return true;
}

static void take_work(struct pw_run *run, const struct pw_value *record)
{
	const struct pw_value *work = pw_value_get(record, "work");
	double value = pw_value_get_real(work, "value", 0);

	if (!isfinite(value) || !(value > 0))
		return;
	run->work = value;
	run->work_unit = pw_strdup(pw_value_get_text(work, "unit", ""));
}

/* How long, of the window, it was held below what was asked for; which clock of it: the source. */
static void take_limit(struct pw_run *run, const struct pw_value *record)
{
	const struct pw_value *limited = pw_value_get(record, "limited");
	double pct = pw_value_get_real(limited, "thermal_pct", 0);

	if (!(pct > 0) && pw_value_get_int(limited, "events", 0) == 0)
		return;
	run->limited_pct = isfinite(pct) && pct > 0 ? pct : 0;
	run->limited_by = text_or_null(limited, "source");
}

static size_t find_boot(struct pw_results *results, const struct pw_value *record)
{
	const char *boot = pw_value_get_text(record, "boot", "");

	if (!*boot)
		return PW_NONE;
	for (size_t i = results->boots.count; i > 0; i--) {
		if (strcmp(results->boots.items[i - 1], boot) == 0)
			return i - 1;
	}
	pw_strv_push(&results->boots, boot);
	return results->boots.count - 1;
}

static void take_status(struct pw_run *run, const struct pw_value *record)
{
	const char *status = pw_value_get_text(record, "status", "");

	run->status = pw_status_parse(status);
	run->reason = text_or_null(record, "reason");
	if (run->status == PW_STATUS_UNSET)
		fail(run, pw_sprintf("unknown status '%s'", status));
	else if (run->status != PW_STATUS_OK && !run->reason)
		run->reason = pw_strdup("no reason recorded");
}

static size_t find_config(const struct pw_results *results, const char *name)
{
	for (size_t i = 0; i < results->config_count; i++) {
		if (strcmp(results->configs[i].name, name) == 0)
			return i;
	}
	return PW_NONE;
}

/* By label; records of old folders hold the label under "workload" and no "name". */
static size_t find_entry(const struct pw_results *results, const struct pw_value *record)
{
	const char *workload = pw_value_get_text(record, "workload", "");
	const char *label = pw_value_get_text(record, "name", workload);

	for (size_t i = 0; i < results->entry_count; i++) {
		if (strcmp(results->entries[i].name, label) == 0)
			return i;
	}
	return PW_NONE;
}

static size_t find_point(struct pw_results *results, struct pw_res_entry *entry,
			 const struct pw_value *record)
{
	const struct pw_value *point = pw_value_get(record, "point");
	pw_auto_free char *text = pw_res_point_text(point);

	for (size_t i = 0; i < entry->point_count; i++) {
		if (strcmp(entry->points[i].text, text) == 0)
			return i;
	}
	/* A derived plan does not know sweeps written in words; the records do. */
	return results->derived ? pw_res_point_add(entry, point) : PW_NONE;
}

/* false: not of the plan. */
static bool place(struct pw_results *results, const struct pw_value *record, struct pw_run *run)
{
	int64_t block = pw_value_get_int(record, "block", -1);

	run->config = find_config(results, pw_value_get_text(record, "config", ""));
	if (run->config == PW_NONE || block < 0 || block > UINT32_MAX)
		return false;
	run->block = (unsigned)block;
	run->entry = PW_NONE;
	run->point = PW_NONE;
	if (block == 0)
		return strcmp(pw_value_get_text(record, "workload", ""), "idle") == 0;
	run->entry = find_entry(results, record);
	if (run->entry == PW_NONE)
		return false;
	run->point = find_point(results, &results->entries[run->entry], record);
	return run->point != PW_NONE;
}

void pw_results_add(struct pw_results *results, const struct pw_value *record)
{
	struct pw_run run = { 0 };

	results->records++;
	if (strcmp(pw_value_get_text(record, "type", "run"), "run") != 0 ||
	    !place(results, record, &run)) {
		results->unplanned++;
		return;
	}
	take_status(&run, record);
	take_window(&run, record);
	take_energy(&run, record);
	take_work(&run, record);
	take_limit(&run, record);
	run.identity = pw_identity_add(&results->identities, pw_value_get(record, "identity"));
	run.boot = find_boot(results, record);
	if (run.status == PW_STATUS_OK && !idle_power(&run, record))
		take_metric(&run, record);
	run.flavour = text_or_null(record, "flavour");
	run.kind = pw_kind_parse(pw_value_get_text(record, "kind", ""));
	if (run.kind == PW_KIND_UNSET && run.entry != PW_NONE)
		run.kind = results->entries[run.entry].kind;
	PW_PUSH(results->runs, results->run_count, results->run_capacity, run);
}
