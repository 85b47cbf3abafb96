/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The declared plan of a session: session.json's "plan", or, in folders without one, derived from
 * the config as written.
 */
#include <inttypes.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/model/json.h"
#include "report/results.h"

#define BLOCKS_DEFAULT 5 /* CLI.md: repeat.blocks */
#define BLOCKS_LIMIT   10000

static char *value_text(const struct pw_value *value)
{
	pw_auto_strbuf struct pw_strbuf buffer = PW_STRBUF_INIT;

	if (value->type == PW_VALUE_TEXT)
		return pw_strdup(value->text);
	pw_json_write(value, PW_JSON_COMPACT, &buffer);
	return pw_strbuf_take(&buffer);
}

static char *pair_text(const struct pw_value *object, size_t i)
{
	pw_auto_free char *text = value_text(&object->items[i]);

	return pw_sprintf("%s=%s", object->keys[i], text);
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char *pw_res_point_text(const struct pw_value *point)
{
	pw_auto_strv struct pw_strv pairs = PW_STRV_INIT;

	if (!point || point->type != PW_VALUE_OBJECT || point->count == 0)
		return pw_strdup("");
	for (size_t i = 0; i < point->count; i++)
		pw_strv_push_own(&pairs, pair_text(point, i));
	qsort(pairs.items, pairs.count, sizeof(*pairs.items), compare_text);
	return pw_strv_join(&pairs, ",");
}

static char *shown_text(const struct pw_value *point)
{
	if (!point || point->type != PW_VALUE_OBJECT || point->count == 0)
		return pw_strdup("-");
	return point->count == 1 ? value_text(&point->items[0]) : pw_res_point_text(point);
}

size_t pw_res_point_add(struct pw_res_entry *entry, const struct pw_value *point)
{
	struct pw_res_point added = { .text = pw_res_point_text(point) };

	for (size_t i = 0; i < entry->point_count; i++) {
		if (strcmp(entry->points[i].text, added.text) == 0) {
			free(added.text);
			return i;
		}
	}
	added.shown = shown_text(point);
	PW_PUSH(entry->points, entry->point_count, entry->point_capacity, added);
	return entry->point_count - 1;
}

static char *set_text(const struct pw_value *set)
{
	pw_auto_strv struct pw_strv pairs = PW_STRV_INIT;

	if (!set || set->type != PW_VALUE_OBJECT)
		return pw_strdup("");
	for (size_t i = 0; i < set->count; i++)
		pw_strv_push_own(&pairs, pair_text(set, i));
	return pw_strv_join(&pairs, " ");
}

static char *copy_text(const struct pw_value *object, const char *key)
{
	const char *text = pw_value_get_text(object, key, NULL);

	return text && *text ? pw_strdup(text) : NULL;
}

static int add_config(struct pw_results *results, const struct pw_value *from, struct pw_err *err)
{
	const char *name = pw_value_get_text(from, "name", NULL);
	const char *impossible = pw_value_get_text(from, "impossible", NULL);
	struct pw_res_config config = { 0 };

	if (!name)
		return pw_fail(err, PW_EINVAL, "session.json: a configuration has no name");
	for (size_t i = 0; i < results->config_count; i++) {
		if (strcmp(results->configs[i].name, name) == 0)
			return pw_fail(err, PW_EINVAL,
				       "session.json: two configurations named '%s'", name);
	}
	config.name = pw_strdup(name);
	config.set = set_text(pw_value_get(from, "set"));
	config.impossible = impossible != NULL;
	config.skipped = impossible ? pw_strdup(impossible) : copy_text(from, "skipped");
	PW_PUSH(results->configs, results->config_count, results->config_capacity, config);
	return 0;
}

static int add_configs(struct pw_results *results, const struct pw_value *list, struct pw_err *err)
{
	if (!list || list->type != PW_VALUE_LIST || list->count == 0)
		return pw_fail(err, PW_EINVAL, "session.json lists no configurations");
	for (size_t i = 0; i < list->count; i++) {
		int r = add_config(results, &list->items[i], err);

		if (r < 0)
			return r;
	}
	return 0;
}

/* The texts of an entry that both forms share. */
static int new_entry(const struct pw_results *results, const struct pw_value *from,
		     struct pw_res_entry *ret, struct pw_err *err)
{
	const char *workload = pw_value_get_text(from, "workload", NULL);
	const char *name = pw_value_get_text(from, "name", workload);

	if (!workload)
		return pw_fail(err, PW_EINVAL, "session.json: a workload has no name");
	for (size_t i = 0; i < results->entry_count; i++) {
		if (strcmp(results->entries[i].name, name) == 0)
			return pw_fail(err, PW_EINVAL, "session.json: two workloads named '%s'",
				       name);
	}
	*ret = (struct pw_res_entry){
		.name = pw_strdup(name),
		.workload = pw_strdup(workload),
		.title = pw_strdup(pw_value_get_text(from, "title", name)),
		.skipped = copy_text(from, "skipped"),
		.kind = pw_kind_parse(pw_value_get_text(from, "kind", "")),
		.idle = pw_value_get_bool(from, "idle", strcmp(workload, "idle") == 0),
	};
	return 0;
}

static int add_cell(struct pw_results *results, const struct pw_value *from, struct pw_err *err)
{
	const struct pw_value *points = pw_value_get(from, "points");
	struct pw_res_entry entry;
	int r = new_entry(results, from, &entry, err);

	if (r < 0)
		return r;
	entry.sweep_title = copy_text(from, "sweep_title");
	if (!entry.sweep_title)
		entry.sweep_title = copy_text(from, "sweep");
	if (points && points->type == PW_VALUE_LIST) {
		for (size_t i = 0; i < points->count; i++)
			(void)pw_res_point_add(&entry, &points->items[i]);
	}
	if (entry.point_count == 0)
		(void)pw_res_point_add(&entry, NULL);
	PW_PUSH(results->entries, results->entry_count, results->entry_capacity, entry);
	return 0;
}

static bool number_list(const struct pw_value *value)
{
	if (value->type != PW_VALUE_LIST || value->count == 0)
		return false;
	for (size_t i = 0; i < value->count; i++) {
		if (value->items[i].type != PW_VALUE_INT && value->items[i].type != PW_VALUE_REAL)
			return false;
	}
	return true;
}

/* A list of points and one more axis: their product, earlier axes varying slowest. */
static struct pw_value product(const struct pw_value *points, const char *key,
			       const struct pw_value *axis)
{
	struct pw_value list = pw_value_list();

	for (size_t i = 0; i < points->count; i++) {
		for (size_t j = 0; j < axis->count; j++) {
			struct pw_value point = pw_value_copy(&points->items[i]);

			pw_value_set(&point, key, pw_value_copy(&axis->items[j]));
			pw_value_push(&list, point);
		}
	}
	return list;
}

/* A hostile file must not make millions of points out of a few short lists. */
#define POINTS_LIMIT 4096

static void add_axes(struct pw_value *points, struct pw_strv *keys, const struct pw_value *object)
{
	if (!object || object->type != PW_VALUE_OBJECT)
		return;
	for (size_t i = 0; i < object->count; i++) {
		const struct pw_value *axis = &object->items[i];
		struct pw_value larger;

		if (!number_list(axis) || axis->count > POINTS_LIMIT / points->count)
			continue;
		larger = product(points, object->keys[i], axis);
		pw_value_done(points);
		*points = larger;
		pw_strv_push(keys, object->keys[i]);
	}
}

static int add_workload(struct pw_results *results, const struct pw_value *from, struct pw_err *err)
{
	pw_auto_value struct pw_value points = pw_value_list();
	pw_auto_strv struct pw_strv keys = PW_STRV_INIT;
	struct pw_res_entry entry;
	int r = new_entry(results, from, &entry, err);

	if (r < 0)
		return r;
	pw_value_push(&points, pw_value_object());
	add_axes(&points, &keys, from);
	add_axes(&points, &keys, pw_value_get(from, "sweep"));
	for (size_t i = 0; keys.count && i < points.count; i++)
		(void)pw_res_point_add(&entry, &points.items[i]);
	if (keys.count)
		entry.sweep_title = pw_strv_join(&keys, ", ");
	PW_PUSH(results->entries, results->entry_count, results->entry_capacity, entry);
	return 0;
}

static int each_item(struct pw_results *results, const struct pw_value *list,
		     int (*add)(struct pw_results *results, const struct pw_value *from,
				struct pw_err *err),
		     struct pw_err *err)
{
	for (size_t i = 0; list && list->type == PW_VALUE_LIST && i < list->count; i++) {
		int r = add(results, &list->items[i], err);

		if (r < 0)
			return r;
	}
	return 0;
}

static unsigned block_count(int64_t blocks)
{
	return blocks >= 1 && blocks <= BLOCKS_LIMIT ? (unsigned)blocks : BLOCKS_DEFAULT;
}

static int recorded_plan(struct pw_results *results, const struct pw_value *plan,
			 struct pw_err *err)
{
	int r = add_configs(results, pw_value_get(plan, "configs"), err);

	results->blocks = block_count(pw_value_get_int(plan, "blocks", BLOCKS_DEFAULT));
	return r < 0 ? r : each_item(results, pw_value_get(plan, "cells"), add_cell, err);
}

static int derived_plan(struct pw_results *results, struct pw_err *err)
{
	const struct pw_value *config = pw_value_get(&results->session, "config");
	const struct pw_value *repeat = pw_value_get(config, "repeat");
	int r = add_configs(results, pw_value_get(config, "configs"), err);

	results->derived = true;
	results->blocks = block_count(pw_value_get_int(repeat, "blocks", BLOCKS_DEFAULT));
	return r < 0 ? r : each_item(results, pw_value_get(config, "workloads"), add_workload, err);
}

static int fail_baseline(const struct pw_results *results, const char *name, struct pw_err *err)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;
	pw_auto_free char *joined = NULL;
	const char *nearest;

	for (size_t i = 0; i < results->config_count; i++)
		pw_strv_push(&names, results->configs[i].name);
	nearest = pw_nearest(name, (const char *const *)names.items, names.count);
	if (nearest)
		return pw_fail(err, PW_EINVAL, "no configuration '%s' (did you mean '%s'?)", name,
			       nearest);
	joined = pw_strv_join(&names, "', '");
	return pw_fail(err, PW_EINVAL, "no configuration '%s' (there are '%s')", name, joined);
}

