/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The account that all sources of energy keep: peak power, suspend, physical order, the tree. */
#include "energy_rig.h"

#include "collectors/common/peak.h"

static void peak(const double *at_s, const double *joules, size_t count, double *ret_w,
		 double *ret_over_s)
{
	struct pw_peak found;

	pw_peak_begin(&found, (int64_t)(at_s[0] * 1e9));
	for (size_t i = 1; i < count; i++)
		pw_peak_add(&found, (int64_t)llround(at_s[i] * 1e9), joules[i], i + 1 == count);
	if (!pw_peak_get(&found, ret_w, ret_over_s))
		*ret_w = *ret_over_s = 0.0;
}

static void peak_is_the_highest_second_wherever_it_lies(void **state)
{
	/* 10 W, then 0.6 s at 100 W and 0.4 s at 50 W, then 10 W: reads do not meet the second. */
	static const double at_s[] = { 0, 0.7, 1.3, 1.9, 2.3, 3.0 };
	static const double joules[] = { 0, 7, 13, 73, 93, 100 };
	double watts, over_s;

	(void)state;
	peak(at_s, joules, PW_LENGTH(at_s), &watts, &over_s);
	assert_true(fabs(watts - 80.0) < 1e-9 && over_s == 1.0);
	/* Without its last reads the best second ends with them. */
	peak(at_s, joules, 4, &watts, &over_s);
	assert_true(fabs(watts - 64.0) < 1e-9 && over_s == 1.0);
}

static void a_late_timer_is_still_a_second(void **state)
{
	static const double at_s[] = { 0, 1.0004, 2.0, 3.09 }, joules[] = { 0, 10.004, 50.0, 61 };
	double watts, over_s;

	(void)state;
	peak(at_s, joules, PW_LENGTH(at_s), &watts, &over_s);
	assert_true(watts > 39.9 && watts < 40.1 && over_s == 1.0);
}

static void coarse_reads_say_over_how_long(void **state)
{
	static const double at_s[] = { 0, 0.6, 3.6, 5.6, 5.9 }, joules[] = { 0, 60, 90, 130, 190 };
	static const double long_s[] = { 0, 0.9, 3.6 }, long_j[] = { 0, 60, 90 };
	static const double brief_s[] = { 0, 0.5, 0.99 }, brief_j[] = { 0, 5, 50 };
	double watts, over_s;

	(void)state;
	peak(at_s, joules, PW_LENGTH(at_s), &watts, &over_s);
	/* 0.3 s at 200 W is no second: with the read before it, 100 J in 2.3 s. */
	assert_true(fabs(watts - 100 / 2.3) < 1e-9 && fabs(over_s - 2.3) < 1e-9);
	/* The last 2.7 s alone have 11 W, all of it 25 W. */
	peak(long_s, long_j, PW_LENGTH(long_s), &watts, &over_s);
	assert_true(fabs(watts - 25.0) < 1e-9 && fabs(over_s - 3.6) < 1e-9);
	peak(brief_s, brief_j, PW_LENGTH(brief_s), &watts, &over_s);
	assert_true(watts == 0.0);
}

/* Reads every millisecond: more than there is room for. */
static void many_reads_find_the_same_second(void **state)
{
	struct pw_peak found;
	double joules = 0.0, watts, over_s;

	(void)state;
	pw_peak_begin(&found, 0);
	for (int ms = 1; ms <= 5000; ms++) {
		joules += (ms > 2200 && ms <= 3200 ? 90.0 : 30.0) / 1000;
		pw_peak_add(&found, ms * PW_NS_PER_MS, joules, ms == 5000);
	}
	assert_true(pw_peak_get(&found, &watts, &over_s));
	assert_true(fabs(watts - 90.0) < 0.1 && over_s == 1.0);
}

static void one_package(struct rig *rig)
{
	rig_init(rig, &pw_collector_energy_powercap);
	energy_zone(rig, "intel-rapl:0", "package-0", 0);
}

