/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The knob governor-tunables, against a kernel that drops tunables with their governor. */
#include "fake_hotplug.h"
#include "fake_knob.h"

#define SCHEDUTIL PW_CPUFREQ_DIR "/schedutil/rate_limit_us"
#define UP	  PW_CPUFREQ_DIR "/conservative/up_threshold"
#define DOWN	  PW_CPUFREQ_DIR "/conservative/down_threshold"

struct rig {
	struct hotplug model;
	struct fake_env env;
	const struct pw_knob *knob;
};

static void rig_open(struct rig *rig)
{
	hotplug_open(&rig->model);
	rig->env = fake_env(&rig->model.fake);
	rig->knob = fake_knob("governor-tunables");
}

static void rig_close(struct rig *rig)
{
	pw_cpuset_done(&rig->env.usable);
	hotplug_close(&rig->model);
}

static struct pw_value one(const char *name, int64_t number)
{
	struct pw_value value = pw_value_object();

	pw_value_set(&value, name, pw_value_int(number));
	return value;
}

static int apply(const struct rig *rig, const struct pw_value *value, struct pw_err *err)
{
	int r = rig->knob->check(&rig->env.env, value, err);

	if (r == 0)
		r = rig->knob->apply(&rig->env.env, value, err);
	return r < 0 ? r : rig->knob->verify(&rig->env.env, value, err);
}

static int apply_one(const struct rig *rig, const char *name, int64_t number, struct pw_err *err)
{
	pw_auto_value struct pw_value value = one(name, number);

	return apply(rig, &value, err);
}

static void set_governor(const struct rig *rig, const char *governor)
{
	struct pw_err err;

	fake_must(fake_apply(&rig->env.env, "governor", governor, &err), &err);
}

static void names_and_values_have_a_form(void **state)
{
	static const struct {
		const char *name, *text, *where, *reason;
		int at_key;
	} wrong[] = {
		{ "../../x", "1", "/..~1..~1x", "no name of a tunable", 1 },
		{ "", "1", "/", "no name of a tunable", 1 },
		{ "up_threshold", " ", "/up_threshold", "is empty", 0 },
		{ "up_threshold", "1\n2", "/up_threshold", "control character", 0 },
	};
	const struct pw_knob *knob = fake_knob("governor-tunables");
	pw_auto_value struct pw_value none = pw_value_object();
	pw_auto_value struct pw_value text = pw_value_text("x");
	pw_auto_value struct pw_value real = pw_value_object();
	struct pw_err err;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(wrong); i++) {
		pw_auto_value struct pw_value value = pw_value_object();

		pw_value_set(&value, "rate_limit_us", pw_value_int(1));
		pw_value_set(&value, wrong[i].name, pw_value_text(wrong[i].text));
		assert_int_equal(pw_knob_check_value(knob, &value, &err), -PW_EINVAL);
		assert_has(err.text, wrong[i].reason);
		assert_string_equal(err.where, wrong[i].where);
		assert_int_equal(err.at_key, wrong[i].at_key);
	}
	assert_int_equal(pw_knob_check_value(knob, &none, &err), -PW_EINVAL);
	assert_int_equal(pw_knob_check_value(knob, &text, &err), -PW_EINVAL);
	pw_value_set(&real, "rate_limit_us", pw_value_real(0.5));
	assert_int_equal(pw_knob_check_value(knob, &real, &err), -PW_EINVAL);
	assert_string_equal(err.where, "/rate_limit_us");
}

static void a_tunable_of_no_governor_in_force(void **state)
{
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig);
	set_governor(&rig, "ondemand");
	fake_set(&rig.model.fake, hotplug_policy(1, "scaling_governor"), "powersave");
	hotplug_sync(&rig.model);
	assert_int_equal(apply_one(&rig, "nosuch", 1, &err), -PW_EUNSUPPORTED);
	assert_string_equal(err.text,
			    "no governor in force has a tunable 'nosuch' (available: ondemand: "
			    "powersave_bias sampling_rate up_threshold; powersave: none)");
	/* known, and its governor may come into force yet */
	pw_auto_value struct pw_value known = one("rate_limit_us", 500);

	fake_must(rig.knob->check(&rig.env.env, &known, &err), &err);
	assert_int_equal(rig.knob->apply(&rig.env.env, &known, &err), -PW_EUNSUPPORTED);
	assert_has(err.hint, "set governor");
	rig.env.env.settled = true;
	assert_int_equal(rig.knob->check(&rig.env.env, &known, &err), -PW_EUNSUPPORTED);
	/* those policies that have it get it */
	fake_must(apply_one(&rig, "up_threshold", 80, &err), &err);
	rig_close(&rig);
}

