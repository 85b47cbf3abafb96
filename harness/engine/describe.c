/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/describe.h"

#include <string.h>

#include "harness/engine/surroundings.h"
#include "lib/base/clock.h"
#include "lib/base/strbuf.h"
#include "lib/model/record.h"
#include "lib/model/store.h"
#include "lib/platform/storage.h"
#include "lib/platform/sysinfo.h"

static void set_text(struct pw_value *object, const char *key, const char *text)
{
	if (text)
		pw_value_set(object, key, pw_value_text(text));
}

/* A configuration's `set` as it was written. */
static struct pw_value settings_of(const struct pw_configuration *configuration)
{
	struct pw_value set = pw_value_object();

	for (size_t i = 0; i < configuration->setting_count; i++) {
		const struct pw_setting *setting = &configuration->settings[i];

		pw_value_set(&set, setting->knob->name,
			     pw_option_outer(&setting->knob->value, &setting->value));
	}
	return set;
}

/* A combination that cannot be was never asked for one by one: its cells are not declared. */
static struct pw_value configs_of(const struct pw_prepared *prepared)
{
	bool from_matrix = pw_value_get(&prepared->config->tree, "matrix") != NULL;
	struct pw_value list = pw_value_list();

	for (size_t i = 0; i < prepared->config->config_count; i++) {
		const struct pw_configuration *configuration = &prepared->config->configs[i];
		struct pw_value item;

		if (!pw_prepared_wants_config(prepared, i))
			continue;
		item = pw_value_object();
		pw_value_set(&item, "name", pw_value_text(configuration->name));
		pw_value_set(&item, "set", settings_of(configuration));
		if (prepared->contents[i].count)
			pw_value_set(&item, "contents",
				     pw_contents_describe(&prepared->contents[i]));
		set_text(&item, from_matrix ? "impossible" : "skipped", prepared->config_reason[i]);
		pw_value_push(&list, item);
	}
	return list;
}

static struct pw_value points_of(const struct pw_prepared *prepared, size_t index)
{
	const struct pw_entry *entry = &prepared->config->entries[index];
	struct pw_value points = pw_value_list();

	for (size_t i = 0; i < entry->point_count; i++) {
		if (pw_prepared_wants_point(prepared, index, i))
			pw_value_push(&points, pw_value_copy(&entry->points[i].value));
	}
	return points;
}

/* What varies: the workload's own sweep, or the keys of an object of sweeps. */
static void set_sweep(struct pw_value *item, const struct pw_entry *entry)
{
	pw_auto_strbuf struct pw_strbuf keys = PW_STRBUF_INIT;
	const struct pw_value *point = &entry->points[0].value;

	for (size_t i = 0; i < point->count; i++)
		pw_strbuf_printf(&keys, "%s%s", i ? ", " : "", point->keys[i]);
	if (keys.length) {
		set_text(item, "sweep", pw_strbuf_text(&keys));
		set_text(item, "sweep_title",
			 entry->workload->sweep ? entry->workload->sweep_title
						: pw_strbuf_text(&keys));
	}
}

static struct pw_value cell_of(const struct pw_prepared *prepared, size_t index)
{
	const struct pw_entry *entry = &prepared->config->entries[index];
	struct pw_value item = pw_value_object();

	set_text(&item, "workload", entry->workload->name);
	set_text(&item, "name", entry->name);
	pw_value_set(&item, "named", pw_value_bool(entry->named));
	set_text(&item, "title", entry->workload->title);
	set_sweep(&item, entry);
	if (entry->kind != PW_KIND_UNSET)
		set_text(&item, "kind", pw_kind_text(entry->kind));
	pw_value_set(&item, "idle", pw_value_bool(entry->workload->flags & PW_WORKLOAD_IDLE));
	pw_value_set(&item, "points", points_of(prepared, index));
	set_text(&item, "skipped", prepared->entry_reason[index]);
	return item;
}

static struct pw_value plan_of(const struct pw_prepared *prepared)
{
	const struct pw_config *config = prepared->config;
	struct pw_value plan = pw_value_object(), cells = pw_value_list();

	for (size_t i = 0; i < config->entry_count; i++) {
		struct pw_value cell = cell_of(prepared, i);

		if (pw_value_get(&cell, "points")->count)
			pw_value_push(&cells, cell);
		else
			pw_value_done(&cell);
	}
	pw_value_set(&plan, "blocks", pw_value_int(config->repeat.blocks));
	pw_value_set(&plan, "configs", configs_of(prepared));
	pw_value_set(&plan, "cells", cells);
	return plan;
}

static struct pw_value analysis_of(const struct pw_config *config)
{
	struct pw_value analysis = pw_value_object();

	pw_value_set(&analysis, "margin", pw_value_real(config->analysis.margin));
	pw_value_set(&analysis, "energy-margin", pw_value_real(config->analysis.energy_margin));
	pw_value_set(&analysis, "alpha", pw_value_real(config->analysis.alpha));
	set_text(&analysis, "variance", config->analysis.variance);
	return analysis;
}

