/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sources a session opens: registers only by leave, and silently so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/engine/collect.h"

static int probes, opened;

static int probe(const struct pw_collect *collect, struct pw_err *err)
{
	(void)collect;
	(void)err;
	probes++;
	return 0;
}

static int refuse(const struct pw_collect *collect, struct pw_err *err)
{
	(void)collect;
	return pw_fail(err, PW_EUNSUPPORTED, "no counter here");
}

static int open_source(const struct pw_collect *collect, void **ret_state, struct pw_err *err)
{
	(void)collect;
	(void)err;
	*ret_state = NULL;
	opened++;
	return 0;
}

static void close_source(void *state)
{
	(void)state;
	opened--;
}

static const struct pw_collector counters = { .name = "frequency-perf",
					      .section = "frequency",
					      .rank = 10,
					      .probe = refuse,
					      .open = open_source,
					      .close = close_source };
static const struct pw_collector registers = { .name = "frequency-msr",
					       .section = "frequency",
					       .rank = 20,
					       .needs_msr = true,
					       .probe = probe,
					       .open = open_source,
					       .close = close_source };
static const struct pw_collector requests = { .name = "requested-msr",
					      .section = "requested",
					      .rank = 10,
					      .needs_msr = true,
					      .probe = probe,
					      .open = open_source,
					      .close = close_source };
static const struct pw_collector *const all[] = { &registers, &counters, &requests, NULL };
static const struct pw_catalog catalog = { .collectors = all };

static void registers_stay_closed_without_leave(void **state)
{
	struct pw_collect collect = { .scope = "package" };
	struct pw_collectors set;

	(void)state;
	probes = opened = 0;
	pw_collectors_open(&set, &catalog, &collect, NULL, 0);
	assert_int_equal(probes, 0);
	assert_int_equal(opened, 0);
	/* What nobody asked for is not missing. */
	assert_int_equal(set.missing_count, 1);
	assert_string_equal(set.missing[0].what, "frequency");
	assert_non_null(strstr(set.missing[0].why, "frequency-perf"));
	pw_collectors_close(&set);
}

static void with_leave_they_serve(void **state)
{
	struct pw_collect collect = { .scope = "package", .msr = true };
	struct pw_collectors set;

	(void)state;
	probes = opened = 0;
	pw_collectors_open(&set, &catalog, &collect, NULL, 0);
	assert_int_equal(opened, 2);
	assert_int_equal(set.missing_count, 0);
	pw_collectors_close(&set);
	assert_int_equal(opened, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_stay_closed_without_leave),
		cmocka_unit_test(with_leave_they_serve),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
