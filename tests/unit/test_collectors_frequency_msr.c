/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same frequency from the registers themselves, and what they may refuse. */
#include "frequency_rig.h"

extern const struct pw_collector pw_collector_frequency_msr, pw_collector_requested_msr;

static void reg(struct rig *rig, const char *number, unsigned cpu, uint64_t value)
{
	pw_auto_free char *path = pw_sprintf("/msr/%s/cpu%u", number, cpu);

	rig_number(rig, path, value);
}

/* Megacycles. */
static void registers(struct rig *rig, unsigned cpu, uint64_t tsc, uint64_t aperf, uint64_t mperf)
{
	reg(rig, "0x10", cpu, tsc * 1000000);
	reg(rig, "0xe8", cpu, aperf * 1000000);
	reg(rig, "0xe7", cpu, mperf * 1000000);
}

static void two_cpus(struct rig *rig, unsigned cpus[2])
{
	rig_init(rig, &pw_collector_frequency_msr);
	machine(rig, cpus, 2);
	registers(rig, 0, 1000, 2000, 3000);
	registers(rig, 1, 5000, 70, 60);
}

static void registers_tell_what_perf_tells(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	two_cpus(&rig, cpus);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	registers(&rig, 0, 21000, 29000, 21000);
	registers(&rig, 1, 25000, 1070, 2060);
	rig_at(10);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	near(real(&rig, "busy_mhz"), 2800.0, 1e-6);
	near(real(&rig, "busy_pct"), 50.0, 1e-9);
	near(real(&rig, "avg_mhz"), 1400.0, 1e-6);
	assert_string_equal(pw_value_get_text(&rig.section, "source", ""), "msr");
	assert_true(rig.collector->needs_msr);
	rig_done(&rig);
}

static void every_errno_has_its_reason(void **state)
{
	static const struct {
		int errnum, code;
		const char *hint;
	} cases[] = {
		{ EPERM, PW_EDENIED, "CAP_SYS_RAWIO" },
		{ EACCES, PW_EDENIED, "CAP_SYS_RAWIO" },
		{ EIO, PW_EUNSUPPORTED, "no such register" },
		{ ENXIO, PW_EUNSUPPORTED, "offline" },
		{ ENOENT, PW_EUNSUPPORTED, "no such register" },
	};
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		two_cpus(&rig, cpus);
		rig_fault(&rig, "/msr/0xe8/cpu1", cases[i].errnum);
		assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -cases[i].code);
		assert_non_null(strstr(rig.err.text, "/msr/0xe8/cpu1"));
		assert_non_null(strstr(rig.err.hint, cases[i].hint));
		rig_done(&rig);
	}
	two_cpus(&rig, cpus);
	rig_file(&rig, "/sys/kernel/security/lockdown", "none [integrity] confidentiality");
	rig_fault(&rig, "/msr/0xe8/cpu1", EPERM);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EDENIED);
	assert_non_null(strstr(rig.err.hint, "locked down"));
	rig_done(&rig);
}

static void an_error_in_mid_run_is_no_frequency(void **state)
{
	unsigned cpus[2];
	struct rig rig;
	double busy_mhz;

	(void)state;
	two_cpus(&rig, cpus);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(1);
	rig_fault(&rig, "/msr/0xe7/cpu1", EIO);
	assert_int_equal(rig_sample(&rig, &busy_mhz), -PW_EUNSUPPORTED);
	assert_true(isnan(busy_mhz));
	rig_fault(&rig, "", 0);
	rig_at(2);
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "frequency of cpu1: read /msr/0xe7/cpu1: Input/output error");
	rig_done(&rig);
}

static void zeros_are_no_frequency(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	two_cpus(&rig, cpus);
	rig_open(&rig);
	registers(&rig, 0, 0, 0, 0);
	registers(&rig, 1, 0, 0, 0);
	assert_int_equal(rig_begin(&rig), 0);
	registers(&rig, 0, 20000, 0, 0);
	registers(&rig, 1, 20000, 0, 0);
	rig_at(10);
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "MPERF did not move");
	rig_done(&rig);
}

static void vendor(struct rig *rig, const char *name)
{
	pw_auto_free char *text = pw_sprintf("processor\t: 0\nvendor_id\t: %s\n", name);

	rig_file(rig, "/proc/cpuinfo", text);
}

static void requests(struct rig *rig, unsigned cpus[2], const char *name)
{
	rig_init(rig, &pw_collector_requested_msr);
	machine(rig, cpus, 2);
	vendor(rig, name);
}

static int64_t field(struct rig *rig, const char *name, const char *key)
{
	return pw_value_get_int(pw_value_get(&rig->section, name), key, -1);
}

static int64_t last(struct rig *rig, const char *name, size_t index)
{
	const struct pw_value *list = pw_value_get(pw_value_get(&rig->section, name), "last");

	assert_non_null(list);
	assert_true(index < list->count);
	return list->items[index].integer;
}

