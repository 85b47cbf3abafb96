/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PERFWATT_TEST=NAME in the environment runs this one test of the program (cmocka's patterns: * and
 * ?). cmocka reads none itself. Linked into every unit test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void __attribute__((constructor)) choose_tests(void)
{
	const char *name = getenv("PERFWATT_TEST");

	if (name && *name)
		cmocka_set_test_filter(name);
}
