/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cpufreq knobs against a model of the kernel: its errors, side effects and delays. */
#include "fake_kernel.h"
#include "fake_kernel_rules.h"
#include "fake_knob.h"

#include "lib/platform/cpufreq.h"

static void governor_errors_are_told(void **state)
{
	struct model model;
	struct fake_env env;
	struct pw_err err;

	(void)state;
	model_open(&model, "acpi-cpufreq-boost", 2);
	env = fake_env(&model.fake);
	/* not listed, no module: check() cannot know, the kernel says so */
	assert_int_equal(fake_apply(&env.env, "governor", "schedutil", &err), -PW_EUNSUPPORTED);
	assert_string_equal(err.text,
			    "policy0: write scaling_governor 'schedutil': Invalid argument "
			    "(available: performance powersave ondemand)");
	model.module = "schedutil";
	fake_must(fake_apply(&env.env, "governor", "schedutil", &err), &err);
	assert_string_equal(fake_read(&env.env, "governor"), "schedutil");
	assert_int_equal(fake_check(&env.env, "governor", "nosuch", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "available: performance powersave ondemand");
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);

	model_open(&model, "intel-hwp-active", 4);
	env = fake_env(&model.fake);
	model.writes = 0;
	assert_int_equal(fake_check(&env.env, "governor", "schedutil", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "policy0");
	assert_has(err.text, "available: performance powersave");
	assert_has(err.hint, "driver-mode");
	assert_int_equal(model.writes, 0);
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);
}

static void epp_is_refused_under_performance(void **state)
{
	struct model model;
	struct fake_env env;
	struct pw_err err;

	(void)state;
	model_open(&model, "intel-hwp-active", 4);
	env = fake_env(&model.fake);
	fake_must(fake_apply(&env.env, "governor", "performance", &err), &err);
	assert_string_equal(fake_read(&env.env, "epp"), "performance");
	model.writes = 0;
	assert_int_equal(fake_apply(&env.env, "epp", "power", &err), -PW_EBUSY);
	assert_has(err.text, "policy0: EPP 'power' cannot be set: the governor is 'performance'");
	assert_has(err.hint, "powersave");
	assert_int_equal(model.writes, 0);
	fake_must(fake_apply(&env.env, "epp", "0", &err), &err);
	fake_must(fake_apply(&env.env, "governor", "powersave", &err), &err);
	/* a number reads back as its word */
	fake_must(fake_apply(&env.env, "epp", "255", &err), &err);
	assert_string_equal(fake_read(&env.env, "epp"), "power");
	fake_must(fake_apply(&env.env, "epp", "77", &err), &err);
	assert_string_equal(fake_read(&env.env, "epp"), "77");
	assert_int_equal(fake_check(&env.env, "epp", "256", &err), -PW_EINVAL);
	assert_int_equal(fake_check(&env.env, "epp", "frugal", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "available: default performance balance_performance");
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);
}

/* What scaling_setspeed shows is the frequency reached: near is back, far is not. */
static void a_speed_set_by_hand_is_nearly_back(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	const struct pw_knob *knob = fake_knob("governor");
	struct model model;
	struct fake_env env;
	struct pw_err err;

	(void)state;
	model_open(&model, "intel-passive", 4);
	env = fake_env(&model.fake);
	model_put(&model, 0, "scaling_governor", "userspace");
	model_put(&model, 0, "scaling_setspeed", "2000000");
	fake_must(knob->save(&env.env, &saved, &err), &err);
	assert_int_equal(saved.count, 5);
	model_put(&model, 0, "scaling_setspeed", "1950000");
	assert_true(knob->is_back(&env.env, &saved.items[4]));
	model_put(&model, 0, "scaling_setspeed", "1400000");
	assert_false(knob->is_back(&env.env, &saved.items[4]));
	fake_restore(&env.env, "governor", &saved);
	pw_saved_done(&saved);
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);
}

static void amd_takes_words_for_numbers(void **state)
{
	struct model model;
	struct fake_env env;
	struct pw_err err;

	(void)state;
	model_open(&model, "amd-pstate-epp", 4);
	env = fake_env(&model.fake);
	fake_must(fake_apply(&env.env, "epp", "255", &err), &err);
	assert_string_equal(fake_read(&env.env, "epp"), "power");
	assert_int_equal(fake_apply(&env.env, "epp", "77", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "policy0: write energy_performance_preference '77'");
	/* the list shrinks under performance; a configuration may change the governor first */
	model_put(&model, 0, "scaling_governor", "performance");
	model_put(&model, 0, "energy_performance_available_preferences", "performance\\s");
	fake_must(fake_check(&env.env, "epp", "power", &err), &err);
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);
}

