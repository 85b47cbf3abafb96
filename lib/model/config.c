/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The config as a whole: text -> tree -> sections, and errors with their place. */
#include "lib/model/config.h"

#include <limits.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/text.h"
#include "lib/model/config_internal.h"
#include "lib/model/json.h"
#include "lib/model/position.h"

/* "baseline" needs the configurations, wherever it stands: pw_resolve_baseline() reads it. */
static int skip_section(const struct pw_config_reader *reader, const struct pw_value *value,
			struct pw_err *err)
{
	(void)reader;
	(void)value;
	(void)err;
	return 0;
}

const struct pw_config_section pw_config_sections[] = {
	{ "name", pw_read_name },
	{ "machine", pw_read_machine },
	{ "user", pw_read_user },
	{ "baseline", skip_section },
	{ "configs", pw_read_configs },
	{ "matrix", pw_read_matrix },
	{ "exclude", pw_read_exclude },
	{ "noise", pw_read_noise },
	{ "services", pw_read_services },
	{ "idle", pw_read_idle },
	{ "workloads", pw_read_workloads },
	{ "energy", pw_read_energy },
	{ "collectors", pw_read_collectors },
	{ "repeat", pw_read_repeat },
	{ "analysis", pw_read_analysis },
	{ NULL, NULL },
};

static const struct pw_config_section *find_section(const char *key)
{
	for (const struct pw_config_section *s = pw_config_sections; s->key; s++) {
		if (strcmp(s->key, key) == 0)
			return s;
	}
	return NULL;
}

static int fail_unknown_section(const char *key, struct pw_err *err)
{
	pw_auto_free const char **known = NULL;
	size_t count = 0, capacity = 0;

	for (const struct pw_config_section *s = pw_config_sections; s->key; s++)
		PW_PUSH(known, count, capacity, s->key);
	return pw_fail_unknown_key(err, key, "key", known, count);
}

/* What is written, in the order written, so that the first slip of a text is the one reported. */
static int read_present(const struct pw_config_reader *reader, struct pw_err *err)
{
	for (size_t i = 0; i < reader->tree->count; i++) {
		const char *key = reader->tree->keys[i];
		const struct pw_config_section *section = find_section(key);

		if (!section)
			return fail_unknown_section(key, err);
		if (section->read(reader, &reader->tree->items[i], err) < 0)
			return pw_below_key(err, key);
	}
	return 0;
}

static int read_absent(const struct pw_config_reader *reader, struct pw_err *err)
{
	for (const struct pw_config_section *s = pw_config_sections; s->key; s++) {
		if (!pw_value_get(reader->tree, s->key) && s->read(reader, NULL, err) < 0)
			return -(int)err->code;
	}
	return 0;
}

static int read_tree(const struct pw_config_reader *reader, struct pw_err *err)
{
	if (pw_want_object(reader->tree, err) < 0 || read_present(reader, err) < 0 ||
	    read_absent(reader, err) < 0 || pw_expand_matrix(reader, err) < 0)
		return -(int)err->code;
	return pw_resolve_baseline(reader, err);
}

/* Makes the error's text complete: "FILE:LINE:COLUMN: path: message", fit to be shown. */
static int complete(const char *file, const char *text, size_t offset, struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf raw = PW_STRBUF_INIT, shown = PW_STRBUF_INIT;
	pw_auto_free char *path = pw_pointer_path(err->where);
	size_t line, column;

	pw_line_column(text, offset, &line, &column);
	pw_strbuf_printf(&raw, "%s:%zu:%zu: %s%s%s", file, line, column, path, *path ? ": " : "",
			 err->text);
	pw_text_escape(&shown, pw_strbuf_text(&raw));
	(void)snprintf(err->text, sizeof(err->text), "%s", pw_strbuf_text(&shown));
	return -(int)err->code;
}

/* The offset of the first byte that no config may hold, comments included; length if all is well.
 */
static size_t find_foreign_byte(const char *text, size_t length)
{
	size_t at = 0;

	while (at < length) {
		uint32_t character;
		int step = pw_utf8_next(text + at, &character);

		if (step <= 0)
			return at;
		at += (size_t)step;
	}
	return at;
}

static int check_bytes(const char *file, const char *text, size_t length, struct pw_err *err)
{
	size_t at = find_foreign_byte(text, length);

	if (at >= length)
		return 0;
	if (text[at] == '\0')
		(void)pw_fail(err, PW_EINVAL, "NUL byte: this is no UTF-8 text");
	else
		(void)pw_fail(err, PW_EINVAL, "byte 0x%02x is not valid UTF-8",
			      (unsigned char)text[at]);
	return complete(file, text, at, err);
}

