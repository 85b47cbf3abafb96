/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of Intel's drivers: the percentages and switches of intel_pstate, the bias of every CPU,
 * the uncore's limits. Against plain machines, and against a model of the kernel that clamps.
 */
#include "fake_faults.h"

#include "lib/platform/intel_pstate.h"
#include "lib/platform/uncore.h"

#define MAX_PCT	  PW_INTEL_DIR "/max_perf_pct"
#define MIN_PCT	  PW_INTEL_DIR "/min_perf_pct"
#define HWP_BOOST PW_INTEL_DIR "/hwp_dynamic_boost"
#define BIAS	  PW_CPU_DIR "/cpu%u/power/energy_perf_bias"
#define PACKAGE	  PW_UNCORE_DIR "/package_00_die_00/"

static void plain_changes_are_taken_back(void **state)
{
	static const char *const changes[][4] = {
		{ "intel-hwp-active", "max-perf-pct", "50%", "50" },
		{ "intel-hwp-active", "min-perf-pct", "60%", "60" },
		{ "intel-passive", "max-perf-pct", "30%", "30" },
		{ "intel-hwp-active", "hwp-dynamic-boost", "on", "on" },
		{ "intel-desktop", "energy-efficiency", "on", "on" },
		{ "intel-hwp-active", "epb", "power", "power" },
		{ "intel-hwp-active", "epb", "3", "3" },
		{ "intel-hwp-active", "epb", "balance-power", "balance-power" },
		{ "intel-hwp-active", "uncore-max", "1.8GHz", "1800000" },
		{ "server-256", "uncore-min", "2GHz", "2000000" },
	};

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(changes); i++)
		plain_round_trip(changes[i][0], changes[i][1], changes[i][2], changes[i][3]);
}

static void absent(const char *tree, const char *knob, const char *reason)
{
	struct pw_err err = PW_ERR_INIT;
	struct fake_env env;
	struct fake fake;

	fake_open(&fake, tree);
	env = fake_env(&fake);
	if (fake_knob(knob)->probe(&env.env, &err) != -PW_EUNSUPPORTED)
		fail_msg("%s: %s is not unsupported: %s", tree, knob, err.text);
	assert_has(err.text, reason);
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

static void what_is_absent_is_told(void **state)
{
	(void)state;
	absent("vm-empty", "max-perf-pct", "no frequency driver");
	absent("acpi-cpufreq-intel", "min-perf-pct", "'acpi-cpufreq', and only intel_pstate");
	absent("intel-off", "max-perf-pct", "intel_pstate is off");
	absent("intel-off", "hwp-dynamic-boost", "intel_pstate is off");
	absent("intel-passive", "hwp-dynamic-boost", "needs HWP and the driver's active mode");
	absent("intel-hwp-active", "energy-efficiency", "on some models only");
	absent("amd-pstate-epp", "epb", "no CPU has a file power/energy_perf_bias");
	absent("intel-desktop", "uncore-max", "no uncore limits below");
}

static void per_cpu_limits_leave_no_percentages(void **state)
{
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4);
	faulty_set(&faulty, MIN_PCT, ENOENT, 0);
	assert_int_equal(fake_knob("min-perf-pct")->probe(&faulty.env.env, &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "per_cpu_perf_limits");
	assert_has(err.hint, "min-freq");
	/* either may have to move the other */
	assert_int_equal(fake_knob("max-perf-pct")->probe(&faulty.env.env, &err), -PW_EUNSUPPORTED);
	faulty_close(&faulty);
}

static void percents_are_whole(void **state)
{
	static const char *const refused[] = { "12.5%", "0%", "0.4%", "101%", "150%" };
	const struct pw_knob *knob = fake_knob("max-perf-pct");
	struct pw_err err;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(refused); i++) {
		pw_auto_value struct pw_value value = pw_value_text(refused[i]);

		if (pw_knob_check_value(knob, &value, &err) != -PW_EINVAL)
			fail_msg("%s was taken", refused[i]);
	}
	for (int pct = 1; pct <= 100; pct++) {
		pw_auto_free char *text = pw_sprintf("%d%%", pct);
		pw_auto_value struct pw_value value = pw_value_text(text);

		fake_must(pw_knob_check_value(knob, &value, &err), &err);
	}
}

