/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The config: what a good one gives, and where the slips of a bad one are placed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_catalog.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/strbuf.h"
#include "lib/model/config.h"

static const struct pw_config_env env = { .catalog = &fake_catalog, .cpus = 6 };

static bool near(double value, double wanted)
{
	return value > wanted - 1e-12 && value < wanted + 1e-12;
}

static struct pw_config *good(const char *text)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_config *config = NULL;

	if (pw_config_parse("good.json", "/configs", text, strlen(text), &env, &config, &err) < 0)
		fail_msg("%s", err.text);
	return config;
}

/* The text parses to exactly this error. */
static void bad(const char *text, const char *expected)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_config *config = NULL;

	assert_int_equal(pw_config_parse("c.json", "/", text, strlen(text), &env, &config, &err),
			 -PW_EINVAL);
	assert_null(config);
	assert_string_equal(err.text, expected);
}

#define SMALL "\"workloads\": [ { \"workload\": \"tbench\", \"clients\": [1] } ]"
#define PAIR  "\"configs\": [ { \"name\": \"a\", \"set\": {} }, { \"name\": \"b\", \"set\": {} } ]"

static void test_defaults(void **state)
{
	struct pw_config *c = good("{ " PAIR ", " SMALL " }");

	(void)state;
	assert_string_equal(c->name, "comparison");
	assert_null(c->label);
	assert_null(c->user);
	assert_int_equal(c->config_count, 2);
	assert_int_equal(c->baseline, 0);
	assert_int_equal(c->idle_ns, INT64_C(30000000000));
	assert_int_equal(c->timeline_ns, INT64_C(1000000000));
	assert_false(c->msr);
	assert_string_equal(c->scope, "package");
	assert_int_equal(c->repeat.blocks, 5);
	assert_int_equal(c->repeat.warmup, 1);
	assert_int_equal(c->repeat.retry, 1);
	assert_int_equal(c->repeat.settle_ns, INT64_C(5000000000));
	assert_int_equal(c->repeat.order, PW_ORDER_CELL);
	assert_string_equal(c->repeat.stop, "fixed");
	assert_true(near(c->analysis.margin, 0.02));
	assert_true(near(c->analysis.energy_margin, 0.03));
	assert_true(near(c->analysis.alpha, 0.05));
	assert_string_equal(c->analysis.variance, "cell");
	assert_int_equal(pw_value_get_int(pw_value_get(&c->collectors, "meter"), "rate", 0), 2);
	assert_string_equal(c->directory, "/configs");
	pw_config_free(c);
}

