/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frequency_rig.h"

extern const struct pw_collector pw_collector_time_in_state;

static void stats(struct rig *rig, unsigned number, const char *states, const char *transitions)
{
	policy_file(rig, number, "stats/time_in_state", states);
	policy_file(rig, number, "stats/total_trans", transitions);
}

static void two_policies(struct rig *rig)
{
	rig_init(rig, &pw_collector_time_in_state);
	policy(rig, 0, "0 1", "schedutil", "800000", "3600000");
	policy(rig, 2, "2", "schedutil", "800000", "3600000");
	stats(rig, 0, "800000 100\n2400000 0\n3600000 50", "7");
	stats(rig, 2, "800000 0\n3600000 1000", "0");
}

static double seconds(struct rig *rig, const char *policy_name, const char *khz)
{
	const struct pw_value *one =
		pw_value_get(pw_value_get(&rig->section, "policies"), policy_name);

	return pw_value_get_real(pw_value_get(one, "seconds"), khz, -1.0);
}

static void times_are_of_the_run(void **state)
{
	const struct pw_value *one;
	struct rig rig;

	(void)state;
	two_policies(&rig);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	stats(&rig, 0, "800000 225\n2400000 0\n3600000 925", "19");
	stats(&rig, 2, "800000 0\n3600000 2000", "0");
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_string_equal(pw_value_get_text(&rig.section, "source", ""), "cpufreq-stats");
	near(seconds(&rig, "policy0", "800000"), 1.25, 1e-9);
	near(seconds(&rig, "policy0", "3600000"), 8.75, 1e-9);
	near(seconds(&rig, "policy0", "2400000"), -1.0, 0); /* none: left out */
	near(seconds(&rig, "policy2", "3600000"), 10.0, 1e-9);
	one = pw_value_get(pw_value_get(&rig.section, "policies"), "policy0");
	assert_string_equal(pw_value_get_text(one, "cpus", ""), "0-1");
	assert_int_equal(pw_value_get_int(one, "transitions", -1), 12);
	rig_done(&rig);
}

static void a_reset_in_mid_run_is_said(void **state)
{
	struct rig rig;

	(void)state;
	two_policies(&rig);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	stats(&rig, 0, "800000 3\n2400000 0\n3600000 50", "0");
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "time in state: policy0: it was reset in mid-run");
	assert_int_equal(rig_begin(&rig), 0);
	stats(&rig, 0, "800000 3\n3600000 50", "0");
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "its frequencies changed in mid-run");
	assert_int_equal(rig_begin(&rig), 0);
	rig_fault(&rig, "policy2/stats/time_in_state", ENODEV);
	assert_int_equal(rig_end(&rig), -PW_EGONE);
	rig_unavailable(&rig, "policy2: read stats/time_in_state");
	rig_done(&rig);
}

/* The driver was switched between two runs: other policies, other frequencies. */
static void each_run_looks_anew(void **state)
{
	struct rig rig;

	(void)state;
	two_policies(&rig);
	rig_open(&rig);
	rig_remove(&rig, CPU_DIR "/cpufreq/policy2/stats/time_in_state");
	stats(&rig, 0, "1000000 5", "0");
	assert_int_equal(rig_begin(&rig), 0);
	stats(&rig, 0, "1000000 105", "0");
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	near(seconds(&rig, "policy0", "1000000"), 1.0, 1e-9);
	assert_int_equal(pw_value_get(&rig.section, "policies")->count, 1);
	rig_done(&rig);
}

static void absence_has_reasons(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, &pw_collector_time_in_state);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "no cpufreq policies"));
	policy(&rig, 0, "0", "powersave", "800000", "3600000");
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "no policy has stats/time_in_state"));
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_of_the_run),
		cmocka_unit_test(a_reset_in_mid_run_is_said),
		cmocka_unit_test(each_run_looks_anew),
		cmocka_unit_test(absence_has_reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
