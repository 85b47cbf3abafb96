/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Configurations from a matrix: their order, their names, what is left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "fake_catalog.h"
#include "lib/base/mem.h"
#include "lib/base/strbuf.h"
#include "lib/model/config.h"

#define TAIL ", \"workloads\": [ { \"workload\": \"idle\" } ] }"

static struct pw_config *parsed(const char *head, struct pw_err *err)
{
	const struct pw_config_env env = { .catalog = &fake_catalog, .cpus = 6 };
	pw_auto_free char *text = pw_sprintf("{ %s" TAIL, head);
	struct pw_config *config = NULL;

	if (pw_config_parse("c.json", "/", text, strlen(text), &env, &config, err) < 0)
		return NULL;
	return config;
}

static void names(const char *head, const char *wanted)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_config *config = parsed(head, &err);
	struct pw_strbuf found = PW_STRBUF_INIT;

	if (!config)
		fail_msg("%s: %s", head, err.text);
	for (size_t i = 0; i < config->config_count; i++)
		pw_strbuf_printf(&found, "%s%s", i ? " | " : "", config->configs[i].name);
	assert_string_equal(pw_strbuf_text(&found), wanted);
	pw_strbuf_done(&found);
	pw_config_free(config);
}

static void refused(const char *head, const char *message)
{
	struct pw_err err = PW_ERR_INIT;

	assert_null(parsed(head, &err));
	assert_string_equal(err.text, message);
}

static void the_last_axis_is_the_fastest(void **state)
{
	(void)state;
	names("\"matrix\": { \"driver-mode\": [\"active\", \"passive\"], \"boost\": [1, 0] }",
	      "active/boost=on | active/boost=off | passive/boost=on | passive/boost=off");
}

static void values_that_say_nothing_name_their_knob(void **state)
{
	(void)state;
	names("\"matrix\": { \"epp\": [0, 128, \"power\"] }", "epp=0 | epp=128 | power");
	names("\"matrix\": { \"min-freq\": [\"1GHz\", \"2GHz\"], \"max-perf-pct\": [50, 100] }",
	      "min-freq=1GHz/max-perf-pct=50 | min-freq=1GHz/max-perf-pct=100 | "
	      "min-freq=2GHz/max-perf-pct=50 | min-freq=2GHz/max-perf-pct=100");
	names("\"matrix\": { \"epp\": [[1], {\"a\": 1}] }", "epp#1 | epp#2");
}

static void axes_of_one_value_are_not_named(void **state)
{
	(void)state;
	names("\"matrix\": { \"governor\": [\"powersave\"], \"boost\": [0, 1] }",
	      "boost=off | boost=on");
	names("\"matrix\": { \"governor\": \"powersave\", \"boost\": [0] }", "powersave/boost=off");
}

static void settings_are_those_of_the_combination(void **state)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_config *config =
		parsed("\"baseline\": \"passive\", \"matrix\": { \"governor\": \"x\", "
		       "\"driver-mode\": [\"active\", \"passive\"] }",
		       &err);

	(void)state;
	assert_non_null(config);
	assert_int_equal(config->baseline, 1);
	assert_int_equal(config->configs[1].setting_count, 2);
	assert_string_equal(config->configs[1].settings[0].knob->name, "driver-mode");
	assert_string_equal(config->configs[1].settings[0].value.text, "passive");
	assert_string_equal(config->configs[1].settings[1].value.text, "x");
	pw_config_free(config);
}

static void excluded_combinations_disappear(void **state)
{
	(void)state;
	names("\"exclude\": [ { \"driver-mode\": \"passive\", \"epp\": 255 }, { \"boost\": "
	      "\"off\", "
	      "\"epp\": 0 } ],\n"
	      "\"matrix\": { \"driver-mode\": [\"active\", \"passive\"], \"epp\": [0, 255], "
	      "\"boost\": [0, 1] }",
	      "active/epp=0/boost=on | active/epp=255/boost=off | active/epp=255/boost=on | "
	      "passive/epp=0/boost=on");
}

