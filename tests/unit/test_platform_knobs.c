/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every knob on plain fake machines: what is there, what is told where it is not, and the way back.
 */
#include "fake_knob.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "lib/platform/cpufreq.h"
#include "lib/platform/epp.h"

/* One way of changing each knob, per machine; applied and taken back one by one. */
static const struct change {
	const char *tree, *knob, *value, *shown;
} changes[] = {
	{ "intel-hwp-active", "driver-mode", "passive", "passive" },
	{ "intel-hwp-active", "governor", "performance", "performance" },
	{ "intel-hwp-active", "epp", "power", "power" },
	{ "intel-hwp-active", "epp", "42", "42" },
	{ "intel-hwp-active", "boost", "off", "off" },
	{ "intel-hwp-active", "min-freq", "1.2GHz", "1200000" },
	{ "intel-hwp-active", "max-freq", "2400MHz", "2400000" },
	{ "intel-hwp-active", "cpuidle-governor", "teo", "teo" },
	{ "intel-passive", "governor", "ondemand", "ondemand" },
	{ "intel-passive", "epp", "balance_power", "balance_power" },
	{ "intel-passive", "driver-mode", "active", "active" },
	{ "acpi-cpufreq-boost", "boost", "off", "off" },
	{ "acpi-cpufreq-boost", "boost", "on", "on" },
	{ "acpi-cpufreq-boost", "governor", "schedutil", "schedutil" },
	{ "acpi-cpufreq-boost", "max-freq", "2.2GHz", "2200000" },
	{ "amd-pstate-epp", "driver-mode", "guided", "guided" },
	{ "amd-pstate-epp", "boost", "off", "off" },
	{ "amd-pstate-epp", "epp", "255", "power" },
	{ "amd-pstate-epp", "min-freq", "1GHz", "1000000" },
	{ "arm-cppc", "governor", "schedutil", "schedutil" },
	{ "arm-cppc", "max-freq", "2GHz", "2000000" },
	{ "arm-cppc", "boost", "on", "on" },
	{ "arm-cppc", "cpuidle-governor", "menu", "menu" },
	{ "inactive-policy", "governor", "performance", "performance" },
	{ "inactive-policy", "max-freq", "1.2GHz", "1200000" },
};

static void expect_same(const char *a, size_t a_length, const char *b, size_t b_length,
			const struct change *change)
{
	if (a_length != b_length || memcmp(a, b, a_length) != 0)
		fail_msg("%s: %s=%s was not taken back byte for byte", change->tree, change->knob,
			 change->value);
}

static void round_trip(const struct change *change)
{
	struct pw_saved saved = PW_SAVED_INIT;
	size_t before_length, after_length, changed_length;
	struct fake_env env;
	struct pw_err err;
	struct fake fake;

	fake_open(&fake, change->tree);
	env = fake_env(&fake);
	pw_auto_free char *before = fake_snapshot(&fake, &before_length);

	fake_must(fake_knob(change->knob)->save(&env.env, &saved, &err), &err);
	fake_must(fake_apply(&env.env, change->knob, change->value, &err), &err);
	assert_string_equal(fake_read(&env.env, change->knob), change->shown);
	pw_auto_free char *changed = fake_snapshot(&fake, &changed_length);

	assert_true(changed_length != before_length ||
		    memcmp(changed, before, changed_length) != 0);
	fake_restore(&env.env, change->knob, &saved);
	pw_auto_free char *after = fake_snapshot(&fake, &after_length);

	expect_same(before, before_length, after, after_length, change);
	pw_saved_done(&saved);
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

static void every_change_is_taken_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < PW_LENGTH(changes); i++)
		round_trip(&changes[i]);
}

static void expect_unsupported(const struct pw_knob_env *env, const char *knob, const char *reason)
{
	struct pw_err err = PW_ERR_INIT;

	if (fake_knob(knob)->probe(env, &err) != -PW_EUNSUPPORTED)
		fail_msg("%s is not unsupported: %s", knob, err.text);
	assert_has(err.text, reason);
}

