/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frequency_rig.h"

extern const struct pw_collector pw_collector_frequency_perf;

static void two_cpus(struct rig *rig)
{
	rig_init(rig, &pw_collector_frequency_perf);
	msr_pmu(rig);
	cycles(rig, 0, 1000, 2000, 3000);
	cycles(rig, 1, 5000, 70, 60);
}

/*
 * 10 s at a TSC of 2000 MHz. cpu0 is busy 90 % at 3000 MHz (dM 18000, dA 27000), cpu1 10 % at 1000
 * MHz (dM 2000, dA 1000): 28000 / 20000 * 2000 = 2800 MHz, not the mean of 3000 and 1000.
 */
static void run_unequal(struct rig *rig)
{
	double busy_mhz;

	rig_at(0);
	cycles(rig, 0, 1000, 2000, 3000);
	cycles(rig, 1, 5000, 70, 60);
	assert_int_equal(rig_begin(rig), 0);
	rig_at(5);
	cycles(rig, 0, 1000 + 10000, 2000 + 13500, 3000 + 9000);
	cycles(rig, 1, 5000 + 10000, 70 + 500, 60 + 1000);
	assert_int_equal(rig_sample(rig, &busy_mhz), 0);
	assert_false(isnan(busy_mhz));
	rig_at(10);
	cycles(rig, 0, 1000 + 20000, 2000 + 27000, 3000 + 18000);
	cycles(rig, 1, 5000 + 20000, 70 + 1000, 60 + 2000);
	assert_int_equal(rig_end(rig), 0);
	assert_int_equal(rig_report(rig), 0);
}

static void cpus_weigh_by_their_busy_cycles(void **state)
{
	struct rig rig;

	(void)state;
	two_cpus(&rig);
	rig_open(&rig);
	run_unequal(&rig);
	assert_true(fabs(real(&rig, "busy_mhz") - 2800.0) < 1e-6);
	assert_true(fabs(real(&rig, "busy_pct") - 50.0) < 1e-9);
	assert_true(fabs(real(&rig, "avg_mhz") - 1400.0) < 1e-6);
	assert_string_equal(pw_value_get_text(&rig.section, "source", ""), "perf-msr");
	assert_int_equal(rig.collector->max_period_ns(rig.state), 0);
	rig_done(&rig);
}

static void the_base_frequency_wins_over_the_tsc(void **state)
{
	struct rig rig;

	(void)state;
	two_cpus(&rig);
	rig_file(&rig, "/sys/devices/system/cpu/cpufreq/policy0/affected_cpus", "0 1");
	rig_file(&rig, "/sys/devices/system/cpu/cpufreq/policy0/scaling_driver", "intel_pstate");
	rig_file(&rig, "/sys/devices/system/cpu/cpufreq/policy0/base_frequency", "1990000");
	rig_open(&rig);
	run_unequal(&rig);
	assert_true(fabs(real(&rig, "busy_mhz") - 1.4 * 1990.0) < 1e-6);
	rig_done(&rig);
}

/* Hybrid: two bases cannot both be the rate of MPERF, which is the TSC's. */
static void unlike_bases_leave_the_tsc(void **state)
{
	struct rig rig;

	(void)state;
	two_cpus(&rig);
	for (int i = 0; i < 2; i++) {
		char path[96];

		(void)snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpufreq/policy%d/%s", i,
			       "affected_cpus");
		rig_number(&rig, path, (uint64_t)i);
		(void)snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpufreq/policy%d/%s", i,
			       "base_frequency");
		rig_number(&rig, path, i ? 1800000 : 2500000);
	}
	rig_open(&rig);
	run_unequal(&rig);
	assert_true(fabs(real(&rig, "busy_mhz") - 2800.0) < 1e-6);
	rig_done(&rig);
}

static void a_sample_is_of_its_own_interval(void **state)
{
	struct rig rig;
	double busy_mhz;

	(void)state;
	two_cpus(&rig);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(1);
	cycles(&rig, 0, 1000 + 2000, 2000 + 3000, 3000 + 2000);
	cycles(&rig, 1, 5000 + 2000, 70 + 3000, 60 + 2000);
	assert_int_equal(rig_sample(&rig, &busy_mhz), 0);
	assert_true(fabs(busy_mhz - 3000.0) < 1e-6);
	rig_at(2);
	cycles(&rig, 0, 1000 + 4000, 2000 + 4000, 3000 + 4000);
	cycles(&rig, 1, 5000 + 4000, 70 + 4000, 60 + 4000);
	assert_int_equal(rig_sample(&rig, &busy_mhz), 0);
	assert_true(fabs(busy_mhz - 1000.0) < 1e-6);
	/* Nothing ran: no value, and no fault either. */
	rig_at(3);
	cycles(&rig, 0, 1000 + 6000, 2000 + 4000, 3000 + 4000);
	cycles(&rig, 1, 5000 + 6000, 70 + 4000, 60 + 4000);
	assert_int_equal(rig_sample(&rig, &busy_mhz), 0);
	assert_true(isnan(busy_mhz));
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	rig_done(&rig);
}