/* Every policy's file that the knobs of the order list touch, by their names. */
static char *whole(const struct model *model)
{
	size_t length;

	return fake_snapshot(&model->fake, &length);
}

static void epp_comes_back_through_the_other_governor(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	struct model model;
	struct fake_env env;
	struct pw_err err;

	(void)state;
	model_open(&model, "intel-hwp-active", 4);
	env = fake_env(&model.fake);
	fake_must(fake_knob("epp")->save(&env.env, &saved, &err), &err);
	assert_int_equal(saved.count, 4);
	fake_must(fake_apply(&env.env, "epp", "power", &err), &err);
	fake_must(fake_apply(&env.env, "governor", "performance", &err), &err);
	fake_restore(&env.env, "epp", &saved);
	/* such a preference was read under powersave: that is where the policy was */
	assert_string_equal(fake_read(&env.env, "governor"), "powersave");
	for (size_t i = 0; i < saved.count; i++)
		assert_true(fake_knob("epp")->is_back(&env.env, &saved.items[i]));
	assert_string_equal(fake_read(&env.env, "epp"), "balance_performance");
	pw_saved_done(&saved);
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);
}

static void limits_are_requests(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	pw_auto_free char *before = NULL;
	pw_auto_free char *after = NULL;
	struct model model;
	struct fake_env env;
	struct pw_err err;

	(void)state;
	model_open(&model, "intel-hwp-active", 4);
	model.late = 5;
	env = fake_env(&model.fake);
	before = whole(&model);
	fake_must(fake_knob("max-freq")->save(&env.env, &saved, &err), &err);
	assert_string_equal(saved.items[0].value, "3900000");
	assert_string_equal(saved.items[0].restore, "2147483647");
	assert_string_equal(saved.items[1].restore, "0");
	fake_must(fake_apply(&env.env, "max-freq", "2GHz", &err), &err);
	fake_must(fake_apply(&env.env, "min-freq", "1.5GHz", &err), &err);
	/* the maximum below the minimum: that one makes way */
	fake_must(fake_apply(&env.env, "max-freq", "1.2GHz", &err), &err);
	/* and the minimum above the maximum */
	fake_must(fake_apply(&env.env, "min-freq", "3GHz", &err), &err);
	assert_string_equal(fake_read(&env.env, "min-freq"), "3000000");
	assert_int_equal(fake_check(&env.env, "max-freq", "4GHz", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "policy0: 4000000 kHz lies outside the hardware's 800000 to 3900000");
	fake_restore(&env.env, "max-freq", &saved);
	after = whole(&model);
	assert_string_equal(after, before);
	/* no request of ours is left, not even one that shows the same number */
	assert_string_equal(model.request[3][1], "2147483647");
	assert_string_equal(model.request[3][0], "0");
	pw_saved_done(&saved);
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);
}

static void a_cap_is_reported_and_never_pinned(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	struct model model;
	struct fake_env env;
	struct pw_err err;

	(void)state;
	model_open(&model, "intel-hwp-active", 4);
	env = fake_env(&model.fake);
	model.cap_khz = "2000000";
	for (unsigned i = 0; i < 4; i++)
		model_limits(&model, i);
	fake_must(fake_knob("max-freq")->save(&env.env, &saved, &err), &err);
	assert_null(saved.items[0].restore);
	assert_int_equal(fake_apply(&env.env, "max-freq", "3GHz", &err), -PW_ETIMEOUT);
	assert_string_equal(err.text, "policy0: scaling_max_freq: asked '3000000', is '2000000'");
	assert_has(err.hint, "cap");
	memset(model.request, 0, sizeof(model.request));
	fake_restore(&env.env, "max-freq", &saved);
	assert_string_equal(model.request[0][1], ""); /* the cap did not become our request */
	pw_saved_done(&saved);
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);
}