static void test_everything(void **state)
{
	static const char text[] =
		"{ // a comment\n"
		"  \"name\": \"all of it\", \"user\": \"nobody\",\n"
		"  \"machine\": { \"label\": \"box\", \"about\": \"a box\" },\n"
		"  \"baseline\": \"b/2 (x)\", /* another\n one */\n"
		"  \"configs\": [ { \"name\": \"a\", \"set\": { \"min-freq\": \"1.2GHz\", "
		"\"boost\": \"off\",\n"
		"      \"governor\": \"schedutil\", \"driver-mode\": \"passive\" } },\n"
		"    { \"name\": \"b/2 (x)\", \"env\": { \"MALLOC_ARENA_MAX\": \"1\" } } ],\n"
		"  \"idle\": false,\n"
		"  \"workloads\": [ { \"workload\": \"tbench\", \"time\": \"2s\", \"timeout\": "
		"\"1m\", \"affinity\": \"0-1\" },\n"
		"    { \"workload\": \"exec\", \"name\": \"mine\", \"kind\": \"fixed-time\", "
		"\"command\": [\"./x\", \"//no comment\"] } ],\n"
		"  \"energy\": { \"scope\": \"package+dram\" },\n"
		"  \"collectors\": { \"timeline\": false, \"msr\": \"on\", \"meter\": { \"rate\": "
		"7 } },\n"
		"  \"repeat\": { \"blocks\": 1000, \"warmup\": 0, \"settle\": \"0s\", \"retry\": "
		"10 },\n"
		"  \"analysis\": { \"margin\": \"0.5%\", \"alpha\": 0.01 } }\n";
	struct pw_config *c = good(text);
	const struct pw_configuration *a = &c->configs[0];

	(void)state;
	assert_string_equal(c->name, "all of it");
	assert_string_equal(c->user, "nobody");
	assert_string_equal(c->label, "box");
	assert_string_equal(c->about, "a box");
	assert_int_equal(c->baseline, 1);
	assert_int_equal(a->setting_count, 4);
	assert_string_equal(a->settings[0].knob->name, "driver-mode");
	assert_string_equal(a->settings[1].knob->name, "boost");
	assert_int_equal(a->settings[1].value.type, PW_VALUE_BOOL);
	assert_string_equal(a->settings[2].knob->name, "governor");
	assert_string_equal(a->settings[3].knob->name, "min-freq");
	assert_int_equal(a->settings[3].value.integer, 1200000);
	assert_string_equal(c->configs[1].env.items[0], "MALLOC_ARENA_MAX=1");
	assert_int_equal(c->idle_ns, 0);
	assert_int_equal(c->timeline_ns, 0);
	assert_true(c->msr);
	assert_int_equal(c->repeat.settle_ns, 0);
	assert_int_equal(c->entry_count, 2);
	assert_false(c->entries[0].named);
	assert_int_equal(c->entries[0].kind, PW_KIND_FIXED_TIME);
	assert_int_equal(pw_value_get_int(&c->entries[0].options, "time", 0), INT64_C(2000000000));
	assert_null(pw_value_get(&c->entries[0].options, "workload"));
	assert_string_equal(c->entries[1].name, "mine");
	assert_int_equal(c->entries[1].kind, PW_KIND_FIXED_TIME);
	assert_int_equal(c->entries[1].point_count, 1);
	assert_string_equal(c->entries[1].points[0].text, "");
	assert_int_equal(pw_value_get_int(pw_value_get(&c->collectors, "meter"), "rate", 0), 7);
	assert_int_equal(c->text_length, strlen(text));
	assert_memory_equal(c->text, text, strlen(text));
	assert_string_equal(pw_value_get_text(pw_value_get(&c->tree, "repeat"), "settle", ""),
			    "0s");
	pw_config_free(c);
}

/* The slips that people make, in our own words. */
static void test_slips(void **state)
{
	(void)state;
	bad("{ " PAIR ", " SMALL
	    ",\n  \"repeat\": { \"blocks\": 4 },\n  \"repeat\": { \"blocks\": 1 } }",
	    "c.json:3:3: repeat: repeated key (first at line 2, column 3)");
	bad("{ \"workloads\": [\n"
	    "  { \"workload\": \"exec\", \"name\": \"same\", \"command\": [\"./one\"] },\n"
	    "  { \"workload\": \"exec\", \"name\": \"same\", \"command\": [\"./two\"] } ] }",
	    "c.json:3:33: workloads[1].name: \"same\" is the name of workloads[0] too");
	bad("{ \"configs\": [ { \"name\": \"x\" },\n\t{ \"name\": \"x\" } ] }",
	    "c.json:2:12: configs[1].name: \"x\" is the name of configs[0] too");
	bad("{ " PAIR ",\n\"workloads\": [ { \"workload\": \"tbench\" }, ] }",
	    "c.json:2:40: trailing comma before ']': take it out");
	bad("{ " PAIR ", " SMALL ",\n \"repeat\": { \"blokcs\": 5 } }",
	    "c.json:2:14: repeat.blokcs: unknown key (did you mean \"blocks\"?)");
	bad("{ " PAIR ", " SMALL ",\n \"repeat\": { \"settle\": 5 } }",
	    "c.json:2:24: repeat.settle: a time needs a unit, for example \"5s\" or \"500ms\"");
	bad("{ // where it starts\n  \"baseline\": \"c\", " PAIR ", " SMALL " }",
	    "c.json:2:15: baseline: there is no configuration \"c\" (allowed: \"a\", \"b\")");
	bad("{ \"configs\": [ { \"name\": \"a\" },\n  { \"name\": \"b\", \"set\": { \"governer\": "
	    "\"x\" } } ] }",
	    "c.json:2:27: configs[1].set.governer: unknown setting (did you mean \"governor\"?)");
}

