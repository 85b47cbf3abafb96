/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/base/mem.h"
#include "workloads/engine/loghist.h"

static void buckets_are_ordered_and_complete(void **state)
{
	size_t last = 0;

	(void)state;
	/* Small values have a bucket each. */
	for (uint64_t ns = 0; ns < 64; ns++)
		assert_int_equal(pw_loghist_bucket(ns), ns);
	/* No bucket is left out, none goes back. */
	for (uint64_t ns = 0; ns < 100000; ns++) {
		size_t bucket = pw_loghist_bucket(ns);

		assert_true(bucket == last || bucket == last + 1);
		last = bucket;
	}
	assert_int_equal(pw_loghist_bucket((UINT64_C(1) << PW_LOGHIST_TOP_BITS) - 1),
			 PW_LOGHIST_BUCKETS - 1);
	assert_int_equal(pw_loghist_bucket(UINT64_MAX), PW_LOGHIST_BUCKETS - 1);
}

static void quantiles_are_near_the_true_ones(void **state)
{
	struct pw_loghist *hist = pw_new(1, sizeof(*hist));
	static const double shares[] = { .01, .5, .95, .99, 1 };
	const uint64_t values = 100000, step = 977;

	(void)state;
	assert_int_equal(pw_loghist_quantile(hist, .5), 0);
	for (uint64_t i = 1; i <= values; i++)
		pw_loghist_add(hist, i * step);
	assert_int_equal(hist->count, values);
	assert_int_equal(hist->max_ns, values * step);
	for (size_t i = 0; i < PW_LENGTH(shares); i++) {
		double wanted = shares[i] * (double)(values * step);
		double found = (double)pw_loghist_quantile(hist, shares[i]);

		assert_true(found > wanted * (1 - 1.0 / 32) && found < wanted * (1 + 1.0 / 32));
	}
	free(hist);
}

static void a_quantile_never_passes_the_maximum(void **state)
{
	struct pw_loghist *hist = pw_new(1, sizeof(*hist));

	(void)state;
	pw_loghist_add(hist, 1024);
	assert_int_equal(pw_loghist_quantile(hist, .5), 1024);
	assert_int_equal(pw_loghist_quantile(hist, .001), 1024);
	free(hist);
}

static void histograms_add_up(void **state)
{
	struct pw_loghist *a = pw_new(1, sizeof(*a)), *b = pw_new(1, sizeof(*b));

	(void)state;
	pw_loghist_add(a, 10);
	pw_loghist_add(b, 20);
	pw_loghist_add(b, 1000000);
	pw_loghist_merge(a, b);
	assert_int_equal(a->count, 3);
	assert_int_equal(a->max_ns, 1000000);
	assert_int_equal(pw_loghist_quantile(a, .34), 20);
	free(a);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_are_ordered_and_complete),
		cmocka_unit_test(quantiles_are_near_the_true_ones),
		cmocka_unit_test(a_quantile_never_passes_the_maximum),
		cmocka_unit_test(histograms_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