static int fail_in_tree(const char *file, const char *text, const struct pw_positions *positions,
			struct pw_err *err)
{
	struct pw_place place = pw_positions_find(positions, err->where);

	return complete(file, text, err->at_key ? place.key : place.value, err);
}

static void positions_freep(struct pw_positions **positions)
{
	pw_positions_free(*positions);
}

/* Reads the text, whose comments are blanked, into config->tree and from there into the rest. */
static int read_text(const char *file, const char *text, size_t length,
		     const struct pw_config_env *env, struct pw_config *config, struct pw_err *err)
{
	struct pw_config_reader reader = { .env = env, .tree = &config->tree, .config = config };
	pw_auto(positions_freep) struct pw_positions *positions = NULL;
	size_t offset = 0;

	if (pw_positions_build(text, length, &positions, &offset, err) < 0)
		return complete(file, text, offset, err);
	if (pw_json_parse(text, length, &config->tree, err) < 0)
		return pw_err_prefix(err, "%s", file);
	if (read_tree(&reader, err) < 0)
		return fail_in_tree(file, text, positions, err);
	return 0;
}

static void config_freep(struct pw_config **config)
{
	pw_config_free(*config);
}

static int fail_too_large(const char *file, struct pw_err *err)
{
	return pw_fail(err, PW_EINVAL, "%s: too large for a config (at most %zu MiB)", file,
		       PW_CONFIG_SIZE_LIMIT / 1024 / 1024);
}

int pw_config_parse(const char *file, const char *directory, const char *text, size_t length,
		    const struct pw_config_env *env, struct pw_config **ret, struct pw_err *err)
{
	pw_auto(config_freep) struct pw_config *config = NULL;
	pw_auto_free char *blanked = NULL;
	size_t offset = 0;

	if (length > PW_CONFIG_SIZE_LIMIT)
		return fail_too_large(file, err);
	blanked = pw_strndup(text, length);
	if (check_bytes(file, blanked, length, err) < 0)
		return -(int)err->code;
	if (pw_json_blank_comments(blanked, length, &offset, err) < 0)
		return complete(file, blanked, offset, err);
	config = pw_new(1, sizeof(*config));
	if (read_text(file, blanked, length, env, config, err) < 0)
		return -(int)err->code;
	config->text = pw_strndup(text, length);
	config->text_length = length;
	config->directory = pw_strdup(directory);
	config->file = pw_strdup(file);
	*ret = pw_take(config);
	return 0;
}

/* The folder of a file, absolute where that can be told. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	pw_auto_free char *folder =
		slash ? pw_strndup(path, slash == path ? 1 : (size_t)(slash - path))
		      : pw_strdup(".");
	char *absolute = realpath(folder, NULL);

	return absolute ? absolute : pw_take(folder);
}

int pw_config_load(const char *path, const struct pw_config_env *env, struct pw_config **ret,
		   struct pw_err *err)
{
	pw_auto_free char *text = NULL, *folder = NULL;
	size_t length;

	if (pw_read_path(path, PW_CONFIG_SIZE_LIMIT, &text, &length, err) < 0)
		return err->code == PW_EINVAL && err->sys == 0 ? fail_too_large(path, err)
							       : -(int)err->code;
	folder = folder_of(path);
	return pw_config_parse(path, folder, text, length, env, ret, err);
}

static void configuration_done(struct pw_configuration *configuration)
{
	free(configuration->name);
	free(configuration->impossible);
	for (size_t i = 0; i < configuration->setting_count; i++)
		pw_value_done(&configuration->settings[i].value);
	free(configuration->settings);
	pw_strv_done(&configuration->env);
	pw_strv_done(&configuration->apply);
	pw_strv_done(&configuration->undo);
	pw_strv_done(&configuration->verify);
	pw_strv_done(&configuration->with);
}

static void entry_done(struct pw_entry *entry)
{
	free(entry->name);
	pw_value_done(&entry->options);
	for (size_t i = 0; i < entry->point_count; i++) {
		pw_value_done(&entry->points[i].value);
		free(entry->points[i].text);
	}
	free(entry->points);
}

void pw_config_free(struct pw_config *config)
{
	if (!config)
		return;
	for (size_t i = 0; i < config->config_count; i++)
		configuration_done(&config->configs[i]);
	for (size_t i = 0; i < config->entry_count; i++)
		entry_done(&config->entries[i]);
	free(config->configs);
	free(config->entries);
	free(config->name);
	free(config->label);
	free(config->about);
	free(config->user);
	pw_strv_done(&config->services);
	free(config->scope);
	pw_value_done(&config->collectors);
	free(config->repeat.stop);
	free(config->analysis.variance);
	free(config->text);
	pw_value_done(&config->tree);
	free(config->directory);
	free(config->file);
	free(config);
}