static void test_missing(void **state)
{
	(void)state;
	bad("\n {}", "c.json:2:2: needs \"configs\" (or \"matrix\")");
	bad("{ " PAIR " }", "c.json:1:1: needs \"workloads\"");
	bad("{ \"configs\": [\n {} ] }", "c.json:2:2: configs[0]: needs \"name\"");
	bad("{ \"workloads\": [\n {} ] }", "c.json:2:2: workloads[0]: needs \"workload\"");
	bad("{ \"workloads\": [\n { \"workload\": \"exec\" } ] }",
	    "c.json:2:2: workloads[0]: needs \"command\" (what runs)");
	bad("{ \"workloads\": [ { \"workload\": \"exec\", \"command\": [\"x\"],\n"
	    "  \"metrics\": [ { \"name\": \"t\" }, { \"unit\": \"s\" } ] } ] }",
	    "c.json:2:33: workloads[0].metrics[1]: needs \"name\"");
}

static void test_wrong_values(void **state)
{
	(void)state;
	bad("[]", "c.json:1:1: wants an object { ... }, not a list");
	bad("{ \"configs\": {} }", "c.json:1:14: configs: wants a list [ ... ], not an object");
	bad("{ \"configs\": [] }", "c.json:1:14: configs: is empty");
	bad("{ \"configs\": [ 7 ] }",
	    "c.json:1:16: configs[0]: wants an object { ... }, not a whole number");
	bad("{ \"name\": \"\" }", "c.json:1:11: name: is empty");
	bad("{ \"name\": \"a\\u202eb\" }",
	    "c.json:1:11: name: holds control or bidirectional characters");
	bad("{ \"idle\": true }", "c.json:1:11: idle: wants a time such as \"30s\", or false");
	bad("{ \"idle\": \"2h\" }", "c.json:1:11: idle: '2h' is outside 0ms to 1h00m");
	bad("{ \"energy\": { \"scope\": \"battery\" } }",
	    "c.json:1:24: energy.scope: 'battery' is not one of: package, package+dram");
	bad("{ \"repeat\": { \"blocks\": 0 } }",
	    "c.json:1:25: repeat.blocks: 0 is outside 1 to 1000");
	bad("{ \"repeat\": { \"stop\": \"adaptive\" } }",
	    "c.json:1:23: repeat.stop: 'adaptive' is not one of: fixed");
	bad("{ \"analysis\": { \"alpha\": 0.5 } }",
	    "c.json:1:26: analysis.alpha: lies between 0 and 0.5, both excluded");
	bad("{ \"analysis\": { \"margin\": \"100%\" } }",
	    "c.json:1:27: analysis.margin: a margin lies below 100%");
	bad("{ \"collectors\": { \"timeline\": 1 } }",
	    "c.json:1:31: collectors.timeline: a time needs a unit, for example \"5s\" or "
	    "\"500ms\"");
	bad("{ \"collectors\": { \"msr\": 2 } }",
	    "c.json:1:26: collectors.msr: wants on/off (or true/false, 1/0), not a whole number");
	bad("{ \"collectors\": { \"meter\": { \"rate\": 51 } } }",
	    "c.json:1:38: collectors.meter.rate: 51 is outside 0 to 50");
	bad("{ \"collectors\": { \"energy-perf\": {} } }",
	    "c.json:1:19: collectors.energy-perf: unknown key");
}

