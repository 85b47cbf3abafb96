/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/cleanup.h"
#include "lib/base/clock.h"
#include "lib/platform/counter.h"

#define SECOND PW_NS_PER_S
/* ESU 14: 2^32 - 1 units of 61035 nJ; 400 W. */
#define ESU14                                                                                      \
	{                                                                                          \
		.range = UINT64_C(262143328850), .step = 61, .max_per_s = 400e6                    \
	}

static void rising_values_add_up(void **state)
{
	struct pw_counter counter = ESU14;

	(void)state;
	pw_counter_start(&counter, 1000, 0);
	assert_int_equal(pw_counter_update(&counter, 5000, SECOND), PW_COUNTER_OK);
	assert_int_equal(pw_counter_update(&counter, 5000, 2 * SECOND), PW_COUNTER_OK);
	assert_int_equal(pw_counter_update(&counter, 7500, 3 * SECOND), PW_COUNTER_OK);
	assert_true(counter.total == 6500);
	assert_int_equal(counter.wraps, 0);
}

static void a_fall_is_one_wrap(void **state)
{
	static const struct {
		uint64_t range, step, modulus;
	} cases[] = {
		/* range of 2^32 - 1 units, one unit, 2^32 units in whole microjoules */
		{ UINT64_C(262143328850), 61, UINT64_C(262143328911) }, /* 61035 nJ */
		{ UINT64_C(65532610987), 15, UINT64_C(65532611002) },	/* 15258 nJ */
		{ UINT64_C(65712999613), 15, UINT64_C(65712999628) },	/* 15300 nJ */
	};

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		struct pw_counter counter = {
			.range = cases[i].range,
			.step = cases[i].step,
			.max_per_s = 400e6,
		};

		pw_counter_start(&counter, cases[i].range - 100, 0);
		assert_int_equal(pw_counter_update(&counter, 300, SECOND), PW_COUNTER_OK);
		assert_true(counter.total == cases[i].modulus - cases[i].range + 100 + 300);
		assert_int_equal(counter.wraps, 1);
	}
}

static void a_full_64_bit_range_wraps_by_itself(void **state)
{
	struct pw_counter counter = { .range = UINT64_MAX, .step = 1 };

	(void)state;
	pw_counter_start(&counter, UINT64_MAX - 1, 0);
	assert_int_equal(pw_counter_update(&counter, 3, SECOND), PW_COUNTER_OK);
	assert_true(counter.total == 5);
}

static void a_fall_without_range_is_a_fault(void **state)
{
	struct pw_counter counter = { .max_per_s = 400e6 };

	(void)state;
	pw_counter_start(&counter, 1000, 0);
	assert_int_equal(pw_counter_update(&counter, 2000, SECOND), PW_COUNTER_OK);
	assert_int_equal(pw_counter_update(&counter, 1999, 2 * SECOND), PW_COUNTER_NO_RANGE);
	/* The first fault stays, and the total does not move again. */
	assert_int_equal(pw_counter_update(&counter, 3000, 3 * SECOND), PW_COUNTER_NO_RANGE);
	assert_true(counter.total == 1000);
	pw_counter_start(&counter, 7, 4 * SECOND);
	assert_int_equal(pw_counter_update(&counter, 8, 5 * SECOND), PW_COUNTER_OK);
	assert_true(counter.total == 1);
}

/* Seen in the field: +702 J, then -702 J, which a wrap rule alone turns into 64.8 kJ. */
static void a_glitch_is_no_wrap(void **state)
{
	struct pw_counter counter = {
		.range = UINT64_C(65532610987),
		.step = 15,
		.max_per_s = 1000e6,
	};

	(void)state;
	pw_counter_start(&counter, 5000000000, 0);
	assert_int_equal(pw_counter_update(&counter, 5702000000, SECOND), PW_COUNTER_OK);
	assert_int_equal(pw_counter_update(&counter, 5000006000, 2 * SECOND),
			 PW_COUNTER_IMPLAUSIBLE);
}

static void more_than_the_hardware_can_do(void **state)
{
	struct pw_counter counter = ESU14;

	(void)state;
	pw_counter_start(&counter, 0, 0);
	/* 400 W for a second and the slack of 20 ms. */
	assert_int_equal(pw_counter_update(&counter, 408000000, SECOND), PW_COUNTER_OK);
	assert_int_equal(pw_counter_update(&counter, 408000000 + 408000001, 2 * SECOND),
			 PW_COUNTER_IMPLAUSIBLE);
	pw_counter_start(&counter, UINT64_C(262143328911) + 5, 0);
	assert_int_equal(pw_counter_update(&counter, 1, SECOND), PW_COUNTER_IMPLAUSIBLE);
}

