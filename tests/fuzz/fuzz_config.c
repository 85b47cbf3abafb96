/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a config: either one complete error with its place, or a config that holds. */
#include <string.h>

#include "fuzz.h"
#include "lib/base/text.h"
#include "lib/model/config.h"
#include "lib/model/json.h"
#include "tests/unit/fake_catalog.h"

#define FILE_NAME "fuzz.json"

static void check_error(const struct pw_err *err)
{
	FUZZ_CHECK(err->code == PW_EINVAL);
	FUZZ_CHECK(strncmp(err->text, FILE_NAME ":", strlen(FILE_NAME ":")) == 0);
	FUZZ_CHECK(strlen(err->text) > strlen(FILE_NAME ":1:1: "));
	/* A text that was cut to fit may end within a character. */
	FUZZ_CHECK(strlen(err->text) == sizeof(err->text) - 1 || pw_text_printable(err->text));
}

static void check_name(const char *name)
{
	FUZZ_CHECK(name && name[0] && strlen(name) <= PW_NAME_LIMIT && pw_text_printable(name));
}

static void check_configurations(const struct pw_config *config)
{
	FUZZ_CHECK(config->config_count > 0 && config->config_count <= 1000);
	FUZZ_CHECK(config->baseline < config->config_count);
	for (size_t i = 0; i < config->config_count; i++) {
		const struct pw_configuration *c = &config->configs[i];

		check_name(c->name);
		for (size_t k = 0; k < i; k++)
			FUZZ_CHECK(strcmp(c->name, config->configs[k].name) != 0);
		for (size_t k = 1; k < c->setting_count; k++)
			FUZZ_CHECK(c->settings[k - 1].knob->order <= c->settings[k].knob->order);
	}
}

static void check_entry(const struct pw_entry *entry)
{
	check_name(entry->name);
	FUZZ_CHECK(entry->kind != PW_KIND_UNSET);
	FUZZ_CHECK(entry->point_count > 0 && entry->point_count <= 256);
	for (size_t i = 0; i < entry->point_count; i++) {
		struct pw_value options = pw_entry_options(entry, &entry->points[i]);

		FUZZ_CHECK(options.type == PW_VALUE_OBJECT);
		for (size_t k = 0; k < i; k++)
			FUZZ_CHECK(strcmp(entry->points[i].text, entry->points[k].text) != 0);
		pw_value_done(&options);
	}
}

static void check_config(const struct pw_config *config)
{
	struct pw_strbuf written = PW_STRBUF_INIT;
	struct pw_value again = PW_VALUE_INIT;
	struct pw_err err = PW_ERR_INIT;

	check_configurations(config);
	for (size_t i = 0; i < config->entry_count; i++)
		check_entry(&config->entries[i]);
	FUZZ_CHECK(config->repeat.blocks >= 1 && config->repeat.blocks <= 1000);
	FUZZ_CHECK(config->repeat.order == PW_ORDER_CELL);
	pw_json_write(&config->tree, PW_JSON_COMPACT, &written);
	FUZZ_CHECK(pw_json_parse(written.text, written.length, &again, &err) == 0);
	FUZZ_CHECK(pw_value_equal(&config->tree, &again));
	pw_value_done(&again);
	pw_strbuf_done(&written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct pw_config_env env = { .catalog = &fake_catalog, .cpus = 6 };
	struct pw_config *config = NULL;
	struct pw_err err = PW_ERR_INIT;

	if (pw_config_parse(FILE_NAME, "/", (const char *)data, size, &env, &config, &err) < 0) {
		FUZZ_CHECK(!config);
		check_error(&err);
	} else {
		check_config(config);
	}
	pw_config_free(config);
	return 0;
}
