/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "workloads": the entries with their options, kinds, labels and points. */
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/model/config_internal.h"

#define DAY (INT64_C(86400) * PW_NS_PER_S)

const char *const pw_entry_keys[] = { "workload", "name", NULL };

const struct pw_option pw_common_options[] = {
	{ .name = "timeout",
	  .type = PW_OPT_TIME,
	  .help = "a run that takes longer is ended and has failed",
	  .min = PW_NS_PER_MS,
	  .max = 30 * DAY },
	{ .name = "directory", .type = PW_OPT_TEXT, .help = "the folder the command starts in" },
	{ .name = "user", .type = PW_OPT_TEXT, .help = "the user the workload runs as" },
	{ .name = "affinity", .type = PW_OPT_TEXT, .help = "the CPUs it may use, such as 0-3,8" },
	{ .name = NULL },
};

static const struct pw_workload *find_workload(const struct pw_catalog *catalog,
					       const struct pw_value *item, struct pw_err *err)
{
	const struct pw_value *word = pw_value_get(item, "workload");
	const struct pw_workload *workload;
	pw_auto_free const char **names = NULL;
	size_t count = 0, capacity = 0;

	if (!word) {
		(void)pw_fail_at(err, "", 0, "needs \"workload\"");
		return NULL;
	}
	if (pw_want_text(word, PW_NAME_LIMIT, err) < 0) {
		(void)pw_err_below(err, "/workload");
		return NULL;
	}
	workload = pw_catalog_workload(catalog, word->text);
	if (workload)
		return workload;
	for (const struct pw_workload *const *w = catalog->workloads; *w; w++)
		PW_PUSH(names, count, capacity, (*w)->name);
	(void)pw_fail_unknown_word(err, "/workload", "workload", word->text, names, count);
	return NULL;
}

static int fail_clash(const struct pw_entry *entry, size_t other, struct pw_err *err)
{
	if (entry->named)
		return pw_fail_at(err, "/name", 0, "\"%s\" is the name of workloads[%zu] too",
				  entry->name, other);
	return pw_fail_at(err, "/workload", 0,
			  "\"%s\" is the name of workloads[%zu] too: give one of them a \"name\"",
			  entry->name, other);
}

static int read_label(const struct pw_config *config, const struct pw_value *item,
		      struct pw_entry *entry, struct pw_err *err)
{
	const struct pw_value *name = pw_value_get(item, "name");

	if (name && pw_want_text(name, PW_NAME_LIMIT, err) < 0)
		return pw_err_below(err, "/name");
	entry->named = name != NULL;
	entry->name = pw_strdup(name ? name->text : entry->workload->name);
	for (size_t i = 0; i + 1 < config->entry_count; i++) {
		if (strcmp(config->entries[i].name, entry->name) == 0)
			return fail_clash(entry, i, err);
	}
	return 0;
}

static int check_affinity(const char *text, struct pw_err *err)
{
	pw_auto_free unsigned *cpus = NULL;
	size_t count;

	if (pw_parse_cpulist(text, &cpus, &count, err) < 0)
		return pw_err_below(err, "/affinity");
	if (count == 0)
		return pw_fail_at(err, "/affinity", 0, "names no CPU");
	return 0;
}

/* What the tables cannot say about the common options. */
static int check_common(const struct pw_value *options, struct pw_err *err)
{
	static const char *const texts[] = { "directory", "user" };
	const char *affinity = pw_value_get_text(options, "affinity", NULL);

	for (size_t i = 0; i < PW_LENGTH(texts); i++) {
		const struct pw_value *text = pw_value_get(options, texts[i]);

		if (text && text->type == PW_VALUE_TEXT && text->text[0] == '\0')
			return pw_fail_at(err, i ? "/user" : "/directory", 0, "is empty");
	}
	return affinity ? check_affinity(affinity, err) : 0;
}

static int read_options(const struct pw_value *item, struct pw_entry *entry, struct pw_err *err)
{
	const struct pw_workload *workload = entry->workload;

	entry->options = pw_value_copy(item);
	if (pw_options_check(workload->options, pw_common_options, pw_entry_keys, &entry->options,
			     err) < 0)
		return -(int)err->code;
	for (const char *const *key = pw_entry_keys; *key; key++)
		pw_value_unset(&entry->options, *key);
	if (check_common(&entry->options, err) < 0)
		return -(int)err->code;
	return workload->check ? workload->check(&entry->options, err) : 0;
}

/* A workload without a kind of its own may leave it open: it then has no performance per watt. */
static int read_kind(struct pw_entry *entry, struct pw_err *err)
{
	const char *word = pw_value_get_text(&entry->options, "kind", NULL);

	entry->kind = entry->workload->kind;
	if (entry->kind != PW_KIND_UNSET || !word)
		return 0;
	entry->kind = pw_kind_parse(word);
	if (entry->kind == PW_KIND_UNSET)
		return pw_fail_at(err, "/kind", 0, "wants fixed-work, fixed-time or fixed-rate");
	return 0;
}

static int read_entry(const struct pw_config_reader *reader, const struct pw_value *item,
		      struct pw_err *err)
{
	struct pw_config *config = reader->config;
	struct pw_entry *entry;

	if (pw_want_object(item, err) < 0)
		return -(int)err->code;
	PW_PUSH(config->entries, config->entry_count, config->entry_capacity,
		((struct pw_entry){ .name = NULL }));
	entry = &config->entries[config->entry_count - 1];
	entry->workload = find_workload(reader->env->catalog, item, err);
	if (!entry->workload || read_label(config, item, entry, err) < 0 ||
	    read_options(item, entry, err) < 0 || read_kind(entry, err) < 0)
		return -(int)err->code;
	return pw_make_points(entry, reader->env->cpus ? reader->env->cpus : 1, err);
}

int pw_read_workloads(const struct pw_config_reader *reader, const struct pw_value *value,
		      struct pw_err *err)
{
	if (!value)
		return pw_fail_at(err, "", 0, "needs \"workloads\"");
	if (pw_want_list(value, PW_ENTRY_LIMIT, err) < 0)
		return -(int)err->code;
	for (size_t i = 0; i < value->count; i++) {
		if (read_entry(reader, &value->items[i], err) < 0)
			return pw_err_below(err, "/%zu", i);
	}
	return 0;
}
