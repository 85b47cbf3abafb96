/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sweep words, sweep objects, and what a run sees at a point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "fake_catalog.h"
#include "lib/base/mem.h"
#include "lib/base/strbuf.h"
#include "lib/model/config.h"

#define HEAD "{ \"configs\": [ { \"name\": \"a\" } ], \"workloads\": [ "

static struct pw_config *parsed(const char *entry, unsigned cpus, struct pw_err *err)
{
	const struct pw_config_env env = { .catalog = &fake_catalog, .cpus = cpus };
	pw_auto_free char *text = pw_sprintf(HEAD "%s ] }", entry);
	struct pw_config *config = NULL;

	if (pw_config_parse("c.json", "/", text, strlen(text), &env, &config, err) < 0)
		return NULL;
	return config;
}

/* The points of an entry, their texts joined by blanks. */
static void points(const char *entry, unsigned cpus, const char *wanted)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_config *config = parsed(entry, cpus, &err);
	struct pw_strbuf found = PW_STRBUF_INIT;

	if (!config)
		fail_msg("%s: %s", entry, err.text);
	for (size_t i = 0; i < config->entries[0].point_count; i++)
		pw_strbuf_printf(&found, "%s%s", i ? " " : "", config->entries[0].points[i].text);
	assert_string_equal(pw_strbuf_text(&found), wanted);
	pw_strbuf_done(&found);
	pw_config_free(config);
}

static void jobs(const char *sweep, unsigned cpus, const char *wanted)
{
	pw_auto_free char *entry =
		pw_sprintf("{ \"workload\": \"kernbench\", \"jobs\": %s }", sweep);

	points(entry, cpus, wanted);
}

static void refused(const char *entry, const char *message)
{
	struct pw_err err = PW_ERR_INIT;

	assert_null(parsed(entry, 6, &err));
	assert_non_null(strstr(err.text, ":1:"));
	assert_string_equal(strstr(err.text, ": workloads[0]"), message);
}

static void bad_jobs(const char *sweep, const char *message)
{
	pw_auto_free char *entry =
		pw_sprintf("{ \"workload\": \"kernbench\", \"jobs\": %s }", sweep);

	refused(entry, message);
}

static void words(void **state)
{
	(void)state;
	jobs("8", 6, "jobs=8");
	jobs("[1, 2, 8]", 6, "jobs=1 jobs=2 jobs=8");
	jobs("\"1x\"", 6, "jobs=6");
	jobs("\"1..8\"", 6, "jobs=1 jobs=2 jobs=4 jobs=8");
	jobs("\"1..4x\"", 2, "jobs=1 jobs=2 jobs=4 jobs=8");
	jobs("\"1..4x\"", 6, "jobs=1 jobs=2 jobs=4 jobs=8 jobs=16 jobs=24");
	jobs("\"3..20\"", 6, "jobs=3 jobs=4 jobs=8 jobs=16 jobs=20");
	jobs("\"topology\"", 6, "jobs=1 jobs=2 jobs=4 jobs=6");
	jobs("\"topology\"", 1, "jobs=1");
	jobs("\"1x..2x\"", 6, "jobs=6 jobs=8 jobs=12");
	jobs("\"4..1x\"", 2, "jobs=2"); /* a smaller machine than the config was written for */
}

static void lists_keep_their_order_and_lose_repetitions(void **state)
{
	(void)state;
	jobs("[2, 8, \"1x\"]", 2, "jobs=2 jobs=8");
	jobs("[8, 2, \"1x\"]", 6, "jobs=8 jobs=2 jobs=6");
	jobs("[\"1..4\", \"2x\", 4, 4]", 6, "jobs=1 jobs=2 jobs=4 jobs=12");
}

static void what_is_no_sweep(void **state)
{
	(void)state;
	bad_jobs("[]", ": workloads[0].jobs: is empty: a sweep has at least one value");
	bad_jobs("0", ": workloads[0].jobs: 0 is outside 1 to 4096");
	bad_jobs("[1, -2]", ": workloads[0].jobs[1]: -2 is outside 1 to 4096");
	bad_jobs("[1, 1.5]", ": workloads[0].jobs[1]: wants whole numbers");
	bad_jobs("\"0x\"", ": workloads[0].jobs: 0 is outside 1 to 4096");
	bad_jobs("\"8..4\"", ": workloads[0].jobs: '8..4' runs backwards");
	bad_jobs("\"1..2000x\"", ": workloads[0].jobs: 12000 is outside 1 to 4096");
	bad_jobs("\"1..\"", ": workloads[0].jobs: '1..' is no sweep (a number, a list such as "
			    "[1, 2, 8], \"1..4x\" or \"1x\" (x = CPUs), or \"topology\")");
	bad_jobs("\"8\"", ": workloads[0].jobs: '8' is no sweep (a number, a list such as "
			  "[1, 2, 8], \"1..4x\" or \"1x\" (x = CPUs), or \"topology\")");
	bad_jobs("[true]", ": workloads[0].jobs[0]: wants a number, a list such as [1, 2, 8], "
			   "\"1..4x\" or \"1x\" (x = CPUs), or \"topology\", not true/false");
}

