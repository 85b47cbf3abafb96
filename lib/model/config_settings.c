/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "configs": the configurations with their settings and environment; and "baseline". */
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/text.h"
#include "lib/model/config_internal.h"

#define ENV_PREFIX "PERFWATT_"
#define ENV_LIMIT  4096
#define CONTRAST   "contrast"

const char *const pw_configuration_keys[] = { "name", "set",	"env",	"apply",
					      "undo", "verify", "with", NULL };

const struct pw_knob *pw_find_setting(const struct pw_config_env *env, const char *key,
				      struct pw_err *err)
{
	const struct pw_knob *knob = pw_catalog_knob(env->catalog, key);
	pw_auto_free const char **names = NULL;
	size_t count = 0, capacity = 0;

	if (knob)
		return knob;
	for (const struct pw_knob *const *k = env->catalog->knobs; *k; k++)
		PW_PUSH(names, count, capacity, (*k)->name);
	(void)pw_fail_unknown_key(err, key, "setting", names, count);
	return NULL;
}

static bool comes_before(const struct pw_knob *a, const struct pw_knob *b)
{
	return a->order != b->order ? a->order < b->order : strcmp(a->name, b->name) < 0;
}

void pw_add_setting(struct pw_configuration *configuration, const struct pw_knob *knob,
		    struct pw_value value)
{
	struct pw_setting setting = { .knob = knob, .value = value };
	size_t at;

	PW_PUSH(configuration->settings, configuration->setting_count,
		configuration->setting_capacity, setting);
	at = configuration->setting_count - 1;
	for (; at > 0 && comes_before(knob, configuration->settings[at - 1].knob); at--)
		configuration->settings[at] = configuration->settings[at - 1];
	configuration->settings[at] = setting;
}

static int read_set(const struct pw_config_env *env, const struct pw_value *set,
		    struct pw_configuration *configuration, struct pw_err *err)
{
	if (pw_want_object(set, err) < 0)
		return -(int)err->code;
	for (size_t i = 0; i < set->count; i++) {
		const struct pw_knob *knob = pw_find_setting(env, set->keys[i], err);
		struct pw_value value;

		if (!knob)
			return -(int)err->code;
		value = pw_value_copy(&set->items[i]);
		if (pw_knob_check_value(knob, &value, err) < 0) {
			pw_value_done(&value);
			return pw_below_key(err, set->keys[i]);
		}
		pw_add_setting(configuration, knob, value);
	}
	return 0;
}

/* Names that a process can be given and that are not perfwatt's own to set. */
static int check_env_name(const char *name, struct pw_err *err)
{
	if (*name == '\0' || strchr(name, '=') || !pw_text_printable(name))
		(void)pw_fail_at(err, "", 1, "cannot be the name of an environment variable");
	else if (strncmp(name, ENV_PREFIX, strlen(ENV_PREFIX)) == 0)
		(void)pw_fail_at(err, "", 1, "names with %s are set by perfwatt itself",
				 ENV_PREFIX);
	else
		return 0;
	return pw_below_key(err, name);
}

static int check_env_value(const struct pw_value *value, struct pw_err *err)
{
	if (value->type != PW_VALUE_TEXT)
		return pw_fail_at(err, "", 0, "wants a text, not %s",
				  pw_value_type_name(value->type));
	if (strlen(value->text) > ENV_LIMIT)
		return pw_fail_at(err, "", 0, "is longer than %d bytes", ENV_LIMIT);
	return 0;
}

static int read_env(const struct pw_value *env, struct pw_configuration *configuration,
		    struct pw_err *err)
{
	if (pw_want_object(env, err) < 0)
		return -(int)err->code;
	for (size_t i = 0; i < env->count; i++) {
		const struct pw_value *value = &env->items[i];

		if (check_env_name(env->keys[i], err) < 0)
			return -(int)err->code;
		if (check_env_value(value, err) < 0)
			return pw_below_key(err, env->keys[i]);
		pw_strv_pushf(&configuration->env, "%s=%s", env->keys[i], value->text);
	}
	return 0;
}

