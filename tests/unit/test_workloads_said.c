/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What dbench and tbench print: lines, versions, results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/mem.h"
#include "workloads/external/said.h"

static void lines_are_told_apart(void **state)
{
	static const struct {
		const char *line;
		enum pw_said_kind kind;
	} cases[] = {
		{ "   4     45232   381.16 MB/sec  warmup   1 sec  latency 16.257 ms",
		  PW_SAID_WARMUP },
		{ "   4  12345678   381.16 MB/sec  execute 100 sec  latency 16.257 ms",
		  PW_SAID_EXECUTE },
		{ "   4  cleanup  10 sec", PW_SAID_CLEANUP },
		{ "Throughput 386.306 MB/sec  4 clients  4 procs  max_latency=16.257 ms",
		  PW_SAID_THROUGHPUT },
		{ "failed to create barrier semaphore ", PW_SAID_OTHER },
		{ "failed to create barrier semaphore 3", PW_SAID_FAULT },
		{ "[652] unlink /x failed (No) - expected NT_STATUS_OK", PW_SAID_FAULT },
		{ "ERROR: child 7 failed at line 652", PW_SAID_FAULT },
		{ "lost sync (1 2)", PW_SAID_FAULT },
		{ "create 0 procs?  you must be kidding.", PW_SAID_FAULT },
		{ " NTCreateX     123501     0.054     7.513", PW_SAID_OTHER },
		{ "releasing clients", PW_SAID_OTHER },
		{ "", PW_SAID_OTHER },
	};

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		if (pw_said(cases[i].line) != cases[i].kind)
			fail_msg("'%s' is %d", cases[i].line, pw_said(cases[i].line));
	}
}

static void versions(void **state)
{
	pw_auto_free char *four = pw_said_version("dbench version 4.00 - Copyright");
	pw_auto_free char *five = pw_said_version("dbench version 5.00");

	(void)state;
	assert_string_equal(four, "4.00");
	assert_string_equal(five, "5.00");
	assert_null(pw_said_version("dbench version "));
	assert_null(pw_said_version("pgbench (PostgreSQL) 16"));
}

static void result_lines(void **state)
{
	struct pw_throughput found;
	struct pw_err err;

	(void)state;
	assert_int_equal(pw_said_throughput("Throughput 1.2e+06 MB/sec (sync open) (sync dirs)  "
					    "512 clients  4 procs  max_latency=0.000 ms",
					    &found, &err),
			 0);
	assert_true(found.megabytes_per_s == 1.2e6 && found.clients == 512);
	assert_true(found.max_latency_ms == 0);
	for (const char *const *line =
		     (const char *const[]){
			     "Throughput",
			     "Throughput -nan MB/sec  4 clients  4 procs  max_latency=1 ms",
			     "Throughput 38,306 MB/sec  4 clients  4 procs  max_latency=1 ms",
			     "Throughput 5 MB/sec  4 procs  max_latency=1 ms",
			     "Throughput 5 MB/sec  4 clients  4 procs",
			     "Throughput 5 kB/sec  4 clients  4 procs  max_latency=1 ms", NULL };
	     *line; line++) {
		assert_int_equal(pw_said_throughput(*line, &found, &err), -PW_EFAILED);
		assert_non_null(strstr(err.text, *line));
	}
}

#define TICK "   4  45232  381.16 MB/sec  execute   1 sec  latency 16.257 ms\n"
#define DONE "Throughput 386.306 MB/sec  4 clients  4 procs  max_latency=16.257 ms\n"

static void refuses(const char *text, const char *reason)
{
	struct pw_said_run run;
	struct pw_err err;

	assert_int_equal(pw_said_parse(text, strlen(text), &run, &err), -PW_EFAILED);
	if (!strstr(err.text, reason))
		fail_msg("'%s' does not hold '%s'", err.text, reason);
}

static void runs(void **state)
{
	static const char good[] = "dbench version 4.00 - Copyright\n" TICK TICK DONE;
	struct pw_said_run run;
	struct pw_err err;

	(void)state;
	assert_int_equal(pw_said_parse(good, strlen(good), &run, &err), 0);
	assert_int_equal(run.executes, 2);
	assert_true(run.throughput.megabytes_per_s == 386.306);
	refuses("", "no final Throughput");
	refuses(TICK, "no final Throughput");
	refuses(TICK DONE DONE, "2 Throughput lines");
	refuses(DONE, "nothing was measured");
	refuses(TICK "[1] read failed on handle 3 (Success)\n" DONE, "read failed");
	refuses(TICK "Throughput 0 MB/sec  4 clients  4 procs  max_latency=0.000 ms\n",
		"throughput 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_told_apart),
		cmocka_unit_test(versions),
		cmocka_unit_test(result_lines),
		cmocka_unit_test(runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