static void an_entry_has_at_most_256_points(void **state)
{
	pw_auto_strbuf struct pw_strbuf list = PW_STRBUF_INIT;
	struct pw_err err = PW_ERR_INIT;
	struct pw_config *config;

	(void)state;
	pw_strbuf_puts(&list, "{ \"workload\": \"tbench\", \"clients\": [1");
	for (int i = 2; i <= 256; i++)
		pw_strbuf_printf(&list, ",%d", i);
	pw_strbuf_puts(&list, "] }");
	config = parsed(list.text, 6, &err);
	assert_non_null(config);
	assert_int_equal(config->entries[0].point_count, 256);
	pw_config_free(config);
	list.length -= strlen("] }");
	pw_strbuf_puts(&list, ",257] }");
	assert_null(parsed(list.text, 6, &err));
	assert_non_null(strstr(err.text, "workloads[0].clients[256]: has more than 256 values"));
	refused("{ \"workload\": \"exec\", \"command\": [\"x\"], \"sweep\": "
		"{ \"a\": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17], "
		"\"b\": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16] } }",
		": workloads[0].sweep: gives more than 256 points");
}

static void defaults_are_swept_too(void **state)
{
	(void)state;
	points("{ \"workload\": \"tbench\" }", 1, "clients=1 clients=2 clients=4");
	points("{ \"workload\": \"kernbench\" }", 6, ""); /* no default: one point, no sweep */
	points("{ \"workload\": \"idle\" }", 6, "");
}

#define EXEC(sweep) "{ \"workload\": \"exec\", \"command\": [\"x\"], \"sweep\": " sweep " }"

static void a_sweep_object_is_a_product(void **state)
{
	(void)state;
	points(EXEC("{ \"clients\": [1, 8] }"), 6, "clients=1 clients=8");
	points(EXEC("{ \"size\": [4, 2], \"depth\": \"1x\", \"alg\": [\"lz\", \"zstd\"] }"), 6,
	       "alg=lz,depth=6,size=4 alg=zstd,depth=6,size=4 alg=lz,depth=6,size=2 "
	       "alg=zstd,depth=6,size=2");
	points(EXEC("{ \"level\": [-5, 0, 0.5], \"word\": \"1..2..3\" }"), 6,
	       "level=-5,word=1..2..3 level=0,word=1..2..3 level=0.5,word=1..2..3");
}

static void slips_of_a_sweep_object(void **state)
{
	(void)state;
	refused(EXEC("[1, 2]"), ": workloads[0].sweep: wants an object { ... }, not a list");
	refused(EXEC("{}"), ": workloads[0].sweep: is empty: a sweep has at least one value");
	refused(EXEC("{ \"n\": [] }"),
		": workloads[0].sweep.n: is empty: a sweep has at least one value");
	refused(EXEC("{ \"n\": [1, null] }"),
		": workloads[0].sweep.n[1]: wants a number, a list such as [1, 2, 8], \"1..4x\" or "
		"\"1x\" (x = CPUs), or \"topology\", not null");
	refused(EXEC("{ \"a=b\": 1 }"), ": workloads[0].sweep[\"a=b\"]: a sweep's name has "
					"letters, digits, '-' and '_', at "
					"most 64");
	refused(EXEC("{ \"n\": [1, \"1\"] }"),
		": workloads[0].sweep: two points would both be written 'n=1'");
}

static void what_a_run_sees(void **state)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_config *config =
		parsed("{ \"workload\": \"tbench\", \"clients\": [2, 4], \"time\": \"1s\" }, " EXEC(
			       "{ \"n\": [3] }"),
		       6, &err);
	struct pw_value options;

	(void)state;
	assert_non_null(config);
	options = pw_entry_options(&config->entries[0], &config->entries[0].points[1]);
	assert_int_equal(pw_value_get_int(&options, "clients", 0), 4);
	assert_int_equal(pw_value_get_int(&options, "time", 0), 1000000000);
	pw_value_done(&options);
	options = pw_entry_options(&config->entries[1], &config->entries[1].points[0]);
	assert_int_equal(pw_value_get_int(pw_value_get(&options, "sweep"), "n", 0), 3);
	pw_value_done(&options);
	pw_config_free(config);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(lists_keep_their_order_and_lose_repetitions),
		cmocka_unit_test(what_is_no_sweep),
		cmocka_unit_test(an_entry_has_at_most_256_points),
		cmocka_unit_test(defaults_are_swept_too),
		cmocka_unit_test(a_sweep_object_is_a_product),
		cmocka_unit_test(slips_of_a_sweep_object),
		cmocka_unit_test(what_a_run_sees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