static void the_hardware_has_a_lowest_percentage(void **state)
{
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4); /* 800 of 3900 MHz */
	assert_int_equal(fake_check(&faulty.env.env, "max-perf-pct", "10%", &err),
			 -PW_EUNSUPPORTED);
	assert_has(err.text, "10% lies below the hardware's lowest P-state, 20%");
	fake_must(fake_check(&faulty.env.env, "max-perf-pct", "20%", &err), &err);
	/* without turbo the highest one is not known; the kernel's clamping is seen then */
	fake_set(&faulty.model.fake, PW_INTEL_DIR "/no_turbo", "1");
	assert_int_equal(fake_apply(&faulty.env.env, "max-perf-pct", "10%", &err), -PW_ETIMEOUT);
	assert_has(err.text, "max_perf_pct: asked '10', is '20'");
	faulty_close(&faulty);
}

static void expect_pair(const struct faulty *faulty, const char *highest, const char *lowest)
{
	assert_string_equal(faulty_get(faulty, MAX_PCT), highest);
	assert_string_equal(faulty_get(faulty, MIN_PCT), lowest);
}

static void percentages_make_way(void **state)
{
	const struct pw_knob *highest = fake_knob("max-perf-pct");
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4);
	fake_must(fake_apply(&faulty.env.env, "min-perf-pct", "60%", &err), &err);
	expect_pair(&faulty, "100", "60");
	fake_must(fake_apply(&faulty.env.env, "max-perf-pct", "50%", &err), &err);
	expect_pair(&faulty, "50", "20");
	fake_must(fake_apply(&faulty.env.env, "min-perf-pct", "80%", &err), &err);
	expect_pair(&faulty, "80", "80");
	/* a pair that cannot be: the proof at the end of a configuration finds it */
	pw_auto_value struct pw_value fifty = fake_value(highest, "50%");

	assert_int_equal(highest->verify(&faulty.env.env, &fifty, &err), -PW_ETIMEOUT);
	assert_has(err.text, "asked '50', is '80' (min_perf_pct is 80)");
	assert_has(err.hint, "min-perf-pct above max-perf-pct");
	assert_string_equal(fake_read(&faulty.env.env, "max-perf-pct"), "80");
	faulty_close(&faulty);
}

/* From any pair to any other in one pass, although the kernel clamps each write. */
static void any_pair_of_percentages_comes_back(void **state)
{
	static const char *const pairs[][2] = {
		{ "100", "20" }, { "30", "20" }, { "100", "80" }, { "50", "50" }, { "90", "40" },
	};
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4);
	for (size_t i = 0; i < PW_LENGTH(pairs) * PW_LENGTH(pairs); i++) {
		const char *const *from = pairs[i % PW_LENGTH(pairs)];
		const char *const *to = pairs[i / PW_LENGTH(pairs)];
		struct pw_saved saved = PW_SAVED_INIT;

		fake_set(&faulty.model.fake, MAX_PCT, to[0]);
		fake_set(&faulty.model.fake, MIN_PCT, to[1]);
		fake_must(fake_knob("min-perf-pct")->save(&faulty.env.env, &saved, &err), &err);
		assert_int_equal(saved.count, 2);
		fake_set(&faulty.model.fake, MAX_PCT, from[0]);
		fake_set(&faulty.model.fake, MIN_PCT, from[1]);
		fake_restore(&faulty.env.env, "min-perf-pct", &saved);
		expect_pair(&faulty, to[0], to[1]);
		pw_saved_done(&saved);
	}
	faulty_close(&faulty);
}

