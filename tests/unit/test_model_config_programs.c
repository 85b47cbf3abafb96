/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "apply", "undo", "verify", "with" and "services": what they give, and where slips are placed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "fake_catalog.h"
#include "lib/base/mem.h"
#include "lib/model/config.h"

static const struct pw_config_env env = { .catalog = &fake_catalog, .cpus = 6 };

#define SMALL "\"workloads\": [ { \"workload\": \"tbench\", \"clients\": [1] } ]"

static int parse(const char *text, struct pw_config **ret, struct pw_err *err)
{
	*err = PW_ERR_INIT;
	return pw_config_parse("c.json", "/", text, strlen(text), &env, ret, err);
}

static struct pw_config *good(const char *text)
{
	struct pw_config *config = NULL;
	struct pw_err err;

	if (parse(text, &config, &err) < 0)
		fail_msg("%s", err.text);
	return config;
}

static void bad(const char *text, const char *expected)
{
	struct pw_config *config = NULL;
	struct pw_err err;

	assert_int_equal(parse(text, &config, &err), -PW_EINVAL);
	assert_null(config);
	assert_string_equal(err.text, expected);
}

/* The error about a configuration that has these members beside its name. */
static void bad_program(const char *members, const char *expected)
{
	pw_auto_free char *text =
		pw_sprintf("{ \"configs\": [ { \"name\": \"a\", %s } ], " SMALL " }", members);
	pw_auto_free char *full = pw_sprintf("c.json:1:%s", expected);

	bad(text, full);
}

static void bad_service(const char *services, const char *expected)
{
	pw_auto_free char *text = pw_sprintf(
		"{ \"services\": %s, \"configs\": [ { \"name\": \"a\" } ], " SMALL " }", services);
	pw_auto_free char *full = pw_sprintf("c.json:1:%s", expected);

	bad(text, full);
}

static void test_programs(void **state)
{
	struct pw_config *c =
		good("{ \"configs\": [ { \"name\": \"a\", \"undo\": [\"tuned-adm\", \"off\"],\n"
		     " \"apply\": [\"tuned-adm\", \"profile\", \"a b\"], \"with\": [\"./x\"],\n"
		     " \"verify\": [\"tuned-adm\", \"\"] }, { \"name\": \"b\" } ], " SMALL " }");
	const struct pw_configuration *a = &c->configs[0], *b = &c->configs[1];

	(void)state;
	assert_int_equal(a->apply.count, 3);
	assert_string_equal(a->apply.items[2], "a b");
	assert_int_equal(a->undo.count, 2);
	assert_string_equal(a->undo.items[1], "off");
	assert_int_equal(a->verify.count, 2);
	assert_string_equal(a->verify.items[1], "");
	assert_int_equal(a->with.count, 1);
	assert_null(a->apply.items[3]); /* as an argv ends */
	assert_int_equal(b->apply.count + b->undo.count + b->verify.count + b->with.count, 0);
	pw_config_free(c);
}

/* A check without a change is one of what "set" or the machine itself gives. */
static void test_verify_and_with_stand_alone(void **state)
{
	struct pw_config *c = good("{ \"configs\": [ { \"name\": \"a\", \"verify\": [\"v\"] },\n"
				   "{ \"name\": \"b\", \"with\": [\"w\"] } ], " SMALL " }");

	(void)state;
	assert_string_equal(c->configs[0].verify.items[0], "v");
	assert_string_equal(c->configs[1].with.items[0], "w");
	pw_config_free(c);
}

static void test_apply_and_undo_go_together(void **state)
{
	(void)state;
	bad_program("\"apply\": [\"x\"]", "31: configs[0].apply: needs \"undo\": what it changes "
					  "could not be taken back");
	bad_program("\"undo\": [\"x\"]", "31: configs[0].undo: needs \"apply\": there is nothing "
					 "to take back");
}

static void test_commands_are_lists(void **state)
{
	(void)state;
	bad_program("\"with\": \"scx_lavd --performance\"",
		    "39: configs[0].with: wants a list of texts, [\"program\", \"argument\"] "
		    "(never a shell line), not a text");
	bad_program("\"verify\": []", "41: configs[0].verify: is empty");
	bad_program("\"with\": [\"x\", 1]",
		    "45: configs[0].with[1]: wants a text, not a whole number");
	bad_program("\"with\": [\"\"]", "40: configs[0].with[0]: the program's name is empty");
	bad_program("\"wiht\": [\"x\"]",
		    "31: configs[0].wiht: unknown key (did you mean \"with\"?)");
}

static void test_services(void **state)
{
	struct pw_config *c = good("{ \"services\": { \"tuned\": \"stop\", \"a@b-1.x_y:z\": "
				   "\"stop\" }, \"configs\": [ { \"name\": \"a\" } ], " SMALL " }");

	(void)state;
	assert_int_equal(c->services.count, 2);
	assert_string_equal(c->services.items[0], "tuned");
	assert_string_equal(c->services.items[1], "a@b-1.x_y:z");
	pw_config_free(c);
	bad_service("[]", "15: services: wants an object { ... }, not a list");
	bad_service("{ \"x\": \"start\" }",
		    "22: services.x: wants \"stop\": nothing else is done to services");
	bad_service("{ \"x\": true }",
		    "22: services.x: wants \"stop\": nothing else is done to services");
	bad_service("{ \"x\": \"stop\", \"x\": \"stop\" }",
		    "30: services.x: repeated key (first at line 1, column 17)");
	bad_service("{ \"x.service\": \"stop\", \"x\": \"stop\" }",
		    "38: services.x: is the same service as \"x.service\"");
}

static void test_names_of_services(void **state)
{
	static const char *const wrong[] = { "", "a b", "a/b", "--now", ".x", "a\xc3\xa4", "a;b" };
	char longest[257] = "";

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(wrong); i++)
		assert_false(pw_service_name_valid(wrong[i]));
	memset(longest, 'x', 256);
	assert_false(pw_service_name_valid(longest));
	longest[255] = '\0';
	assert_true(pw_service_name_valid(longest));
	bad_service("{ \"--now\": \"stop\" }",
		    "17: services.--now: is no name of a service (letters, digits and @ . _ - :"
		    ", up to 255 bytes, not beginning with - or .)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_verify_and_with_stand_alone),
		cmocka_unit_test(test_apply_and_undo_go_together),
		cmocka_unit_test(test_commands_are_lists),
		cmocka_unit_test(test_services),
		cmocka_unit_test(test_names_of_services),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
