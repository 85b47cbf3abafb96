/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The section "noise" of a config. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "fake_catalog.h"
#include "lib/base/mem.h"
#include "lib/model/config.h"

static const struct pw_config_env env = { .catalog = &fake_catalog, .cpus = 6 };

static int parse(const char *noise, struct pw_config **ret, struct pw_err *err)
{
	pw_auto_free char *text = pw_sprintf(
		"{ \"configs\": [ { \"name\": \"a\" } ], \"workloads\": [ { \"workload\": "
		"\"tbench\", \"clients\": [1] } ]%s%s }",
		noise ? ", \"noise\": " : "", noise ? noise : "");

	return pw_config_parse("c.json", "/", text, strlen(text), &env, ret, err);
}

static struct pw_config *good(const char *noise)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_config *config = NULL;

	if (parse(noise, &config, &err) < 0)
		fail_msg("%s", err.text);
	return config;
}

static void bad(const char *noise, const char *word)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_config *config = NULL;

	assert_int_equal(parse(noise, &config, &err), -PW_EINVAL);
	if (!strstr(err.text, word))
		fail_msg("'%s' is not in: %s", word, err.text);
}

static void is(const struct pw_config *config, double load, double process, double steal)
{
	assert_true(fabs(config->noise.load - load) < 1e-12);
	assert_true(fabs(config->noise.process - process) < 1e-12);
	assert_true(fabs(config->noise.steal - steal) < 1e-12);
}

static void defaults(void **state)
{
	struct pw_config *absent = good(NULL), *empty = good("{}");

	(void)state;
	is(absent, 0.05, 0.10, 0.01);
	assert_false(absent->noise.off);
	assert_false(absent->noise.refuse);
	is(empty, 0.05, 0.10, 0.01);
	pw_config_free(absent);
	pw_config_free(empty);
}

static void limits(void **state)
{
	struct pw_config *c = good("{ \"load\": \"2%\", \"process\": \"150%\", \"steal\": \"0%\", "
				   "\"action\": \"refuse\" }");

	(void)state;
	is(c, 0.02, 1.5, 0);
	assert_true(c->noise.refuse);
	pw_config_free(c);
}

static void switched_off(void **state)
{
	struct pw_config *all = good("false"), *one = good("{ \"load\": false }");

	(void)state;
	assert_true(all->noise.off);
	assert_false(one->noise.off);
	assert_true(isinf(one->noise.load));
	assert_true(fabs(one->noise.process - 0.10) < 1e-12);
	pw_config_free(all);
	pw_config_free(one);
}

static void slips(void **state)
{
	(void)state;
	bad("true", "noise: wants an object");
	bad("\"warn\"", "noise: wants an object");
	bad("{ \"load\": 5 }", "noise.load");
	bad("{ \"load\": true }", "noise.load");
	bad("{ \"laod\": false }", "load");
	bad("{ \"action\": \"stop\" }", "noise.action");
	bad("{ \"action\": false }", "noise.action");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(limits),
		cmocka_unit_test(switched_off),
		cmocka_unit_test(slips),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