static int find_baseline(struct pw_results *results, const char *wanted, struct pw_err *err)
{
	const char *name = wanted ? wanted : pw_value_get_text(&results->session, "baseline", NULL);

	for (size_t i = 0; i < results->config_count; i++) {
		if (!name || strcmp(results->configs[i].name, name) == 0) {
			results->baseline = i;
			return 0;
		}
	}
	return fail_baseline(results, name ? name : "", err);
}

int pw_results_plan(struct pw_results *results, const char *baseline, struct pw_err *err)
{
	const struct pw_value *plan = pw_value_get(&results->session, "plan");
	int r = plan ? recorded_plan(results, plan, err) : derived_plan(results, err);

	return r < 0 ? r : find_baseline(results, baseline, err);
}

static void entry_done(struct pw_res_entry *entry)
{
	for (size_t i = 0; i < entry->point_count; i++) {
		free(entry->points[i].text);
		free(entry->points[i].shown);
	}
	free(entry->points);
	free(entry->name);
	free(entry->workload);
	free(entry->title);
	free(entry->sweep_title);
	free(entry->skipped);
}

void pw_results_plan_done(struct pw_results *results)
{
	for (size_t i = 0; i < results->config_count; i++) {
		free(results->configs[i].name);
		free(results->configs[i].set);
		free(results->configs[i].skipped);
	}
	for (size_t i = 0; i < results->entry_count; i++)
		entry_done(&results->entries[i]);
	free(results->configs);
	free(results->entries);
}