static void test_unknown_words(void **state)
{
	(void)state;
	bad("{ \"meters\": {} }", "c.json:1:3: meters: unknown key");
	bad("{ \"gate\": [] }", "c.json:1:3: gate: unknown key (did you mean \"name\"?)");
	bad("{ \"configs\": [ { \"name\": \"a\", \"boot\": [] } ] }",
	    "c.json:1:31: configs[0].boot: unknown key");
	bad("{ \"workloads\": [ { \"workload\": \"tbnch\" } ] }",
	    "c.json:1:32: workloads[0].workload: unknown workload \"tbnch\" (did you mean "
	    "\"tbench\"?)");
	bad("{ \"workloads\": [ { \"workload\": \"tbench\", \"client\": [1] } ] }",
	    "c.json:1:42: workloads[0].client: unknown key (did you mean \"clients\"?)");
	bad("{ \"a.b c\": 1 }", "c.json:1:3: [\"a.b c\"]: unknown key");
}

static void test_entry_clash(void **state)
{
	(void)state;
	bad("{ \"workloads\": [ { \"workload\": \"tbench\" },\n { \"workload\": \"tbench\" } ] }",
	    "c.json:2:16: workloads[1].workload: \"tbench\" is the name of workloads[0] too: give "
	    "one of them a \"name\"");
	bad("{ \"workloads\": [ { \"workload\": \"tbench\", \"affinity\": \"0-\" } ] }",
	    "c.json:1:54: workloads[0].affinity: '0-' is not a CPU list");
}

static void test_environment(void **state)
{
	(void)state;
	bad("{ \"configs\": [ { \"name\": \"a\", \"env\": { \"A=B\": \"1\" } } ] }",
	    "c.json:1:40: configs[0].env[\"A=B\"]: cannot be the name of an environment variable");
	bad("{ \"configs\": [ { \"name\": \"a\", \"env\": { \"PERFWATT_X\": \"1\" } } ] }",
	    "c.json:1:40: configs[0].env.PERFWATT_X: names with PERFWATT_ are set by perfwatt "
	    "itself");
	bad("{ \"configs\": [ { \"name\": \"a\", \"env\": { \"X\": 1 } } ] }",
	    "c.json:1:45: configs[0].env.X: wants a text, not a whole number");
}

static void test_names_at_their_limit(void **state)
{
	char name[PW_NAME_LIMIT + 2], text[512];
	struct pw_config *config;

	(void)state;
	memset(name, 'n', sizeof(name));
	name[PW_NAME_LIMIT] = '\0';
	(void)snprintf(text, sizeof(text), "{ \"configs\": [ { \"name\": \"%s\" } ], " SMALL " }",
		       name);
	config = good(text);
	assert_string_equal(config->configs[0].name, name);
	pw_config_free(config);
	(void)snprintf(text, sizeof(text), "{ \"configs\": [ { \"name\": \"n%s\" } ], " SMALL " }",
		       name);
	bad(text, "c.json:1:26: configs[0].name: is longer than 64 bytes");
}

static void bad_bytes(const char *text, size_t length, const char *expected)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_config *config = NULL;

	assert_int_equal(pw_config_parse("c.json", "/", text, length, &env, &config, &err),
			 -PW_EINVAL);
	assert_null(config);
	assert_string_equal(err.text, expected);
}

static void test_nasty_bytes(void **state)
{
	static const char nul[] = "{ \"name\": \"a\0b\" }", latin[] = "{ // caf\xe9\n}";
	pw_auto_free char *big = pw_new(10000000, 1);

	(void)state;
	bad_bytes(nul, sizeof(nul) - 1, "c.json:1:13: NUL byte: this is no UTF-8 text");
	bad_bytes(latin, sizeof(latin) - 1, "c.json:1:9: byte 0xe9 is not valid UTF-8");
	bad_bytes("", 0, "c.json:1:1: expected a value, found the end of the text");
	bad_bytes("\xef\xbb\xbf{}", 5,
		  "c.json:1:1: starts with a byte order mark; save it without one");
	bad_bytes("{}\n/* no end", 12, "c.json:2:1: this comment has no end (*/)");
	memset(big, '[', 10000000);
	bad_bytes(big, 5000, "c.json:1:101: nested deeper than 100 levels");
	bad_bytes(big, 10000000, "c.json: too large for a config (at most 4 MiB)");
}

