/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The feedback counters of CPPC: their rate, their width, their wraps. */
#include "frequency_rig.h"

extern const struct pw_collector pw_collector_frequency_cppc;

#define NEVER "18446744073709551615"

static void counters(struct rig *rig, unsigned cpu, uint64_t reference, uint64_t delivered)
{
	pw_auto_free char *text = pw_sprintf("ref:%" PRIu64 " del:%" PRIu64, reference, delivered);

	cpu_file(rig, cpu, "acpi_cppc/feedback_ctrs", text);
}

/* Nominal 2000 MHz = 100, reference 10 = 200 MHz, highest 150 = 3000 MHz. */
static void two_cpus(struct rig *rig, unsigned cpus[2], const char *wraparound)
{
	rig_init(rig, &pw_collector_frequency_cppc);
	machine(rig, cpus, 2);
	for (unsigned i = 0; i < 2; i++) {
		cpu_file(rig, i, "acpi_cppc/nominal_freq", "2000");
		cpu_file(rig, i, "acpi_cppc/nominal_perf", "100");
		cpu_file(rig, i, "acpi_cppc/reference_perf", "10");
		cpu_file(rig, i, "acpi_cppc/highest_perf", "150");
		cpu_file(rig, i, "acpi_cppc/wraparound_time", wraparound);
		counters(rig, i, 1000, 2000);
	}
}

static void delivered_over_reference(void **state)
{
	const uint64_t wide = UINT64_C(1) << 40;
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	two_cpus(&rig, cpus, NEVER);
	counters(&rig, 0, wide, 5);
	counters(&rig, 1, 7, wide);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	/* 10 s: cpu0 half busy at 3000, cpu1 always at 1000 MHz. */
	counters(&rig, 0, wide + 1000000000, 5 + UINT64_C(15000000000));
	counters(&rig, 1, 7 + 2000000000, wide + UINT64_C(10000000000));
	rig_at(10);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_string_equal(pw_value_get_text(&rig.section, "source", ""), "cppc");
	near(real(&rig, "busy_mhz"), 25000.0 / 15.0, 1e-6);
	near(real(&rig, "busy_pct"), 75.0, 1e-9);
	near(real(&rig, "avg_mhz"), 1250.0, 1e-6);
	near(at(&rig, "busy_mhz", 0), 3000.0, 1e-6);
	assert_int_equal(rig.collector->max_period_ns(rig.state), 0);
	assert_int_equal(rig.warnings.count, 0);
	rig_done(&rig);
}

/* 32 bits: at 3 GHz they wrap in 1.43 s, so they are read every 0.68 s. */
static void narrow_counters_wrap(void **state)
{
	uint64_t reference = 4294967000, delivered = 4294960000;
	unsigned cpus[2];
	struct rig rig;
	double busy_mhz;
	int64_t period_ns;

	(void)state;
	two_cpus(&rig, cpus, NEVER);
	counters(&rig, 0, reference, delivered);
	rig_open(&rig);
	period_ns = rig.collector->max_period_ns(rig.state);
	assert_true(period_ns > 600000000 && period_ns < 720000000);
	assert_int_equal(rig_begin(&rig), 0);
	for (unsigned i = 1; i <= 20; i++) {
		reference += 100000000;	 /* 0.5 s at 200 MHz */
		delivered += 1400000000; /* 2800 MHz */
		counters(&rig, 0, (uint32_t)reference, (uint32_t)delivered);
		rig_at(0.5 * i);
		if (i < 20)
			assert_int_equal(rig_sample(&rig, &busy_mhz), 0);
	}
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	near(real(&rig, "busy_mhz"), 2800.0, 1e-6);
	near(real(&rig, "busy_pct"), 50.0, 1e-9);
	/* Read too rarely: nobody knows how often they wrapped. */
	assert_int_equal(rig_begin(&rig), 0);
	counters(&rig, 0, (uint32_t)(reference + 1000000000), (uint32_t)(delivered + 5));
	rig_at(15);
	assert_int_equal(rig_end(&rig), -PW_EIO);
	rig_unavailable(&rig, "wrap may be lost");
	rig_done(&rig);
}