static struct pw_value object_of(const char *key, struct pw_value value)
{
	struct pw_value object = pw_value_object();

	pw_value_set(&object, key, value);
	return object;
}

/* The levels are moved here from the host: they belong to the chart of the machine. */
static struct pw_value machine_of(const struct pw_config *config, struct pw_value *host)
{
	const struct pw_value *turbo = pw_value_get(host, "turbo");
	struct pw_value machine = pw_value_object();

	set_text(&machine, "label", config->label);
	set_text(&machine, "about", config->about);
	if (turbo)
		pw_value_set(&machine, "turbo", pw_value_copy(turbo));
	pw_value_unset(host, "turbo");
	return machine;
}

/* The config's baseline, or, where --only leaves that out, the first configuration that is left. */
static const char *baseline_of(const struct pw_prepared *prepared)
{
	const struct pw_config *config = prepared->config;
	size_t index = config->baseline;

	for (size_t i = 0; i < config->config_count && !pw_prepared_wants_config(prepared, index);
	     i++)
		index = i;
	return config->configs[index].name;
}

/* What was asked for beside the config: --resume goes on with it. */
static struct pw_value request_of(const struct pw_prepared *prepared)
{
	struct pw_value request = pw_value_object(), only = pw_value_list();

	for (size_t i = 0; prepared->only && i < prepared->only->count; i++)
		pw_value_push(&only, pw_value_text(prepared->only->items[i]));
	pw_value_set(&request, "only", only);
	set_text(&request, "user", prepared->user);
	return request;
}

struct pw_value pw_session_describe(const struct pw_prepared *prepared, uint64_t seed,
				    const char *id, const char *results)
{
	const struct pw_config *config = prepared->config;
	struct pw_value session = pw_value_object(), host = pw_value_object();
	struct pw_value settings = pw_value_object(), machine, storage, work;
	char start[PW_UTC_SIZE];

	pw_utc_text(pw_clock_realtime(), start);
	pw_sysinfo(&prepared->root, &host);
	pw_storage(&prepared->root, results, &storage);
	if (storage.type != PW_VALUE_UNSET)
		pw_value_set(&host, "storage", storage);
	pw_storage(&prepared->root, PW_WORK_PARENT, &work);
	if (work.type != PW_VALUE_UNSET)
		pw_value_set(&host, "work_storage", work);
	machine = machine_of(config, &host);
	pw_settings_describe(&prepared->settings, &settings);
	pw_value_set(&session, "schema", pw_value_int(PW_SCHEMA));
	set_text(&session, "type", "session");
	set_text(&session, "id", id);
	set_text(&session, "name", config->name);
	set_text(&session, "start", start);
	pw_value_set(&session, "perfwatt", object_of("version", pw_value_text(PW_VERSION)));
	set_text(&session, "kernel", pw_value_get_text(&host, "kernel", NULL));
	pw_value_set(&session, "host", host);
	pw_value_set(&session, "machine", machine);
	pw_value_set(&session, "settings", settings);
	set_text(&session, "baseline", baseline_of(prepared));
	pw_value_set(&session, "seed", pw_value_int((int64_t)seed));
	pw_value_set(&session, "analysis", analysis_of(config));
	pw_value_set(&session, "energy", object_of("scope", pw_value_text(config->scope)));
	pw_value_set(&session, "repeat", object_of("blocks", pw_value_int(config->repeat.blocks)));
	pw_value_set(&session, "request", request_of(prepared));
	pw_value_set(&session, "plan", plan_of(prepared));
	pw_value_set(&session, "config", pw_value_copy(&config->tree));
	set_text(&session, "config_file", config->file);
	set_text(&session, "config_directory", config->directory);
	set_text(&session, "config_text", config->text);
	return session;
}

/* Of the configuration of that name, as far as it is still in the plan. */
static void recall_config(struct pw_prepared *prepared, const struct pw_value *item)
{
	const char *name = pw_value_get_text(item, "name", "");
	const struct pw_value *contents = pw_value_get(item, "contents");

	for (size_t i = 0; contents && i < prepared->config->config_count; i++) {
		if (strcmp(prepared->config->configs[i].name, name) != 0)
			continue;
		pw_contents_done(&prepared->contents[i]);
		pw_contents_recorded(contents, &prepared->contents[i]);
	}
}

int pw_session_recall(struct pw_prepared *prepared, const char *results, struct pw_err *err)
{
	pw_auto_value struct pw_value session = PW_VALUE_INIT;
	const struct pw_value *plan, *configs;

	if (pw_store_read_session(results, &session, err) < 0)
		return -(int)err->code;
	plan = pw_value_get(&session, "plan");
	configs = plan ? pw_value_get(plan, "configs") : NULL;
	for (size_t i = 0; configs && configs->type == PW_VALUE_LIST && i < configs->count; i++)
		recall_config(prepared, &configs->items[i]);
	return 0;
}