/* What comes from the file never reaches a terminal as control characters. */
static void test_messages_are_printable(void **state)
{
	(void)state;
	bad("{ \"\\u001b[31m\": 1 }", "c.json:1:3: [\"\\u{001b}[31m\"]: unknown key");
	bad("{ \"energy\": { \"scope\": \"\\u001b]0;x\" } }",
	    "c.json:1:24: energy.scope: '\\u{001b}]0;x' is not one of: package, package+dram");
}

static void test_many(void **state)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_config *config;

	(void)state;
	pw_strbuf_puts(&text, "{ " SMALL ", \"configs\": [ { \"name\": \"n\" }");
	for (int i = 1; i < 1000; i++)
		pw_strbuf_printf(&text, ", { \"name\": \"n%d\" }", i);
	pw_strbuf_puts(&text, " ] }");
	config = good(text.text);
	assert_int_equal(config->config_count, 1000);
	pw_config_free(config);
	text.length -= strlen(" ] }");
	pw_strbuf_puts(&text, ", { \"name\": \"m\" } ] }");
	bad(text.text, "c.json:1:73: configs: has 1001 items, at most 1000 are possible");
}

/* "contrast" stands for the list that the caller found for this machine. */
static void test_contrast(void **state)
{
	static const char text[] = "{ \"configs\": \"contrast\", " SMALL " }";
	struct pw_value list = pw_value_list(), item = pw_value_object();
	const struct pw_config_env with = { .catalog = &fake_catalog,
					    .cpus = 6,
					    .contrast = &list };
	struct pw_config *config = NULL;
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	pw_value_set(&item, "name", pw_value_text("as it stands"));
	pw_value_push(&list, item);
	assert_int_equal(pw_config_parse("c.json", "/", text, strlen(text), &with, &config, &err),
			 0);
	assert_int_equal(config->config_count, 1);
	assert_string_equal(config->configs[0].name, "as it stands");
	assert_string_equal(pw_value_get_text(&config->tree, "configs", ""), "contrast");
	pw_config_free(config);
	pw_value_done(&list);
	bad(text, "c.json:1:14: configs: \"contrast\" is not to be had here: list them");
	bad("{ \"configs\": \"contrst\" }",
	    "c.json:1:14: configs: wants a list [ ... ] or \"contrast\", not a text");
}

static void test_load(void **state)
{
	char folder[] = "/tmp/perfwatt-config-XXXXXX";
	struct pw_err err = PW_ERR_INIT;
	struct pw_config *config = NULL;
	pw_auto_free char *path = NULL, *missing = NULL;
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(folder));
	path = pw_sprintf("%s/one.json", folder);
	missing = pw_sprintf("%s/two.json", folder);
	file = fopen(path, "we");
	assert_non_null(file);
	fputs("{ " PAIR ", " SMALL " }\n", file);
	fclose(file);
	assert_int_equal(pw_config_load(path, &env, &config, &err), 0);
	assert_string_equal(config->file, path);
	assert_string_equal(strrchr(config->directory, '/'), strrchr(folder, '/'));
	pw_config_free(config);
	config = NULL;
	assert_int_equal(pw_config_load(missing, &env, &config, &err), -PW_ENOTFOUND);
	assert_non_null(strstr(err.text, missing));
	assert_int_equal(pw_config_load(folder, &env, &config, &err), -PW_EIO);
	assert_int_equal(truncate(path, 10000000), 0);
	assert_int_equal(pw_config_load(path, &env, &config, &err), -PW_EINVAL);
	assert_non_null(strstr(err.text, "one.json: too large for a config"));
	assert_null(config);
	assert_int_equal(pw_remove_tree(folder, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_everything),
		cmocka_unit_test(test_slips),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_wrong_values),
		cmocka_unit_test(test_unknown_words),
		cmocka_unit_test(test_entry_clash),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_names_at_their_limit),
		cmocka_unit_test(test_nasty_bytes),
		cmocka_unit_test(test_messages_are_printable),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_contrast),
		cmocka_unit_test(test_load),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
