/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Coverage, choice among records of one place, errors of the report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "report/report.h"

#define SESSION(configs)                                                                           \
	"{\"schema\":1,\"type\":\"session\",\"id\":\"s\",\"baseline\":\"base\",\"plan\":{"         \
	"\"blocks\":2,\"configs\":[" configs "],\"cells\":[{\"workload\":\"tbench\","              \
	"\"name\":\"tbench\",\"sweep\":\"clients\",\"kind\":\"fixed-time\","                       \
	"\"points\":[{\"clients\":1},{\"clients\":8}]}]}}"
#define TWO "{\"name\":\"base\",\"set\":{}},{\"name\":\"new\",\"set\":{}}"
#define RUN(config, clients, block, status, value)                                                 \
	"{\"schema\":1,\"type\":\"run\",\"config\":\"" config "\",\"workload\":\"tbench\","        \
	"\"name\":\"tbench\",\"point\":{\"clients\":" #clients "},\"block\":" #block               \
	",\"status\":\"" status "\",\"metrics\":[{\"name\":\"throughput\",\"unit\":\"MB/s\","      \
	"\"better\":\"higher\",\"mean\":\"harmonic\",\"primary\":true,\"value\":" #value "}]}\n"

static char base[64];

static int setup(void **state)
{
	(void)state;
	(void)snprintf(base, sizeof(base), "/tmp/pw-report-XXXXXX");
	return mkdtemp(base) ? 0 : -1;
}

static int teardown(void **state)
{
	struct pw_err err;

	(void)state;
	return pw_remove_tree(base, &err);
}

static void put(const char *name, const char *text)
{
	pw_auto_free char *path = pw_sprintf("%s/%s", base, name);
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void cover(struct pw_coverage *coverage)
{
	struct pw_err err = PW_ERR_INIT;

	if (pw_report_coverage(base, coverage, &err) < 0)
		fail_msg("%s", err.text);
}

static void test_counts(void **state)
{
	struct pw_coverage coverage;

	(void)state;
	put("session.json", SESSION(TWO));
	put("runs.jsonl", RUN("base", 1, 1, "ok", 1.0) RUN("base", 1, 2, "ok", 1.0)
				  RUN("new", 1, 1, "ok", 1.0) RUN("base", 8, 1, "failed", 1.0)
					  RUN("base", 8, 2, "ok", 2.0) RUN("new", 8, 1, "ok", 0.0));
	cover(&coverage);
	assert_int_equal(coverage.declared, 4);
	assert_int_equal(coverage.measured, 3);
	assert_int_equal(coverage.short_cells, 2);
	assert_int_equal(coverage.missing.count, 1);
	assert_string_equal(coverage.missing.items[0], "tbench clients=8 (new)");
	pw_coverage_done(&coverage);
}

static void test_nothing_recorded(void **state)
{
	struct pw_coverage coverage;

	(void)state;
	put("session.json", SESSION(TWO));
	cover(&coverage);
	assert_int_equal(coverage.declared, 4);
	assert_int_equal(coverage.measured, 0);
	assert_int_equal(coverage.missing.count, 4);
	pw_coverage_done(&coverage);
}

/* What the machine could not do was declared all the same; what cannot be at all was not. */
static void test_skipped_and_impossible(void **state)
{
	struct pw_coverage coverage;

	(void)state;
	put("session.json",
	    SESSION(TWO ",{\"name\":\"a\",\"skipped\":\"no such driver\"},{\"name\":\"b\","
			"\"impossible\":\"passive has no EPP\"}"));
	put("runs.jsonl", "");
	cover(&coverage);
	assert_int_equal(coverage.declared, 6);
	pw_coverage_done(&coverage);
}

static char *report(const char *baseline, struct pw_err *err)
{
	const char *folders[] = { base };
	struct pw_report_options options = { .folders = folders,
					     .folder_count = 1,
					     .baseline = baseline };
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	return pw_report_text(&options, &text, err) < 0 ? NULL : pw_strbuf_take(&text);
}

/* Of several records of one cell and block the last valid one counts. */
static void test_retries(void **state)
{
	pw_auto_free char *text = NULL;
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	put("session.json", SESSION(TWO));
	put("runs.jsonl", RUN("base", 1, 1, "ok", 10.0) RUN("base", 1, 1, "ok", 20.0)
				  RUN("base", 1, 1, "failed", 30.0));
	text = report(NULL, &err);
	assert_non_null(text);
	assert_non_null(strstr(text, "1 of 8 valid (blocks declared: 2; repeated: 2)"));
	assert_non_null(strstr(text, "Hmean   1        20.00  +-   --%"));
}

static void test_no_data(void **state)
{
	pw_auto_free char *text = NULL;
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	put("session.json", SESSION(TWO));
	put("runs.jsonl", "");
	text = report(NULL, &err);
	assert_non_null(text);
	assert_non_null(strstr(text, "no cell has data"));
	assert_non_null(strstr(text, "missing: tbench clients=8 (new): no run recorded"));
}

static void test_baseline(void **state)
{
	pw_auto_free char *text = NULL;
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	put("session.json", SESSION(TWO));
	put("runs.jsonl", RUN("base", 1, 1, "ok", 10.0) RUN("new", 1, 1, "ok", 20.0));
	text = report("new", &err);
	assert_non_null(text);
	assert_non_null(strstr(text, "new (BASELINE)"));
	assert_null(report("neu", &err));
	assert_int_equal(err.code, PW_EINVAL);
	assert_non_null(strstr(err.text, "did you mean 'new'"));
}

static void test_no_results_folder(void **state)
{
	struct pw_err err = PW_ERR_INIT;

	(void)state;
	assert_null(report(NULL, &err));
	assert_int_equal(err.code, PW_EINVAL);
	assert_non_null(strstr(err.text, "is no results folder"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_counts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing_recorded, setup, teardown),
		cmocka_unit_test_setup_teardown(test_skipped_and_impossible, setup, teardown),
		cmocka_unit_test_setup_teardown(test_retries, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_data, setup, teardown),
		cmocka_unit_test_setup_teardown(test_baseline, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_results_folder, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