static void values_are_proven_as_numbers(void **state)
{
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig);
	set_governor(&rig, "ondemand");
	pw_auto_value struct pw_value value = pw_value_object();

	pw_value_set(&value, "sampling_rate", pw_value_text("0x4e20"));
	fake_set(&rig.model.fake, PW_CPUFREQ_DIR "/ondemand/sampling_rate", "20000");
	fake_must(rig.knob->verify(&rig.env.env, &value, &err), &err);
	assert_int_equal(apply_one(&rig, "powersave_bias", 2000, &err), -PW_ETIMEOUT);
	assert_has(err.text, "ondemand/powersave_bias: asked '2000', is '1000' (the governor");
	assert_int_equal(apply_one(&rig, "sampling_rate", 1, &err), -PW_EINVAL);
	assert_has(err.text, "write /sys/devices/system/cpu/cpufreq/ondemand/sampling_rate '1'");
	assert_has(err.text, "it is '20000'");
	rig_close(&rig);
}

/* Each bounds the other: whichever comes first in the config, both are set. */
static void one_tunable_bounds_another(void **state)
{
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig);
	set_governor(&rig, "conservative");
	pw_auto_value struct pw_value high = one("down_threshold", 85);
	pw_auto_value struct pw_value low = one("up_threshold", 15);

	pw_value_set(&high, "up_threshold", pw_value_int(95));
	pw_value_set(&low, "down_threshold", pw_value_int(5));
	fake_must(apply(&rig, &high, &err), &err);
	fake_must(apply(&rig, &low, &err), &err);
	assert_string_equal(fake_get(&rig.model.fake, UP), "15");
	assert_string_equal(fake_get(&rig.model.fake, DOWN), "5");
	rig_close(&rig);
}

static void what_the_kernel_dropped_is_mended(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig);
	fake_must(apply_one(&rig, "rate_limit_us", 700, &err), &err);
	fake_must(rig.knob->save(&rig.env.env, &saved, &err), &err);
	assert_int_equal(saved.count, 1);
	set_governor(&rig, "performance");
	assert_false(pw_root_exists(&rig.model.fake.root, SCHEDUTIL));
	set_governor(&rig, "schedutil");
	assert_string_equal(fake_get(&rig.model.fake, SCHEDUTIL), "5000");
	fake_restore(&rig.env.env, "governor-tunables", &saved);
	assert_string_equal(fake_get(&rig.model.fake, SCHEDUTIL), "700");
	pw_saved_done(&saved);
	rig_close(&rig);
}

/* Drivers of boards: policyN/<governor>/ of each policy; the record shows where they differ. */
static void policies_with_tunables_of_their_own(void **state)
{
	pw_auto_value struct pw_value shown = PW_VALUE_INIT;
	struct pw_saved saved = PW_SAVED_INIT;
	struct fake_env env;
	struct pw_err err;
	struct fake fake;
	const struct pw_knob *knob = fake_knob("governor-tunables");
	pw_auto_value struct pw_value value = one("rate_limit_us", 300);

	(void)state;
	fake_open(&fake, "intel-passive");
	env = fake_env(&fake);
	pw_auto_free char *shared = pw_sprintf("%s" PW_CPUFREQ_DIR "/schedutil", fake.dir);

	fake_must(pw_remove_tree(shared, &err), &err);
	for (unsigned i = 0; i < 4; i++)
		fake_set(&fake, hotplug_policy(i, "schedutil/rate_limit_us"), i ? "50" : "500");
	fake_must(knob->read(&env.env, &shown, &err), &err);
	assert_string_equal(pw_value_get_text(&shown, "rate_limit_us", ""), "mixed: 500, 50");
	fake_must(knob->save(&env.env, &saved, &err), &err);
	assert_int_equal(saved.count, 4);
	fake_must(knob->apply(&env.env, &value, &err), &err);
	fake_must(knob->verify(&env.env, &value, &err), &err);
	for (unsigned i = 0; i < 4; i++)
		assert_string_equal(fake_get(&fake, hotplug_policy(i, "schedutil/rate_limit_us")),
				    "300");
	pw_value_done(&shown);
	fake_must(knob->read(&env.env, &shown, &err), &err);
	assert_int_equal(pw_value_get_int(&shown, "rate_limit_us", 0), 300);
	fake_restore(&env.env, "governor-tunables", &saved);
	assert_string_equal(fake_get(&fake, hotplug_policy(0, "schedutil/rate_limit_us")), "500");
	assert_string_equal(fake_get(&fake, hotplug_policy(3, "schedutil/rate_limit_us")), "50");
	pw_saved_done(&saved);
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_values_have_a_form),
		cmocka_unit_test(a_tunable_of_no_governor_in_force),
		cmocka_unit_test(values_are_proven_as_numbers),
		cmocka_unit_test(one_tunable_bounds_another),
		cmocka_unit_test(what_the_kernel_dropped_is_mended),
		cmocka_unit_test(policies_with_tunables_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