static void errors_of_intel_pstate(void **state)
{
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4);
	faulty_set(&faulty, "_perf_pct", EAGAIN, 0);
	assert_int_equal(fake_knob("max-perf-pct")->probe(&faulty.env.env, &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "intel_pstate is off");
	faulty_set(&faulty, "_perf_pct", 0, EAGAIN);
	assert_int_equal(fake_apply(&faulty.env.env, "max-perf-pct", "50%", &err),
			 -PW_EUNSUPPORTED);
	faulty_set(&faulty, "_perf_pct", 0, EPERM);
	assert_int_equal(fake_apply(&faulty.env.env, "max-perf-pct", "50%", &err), -PW_EDENIED);
	assert_has(err.text, "max_perf_pct");
	faulty_set(&faulty, HWP_BOOST, EAGAIN, 0);
	assert_int_equal(fake_knob("hwp-dynamic-boost")->probe(&faulty.env.env, &err),
			 -PW_EUNSUPPORTED);
	faulty_set(&faulty, HWP_BOOST, 0, EBUSY);
	assert_int_equal(fake_apply(&faulty.env.env, "hwp-dynamic-boost", "on", &err), -PW_EBUSY);
	faulty_set(&faulty, HWP_BOOST, 0, 0);
	faulty.deaf = true;
	assert_int_equal(fake_apply(&faulty.env.env, "hwp-dynamic-boost", "on", &err),
			 -PW_ETIMEOUT);
	assert_has(err.text, "asked '1', is '0'");
	faulty_close(&faulty);
}

/* The switch goes with the active mode and is back with it; so are the percentages, as new. */
static void the_mode_takes_its_files_along(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4);
	fake_set(&faulty.model.fake, HWP_BOOST, "1");
	fake_must(fake_knob("hwp-dynamic-boost")->save(&faulty.env.env, &saved, &err), &err);
	fake_must(fake_apply(&faulty.env.env, "driver-mode", "passive", &err), &err);
	assert_int_equal(fake_knob("hwp-dynamic-boost")->probe(&faulty.env.env, &err),
			 -PW_EUNSUPPORTED);
	/* the way back: tried again until the file is there, so its absence must stay an ENOENT */
	assert_int_equal(
		fake_knob("hwp-dynamic-boost")->restore(&faulty.env.env, &saved.items[0], &err),
		-PW_ENOTFOUND);
	fake_must(fake_apply(&faulty.env.env, "driver-mode", "active", &err), &err);
	assert_string_equal(fake_read(&faulty.env.env, "hwp-dynamic-boost"), "off");
	fake_restore(&faulty.env.env, "hwp-dynamic-boost", &saved);
	assert_string_equal(fake_read(&faulty.env.env, "hwp-dynamic-boost"), "on");
	pw_saved_done(&saved);
	faulty_close(&faulty);
}

static const char *bias_path(unsigned cpu)
{
	static char path[96];

	(void)snprintf(path, sizeof(path), BIAS, cpu);
	return path;
}

static void bias_in_words_and_numbers(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4);
	pw_auto_free char *list = fake_choices(&faulty.env.env, "epb");

	assert_string_equal(list, "performance balance-performance normal balance-power power");
	fake_set(&faulty.model.fake, bias_path(3), "15");
	assert_string_equal(fake_read(&faulty.env.env, "epb"), "mixed: 6 (cpu0-2), 15 (cpu3)");
	fake_must(fake_knob("epb")->save(&faulty.env.env, &saved, &err), &err);
	assert_int_equal(saved.count, 4);
	/* what stands already is not written */
	faulty.model.writes = 0;
	fake_must(fake_apply(&faulty.env.env, "epb", "normal", &err), &err);
	assert_int_equal(faulty.model.writes, 1);
	fake_must(fake_apply(&faulty.env.env, "epb", "8", &err), &err);
	assert_string_equal(faulty_get(&faulty, bias_path(0)), "8");
	assert_int_equal(fake_knob("epb")->is_back(&faulty.env.env, &saved.items[0]), false);
	/* a kernel that shows the word of the number */
	fake_set(&faulty.model.fake, bias_path(0), "normal");
	assert_true(fake_knob("epb")->is_back(&faulty.env.env, &saved.items[0]));
	fake_restore(&faulty.env.env, "epb", &saved);
	assert_string_equal(faulty_get(&faulty, bias_path(3)), "15");
	assert_string_equal(faulty_get(&faulty, bias_path(1)), "6");
	pw_saved_done(&saved);
	faulty_close(&faulty);
}

