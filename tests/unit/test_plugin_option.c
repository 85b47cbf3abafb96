/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/plugin/option.h"

struct round_trip {
	enum pw_option_type type;
	const char *text; /* as written, and as given back */
};

/* What a config says, checked into internal form, is given back as the same text. */
static void values_go_there_and_back(void **state)
{
	static const struct round_trip cases[] = {
		{ PW_OPT_TIME, "5s" },	     { PW_OPT_TIME, "500ms" },	   { PW_OPT_TIME, "2m" },
		{ PW_OPT_TIME, "20us" },     { PW_OPT_FREQ, "2800MHz" },   { PW_OPT_FREQ, "3GHz" },
		{ PW_OPT_PERCENT, "50%" },   { PW_OPT_PERCENT, "2.5%" },   { PW_OPT_SWITCH, "on" },
		{ PW_OPT_SWITCH, "off" },    { PW_OPT_TEXT, "schedutil" }, { PW_OPT_POWER, "65W" },
		{ PW_OPT_POWER, "12500mW" }, { PW_OPT_POWER, "2kW" },
	};

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		struct pw_option option = { .name = "x", .type = cases[i].type };
		pw_auto_value struct pw_value value = pw_value_text(cases[i].text);
		pw_auto_value struct pw_value outer = PW_VALUE_INIT;
		struct pw_err err;

		assert_int_equal(pw_option_check(&option, &value, &err), 0);
		outer = pw_option_outer(&option, &value);
		assert_string_equal(outer.text, cases[i].text);
	}
}

static void a_power_needs_its_unit(void **state)
{
	struct pw_option option = { .name = "limit", .type = PW_OPT_POWER };
	pw_auto_value struct pw_value number = pw_value_int(65), other = pw_value_bool(true);
	pw_auto_value struct pw_value text = pw_value_text("65W"), wrong = pw_value_text("65MW");
	struct pw_err err;

	(void)state;
	assert_int_equal(pw_option_check(&option, &number, &err), -PW_EINVAL);
	assert_non_null(strstr(err.text, "needs a unit"));
	assert_int_equal(pw_option_check(&option, &other, &err), -PW_EINVAL);
	assert_int_equal(pw_option_check(&option, &wrong, &err), -PW_EINVAL);
	assert_non_null(strstr(err.text, "unknown unit 'MW'"));
	assert_int_equal(pw_option_check(&option, &text, &err), 0);
	assert_int_equal(text.type, PW_VALUE_INT);
	assert_int_equal(text.integer, 65000000); /* microwatts */
	assert_string_equal(pw_option_type_text(PW_OPT_POWER), "a power");
}

static const struct pw_option table[] = {
	{ .name = "clients",
	  .type = PW_OPT_INT,
	  .help = "how many",
	  .otherwise = "4",
	  .min = 1,
	  .max = 8 },
	{ .name = "time", .type = PW_OPT_TIME, .help = "how long", .otherwise = "60s" },
	{ .name = "command", .type = PW_OPT_ARGV, .help = "what", .flags = PW_OPT_REQUIRED },
	{ .name = NULL },
};

static struct pw_value with_command(void)
{
	struct pw_value object = pw_value_object(), argv = pw_value_list();

	pw_value_push(&argv, pw_value_text("true"));
	pw_value_set(&object, "command", argv);
	return object;
}

static void defaults_are_filled(void **state)
{
	pw_auto_value struct pw_value object = with_command();
	struct pw_err err;

	(void)state;
	assert_int_equal(pw_options_check(table, NULL, NULL, &object, &err), 0);
	assert_int_equal(pw_value_get_int(&object, "clients", 0), 4);
	assert_int_equal(pw_value_get_int(&object, "time", 0), 60000000000);
}

static void errors_name_their_place(void **state)
{
	pw_auto_value struct pw_value unknown = with_command(), range = with_command();
	pw_auto_value struct pw_value missing = pw_value_object();
	struct pw_err err;

	(void)state;
	pw_value_set(&unknown, "cleints", pw_value_int(2));
	assert_int_equal(pw_options_check(table, NULL, NULL, &unknown, &err), -PW_EINVAL);
	assert_string_equal(err.where, "/cleints");
	assert_int_equal(err.at_key, 1);
	assert_non_null(strstr(err.text, "did you mean \"clients\""));
	pw_value_set(&range, "clients", pw_value_int(9));
	assert_int_equal(pw_options_check(table, NULL, NULL, &range, &err), -PW_EINVAL);
	assert_string_equal(err.where, "/clients");
	assert_int_equal(pw_options_check(table, NULL, NULL, &missing, &err), -PW_EINVAL);
	assert_non_null(strstr(err.text, "needs \"command\""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_go_there_and_back),
		cmocka_unit_test(a_power_needs_its_unit),
		cmocka_unit_test(defaults_are_filled),
		cmocka_unit_test(errors_name_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