static void limits_on_old_kernels_and_odd_defaults(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	struct model model;
	struct fake_env env;
	struct pw_err err;

	(void)state;
	model_open(&model, "amd-pstate-epp", 4);
	model.old_limits = true;
	env = fake_env(&model.fake);
	fake_must(fake_knob("min-freq")->save(&env.env, &saved, &err), &err);
	fake_must(fake_apply(&env.env, "min-freq", "5GHz", &err), &err);
	fake_must(fake_apply(&env.env, "max-freq", "1GHz", &err), &err);
	fake_must(fake_apply(&env.env, "min-freq", "900MHz", &err), &err);
	/* "no minimum" shows another number than the one saved: then the number itself */
	model.min_default = "2988000";
	fake_restore(&env.env, "min-freq", &saved);
	assert_string_equal(fake_read(&env.env, "min-freq"), "400000");
	assert_string_equal(fake_read(&env.env, "max-freq"), "5881000");
	assert_string_equal(model.request[0][0], "400000");
	pw_saved_done(&saved);
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);
}

static void boost_before_limits(void **state)
{
	struct pw_saved boost = PW_SAVED_INIT, limits = PW_SAVED_INIT;
	pw_auto_free char *before = NULL;
	pw_auto_free char *after = NULL;
	struct model model;
	struct fake_env env;
	struct pw_err err;

	(void)state;
	model_open(&model, "amd-pstate-epp", 4);
	env = fake_env(&model.fake);
	/* a user's own: off on one policy under the global switch on */
	model_put(&model, 2, "boost", "0");
	(void)snprintf(model.request[0][1], sizeof(model.request[0][1]), "3000000");
	model_limits(&model, 0);
	before = whole(&model);
	assert_string_equal(fake_read(&env.env, "boost"), "mixed: on, some policies off");
	fake_must(fake_knob("boost")->save(&env.env, &boost, &err), &err);
	assert_int_equal(boost.count, 5);
	fake_must(fake_knob("max-freq")->save(&env.env, &limits, &err), &err);
	fake_must(fake_apply(&env.env, "boost", "on", &err), &err);
	assert_string_equal(fake_read(&env.env, "boost"), "on");
	fake_must(fake_apply(&env.env, "boost", "off", &err), &err);
	assert_string_equal(fake_read(&env.env, "boost"), "off");
	assert_string_equal(fake_read(&env.env, "max-freq"), "4500000");
	fake_restore(&env.env, "boost", &boost);
	assert_string_equal(fake_read(&env.env, "max-freq"), "5881000"); /* not ours any more */
	fake_restore(&env.env, "max-freq", &limits);
	after = whole(&model);
	assert_string_equal(after, before);
	assert_true(fake_knob("boost")->order < fake_knob("max-freq")->order);
	pw_saved_done(&boost);
	pw_saved_done(&limits);
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);
}

/* acpi-cpufreq does nothing for a value that is there already, diverged CPUs or not. */
static void acpi_boost_is_forced(void **state)
{
	struct model model;
	struct fake_env env;
	struct pw_err err;

	(void)state;
	model_open(&model, "acpi-cpufreq-boost", 2);
	env = fake_env(&model.fake);
	fake_must(fake_apply(&env.env, "boost", "on", &err), &err);
	assert_int_equal(model.writes, 2); /* off, on */
	assert_string_equal(fake_read(&env.env, "boost"), "on");
	fake_must(fake_apply(&env.env, "boost", "off", &err), &err);
	assert_int_equal(model.writes, 3);
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);

	model_open(&model, "arm-cppc", 0);
	env = fake_env(&model.fake);
	fake_must(fake_apply(&env.env, "boost", "off", &err), &err);
	assert_int_equal(model.writes, 1);
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);
}

/* Between the steps of the driver's table a limit is rounded: a maximum down, a minimum up. */
static void limits_round_to_the_table(void **state)
{
	struct model model;
	struct fake_env env;
	struct pw_err err;
	const struct pw_knob *maximum = fake_knob("max-freq"), *minimum = fake_knob("min-freq");
	pw_auto_value struct pw_value asked = fake_value(maximum, "2.5GHz");

	(void)state;
	model_open(&model, "acpi-cpufreq-boost", 2);
	env = fake_env(&model.fake);
	for (unsigned i = 0; i < 2; i++)
		model_put(&model, i, "scaling_max_freq", "2200000");
	fake_must(maximum->verify(&env.env, &asked, &err), &err);
	for (unsigned i = 0; i < 2; i++)
		model_put(&model, i, "scaling_min_freq", "2800000");
	fake_must(minimum->verify(&env.env, &asked, &err), &err);
	model_put(&model, 1, "scaling_min_freq", "2200000");
	assert_int_equal(minimum->verify(&env.env, &asked, &err), -PW_ETIMEOUT);
	assert_string_equal(err.text, "policy1: scaling_min_freq: asked '2500000', is '2200000'");
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);
}