static void long_names_are_cut_and_stay_apart(void **state)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_config *config;
	char word[80], *head;

	(void)state;
	memset(word, 'w', sizeof(word));
	word[79] = '\0';
	head = pw_sprintf("\"matrix\": { \"governor\": [\"%s1\", \"%s2\"] }", word, word);
	config = parsed(head, &err);
	free(head);
	assert_non_null(config);
	assert_int_equal(strlen(config->configs[0].name), PW_NAME_LIMIT);
	assert_string_equal(config->configs[0].name + PW_NAME_LIMIT - 3, "w~1");
	assert_string_equal(config->configs[1].name + PW_NAME_LIMIT - 3, "w~2");
	pw_config_free(config);
	/* The same joined text from other values. */
	names("\"matrix\": { \"governor\": [\"a\", \"a/b\"], \"epp\": [\"b/c\", \"c\"] }",
	      "a/b/c | a/c | a/b/b/c | a/b/c~4");
}

static void slips(void **state)
{
	(void)state;
	refused("\"matrix\": {}", "c.json:1:13: matrix: is empty");
	refused("\"matrix\": { \"bost\": [1] }",
		"c.json:1:15: matrix.bost: unknown setting (did you mean \"boost\"?)");
	refused("\"matrix\": { \"boost\": [] }", "c.json:1:24: matrix.boost: is empty");
	refused("\"matrix\": { \"boost\": [1, 2] }",
		"c.json:1:28: matrix.boost[1]: wants on/off (or true/false, 1/0), not a whole "
		"number");
	refused("\"matrix\": { \"boost\": [1, \"on\"] }",
		"c.json:1:28: matrix.boost[1]: stands twice on this axis");
	refused("\"configs\": [ { \"name\": \"a\" } ], \"matrix\": { \"boost\": 1 }",
		"c.json:1:35: matrix: stands beside \"configs\": only one of them");
	refused("\"configs\": [ { \"name\": \"a\" } ], \"exclude\": []",
		"c.json:1:35: exclude: belongs to a \"matrix\", and there is none");
	refused("\"matrix\": { \"boost\": [0, 1] }, \"exclude\": [ { \"epp\": 1 } ]",
		"c.json:1:49: exclude[0].epp: unknown axis");
	refused("\"matrix\": { \"boost\": [1] }, \"exclude\": [ { \"boost\": 0 } ]",
		"c.json:1:55: exclude[0].boost: is not among this axis' values");
	refused("\"matrix\": { \"boost\": [1] }, \"exclude\": [ { \"boost\": 1 } ]",
		"c.json:1:42: exclude: leaves no configuration of the matrix");
	refused("\"matrix\": { \"boost\": [1] }, \"exclude\": [ {} ]",
		"c.json:1:44: exclude[0]: is empty and would leave out everything");
}

static void at_most_1000_configurations(void **state)
{
	pw_auto_strbuf struct pw_strbuf head = PW_STRBUF_INIT;

	(void)state;
	pw_strbuf_puts(&head, "\"matrix\": { \"boost\": [0, 1], \"epp\": [0");
	for (int i = 1; i <= 500; i++)
		pw_strbuf_printf(&head, ",%d", i);
	pw_strbuf_puts(&head, "] }");
	refused(head.text, "c.json:1:13: matrix: gives more than 1000 configurations");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_axis_is_the_fastest),
		cmocka_unit_test(values_that_say_nothing_name_their_knob),
		cmocka_unit_test(axes_of_one_value_are_not_named),
		cmocka_unit_test(settings_are_those_of_the_combination),
		cmocka_unit_test(excluded_combinations_disappear),
		cmocka_unit_test(long_names_are_cut_and_stay_apart),
		cmocka_unit_test(slips),
		cmocka_unit_test(at_most_1000_configurations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
