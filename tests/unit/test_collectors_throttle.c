/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector_rig.h"

#define FOLDER "/sys/devices/system/cpu/cpu%u/thermal_throttle/"

extern const struct pw_collector pw_collector_throttle;

static void counter(struct rig *rig, unsigned cpu, const char *file, const char *value)
{
	pw_auto_free char *path = pw_sprintf(FOLDER "%s", cpu, file);

	rig_file(rig, path, value);
}

static void two_cpus(struct rig *rig)
{
	rig_init(rig, &pw_collector_throttle);
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		counter(rig, cpu, "core_throttle_count", "5");
		counter(rig, cpu, "package_throttle_count", "7");
		counter(rig, cpu, "core_throttle_total_time_ms", "100");
		counter(rig, cpu, "package_throttle_total_time_ms", "200");
	}
}

static void run(struct rig *rig, const char *events, const char *time_ms)
{
	rig_at(0);
	assert_int_equal(rig_begin(rig), 0);
	rig_at(10);
	counter(rig, 1, "core_throttle_count", events);
	counter(rig, 1, "core_throttle_total_time_ms", time_ms);
	assert_int_equal(rig_end(rig), 0);
	assert_int_equal(rig_report(rig), 0);
}

static void the_counter_that_grew_most_tells(void **state)
{
	struct rig rig;

	(void)state;
	two_cpus(&rig);
	rig_open(&rig);
	run(&rig, "8", "350"); /* 3 events; 250 ms of 10 s */
	assert_int_equal(pw_value_get_int(&rig.section, "events", -1), 3);
	assert_true(fabs(pw_value_get_real(&rig.section, "thermal_pct", -1) - 2.5) < 1e-3);
	assert_int_equal(rig.warnings.count, 1);
	assert_non_null(strstr(rig.warnings.items[0], "thermal throttling"));
	rig_done(&rig);
}

static void what_stood_before_the_run_is_no_throttling(void **state)
{
	struct rig rig;

	(void)state;
	two_cpus(&rig);
	rig_open(&rig);
	run(&rig, "5", "100");
	assert_int_equal(pw_value_get_int(&rig.section, "events", -1), 0);
	assert_int_equal(rig.warnings.count, 0);
	rig_done(&rig);
}

static void old_kernels_count_no_time(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, &pw_collector_throttle);
	counter(&rig, 0, "core_throttle_count", "1");
	rig_open(&rig);
	rig_at(0);
	assert_int_equal(rig_begin(&rig), 0);
	counter(&rig, 0, "core_throttle_count", "2");
	rig_at(1);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_null(pw_value_get(&rig.section, "thermal_pct"));
	assert_int_equal(rig.warnings.count, 1);
	rig_done(&rig);
}

static void a_counter_that_vanishes_is_said(void **state)
{
	struct rig rig;

	(void)state;
	two_cpus(&rig);
	rig_open(&rig);
	rig_at(0);
	assert_int_equal(rig_begin(&rig), 0);
	counter(&rig, 1, "package_throttle_count", "gone");
	assert_true(rig_end(&rig) < 0);
	rig_unavailable(&rig, "package_throttle_count");
	rig_done(&rig);
}

static void without_counters_the_reason_is_given(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, &pw_collector_throttle);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "thermal_throttle"));
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_counter_that_grew_most_tells),
		cmocka_unit_test(what_stood_before_the_run_is_no_throttling),
		cmocka_unit_test(old_kernels_count_no_time),
		cmocka_unit_test(a_counter_that_vanishes_is_said),
		cmocka_unit_test(without_counters_the_reason_is_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