static void two_wraps_may_hide_in_a_gap(void **state)
{
	struct pw_counter counter = {
		.range = UINT64_C(65532610987),
		.step = 15,
		.max_per_s = 500e6,
	};

	(void)state;
	/* 131 s at 500 W are one wrap: 1 kJ seen may be 1 kJ or 66.5 kJ. */
	pw_counter_start(&counter, 0, 0);
	assert_int_equal(pw_counter_update(&counter, 1000000000, 130 * SECOND), PW_COUNTER_OK);
	assert_int_equal(pw_counter_update(&counter, 2000000000, 264 * SECOND), PW_COUNTER_GAP);
	/* A fall after it as well. */
	pw_counter_start(&counter, 60000000000, 0);
	assert_int_equal(pw_counter_update(&counter, 100, 160 * SECOND), PW_COUNTER_GAP);
}

static void an_alias_hides_in_a_gap_too(void **state)
{
	struct pw_counter counter = { .alias = 65536, .max_per_s = 500.0 };

	(void)state;
	pw_counter_start(&counter, 0, 0);
	assert_int_equal(pw_counter_update(&counter, 16384, 163 * SECOND), PW_COUNTER_OK);
	assert_int_equal(pw_counter_update(&counter, 16384 + 16384, 2 * 163 * SECOND + SECOND),
			 PW_COUNTER_GAP);
}

static void the_period_is_half_a_wrap(void **state)
{
	struct pw_counter counter = ESU14, alias = { .alias = 65536, .max_per_s = 4000.0 };
	struct pw_counter free_running = { .max_per_s = 10.0 }, unbounded = { .range = 1000 };

	(void)state;
	/* 262143.3 J / 400 W / 2 = 327.679 s */
	assert_int_equal(pw_counter_max_period_ns(&counter) / PW_NS_PER_MS, 327679);
	assert_int_equal(pw_counter_max_period_ns(&alias) / PW_NS_PER_MS, 8192);
	assert_int_equal(pw_counter_max_period_ns(&free_running), 0);
	assert_int_equal(pw_counter_max_period_ns(&unbounded), 0);
}

/*
 * A counter read each 0.5 s over 20 s idle at 30 W, 15 s set-up at 60 W, 60 s timed at 120 W and
 * 10 s clearing up at 80 W: the timed part has 7200 J, the command 8900 J, the trace 9500 J.
 */
static uint64_t phases_uj(int64_t half_seconds)
{
	static const struct {
		int64_t until;
		uint64_t watt;
	} phases[] = { { 40, 30 }, { 70, 60 }, { 190, 120 }, { 210, 80 } };
	uint64_t uj = UINT64_C(5000000000);
	int64_t from = 0;

	for (size_t i = 0; i < PW_LENGTH(phases) && half_seconds > from; i++) {
		int64_t to = half_seconds < phases[i].until ? half_seconds : phases[i].until;

		uj += (uint64_t)(to - from) * phases[i].watt * 500000;
		from = to;
	}
	return uj;
}

static uint64_t window_uj(int64_t from, int64_t to)
{
	struct pw_counter counter = ESU14;

	pw_counter_start(&counter, phases_uj(from), from * SECOND / 2);
	for (int64_t at = from + 1; at <= to; at++)
		assert_int_equal(pw_counter_update(&counter, phases_uj(at), at * SECOND / 2),
				 PW_COUNTER_OK);
	return counter.total;
}

static void a_window_holds_its_own_energy(void **state)
{
	(void)state;
	assert_true(window_uj(70, 190) == UINT64_C(7200000000));
	assert_true(window_uj(40, 210) == UINT64_C(8900000000));
	assert_true(window_uj(0, 210) == UINT64_C(9500000000));
}

static void faults_have_words(void **state)
{
	(void)state;
	for (int fault = PW_COUNTER_OK; fault <= PW_COUNTER_GAP; fault++)
		assert_true(strlen(pw_counter_fault_text((enum pw_counter_fault)fault)) > 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rising_values_add_up),
		cmocka_unit_test(a_fall_is_one_wrap),
		cmocka_unit_test(a_full_64_bit_range_wraps_by_itself),
		cmocka_unit_test(a_fall_without_range_is_a_fault),
		cmocka_unit_test(a_glitch_is_no_wrap),
		cmocka_unit_test(more_than_the_hardware_can_do),
		cmocka_unit_test(two_wraps_may_hide_in_a_gap),
		cmocka_unit_test(an_alias_hides_in_a_gap_too),
		cmocka_unit_test(the_period_is_half_a_wrap),
		cmocka_unit_test(a_window_holds_its_own_energy),
		cmocka_unit_test(faults_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