static void zeros_are_no_frequency(void **state)
{
	struct rig rig;

	(void)state;
	two_cpus(&rig);
	rig_open(&rig);
	cycles(&rig, 0, 0, 0, 0);
	cycles(&rig, 1, 0, 0, 0);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(10);
	cycles(&rig, 0, 20000, 0, 0);
	cycles(&rig, 1, 20000, 0, 0);
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "MPERF did not move");
	rig_done(&rig);
}

static void a_fall_is_no_frequency(void **state)
{
	struct rig rig;
	double busy_mhz;

	(void)state;
	two_cpus(&rig);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(1);
	cycles(&rig, 1, 7000, 69, 70);
	assert_int_equal(rig_sample(&rig, &busy_mhz), -PW_EIO);
	assert_true(isnan(busy_mhz));
	assert_non_null(strstr(rig.err.text, "cpu1: APERF"));
	rig_at(2);
	cycles(&rig, 1, 9000, 1000, 1000);
	assert_int_equal(rig_sample(&rig, &busy_mhz), 0);
	assert_true(isnan(busy_mhz));
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "cpu1");
	run_unequal(&rig);
	rig_done(&rig);
}

static void a_lost_cpu_is_no_frequency(void **state)
{
	struct rig rig;

	(void)state;
	two_cpus(&rig);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig.read_fails = PW_EGONE;
	rig_at(1);
	assert_int_equal(rig_end(&rig), -PW_EGONE);
	rig_unavailable(&rig, "cpu0");
	rig_done(&rig);
}

static void absence_has_reasons(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, &pw_collector_frequency_perf);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "no PMU 'msr'"));
	msr_pmu(&rig);
	rig_remove(&rig, DEVICES "/msr/events/aperf");
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "aperf"));
	assert_non_null(strstr(rig.err.text, "virtual machines"));
	msr_pmu(&rig);
	rig.open_fails = PW_EDENIED;
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EDENIED);
	assert_int_equal(rig.collector->open(&rig.collect, &rig.state, &rig.err), -PW_EDENIED);
	rig_done(&rig);
}

static void a_fake_root_end_to_end(void **state)
{
	static const char *const names[] = { "tsc", "aperf", "mperf" };
	static const uint64_t grow[] = { 2000000000, 3000000000, 1500000000 };
	struct pw_perf files;
	struct rig rig;

	(void)state;
	two_cpus(&rig);
	assert_int_equal(pw_perf_init(&files, &rig.root, &rig.err), 0);
	rig.collect.perf = &files;
	for (unsigned second = 0; second < 2; second++) {
		rig_at(second);
		for (unsigned i = 0; i < 6; i++) {
			char path[64];

			(void)snprintf(path, sizeof(path), "/perf/msr/%s/cpu%u", names[i / 2],
				       i % 2);
			rig_number(&rig, path, 77 + second * grow[i / 2]);
		}
		if (second == 0) {
			rig_open(&rig);
			assert_int_equal(rig_begin(&rig), 0);
		}
	}
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(fabs(real(&rig, "busy_mhz") - 4000.0) < 1e-6);
	assert_true(fabs(real(&rig, "busy_pct") - 75.0) < 1e-9);
	assert_true(fabs(real(&rig, "avg_mhz") - 3000.0) < 1e-6);
	rig_close(&rig);
	pw_perf_done(&files);
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_weigh_by_their_busy_cycles),
		cmocka_unit_test(the_base_frequency_wins_over_the_tsc),
		cmocka_unit_test(unlike_bases_leave_the_tsc),
		cmocka_unit_test(a_sample_is_of_its_own_interval),
		cmocka_unit_test(zeros_are_no_frequency),
		cmocka_unit_test(a_fall_is_no_frequency),
		cmocka_unit_test(a_lost_cpu_is_no_frequency),
		cmocka_unit_test(absence_has_reasons),
		cmocka_unit_test(a_fake_root_end_to_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