static void boost_that_the_hardware_has_not(void **state)
{
	struct model model;
	struct fake_env env;
	struct pw_err err;

	(void)state;
	model_open(&model, "arm-cppc", 0);
	env = fake_env(&model.fake);
	model.boost_errno = EINVAL;
	assert_int_equal(fake_apply(&env.env, "boost", "on", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "no boost range");
	fake_must(fake_apply(&env.env, "boost", "off", &err), &err);
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);

	model_open(&model, "intel-hwp-active", 4);
	env = fake_env(&model.fake);
	fake_must(fake_apply(&env.env, "boost", "off", &err), &err);
	assert_string_equal(fake_get(&model.fake, PW_CPU_DIR "/intel_pstate/no_turbo"), "1");
	assert_string_equal(fake_read(&env.env, "boost"), "off");
	model.turbo_errno = EPERM;
	assert_int_equal(fake_apply(&env.env, "boost", "on", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "disabled by the firmware");
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);
}

static void a_mode_change_takes_everything_with_it(void **state)
{
	static const char *const names[] = { "driver-mode", "boost",	"governor",
					     "epp",	    "max-freq", "min-freq" };
	struct pw_saved saved[PW_LENGTH(names)] = { PW_SAVED_INIT };
	struct model model;
	struct fake_env env;
	struct pw_err err;

	(void)state;
	model_open(&model, "intel-hwp-active", 4);
	env = fake_env(&model.fake);
	for (size_t i = 0; i < PW_LENGTH(names); i++)
		fake_must(fake_knob(names[i])->save(&env.env, &saved[i], &err), &err);
	assert_true(fake_knob("driver-mode")->flags & PW_KNOB_RECREATES);
	fake_must(fake_apply(&env.env, "driver-mode", "passive", &err), &err);
	fake_must(fake_apply(&env.env, "governor", "schedutil", &err), &err);
	fake_must(fake_apply(&env.env, "max-freq", "2GHz", &err), &err);
	assert_string_equal(fake_read(&env.env, "driver-mode"), "passive");
	model.writes = 0;
	fake_must(fake_apply(&env.env, "driver-mode", "passive", &err), &err);
	assert_int_equal(model.writes, 0); /* equal: not written */
	for (size_t i = 0; i < PW_LENGTH(names); i++) {
		fake_restore(&env.env, names[i], &saved[i]);
		pw_saved_done(&saved[i]);
	}
	assert_string_equal(fake_read(&env.env, "driver-mode"), "active");
	assert_string_equal(fake_read(&env.env, "governor"), "powersave");
	assert_string_equal(fake_read(&env.env, "epp"), "balance_performance");
	assert_string_equal(fake_read(&env.env, "max-freq"), "3900000");
	pw_cpuset_done(&env.usable);
	fake_close(&model.fake);
}

static ssize_t unreadable(const struct pw_root *root, const char *path, char *buffer, size_t size)
{
	if (strstr(path, "energy_performance_preference"))
		return -EINVAL;
	return pw_fs_real.read(root, path, buffer, size);
}

static void an_unreadable_preference_is_not_touched(void **state)
{
	static const struct pw_fs_ops ops = { .read = unreadable };
	struct fake_env env;
	struct pw_err err;
	struct fake fake;

	(void)state;
	fake_open(&fake, "amd-pstate-epp");
	env = fake_env(&fake);
	fake.root.ops = &ops;
	assert_int_equal(fake_knob("epp")->probe(&env.env, &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "could not be put back");
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(governor_errors_are_told),
		cmocka_unit_test(epp_is_refused_under_performance),
		cmocka_unit_test(a_speed_set_by_hand_is_nearly_back),
		cmocka_unit_test(amd_takes_words_for_numbers),
		cmocka_unit_test(epp_comes_back_through_the_other_governor),
		cmocka_unit_test(limits_are_requests),
		cmocka_unit_test(a_cap_is_reported_and_never_pinned),
		cmocka_unit_test(limits_on_old_kernels_and_odd_defaults),
		cmocka_unit_test(boost_before_limits),
		cmocka_unit_test(acpi_boost_is_forced),
		cmocka_unit_test(limits_round_to_the_table),
		cmocka_unit_test(boost_that_the_hardware_has_not),
		cmocka_unit_test(a_mode_change_takes_everything_with_it),
		cmocka_unit_test(an_unreadable_preference_is_not_touched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