static void bias_values_are_checked_without_a_machine(void **state)
{
	const struct pw_knob *knob = fake_knob("epb");
	struct pw_err err;

	(void)state;
	for (int i = 0; i < 4; i++) {
		pw_auto_value struct pw_value value = i == 0   ? pw_value_int(16)
						      : i == 1 ? pw_value_text("balance_power")
						      : i == 2 ? pw_value_text("16")
							       : pw_value_bool(true);

		assert_int_equal(pw_knob_check_value(knob, &value, &err), -PW_EINVAL);
	}
	pw_auto_value struct pw_value fine = pw_value_text("15");

	fake_must(pw_knob_check_value(knob, &fine, &err), &err);
}

static void bias_errors_and_offline_cpus(void **state)
{
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4);
	faulty_set(&faulty, "cpu2/power", 0, EIO);
	assert_int_equal(fake_apply(&faulty.env.env, "epb", "power", &err), -PW_EIO);
	assert_has(err.text, "cpu2/power/energy_perf_bias");
	faulty_set(&faulty, "cpu1/power", 0, 0);
	faulty.deaf = true;
	assert_int_equal(fake_apply(&faulty.env.env, "epb", "2", &err), -PW_ETIMEOUT);
	assert_has(err.text, "cpu1/power/energy_perf_bias: asked '2', is 'power'");
	/* an offline CPU has no say, nor is it written */
	faulty_set(&faulty, "cpu3/power", EIO, EIO);
	fake_set(&faulty.model.fake, PW_CPU_DIR "/online", "0-2");
	fake_must(fake_apply(&faulty.env.env, "epb", "0", &err), &err);
	assert_string_equal(fake_read(&faulty.env.env, "epb"), "0");
	faulty_set(&faulty, "cpu0/power", EPERM, 0);
	assert_int_equal(fake_knob("epb")->probe(&faulty.env.env, &err), -PW_EDENIED);
	faulty_close(&faulty);
}

static void uncore_limits_make_way(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4); /* 1.2 to 2.4 GHz */
	fake_must(fake_apply(&faulty.env.env, "uncore-min", "2GHz", &err), &err);
	fake_must(fake_knob("uncore-max")->save(&faulty.env.env, &saved, &err), &err);
	assert_int_equal(saved.count, 2);
	fake_must(fake_apply(&faulty.env.env, "uncore-max", "1.5GHz", &err), &err);
	assert_string_equal(faulty_get(&faulty, PACKAGE "min_freq_khz"), "1200000");
	fake_must(fake_apply(&faulty.env.env, "uncore-min", "1.8GHz", &err), &err);
	assert_string_equal(faulty_get(&faulty, PACKAGE "max_freq_khz"), "1800000");
	/* cut to whole 100 MHz by the kernel */
	fake_must(fake_apply(&faulty.env.env, "uncore-max", "2250MHz", &err), &err);
	assert_string_equal(fake_read(&faulty.env.env, "uncore-max"), "2200000");
	fake_restore(&faulty.env.env, "uncore-max", &saved);
	assert_string_equal(faulty_get(&faulty, PACKAGE "max_freq_khz"), "2400000");
	assert_string_equal(faulty_get(&faulty, PACKAGE "min_freq_khz"), "2000000");
	pw_saved_done(&saved);
	faulty_close(&faulty);
}