static void the_record_holds_the_peak(void **state)
{
	struct rig rig;
	double power_w;

	(void)state;
	one_package(&rig);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(1);
	energy_zone(&rig, "intel-rapl:0", "package-0", 70 * J);
	assert_int_equal(rig_sample(&rig, &power_w), 0);
	rig_at(2);
	energy_zone(&rig, "intel-rapl:0", "package-0", 80 * J);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(fabs(pw_value_get_real(&rig.section, "peak_w", 0) - 70.0) < 1e-9);
	assert_true(pw_value_get_real(&rig.section, "peak_over_s", 0) == 1.0);
	/* Read at both ends only: the mean of it all, and the record says over how long. */
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(6);
	energy_zone(&rig, "intel-rapl:0", "package-0", 180 * J);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(fabs(pw_value_get_real(&rig.section, "peak_w", 0) - 25.0) < 1e-9);
	assert_true(pw_value_get_real(&rig.section, "peak_over_s", 0) == 4.0);
	rig_done(&rig);
}

static int64_t asleep_ns;

static int64_t boottime(void)
{
	return rig_now_ns + asleep_ns;
}

static void a_suspend_in_the_window_is_no_number(void **state)
{
	struct rig rig;

	(void)state;
	one_package(&rig);
	rig.collect.boottime = boottime;
	asleep_ns = 3600 * PW_NS_PER_S; /* before the run: that was another time */
	rig_open(&rig);
	for (unsigned run = 0; run < 2; run++) {
		rig_at(10.0 * run);
		assert_int_equal(rig_begin(&rig), 0);
		rig_at(10.0 * run + 5);
		energy_zone(&rig, "intel-rapl:0", "package-0", (100 + 100 * run) * J);
		if (run == 0) {
			assert_int_equal(rig_end(&rig), 0);
			assert_int_equal(rig_report(&rig), 0);
			continue;
		}
		asleep_ns += 2 * PW_NS_PER_S;
		assert_true(rig_end(&rig) < 0);
		rig_unavailable(&rig, "suspended for 2.0 s");
	}
	rig_done(&rig);
}

/* A board whose psys measures something else. */
static void a_platform_below_its_packages_is_none(void **state)
{
	struct rig rig;

	(void)state;
	one_package(&rig);
	energy_zone(&rig, "intel-rapl:1", "psys", 0);
	rig_open(&rig);
	for (unsigned run = 0; run < 2; run++) {
		rig_at(10.0 * run);
		assert_int_equal(rig_begin(&rig), 0);
		rig_at(10.0 * run + 5);
		energy_zone(&rig, "intel-rapl:0", "package-0", 100 * J * (run + 1));
		energy_zone(&rig, "intel-rapl:1", "psys", run ? 190 * J : 110 * J);
		assert_int_equal(rig_end(&rig), 0);
		assert_int_equal(rig_report(&rig), 0);
		assert_true(rig_total(&rig) == (int64_t)(100 * J));
		if (run == 0)
			assert_true(rig_domain(&rig, "psys") == (int64_t)(110 * J));
	}
	assert_int_equal(rig_domain(&rig, "psys"), -1);
	rig_warned(&rig, "psys is unavailable: less than the packages");
	rig_done(&rig);
}

static void the_tree_says_what_counts_and_why_not(void **state)
{
	struct rig rig;

	(void)state;
	one_package(&rig);
	energy_vendor(&rig, "GenuineIntel", "fpu sgx");
	energy_zone(&rig, "intel-rapl:0:0", "core", 0);
	energy_zone(&rig, "intel-rapl:0:1", "uncore", 0);
	energy_zone(&rig, "intel-rapl:0:2", "dram", 0);
	energy_zone(&rig, "intel-rapl:1", "psys", 0);
	energy_zone(&rig, "intel-rapl:2", "package-1", 0);
	energy_zone(&rig, "intel-rapl-mmio:0", "package-0", 0);
	rig_open(&rig);
	rig_tree_has(&rig,
		     "package-0 package < +counts; "
		     "cores-0 cores <package-0 -within package-0; "
		     "gpu-0 gpu <package-0 -within package-0; "
		     "dram-0 dram < -beside package-0, not within; scope 'package' leaves it");
	rig_tree_has(&rig, "psys psys < -overlaps everything");
	rig_tree_has(&rig, "package-1 package < +counts; ");
	rig_tree_has(&rig, "intel-rapl-mmio:0 package < -the same counter once more; ");
	rig_close(&rig);
	rig.collect.scope = "package+dram";
	energy_zone(&rig, "intel-rapl:2:0", "dram", 0);
	rig_open(&rig);
	rig_tree_has(&rig, "dram-0 dram < +counts; ");
	rig_done(&rig);
}

