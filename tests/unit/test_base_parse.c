/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/parse.h"

static void whole_numbers_are_strict(void **state)
{
	static const char *const refused[] = { "",    "-1",    "+1",
					       " 1",  "1 ",    "0x10",
					       "1e3", "1,000", "18446744073709551616" };
	struct pw_err err;
	uint64_t value;

	(void)state;
	assert_int_equal(pw_parse_u64("18446744073709551615", &value, &err), 0);
	assert_true(value == UINT64_MAX);
	for (size_t i = 0; i < PW_LENGTH(refused); i++)
		assert_int_equal(pw_parse_u64(refused[i], &value, &err), -PW_EINVAL);
}

static void real_numbers_are_strict(void **state)
{
	static const char *const refused[] = { "",   "nan",  "inf",   "0x1p3", "1,5",
					       "1e", "1.5 ", "1e999", ".",     "--1" };
	struct pw_err err;
	double value;

	(void)state;
	assert_int_equal(pw_parse_real("-1.25e3", &value, &err), 0);
	assert_true(value == -1250.0);
	assert_int_equal(pw_parse_real(".5", &value, &err), 0);
	for (size_t i = 0; i < PW_LENGTH(refused); i++)
		assert_int_equal(pw_parse_real(refused[i], &value, &err), -PW_EINVAL);
}

static void times_need_a_unit(void **state)
{
	struct pw_err err;
	int64_t ns;

	(void)state;
	assert_int_equal(pw_parse_time("1.5s", &ns, &err), 0);
	assert_int_equal(ns, 1500000000);
	assert_int_equal(pw_parse_time("2m", &ns, &err), 0);
	assert_int_equal(ns, 120000000000);
	assert_int_equal(pw_parse_time("5", &ns, &err), -PW_EINVAL);
	assert_non_null(strstr(err.text, "needs a unit"));
	assert_int_equal(pw_parse_time("-5s", &ns, &err), -PW_EINVAL);
	assert_int_equal(pw_parse_time("5 s", &ns, &err), -PW_EINVAL);
	assert_int_equal(pw_parse_time("999999h", &ns, &err), -PW_EINVAL);
}

static void powers_need_a_unit(void **state)
{
	static const char *const refused[] = { "65",   "65w", "65 W",	   "-65W",
					       "+65W", "65J", "2000000kW", "W" };
	struct pw_err err;
	int64_t uw;

	(void)state;
	assert_int_equal(pw_parse_power("65W", &uw, &err), 0);
	assert_int_equal(uw, 65000000);
	assert_int_equal(pw_parse_power("12.5W", &uw, &err), 0);
	assert_int_equal(uw, 12500000);
	assert_int_equal(pw_parse_power("800mW", &uw, &err), 0);
	assert_int_equal(uw, 800000);
	assert_int_equal(pw_parse_power("1.5kW", &uw, &err), 0);
	assert_int_equal(uw, 1500000000);
	assert_int_equal(pw_parse_power("0.0126W", &uw, &err), 0); /* whole milliwatts */
	assert_int_equal(uw, 13000);
	for (size_t i = 0; i < PW_LENGTH(refused); i++)
		assert_int_equal(pw_parse_power(refused[i], &uw, &err), -PW_EINVAL);
	assert_int_equal(uw, 13000); /* untouched */
	assert_int_equal(pw_parse_power("65", &uw, &err), -PW_EINVAL);
	assert_non_null(strstr(err.text, "a power needs a unit"));
}

static void cpu_lists_in_both_forms(void **state)
{
	struct pw_err err;
	unsigned *cpus = NULL;
	size_t count = 0;

	(void)state;
	assert_int_equal(pw_parse_cpulist("0-2,8,2", &cpus, &count, &err), 0);
	assert_int_equal(count, 4);
	assert_int_equal(cpus[3], 8);
	free(cpus);
	assert_int_equal(pw_parse_cpulist("0 1 2 \n", &cpus, &count, &err), 0);
	assert_int_equal(count, 3);
	free(cpus);
	assert_int_equal(pw_parse_cpulist("3-1", &cpus, &count, &err), -PW_EINVAL);
	assert_int_equal(pw_parse_cpulist("0-99999999", &cpus, &count, &err), -PW_EINVAL);
}

static void suggestions_are_near(void **state)
{
	static const char *const words[] = { "governor", "epp", "blocks" };

	(void)state;
	assert_string_equal(pw_nearest("governer", words, 3), "governor");
	assert_string_equal(pw_nearest("blokcs", words, 3), "blocks");
	assert_null(pw_nearest("zzzzzzzz", words, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers_are_strict),
		cmocka_unit_test(real_numbers_are_strict),
		cmocka_unit_test(times_need_a_unit),
		cmocka_unit_test(powers_need_a_unit),
		cmocka_unit_test(cpu_lists_in_both_forms),
		cmocka_unit_test(suggestions_are_near),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