static void uncore_limits_have_a_range(void **state)
{
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4);
	faulty.model.writes = 0;
	assert_int_equal(fake_apply(&faulty.env.env, "uncore-max", "9GHz", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "package_00_die_00: 9000000 kHz lies outside");
	assert_has(err.text, "1200000 to 2400000 kHz");
	assert_int_equal(fake_check(&faulty.env.env, "uncore-min", "1.1GHz", &err),
			 -PW_EUNSUPPORTED);
	assert_int_equal(faulty.model.writes, 0);
	faulty_close(&faulty);
}

static void uncore_errors(void **state)
{
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4);
	faulty_set(&faulty, PACKAGE, ENXIO, 0);
	assert_int_equal(fake_knob("uncore-max")->probe(&faulty.env.env, &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "is controlled from is offline");
	faulty_set(&faulty, "/max_freq_khz", 0, ENXIO);
	assert_int_equal(fake_apply(&faulty.env.env, "uncore-max", "2GHz", &err), -PW_EGONE);
	assert_has(err.text, "package_00_die_00: ");
	faulty_set(&faulty, "/max_freq_khz", 0, 0);
	faulty.deaf = true;
	assert_int_equal(fake_apply(&faulty.env.env, "uncore-max", "2GHz", &err), -PW_ETIMEOUT);
	assert_has(err.text, "package_00_die_00: max_freq_khz: asked '2000000', is '2400000'");
	faulty_close(&faulty);
}

static void put_domain(struct faulty *faulty, const char *name)
{
	static const char *const files[][2] = { { "initial_min_freq_khz", "800000" },
						{ "initial_max_freq_khz", "2200000" },
						{ "min_freq_khz", "800000" },
						{ "max_freq_khz", "2200000" } };

	for (size_t i = 0; i < PW_LENGTH(files); i++) {
		pw_auto_free char *path = pw_sprintf(PW_UNCORE_DIR "/%s/%s", name, files[i][0]);

		fake_set(&faulty->model.fake, path, files[i][1]);
	}
}

/* Beside the clusters the package folder would write to all of them once more. */
static void clusters_stand_before_packages(void **state)
{
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4);
	put_domain(&faulty, "uncore00");
	put_domain(&faulty, "uncore01");
	faulty_set(&faulty, PACKAGE, EIO, EIO);
	fake_must(fake_apply(&faulty.env.env, "uncore-max", "2GHz", &err), &err);
	assert_string_equal(faulty_get(&faulty, PACKAGE "max_freq_khz"), "2400000");
	assert_string_equal(faulty_get(&faulty, PW_UNCORE_DIR "/uncore01/max_freq_khz"), "2000000");
	fake_set(&faulty.model.fake, PW_UNCORE_DIR "/uncore01/max_freq_khz", "1500000");
	assert_string_equal(fake_read(&faulty.env.env, "uncore-max"),
			    "mixed: 2000000 (uncore00), 1500000 (uncore01)");
	faulty_close(&faulty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_changes_are_taken_back),
		cmocka_unit_test(what_is_absent_is_told),
		cmocka_unit_test(per_cpu_limits_leave_no_percentages),
		cmocka_unit_test(percents_are_whole),
		cmocka_unit_test(the_hardware_has_a_lowest_percentage),
		cmocka_unit_test(percentages_make_way),
		cmocka_unit_test(any_pair_of_percentages_comes_back),
		cmocka_unit_test(errors_of_intel_pstate),
		cmocka_unit_test(the_mode_takes_its_files_along),
		cmocka_unit_test(bias_in_words_and_numbers),
		cmocka_unit_test(bias_values_are_checked_without_a_machine),
		cmocka_unit_test(bias_errors_and_offline_cpus),
		cmocka_unit_test(uncore_limits_make_way),
		cmocka_unit_test(uncore_limits_have_a_range),
		cmocka_unit_test(uncore_errors),
		cmocka_unit_test(clusters_stand_before_packages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
