/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/platform/pfm.h"

static const struct pw_perf_event package = {
	.pmu = "power",
	.name = "energy-pkg",
	.type = 4000,
	.config = 2,
};

static void the_type_of_the_pmu_decides(void **state)
{
	char text[PW_PFM_TEXT_SIZE];

	(void)state;
	assert_int_equal(pw_pfm_compare(&package, "rapl::X", 4000, 2, text), PW_PFM_AGREES);
	/* PERF_TYPE_RAW with the right config is an event of the core. */
	assert_int_equal(pw_pfm_compare(&package, "rapl::X", 4, 2, text), PW_PFM_DIFFERS);
	assert_non_null(strstr(text, "type 4000 config 0x2"));
	assert_non_null(strstr(text, "rapl::X type 4 config 0x2"));
	assert_non_null(strstr(text, "sysfs is used"));
	assert_int_equal(pw_pfm_compare(&package, "rapl::X", 4000, 3, text), PW_PFM_DIFFERS);
}

/* The library encodes happily for a PMU that is not there. */
static void a_forced_encoding_is_told(void **state)
{
	char text[PW_PFM_TEXT_SIZE] = "";
	enum pw_pfm_verdict verdict = pw_pfm_check(&package, text);

	(void)state;
	assert_true(*text);
	if (verdict == PW_PFM_ABSENT)
		skip();
	assert_int_equal(setenv("LIBPFM_FORCE_PMU", "rapl", 1), 0);
	assert_int_equal(setenv("LIBPFM_ENCODE_INACTIVE", "1", 1), 0);
	verdict = pw_pfm_check(&package, text);
	assert_int_equal(unsetenv("LIBPFM_FORCE_PMU"), 0);
	assert_int_equal(unsetenv("LIBPFM_ENCODE_INACTIVE"), 0);
	assert_true(verdict == PW_PFM_DIFFERS || verdict == PW_PFM_UNKNOWN);
	print_message("forced: %s\n", text);
}

static void unknown_events_are_no_difference(void **state)
{
	struct pw_perf_event event = { .pmu = "power_core", .name = "energy-core", .type = 24 };
	char text[PW_PFM_TEXT_SIZE] = "";
	enum pw_pfm_verdict verdict = pw_pfm_check(&event, text);

	(void)state;
	assert_true(verdict == PW_PFM_UNKNOWN || verdict == PW_PFM_ABSENT);
	assert_non_null(strstr(text, "libpfm4"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_type_of_the_pmu_decides),
		cmocka_unit_test(a_forced_encoding_is_told),
		cmocka_unit_test(unknown_events_are_no_difference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