/* The name, which none of the configurations before it has. */
static int read_configuration_name(const struct pw_config *config, const struct pw_value *item,
				   char **ret, struct pw_err *err)
{
	const struct pw_value *name = pw_value_get(item, "name");

	if (!name)
		return pw_fail_at(err, "", 0, "needs \"name\"");
	if (pw_want_text(name, PW_NAME_LIMIT, err) < 0)
		return pw_err_below(err, "/name");
	for (size_t i = 0; i + 1 < config->config_count; i++) {
		if (strcmp(config->configs[i].name, name->text) == 0)
			return pw_fail_at(err, "/name", 0, "\"%s\" is the name of configs[%zu] too",
					  name->text, i);
	}
	*ret = pw_strdup(name->text);
	return 0;
}

static int read_configuration(const struct pw_config_reader *reader, const struct pw_value *item,
			      struct pw_err *err)
{
	struct pw_config *config = reader->config;
	const struct pw_value *set = pw_value_get(item, "set"), *env = pw_value_get(item, "env");
	struct pw_configuration *configuration;

	if (pw_want_object(item, err) < 0 || pw_check_keys(item, pw_configuration_keys, err) < 0)
		return -(int)err->code;
	PW_PUSH(config->configs, config->config_count, config->config_capacity,
		((struct pw_configuration){ .name = NULL }));
	configuration = &config->configs[config->config_count - 1];
	if (read_configuration_name(config, item, &configuration->name, err) < 0)
		return -(int)err->code;
	if (set && read_set(reader->env, set, configuration, err) < 0)
		return pw_err_below(err, "/set");
	if (env && read_env(env, configuration, err) < 0)
		return pw_err_below(err, "/env");
	return pw_read_programs(item, configuration, err);
}

static int read_list(const struct pw_config_reader *reader, const struct pw_value *list,
		     struct pw_err *err)
{
	if (pw_want_list(list, PW_CONFIG_LIMIT, err) < 0)
		return -(int)err->code;
	for (size_t i = 0; i < list->count; i++) {
		if (read_configuration(reader, &list->items[i], err) < 0)
			return pw_err_below(err, "/%zu", i);
	}
	return 0;
}

/* The word instead of a list: the caller knows the machine and what is worth comparing on it. */
static int read_contrast(const struct pw_config_reader *reader, const char *word,
			 struct pw_err *err)
{
	if (strcmp(word, CONTRAST) != 0)
		return pw_fail_at(err, "", 0, "wants a list [ ... ] or \"%s\", not a text",
				  CONTRAST);
	if (!reader->env->contrast)
		return pw_fail_at(err, "", 0, "\"%s\" is not to be had here: list them", CONTRAST);
	return read_list(reader, reader->env->contrast, err);
}

int pw_read_configs(const struct pw_config_reader *reader, const struct pw_value *value,
		    struct pw_err *err)
{
	if (!value && pw_value_get(reader->tree, "matrix"))
		return 0;
	if (!value)
		return pw_fail_at(err, "", 0, "needs \"configs\" (or \"matrix\")");
	if (value->type == PW_VALUE_TEXT)
		return read_contrast(reader, value->text, err);
	return read_list(reader, value, err);
}

static int fail_baseline(const struct pw_config *config, const char *name, struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf list = PW_STRBUF_INIT;
	const size_t shown = 20;

	for (size_t i = 0; i < config->config_count && i < shown; i++)
		pw_strbuf_printf(&list, "%s\"%s\"", i ? ", " : "", config->configs[i].name);
	if (config->config_count > shown)
		pw_strbuf_printf(&list, " and %zu more", config->config_count - shown);
	return pw_fail_at(err, "/baseline", 0, "there is no configuration \"%s\" (allowed: %s)",
			  name, pw_strbuf_text(&list));
}

int pw_resolve_baseline(const struct pw_config_reader *reader, struct pw_err *err)
{
	const struct pw_value *value = pw_value_get(reader->tree, "baseline");
	struct pw_config *config = reader->config;

	if (!value)
		return 0;
	if (pw_want_text(value, PW_NAME_LIMIT, err) < 0)
		return pw_err_below(err, "/baseline");
	for (size_t i = 0; i < config->config_count; i++) {
		if (strcmp(config->configs[i].name, value->text) == 0) {
			config->baseline = i;
			return 0;
		}
	}
	return fail_baseline(config, value->text, err);
}
