/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/stats/rng.h"
#include "lib/stats/summary.h"

/* The pinned sequences: docs/statistics.md; seed 0 is the reference implementation's own output. */
static void sequences_are_pinned(void **state)
{
	static const unsigned below5[] = { 3, 0, 1, 1, 0, 4, 1, 4, 1, 3, 1, 2 };
	struct pw_rng zero = pw_rng_seeded(0), one = pw_rng_seeded(1),
		      forty_two = pw_rng_seeded(42);

	(void)state;
	assert_true(pw_rng_next(&zero) == UINT64_C(0xe220a8397b1dcdaf));
	assert_true(pw_rng_next(&zero) == UINT64_C(0x6e789e6aa1b965f4));
	assert_true(pw_rng_next(&zero) == UINT64_C(0x06c45d188009454f));
	assert_true(pw_rng_next(&one) == UINT64_C(0x910a2dec89025cc1));
	for (size_t i = 0; i < sizeof(below5) / sizeof(below5[0]); i++)
		assert_int_equal(pw_rng_below(&forty_two, 5), below5[i]);
}

static void summaries_match_the_vectors(void **state)
{
	static const double a[] = { 100.2, 99.8, 101.1, 100.5, 99.4 };

	(void)state;
	assert_float_equal(pw_mean_of(PW_MEAN_ARITHMETIC, a, 5), 100.2, 1e-12);
	assert_float_equal(pw_mean_of(PW_MEAN_HARMONIC, a, 5), 100.196610269, 1e-8);
	assert_float_equal(pw_mean_of(PW_MEAN_GEOMETRIC, a, 5), 100.198304548, 1e-8);
	assert_float_equal(pw_sd_of(PW_MEAN_ARITHMETIC, a, 5), .65192024052, 1e-10);
	assert_float_equal(pw_sd_of(PW_MEAN_HARMONIC, a, 5), .651238758097, 1e-10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequences_are_pinned),
		cmocka_unit_test(summaries_match_the_vectors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
