/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * configs/config.schema.json says what the reader says: the same keys, and for the sections with
 * an option table the same limits, words and defaults.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/strbuf.h"
#include "lib/model/config_internal.h"
#include "lib/model/json.h"

static struct pw_value schema;

static int read_schema(void **state)
{
	struct pw_err err = PW_ERR_INIT;
	pw_auto_free char *text = NULL;
	size_t length;

	(void)state;
	if (pw_read_path(PW_SOURCE "/configs/config.schema.json", 1 << 20, &text, &length, &err) <
		    0 ||
	    pw_json_parse(text, length, &schema, &err) < 0) {
		print_error("%s\n", err.text);
		return -1;
	}
	return 0;
}

static int free_schema(void **state)
{
	(void)state;
	pw_value_done(&schema);
	return 0;
}

static const struct pw_value *below(const struct pw_value *value, const char *key)
{
	const struct pw_value *found = pw_value_get(value, key);

	if (!found)
		fail_msg("the schema has no \"%s\"", key);
	return found;
}

static const struct pw_value *property(const char *section)
{
	return below(below(&schema, "properties"), section);
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const struct pw_value *definition(const char *name)
{
	return below(below(&schema, "$defs"), name);
}

static char *sorted(struct pw_strv *list)
{
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), compare_text);
	return pw_strv_join(list, " ");
}

/* The keys of an object's "properties" are exactly these. */
static void same_keys(const struct pw_value *object, struct pw_strv *known)
{
	const struct pw_value *properties = below(object, "properties");
	pw_auto_strv struct pw_strv found = PW_STRV_INIT;
	pw_auto_free char *a = NULL, *b = NULL;

	for (size_t i = 0; i < properties->count; i++)
		pw_strv_push(&found, properties->keys[i]);
	a = sorted(&found);
	b = sorted(known);
	assert_string_equal(a, b);
}

static void the_top_level_keys(void **state)
{
	pw_auto_strv struct pw_strv known = PW_STRV_INIT;

	(void)state;
	for (const struct pw_config_section *s = pw_config_sections; s->key; s++)
		pw_strv_push(&known, s->key);
	same_keys(&schema, &known);
	assert_false(pw_value_get_bool(&schema, "additionalProperties", true));
}

static void the_keys_of_items(void **state)
{
	pw_auto_strv struct pw_strv configuration = PW_STRV_INIT, entry = PW_STRV_INIT;

	(void)state;
	for (const char *const *key = pw_configuration_keys; *key; key++)
		pw_strv_push(&configuration, *key);
	same_keys(below(definition("configs"), "items"), &configuration);
	for (const char *const *key = pw_entry_keys; *key; key++)
		pw_strv_push(&entry, *key);
	for (const struct pw_option *option = pw_common_options; option->name; option++)
		pw_strv_push(&entry, option->name);
	same_keys(below(property("workloads"), "items"), &entry);
}

static void same_words(const struct pw_value *found, const struct pw_option *option)
{
	const struct pw_value *words = below(found, "enum");
	size_t i = 0;

	for (; option->choices[i]; i++) {
		assert_true(i < words->count);
		assert_string_equal(words->items[i].text, option->choices[i]);
	}
	assert_int_equal(i, words->count);
}

static void same_default(const struct pw_value *found, const struct pw_option *option)
{
	const struct pw_value *value = below(found, "default");
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	if (value->type == PW_VALUE_TEXT)
		pw_strbuf_puts(&text, value->text);
	else
		pw_json_write(value, PW_JSON_COMPACT, &text);
	assert_string_equal(pw_strbuf_text(&text), option->otherwise);
}

static void same_table(const char *section, const struct pw_option *table)
{
	pw_auto_strv struct pw_strv known = PW_STRV_INIT;

	for (const struct pw_option *option = table; option->name; option++) {
		const struct pw_value *found =
			below(below(property(section), "properties"), option->name);

		pw_strv_push(&known, option->name);
		if (option->type == PW_OPT_INT) {
			assert_int_equal(below(found, "minimum")->integer, option->min);
			assert_int_equal(below(found, "maximum")->integer, option->max);
		}
		if (option->type == PW_OPT_CHOICE)
			same_words(found, option);
		if (option->otherwise)
			same_default(found, option);
	}
	same_keys(property(section), &known);
	assert_false(pw_value_get_bool(property(section), "additionalProperties", true));
}

static void the_tables(void **state)
{
	(void)state;
	same_table("machine", pw_machine_options);
	same_table("energy", pw_energy_options);
	same_table("repeat", pw_repeat_options);
	same_table("analysis", pw_analysis_options);
	same_table("noise", pw_noise_options);
}

static void the_limits(void **state)
{
	const struct pw_value *name = definition("name");

	(void)state;
	assert_int_equal(below(name, "maxLength")->integer, PW_NAME_LIMIT);
	assert_int_equal(below(definition("configs"), "maxItems")->integer, PW_CONFIG_LIMIT);
	assert_int_equal(below(property("workloads"), "maxItems")->integer, PW_ENTRY_LIMIT);
}

/* Every "$ref" leads somewhere. */
static void check_references(const struct pw_value *value)
{
	static const char prefix[] = "#/$defs/";
	const char *reference = pw_value_get_text(value, "$ref", NULL);

	if (reference) {
		assert_int_equal(strncmp(reference, prefix, strlen(prefix)), 0);
		(void)definition(reference + strlen(prefix));
	}
	if (value->type != PW_VALUE_OBJECT && value->type != PW_VALUE_LIST)
		return;
	for (size_t i = 0; i < value->count; i++)
		check_references(&value->items[i]);
}

static void the_references(void **state)
{
	(void)state;
	check_references(&schema);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_top_level_keys), cmocka_unit_test(the_keys_of_items),
		cmocka_unit_test(the_tables),	      cmocka_unit_test(the_limits),
		cmocka_unit_test(the_references),
	};

	return cmocka_run_group_tests(tests, read_schema, free_schema);
}