/* Ratios 8 and 36 of 36: three of six readings ask for the most. */
static void a_ratio_is_asked_for(void **state)
{
	unsigned cpus[2];
	struct rig rig;
	double column;

	(void)state;
	requests(&rig, cpus, "GenuineIntel");
	for (unsigned i = 0; i < 2; i++) {
		reg(&rig, "0x199", i, 36 << 8 | 0x77);
		reg(&rig, "0x1ad", i, UINT64_C(0x2022) << 16 | 36);
	}
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	reg(&rig, "0x199", 0, 8 << 8);
	reg(&rig, "0x199", 1, 20 << 8);
	assert_int_equal(rig_sample(&rig, &column), 0);
	near(column, 20.0, 0);
	reg(&rig, "0x199", 0, UINT64_C(1) << 32 | 36 << 8);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_string_equal(pw_value_get_text(&rig.section, "register", ""), "perf-ctl");
	assert_string_equal(pw_value_get_text(&rig.section, "cpus", ""), "0-1");
	assert_int_equal(pw_value_get_int(&rig.section, "samples", 0), 3);
	assert_int_equal(pw_value_get_int(&rig.section, "highest", 0), 36);
	near(real(&rig, "at_highest_pct"), 50.0, 1e-9);
	assert_int_equal(field(&rig, "ratio", "min"), 8);
	assert_int_equal(field(&rig, "ratio", "max"), 36);
	assert_int_equal(last(&rig, "ratio", 0), 36);
	assert_int_equal(last(&rig, "ratio", 1), 20);
	rig_done(&rig);
}

static void hwp_has_four_fields(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	requests(&rig, cpus, "GenuineIntel");
	for (unsigned i = 0; i < 2; i++) {
		reg(&rig, "0x770", i, 1);
		reg(&rig, "0x774", i, UINT64_C(128) << 24 | 39 << 8 | 10);
		reg(&rig, "0x771", i, 0x01081800 | 39);
	}
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	/* A desired one counts, not the limit. */
	reg(&rig, "0x774", 1, UINT64_C(64) << 24 | 20 << 16 | 39 << 8 | 12);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_string_equal(pw_value_get_text(&rig.section, "register", ""), "hwp-request");
	assert_int_equal(field(&rig, "min", "min"), 10);
	assert_int_equal(field(&rig, "min", "max"), 12);
	assert_int_equal(field(&rig, "max", "min"), 39);
	assert_int_equal(field(&rig, "desired", "max"), 20);
	assert_int_equal(field(&rig, "epp", "min"), 64);
	assert_int_equal(field(&rig, "epp", "max"), 128);
	assert_int_equal(pw_value_get_int(&rig.section, "highest", 0), 39);
	near(real(&rig, "at_highest_pct"), 75.0, 1e-9);
	rig_done(&rig);
}

static void amd_orders_them_otherwise(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	requests(&rig, cpus, "AuthenticAMD");
	for (unsigned i = 0; i < 2; i++)
		reg(&rig, "0xc00102b3", i, UINT64_C(80) << 24 | 0 << 16 | 20 << 8 | 166);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_string_equal(pw_value_get_text(&rig.section, "register", ""), "cppc-request");
	assert_int_equal(field(&rig, "max", "max"), 166);
	assert_int_equal(field(&rig, "min", "max"), 20);
	assert_int_equal(field(&rig, "epp", "max"), 80);
	/* Nobody says what the highest is: no share. */
	assert_null(pw_value_get(&rig.section, "highest"));
	assert_null(pw_value_get(&rig.section, "at_highest_pct"));
	rig_done(&rig);
}

static void requests_that_cannot_be_read_are_said(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	requests(&rig, cpus, "SomethingElse");
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "no request register"));
	rig_done(&rig);

	requests(&rig, cpus, "GenuineIntel");
	reg(&rig, "0x199", 0, 8 << 8);
	reg(&rig, "0x199", 1, 8 << 8);
	rig_fault(&rig, "/msr/", EPERM);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EDENIED);
	rig_fault(&rig, "", 0);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_fault(&rig, "/msr/0x199/cpu1", EIO);
	assert_int_equal(rig_end(&rig), -PW_EUNSUPPORTED);
	rig_unavailable(&rig, "requested: read /msr/0x199/cpu1");
	rig_fault(&rig, "", 0);
	assert_int_equal(rig_begin(&rig), 0);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_tell_what_perf_tells),
		cmocka_unit_test(every_errno_has_its_reason),
		cmocka_unit_test(an_error_in_mid_run_is_no_frequency),
		cmocka_unit_test(zeros_are_no_frequency),
		cmocka_unit_test(a_ratio_is_asked_for),
		cmocka_unit_test(hwp_has_four_fields),
		cmocka_unit_test(amd_orders_them_otherwise),
		cmocka_unit_test(requests_that_cannot_be_read_are_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
