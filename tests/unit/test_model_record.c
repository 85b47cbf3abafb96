/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/mem.h"
#include "lib/model/json.h"
#include "lib/model/record.h"

static void assert_json(const struct pw_value *value, const char *expected)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	pw_json_write(value, PW_JSON_COMPACT, &text);
	assert_string_equal(text.text, expected);
}

static void test_status(void **state)
{
	(void)state;
	for (int i = PW_STATUS_OK; i <= PW_STATUS_SKIPPED; i++)
		assert_int_equal(pw_status_parse(pw_status_text((enum pw_status)i)), i);
	assert_int_equal(pw_status_parse("fine"), PW_STATUS_UNSET);
	assert_int_equal(pw_status_parse(NULL), PW_STATUS_UNSET);
}

static void test_result(void **state)
{
	static const struct pw_metric_desc desc = { .name = "throughput",
						    .unit = "MB/s",
						    .better = PW_BETTER_HIGHER,
						    .flags = PW_METRIC_PRIMARY };
	pw_auto_result struct pw_result result = PW_RESULT_INIT;
	pw_auto_value struct pw_value record = pw_value_object();
	struct pw_value engine = pw_value_object();

	(void)state;
	pw_result_add(&result, &desc, 1449.93);
	pw_result_work(&result, 86964.5, "MB");
	result.has_operations = true;
	result.operations_ok = 7;
	result.flavour = pw_strdup("native");
	pw_strv_push(&result.warnings, "slow");
	result.identity = pw_value_object();
	pw_value_set(&result.identity, "loadfile", pw_value_text("abc"));
	pw_value_set(&engine, "user", pw_value_text("nobody"));
	pw_value_set(&record, "identity", engine);
	pw_record_warning(&record, "thermal-limit");
	pw_record_result(&record, &result);
	assert_json(pw_value_get(&record, "metrics"),
		    "[{\"name\":\"throughput\",\"unit\":\"MB/s\",\"better\":\"higher\","
		    "\"mean\":\"harmonic\",\"primary\":true,\"value\":1449.93}]");
	assert_json(pw_value_get(&record, "work"), "{\"value\":86964.5,\"unit\":\"MB\"}");
	assert_json(pw_value_get(&record, "operations"), "{\"ok\":7,\"failed\":0}");
	assert_json(pw_value_get(&record, "warnings"), "[\"thermal-limit\",\"slow\"]");
	assert_json(pw_value_get(&record, "identity"),
		    "{\"user\":\"nobody\",\"loadfile\":\"abc\"}");
	assert_string_equal(pw_value_get_text(&record, "flavour", ""), "native");
	assert_null(pw_value_get(&record, "detail"));
}

static void test_unavailable(void **state)
{
	pw_auto_value struct pw_value record = pw_value_object();

	(void)state;
	pw_record_unavailable(&record, "energy", "no RAPL", "load the module");
	pw_record_unavailable(&record, "frequency", "no MSR", NULL);
	assert_json(pw_value_get(&record, "unavailable"),
		    "[{\"what\":\"energy\",\"why\":\"no RAPL\",\"hint\":\"load the module\"},"
		    "{\"what\":\"frequency\",\"why\":\"no MSR\"}]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_result),
		cmocka_unit_test(test_unavailable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
