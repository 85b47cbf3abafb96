/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "energy_rig.h"

static void power(struct rig *rig, const char *entry, double watts)
{
	char path[128];

	(void)snprintf(path, sizeof(path), POWERCAP "%s/power_uw", entry);
	rig_number(rig, path, (uint64_t)llround(watts * 1e6));
}

static void zone(struct rig *rig, const char *entry, const char *name, double watts)
{
	char path[128];

	(void)snprintf(path, sizeof(path), POWERCAP "%s/name", entry);
	rig_file(rig, path, name);
	power(rig, entry, watts);
}

static void one_zone(struct rig *rig, double watts)
{
	rig_init(rig, &pw_collector_energy_scmi);
	zone(rig, "arm-scmi:0", "soc", watts);
}

static int64_t uncertainty(struct rig *rig)
{
	return pw_value_get_int(&rig->section, "uncertainty_uj", -1);
}

static void power_is_integrated_by_trapezoids(void **state)
{
	static const double at_s[] = { 0, 0.5, 1.0, 1.6, 2.0 }, watts[] = { 10, 20, 20, 10, 30 };
	struct rig rig;
	double power_w;

	(void)state;
	one_zone(&rig, watts[0]);
	rig_open(&rig);
	assert_int_equal(rig.collector->max_period_ns(rig.state), PW_NS_PER_S / 2);
	assert_int_equal(rig_begin(&rig), 0);
	for (size_t i = 1; i < PW_LENGTH(at_s); i++) {
		rig_at(at_s[i]);
		power(&rig, "arm-scmi:0", watts[i]);
		if (i + 1 < PW_LENGTH(at_s))
			assert_int_equal(rig_sample(&rig, &power_w), 0);
	}
	assert_true(fabs(power_w - 15.0) < 1e-6);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	/* 7.5 + 10 + 9 + 8 J. */
	assert_true(rig_total(&rig) == 34500000);
	rig_counted(&rig, "zone-soc");
	assert_string_equal(pw_value_get_text(&rig.section, "source", ""), "powercap-power");
	assert_int_equal(pw_value_get_int(&rig.section, "samples", 0), 5);
	assert_true(fabs(pw_value_get_real(&rig.section, "largest_gap_ms", 0) - 600.0) < 1e-3);
	/* Changes: 2.5 + 0 + 3 + 4 J; the longest gap: 0.6 s x 10 W; 2 ms at 20 W. */
	assert_in_range(uncertainty(&rig), 15539990, 15540010);
	rig_done(&rig);
}

static void steady_power_is_certain(void **state)
{
	struct rig rig;

	(void)state;
	one_zone(&rig, 50);
	rig_open(&rig);
	for (unsigned pass = 0; pass < 2; pass++) {
		rig_at(100.0 * pass);
		assert_int_equal(rig_begin(&rig), 0);
		rig_at(100.0 * pass + 10);
		assert_int_equal(rig_end(&rig), 0);
		assert_int_equal(rig_report(&rig), 0);
		assert_true(rig_total(&rig) == 500000000);
		assert_in_range(uncertainty(&rig), 100000, 100001);
	}
	rig_done(&rig);
}

static void the_top_counts_and_contains_the_rest(void **state)
{
	struct rig rig;

	(void)state;
	one_zone(&rig, 40);
	zone(&rig, "arm-scmi:0:0", "cluster", 30);
	zone(&rig, "arm-scmi:0:0:1", "core", 10);
	zone(&rig, "arm-scmi:1", "soc", 5);
	zone(&rig, "arm-scmi-other:0", "none", 5);
	zone(&rig, "dtpm:0", "soc", 77);
	rig_open(&rig);
	rig_tree_has(&rig, "zone-soc zone < +counts; zone-cluster zone <zone-soc -within zone-soc; "
			   "zone-core zone <zone-cluster -within zone-cluster; "
			   "zone-arm-scmi:1 zone < +counts; dtpm:0 zone < -the kernel's model");
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(2);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	rig_counted(&rig, "zone-soc zone-arm-scmi:1");
	assert_true(rig_total(&rig) == 90000000);
	assert_true(rig_domain(&rig, "zone-core") == 20000000);
	rig_done(&rig);
}

static void what_the_firmware_does_not_monitor_is_absent(void **state)
{
	struct rig rig;
	double power_w;

	(void)state;
	one_zone(&rig, 40);
	zone(&rig, "arm-scmi:0:0", "cluster", 30);
	rig_fault(&rig, "arm-scmi:0/", EINVAL);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "does not monitor"));
	/* Below the top that harms nobody. */
	rig_fault(&rig, "arm-scmi:0:0", EINVAL);
	rig_open(&rig);
	rig_tree_has(&rig, "arm-scmi:0:0 zone < -");
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(1);
	/* In mid-run it is no number, and no zero. */
	rig_fault(&rig, "arm-scmi:0/", EINVAL);
	assert_int_equal(rig_sample(&rig, &power_w), -PW_EIO);
	rig_fault(&rig, "arm-scmi:0/", 0);
	rig_at(2);
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "zone-soc");
	rig_done(&rig);
}

static void impossible_power_is_no_number(void **state)
{
	struct rig rig;

	(void)state;
	one_zone(&rig, 40);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(1);
	rig_number(&rig, POWERCAP "arm-scmi:0/power_uw", 0xffffffff);
	assert_true(rig_end(&rig) < 0);
	rig_unavailable(&rig, "4295 W is no power");
	rig_at(2);
	power(&rig, "arm-scmi:0", 0);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(4);
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "reads zero");
	rig_done(&rig);
}

static void absence_has_reasons(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, &pw_collector_energy_scmi);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "no zones of arm-scmi"));
	assert_null(strstr(rig.err.text, "dtpm"));
	zone(&rig, "dtpm:0", "soc", 7);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "dtpm"));
	zone(&rig, "arm-scmi:0", "soc", 7);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), 0);
	rig.collect.scope = "package+dram";
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	rig.collect.scope = "platform";
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	rig.collect.scope = "package";
	rig_fault(&rig, "power_uw", EACCES);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EDENIED);
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(power_is_integrated_by_trapezoids),
		cmocka_unit_test(steady_power_is_certain),
		cmocka_unit_test(the_top_counts_and_contains_the_rest),
		cmocka_unit_test(what_the_firmware_does_not_monitor_is_absent),
		cmocka_unit_test(impossible_power_is_no_number),
		cmocka_unit_test(absence_has_reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