static void the_stated_time_sets_the_period(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	/* Slower than 3 GHz could: the stated minimum is no excuse to read less. */
	two_cpus(&rig, cpus, "20");
	rig_open(&rig);
	near((double)rig.collector->max_period_ns(rig.state), 0.68e9, 0.02e9);
	rig_done(&rig);
	two_cpus(&rig, cpus, "1");
	rig_open(&rig);
	near((double)rig.collector->max_period_ns(rig.state), 0.5e9, 1e3);
	rig_done(&rig);
}

static void a_wide_counter_that_falls_is_no_frequency(void **state)
{
	const uint64_t wide = UINT64_C(1) << 40;
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	two_cpus(&rig, cpus, NEVER);
	counters(&rig, 0, wide, wide);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	counters(&rig, 0, wide - 5, wide + 5);
	rig_at(10);
	assert_int_equal(rig_end(&rig), -PW_EIO);
	rig_unavailable(&rig, "frequency of cpu0: ref fell");
	rig_done(&rig);
}

static void what_firmware_leaves_out(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	two_cpus(&rig, cpus, NEVER);
	cpu_file(&rig, 1, "acpi_cppc/nominal_freq", "0");
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "cpu1: the firmware gives no nominal_freq"));
	rig_done(&rig);
	/* Without a reference performance it is the nominal one (the kernel does so). */
	two_cpus(&rig, cpus, NEVER);
	for (unsigned i = 0; i < 2; i++) {
		cpu_file(&rig, i, "acpi_cppc/reference_perf", "0");
		counters(&rig, i, 0, UINT64_C(1) << 33);
	}
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	for (unsigned i = 0; i < 2; i++)
		counters(&rig, i, 2000000000, (UINT64_C(1) << 33) + 3000000000);
	rig_at(10);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	near(real(&rig, "busy_mhz"), 3000.0, 1e-6);
	near(real(&rig, "busy_pct"), 10.0, 1e-9);
	rig_done(&rig);
	/* Zeros of a virtual machine: the kernel says EFAULT. */
	two_cpus(&rig, cpus, NEVER);
	rig_fault(&rig, "feedback_ctrs", EFAULT);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.hint, "virtual machine"));
	rig_done(&rig);
	two_cpus(&rig, cpus, NEVER);
	cpu_file(&rig, 0, "acpi_cppc/feedback_ctrs", "ref:12 del:");
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "ref:N del:N"));
	rig_done(&rig);
	rig_init(&rig, &pw_collector_frequency_cppc);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	rig_done(&rig);
}

/* Efficient cores with the scale of the fast ones: 4700 MHz that nobody can buy. */
static void an_impossible_frequency_is_marked(void **state)
{
	const uint64_t wide = UINT64_C(1) << 40;
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	two_cpus(&rig, cpus, NEVER);
	for (unsigned i = 0; i < 2; i++)
		counters(&rig, i, wide, wide);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	counters(&rig, 0, wide + 2000000000, wide + UINT64_C(30000000000));
	counters(&rig, 1, wide + 2000000000, wide + UINT64_C(47000000000));
	rig_at(10);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	need_warning(&rig, "4700 MHz on cpu1 lies above the highest frequency that it states, 3000 "
			   "MHz: its scale is suspicious");
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(delivered_over_reference),
		cmocka_unit_test(narrow_counters_wrap),
		cmocka_unit_test(the_stated_time_sets_the_period),
		cmocka_unit_test(a_wide_counter_that_falls_is_no_frequency),
		cmocka_unit_test(what_firmware_leaves_out),
		cmocka_unit_test(an_impossible_frequency_is_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