static void a_virtual_machine_says_why_not(void **state)
{
	static const char *const policies[] = { "governor", "epp", "min-freq", "max-freq" };
	struct fake_env env;
	struct pw_err err;
	struct fake fake;

	(void)state;
	fake_open(&fake, "vm-empty");
	env = fake_env(&fake);
	for (size_t i = 0; i < PW_LENGTH(policies); i++)
		expect_unsupported(&env.env, policies[i],
				   "no cpufreq policies below /sys/devices/system/cpu/cpufreq (no "
				   "frequency driver; usual in a virtual machine)");
	expect_unsupported(&env.env, "boost", "no boost switch");
	expect_unsupported(&env.env, "driver-mode", "no intel_pstate or amd_pstate");
	expect_unsupported(&env.env, "cpuidle-governor",
			   "no idle driver: can be written but acts on nothing");
	expect_unsupported(&env.env, "latency",
			   "no idle driver: can be written but acts on nothing");
	expect_unsupported(&env.env, "cpu-max", "/proc/self/mountinfo");
	fake_must(fake_knob("affinity")->probe(&env.env, &err), &err);
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

static void absent_features_name_the_driver(void **state)
{
	struct fake_env env;
	struct pw_err err;
	struct fake fake;

	(void)state;
	fake_open(&fake, "acpi-cpufreq-boost");
	env = fake_env(&fake);
	expect_unsupported(&env.env, "epp", "driver 'acpi-cpufreq' offers no");
	expect_unsupported(&env.env, "driver-mode", "driver 'acpi-cpufreq' has no modes");
	pw_cpuset_done(&env.usable);
	fake_close(&fake);

	fake_open(&fake, "inactive-policy");
	env = fake_env(&fake);
	expect_unsupported(&env.env, "boost", "driver 'cpufreq-dt' has neither");
	expect_unsupported(&env.env, "cpuidle-governor", "no idle driver");
	pw_cpuset_done(&env.usable);
	fake_close(&fake);

	fake_open(&fake, "intel-hwp-active");
	env = fake_env(&fake);
	fake_set(&fake, PW_INTEL_STATUS, "off");
	expect_unsupported(&env.env, "driver-mode", "cannot be switched back without a reboot");
	assert_int_equal(fake_check(&env.env, "driver-mode", "off", &err), -PW_EINVAL);
	assert_has(err.text, "no configuration to measure");
	assert_int_equal(fake_check(&env.env, "driver-mode", "guided", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "available: active passive");
	assert_int_equal(fake_check(&env.env, "cpuidle-governor", "haltpoll", &err),
			 -PW_EUNSUPPORTED);
	assert_has(err.text, "available: ladder menu teo");
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

static void without_permission_there_is_a_hint(void **state)
{
	struct fake_env env;
	struct pw_err err;
	struct fake fake;
	uid_t user = geteuid();

	(void)state;
	fake_open(&fake, "intel-hwp-active");
	env = fake_env(&fake);
	pw_auto_free char *path = pw_sprintf("%s" FAKE_POLICY "/scaling_governor", fake.dir, 0U);

	assert_int_equal(chmod(path, 0444), 0);
	assert_int_equal(chmod(fake.dir, 0755), 0);
	if (user == 0) /* root may write anything: be nobody for this */
		assert_int_equal(seteuid(65534), 0);
	int r = fake_knob("governor")->probe(&env.env, &err);

	if (user == 0)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(r, -PW_EDENIED);
	assert_has(err.hint, "root");
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

static void mixed_values_are_shown_as_such(void **state)
{
	struct fake_env env;
	struct fake fake;

	(void)state;
	fake_open(&fake, "arm-cppc");
	env = fake_env(&fake);
	assert_string_equal(fake_read(&env.env, "governor"),
			    "mixed: schedutil (policy0), performance (policy4)");
	assert_string_equal(fake_read(&env.env, "max-freq"),
			    "mixed: 3000000 (policy0), 2600000 (policy4)");
	assert_string_equal(fake_read(&env.env, "min-freq"), "1000000");
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
	fake_open(&fake, "inactive-policy"); /* an inactive policy has no say, nor is it written */
	env = fake_env(&fake);
	assert_string_equal(fake_read(&env.env, "governor"), "schedutil");
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

static void expect_choices(const char *tree, const char *knob, const char *expected)
{
	struct fake_env env;
	struct fake fake;

	fake_open(&fake, tree);
	env = fake_env(&fake);
	pw_auto_free char *list = fake_choices(&env.env, knob);

	assert_string_equal(list, expected);
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

static void choices_are_what_is_worth_comparing(void **state)
{
	(void)state;
	expect_choices("intel-hwp-active", "governor", "performance powersave");
	expect_choices("intel-hwp-active", "epp",
		       "performance balance_performance balance_power power");
	expect_choices("intel-hwp-active", "driver-mode", "active passive");
	expect_choices("amd-pstate-epp", "driver-mode", "active passive guided");
	expect_choices("intel-passive", "governor",
		       "conservative ondemand powersave performance schedutil");
	expect_choices("acpi-cpufreq-boost", "boost", "on off");
	expect_choices("intel-hwp-active", "cpuidle-governor", "ladder menu teo");
	expect_choices("intel-hwp-active", "affinity", "all one");
}

static void setspeed_is_saved_with_userspace(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	struct fake_env env;
	struct pw_err err;
	struct fake fake;

	(void)state;
	fake_open(&fake, "inactive-policy");
	env = fake_env(&fake);
	fake_set(&fake, PW_CPUFREQ_DIR "/policy0/scaling_governor", "userspace");
	fake_set(&fake, PW_CPUFREQ_DIR "/policy0/scaling_setspeed", "1200000");
	fake_must(fake_knob("governor")->save(&env.env, &saved, &err), &err);
	assert_int_equal(saved.count, 2);
	fake_set(&fake, PW_CPUFREQ_DIR "/policy0/scaling_setspeed", "600000");
	fake_restore(&env.env, "governor", &saved);
	assert_string_equal(fake_get(&fake, PW_CPUFREQ_DIR "/policy0/scaling_setspeed"), "1200000");
	pw_saved_done(&saved);
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

static void latency_is_held(void **state)
{
	const struct pw_knob *knob = fake_knob("latency");
	pw_auto_value struct pw_value value = fake_value(knob, "20us");
	pw_auto_value struct pw_value none = fake_value(knob, "0us");
	pw_auto_value struct pw_value fine = fake_value(knob, "1500ns");
	struct pw_saved saved = PW_SAVED_INIT;
	size_t before_length, after_length;
	struct fake_env env;
	struct pw_err err;
	struct fake fake;
	int fd = -1;

	(void)state;
	fake_open(&fake, "intel-hwp-active");
	env = fake_env(&fake);
	pw_auto_free char *before = fake_snapshot(&fake, &before_length);

	fake_must(knob->probe(&env.env, &err), &err);
	assert_int_equal(knob->check(&env.env, &fine, &err), -PW_EINVAL);
	assert_string_equal(fake_read(&env.env, "latency"), "2000000000");
	fake_must(knob->save(&env.env, &saved, &err), &err);
	assert_int_equal(knob->verify(&env.env, &value, &err), -PW_ETIMEOUT);
	assert_has(err.text, "asked 20 us, is 2000000000 us");
	fake_must(knob->hold(&env.env, &value, &fd, &err), &err);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	fake_must(knob->verify(&env.env, &value, &err), &err);
	assert_int_equal(close(fd), 0);
	fake_must(knob->hold(&env.env, &none, &fd, &err), &err);
	assert_string_equal(fake_read(&env.env, "latency"), "0");
	assert_int_equal(knob->verify(&env.env, &value, &err), -PW_ETIMEOUT);
	assert_has(err.hint, "another process");
	assert_int_equal(close(fd), 0);
	fake_restore(&env.env, "latency", &saved);
	pw_auto_free char *after = fake_snapshot(&fake, &after_length);

	assert_int_equal(before_length, after_length);
	assert_memory_equal(before, after, after_length);
	pw_saved_done(&saved);
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

static void expect_launch(const struct pw_knob_env *env, const char *text, const char *expected)
{
	const struct pw_knob *knob = fake_knob("affinity");
	pw_auto_value struct pw_value value = fake_value(knob, text);
	struct pw_launch launch = PW_LAUNCH_INIT;
	struct pw_err err;

	fake_must(knob->check(env, &value, &err), &err);
	fake_must(knob->launch(env, &value, &launch, &err), &err);
	pw_auto_free char *cpus = pw_cpuset_text(
		&(struct pw_cpuset){ .cpus = launch.cpus, .count = launch.cpu_count });

	assert_string_equal(cpus, expected);
	pw_launch_done(&launch);
}

static void affinity_goes_into_the_launch(void **state)
{
	struct fake_env env;
	struct pw_err err;
	struct fake fake;

	(void)state;
	fake_open(&fake, "intel-hwp-active");
	env = fake_env(&fake);
	expect_launch(&env.env, "0", "0");
	expect_launch(&env.env, "3,0-1", "0-1,3");
	expect_launch(&env.env, "all", "0-3");
	expect_launch(&env.env, "one", "3");
	assert_int_equal(fake_check(&env.env, "affinity", "2-5", &err), -PW_EUNSUPPORTED);
	assert_string_equal(err.text, "CPU 4 is offline or not ours to use (available: 0-3)");
	assert_int_equal(fake_check(&env.env, "affinity", "many", &err), -PW_EINVAL);
	assert_int_equal(fake_check(&env.env, "affinity", "", &err), -PW_EINVAL);
	env.env.usable_count = 1;
	pw_auto_free char *list = fake_choices(&env.env, "affinity");

	assert_string_equal(list, ""); /* nothing to compare on one CPU */
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

static void epp_words_and_numbers(void **state)
{
	(void)state;
	assert_true(pw_epp_same("balance_performance", "128"));
	assert_true(pw_epp_same("balance_performance", "102")); /* some models' value */
	assert_true(pw_epp_same("balance_power", "191"));
	assert_true(pw_epp_same("255", "power"));
	assert_true(pw_epp_same("balance_power", "default"));
	assert_false(pw_epp_same("performance", "128"));
	assert_false(pw_epp_same("power", "balance_power"));
	assert_false(pw_epp_same("130", "128"));
	assert_false(pw_epp_same("", "default"));
	assert_string_equal(pw_epp_word("191"), "balance_power");
	assert_null(pw_epp_word("190"));
	assert_null(pw_epp_word("power"));
}

static void the_same_word_means_different_things(void **state)
{
	(void)state;
	assert_has(pw_governor_meaning("intel_pstate", "powersave"), "dynamic within limits");
	assert_has(pw_governor_meaning("amd-pstate-epp", "powersave"), "EPP");
	assert_string_equal(pw_governor_meaning("intel_cpufreq", "powersave"),
			    "pinned to the minimum");
	assert_null(pw_governor_meaning("intel_pstate", "schedutil"));
	assert_null(pw_governor_meaning("acpi-cpufreq", "interactive"));
}

static void every_knob_is_whole(void **state)
{
	size_t count = 0;

	(void)state;
	for (const struct pw_knob *const *item = pw_knobs; *item; item++, count++) {
		const struct pw_knob *knob = *item;

		assert_string_equal(knob->name, knob->value.name);
		assert_true(knob->scope != PW_KNOB_UNSET && knob->order > 0);
		assert_true(knob->summary && knob->probe && knob->value.help);
		assert_true(knob->read || knob->read_saved);
		assert_true(knob->value.type != PW_OPT_UNSET);
		if (knob->scope == PW_KNOB_HELD)
			assert_true(knob->hold && knob->verify);
		else if (knob->scope == PW_KNOB_WORKLOAD)
			assert_non_null(knob->launch);
		else
			assert_true((knob->save || knob->save_for) && knob->apply && knob->verify);
	}
	assert_true(count >= 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_knob_is_whole),
		cmocka_unit_test(every_change_is_taken_back),
		cmocka_unit_test(a_virtual_machine_says_why_not),
		cmocka_unit_test(absent_features_name_the_driver),
		cmocka_unit_test(without_permission_there_is_a_hint),
		cmocka_unit_test(mixed_values_are_shown_as_such),
		cmocka_unit_test(choices_are_what_is_worth_comparing),
		cmocka_unit_test(setspeed_is_saved_with_userspace),
		cmocka_unit_test(latency_is_held),
		cmocka_unit_test(affinity_goes_into_the_launch),
		cmocka_unit_test(epp_words_and_numbers),
		cmocka_unit_test(the_same_word_means_different_things),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