static void the_tree_of_a_mirror(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, &pw_collector_energy_powercap);
	energy_vendor(&rig, "AuthenticAMD", "fpu");
	energy_zone(&rig, "intel-rapl:0", "package-0-die-0", 0);
	energy_zone(&rig, "intel-rapl:0:0", "core", 0);
	energy_zone(&rig, "intel-rapl:1", "package-0-die-1", 0);
	rig_open(&rig);
	rig_tree_has(&rig, "package-0-die-0 package < +counts; package-0-die-1 package < -mirrors "
			   "package-0-die-0 on AMD");
	rig_tree_has(&rig, "intel-rapl:0:0 cores < -on AMD this is the counter of one core");
	rig_done(&rig);
}

static void another_view_of_the_same_silicon_is_shown(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, &pw_collector_energy_perf);
	energy_pmu(&rig, "power", "9", "0");
	energy_event(&rig, "power", "energy-pkg", 2);
	energy_event(&rig, "power", "energy-gpu", 4);
	rig_count(&rig, "energy-pkg", 0, 0);
	energy_zone(&rig, "intel-rapl:0", "package-0", 0);
	rig_open(&rig);
	rig_tree_has(&rig, "package-0 package < +counts; ");
	rig_tree_has(&rig, "gpu-0 gpu < -energy-gpu is not counted; ");
	rig_tree_has(&rig, "intel-rapl:0 package < -the same silicon seen by powercap");
	rig_done(&rig);
}

static void notes(struct rig *rig, struct pw_strv *ret)
{
	pw_auto_value struct pw_value described = pw_value_object();

	rig_open(rig);
	rig->collector->describe(rig->state, &described);
	pw_value_get_strv(&described, "notes", ret);
	rig_close(rig);
}

static void filtered_counters_are_noted(void **state)
{
	pw_auto_strv struct pw_strv quiet = PW_STRV_INIT, sgx = PW_STRV_INIT, both = PW_STRV_INIT;
	struct rig rig;

	(void)state;
	one_package(&rig);
	energy_vendor(&rig, "GenuineIntel", "fpu");
	rig_number(&rig, "/msr/0xbc/cpu0", 1);
	notes(&rig, &quiet);
	assert_int_equal(quiet.count, 0);
	energy_vendor(&rig, "GenuineIntel", "fpu sgx lm");
	notes(&rig, &sgx);
	assert_int_equal(sgx.count, 1);
	assert_non_null(strstr(sgx.items[0], "SGX"));
	rig.collect.msr = true;
	notes(&rig, &both);
	assert_int_equal(both.count, 2);
	assert_non_null(strstr(both.items[0], "MSR 0xbc"));
	rig_done(&rig);
}

/* `enabled` is about limits: the counter runs on. */
static void a_zone_without_limits_still_counts(void **state)
{
	struct rig rig;

	(void)state;
	one_package(&rig);
	rig_file(&rig, POWERCAP "intel-rapl:0/enabled", "0");
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(2);
	energy_zone(&rig, "intel-rapl:0", "package-0", 30 * J);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_total(&rig) == (int64_t)(30 * J));
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(peak_is_the_highest_second_wherever_it_lies),
		cmocka_unit_test(a_late_timer_is_still_a_second),
		cmocka_unit_test(coarse_reads_say_over_how_long),
		cmocka_unit_test(many_reads_find_the_same_second),
		cmocka_unit_test(the_record_holds_the_peak),
		cmocka_unit_test(a_suspend_in_the_window_is_no_number),
		cmocka_unit_test(a_platform_below_its_packages_is_none),
		cmocka_unit_test(the_tree_says_what_counts_and_why_not),
		cmocka_unit_test(the_tree_of_a_mirror),
		cmocka_unit_test(another_view_of_the_same_silicon_is_shown),
		cmocka_unit_test(filtered_counters_are_noted),
		cmocka_unit_test(a_zone_without_limits_still_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
