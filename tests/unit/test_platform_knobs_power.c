/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The long-term power limit of every package, and the firmware's platform profile: what the
 * firmware allows, what it locks, and the way back.
 */
#include "fake_faults.h"

#include "lib/platform/power_zones.h"

#define RAPL	PW_ZONES_DIR "/intel-rapl:0/"
#define MMIO	PW_ZONES_DIR "/intel-rapl-mmio:0/"
#define LIMIT	RAPL "constraint_0_power_limit_uw"
#define HIGHEST RAPL "constraint_0_max_power_uw"
#define PROFILE "/sys/firmware/acpi/platform_profile"

static void plain_changes_are_taken_back(void **state)
{
	static const char *const changes[][4] = {
		{ "intel-hwp-active", "power-limit", "65W", "65000000" },
		{ "server-256", "power-limit", "120.5W", "120500000" },
		{ "amd-pstate-epp", "platform-profile", "low-power", "low-power" },
		{ "intel-hybrid", "platform-profile", "performance", "performance" },
	};

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(changes); i++)
		plain_round_trip(changes[i][0], changes[i][1], changes[i][2], changes[i][3]);
}

/* Memory, the whole system and the short term have limits of their own. */
static void only_packages_are_limited(void **state)
{
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "server-256", 8);
	fake_set(&faulty.model.fake, PW_ZONES_DIR "/intel-rapl:2/name", "psys");
	fake_set(&faulty.model.fake, PW_ZONES_DIR "/intel-rapl:2/enabled", "1");
	fake_set(&faulty.model.fake, PW_ZONES_DIR "/intel-rapl:2/constraint_0_name", "long_term");
	fake_set(&faulty.model.fake, PW_ZONES_DIR "/intel-rapl:2/constraint_0_power_limit_uw",
		 "9000000");
	faulty.model.writes = 0;
	fake_must(fake_apply(&faulty.env.env, "power-limit", "150W", &err), &err);
	assert_int_equal(faulty.model.writes, 2);
	assert_string_equal(faulty_get(&faulty, LIMIT), "150000000");
	assert_string_equal(faulty_get(&faulty,
				       PW_ZONES_DIR "/intel-rapl:1/constraint_0_power_limit_uw"),
			    "150000000");
	assert_string_equal(faulty_get(&faulty, RAPL "constraint_1_power_limit_uw"), "256250000");
	fake_set(&faulty.model.fake, LIMIT, "140000000");
	assert_string_equal(fake_read(&faulty.env.env, "power-limit"),
			    "mixed: 140000000 (intel-rapl:0), 150000000 (intel-rapl:1)");
	faulty_close(&faulty);
}

/* The second interface to the limit of the same package; its constraints in another order. */
static void add_mmio(struct faulty *faulty, const char *limit_uw)
{
	static const char *const files[][2] = { { "name", "package-0" },
						{ "enabled", "1" },
						{ "constraint_0_name", "short_term" },
						{ "constraint_0_power_limit_uw", "99000000" },
						{ "constraint_1_name", "long_term" },
						{ "constraint_1_max_power_uw", "0" } };

	for (size_t i = 0; i < PW_LENGTH(files); i++) {
		pw_auto_free char *path = pw_sprintf(MMIO "%s", files[i][0]);

		fake_set(&faulty->model.fake, path, files[i][1]);
	}
	fake_set(&faulty->model.fake, MMIO "constraint_1_power_limit_uw", limit_uw);
}

static void both_interfaces_of_a_package(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4); /* 125 W */
	add_mmio(&faulty, "90125000");
	assert_int_equal(fake_check(&faulty.env.env, "power-limit", "100W", &err),
			 -PW_EUNSUPPORTED);
	assert_has(err.text, "package-0 (intel-rapl-mmio:0): 100 W is above the limit found here, "
			     "90.125 W");
	assert_has(err.hint, "below the firmware's");
	fake_must(fake_knob("power-limit")->save(&faulty.env.env, &saved, &err), &err);
	assert_int_equal(saved.count, 2);
	fake_must(fake_apply(&faulty.env.env, "power-limit", "65W", &err), &err);
	assert_string_equal(faulty_get(&faulty, LIMIT), "65000000");
	assert_string_equal(faulty_get(&faulty, MMIO "constraint_1_power_limit_uw"), "65000000");
	assert_string_equal(faulty_get(&faulty, MMIO "constraint_0_power_limit_uw"), "99000000");
	fake_restore(&faulty.env.env, "power-limit", &saved);
	assert_string_equal(faulty_get(&faulty, LIMIT), "125000000");
	assert_string_equal(faulty_get(&faulty, MMIO "constraint_1_power_limit_uw"), "90125000");
	pw_saved_done(&saved);
	faulty_close(&faulty);
}

static void only_below_what_the_firmware_set(void **state)
{
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4);
	faulty.model.writes = 0;
	assert_int_equal(fake_apply(&faulty.env.env, "power-limit", "500W", &err),
			 -PW_EUNSUPPORTED);
	assert_has(err.text, "500 W is above the limit found here, 125 W");
	fake_must(fake_check(&faulty.env.env, "power-limit", "125W", &err), &err);
	fake_set(&faulty.model.fake, HIGHEST, "95000000");
	assert_int_equal(fake_check(&faulty.env.env, "power-limit", "100W", &err),
			 -PW_EUNSUPPORTED);
	assert_has(err.text, "above the highest that the package takes, 95 W");
	fake_set(&faulty.model.fake, HIGHEST, "0"); /* unknown */
	fake_must(fake_check(&faulty.env.env, "power-limit", "100W", &err), &err);
	faulty_set(&faulty, HIGHEST, EIO, 0);
	fake_must(fake_check(&faulty.env.env, "power-limit", "100W", &err), &err);
	assert_int_equal(fake_check(&faulty.env.env, "power-limit", "0W", &err), -PW_EINVAL);
	assert_int_equal(fake_check(&faulty.env.env, "power-limit", "100mW", &err), -PW_EINVAL);
	fake_set(&faulty.model.fake, LIMIT, "0");
	assert_int_equal(fake_knob("power-limit")->probe(&faulty.env.env, &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "the firmware's limit is not known");
	assert_int_equal(faulty.model.writes, 0);
	faulty_close(&faulty);
}

static void a_zone_must_be_enabled(void **state)
{
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4);
	add_mmio(&faulty, "45000000");
	/* one that limits nothing has no say beside one that does */
	fake_set(&faulty.model.fake, MMIO "enabled", "0");
	fake_must(fake_apply(&faulty.env.env, "power-limit", "65W", &err), &err);
	assert_string_equal(faulty_get(&faulty, MMIO "constraint_1_power_limit_uw"), "45000000");
	fake_set(&faulty.model.fake, RAPL "enabled", "0");
	assert_int_equal(fake_knob("power-limit")->probe(&faulty.env.env, &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "package-0");
	assert_has(err.text, "enabled is not 1");
	faulty_close(&faulty);
}

static void a_locked_limit_is_told(void **state)
{
	static const int locked[] = { EIO, EINVAL, EACCES, EPERM };
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4);
	for (size_t i = 0; i < PW_LENGTH(locked); i++) {
		faulty_set(&faulty, LIMIT, 0, locked[i]);
		assert_int_equal(fake_apply(&faulty.env.env, "power-limit", "65W", &err),
				 -PW_EUNSUPPORTED);
		assert_has(err.text, "locked the power limit");
		assert_has(err.text, LIMIT);
	}
	faulty_set(&faulty, LIMIT, 0, EBUSY);
	assert_int_equal(fake_apply(&faulty.env.env, "power-limit", "65W", &err), -PW_EBUSY);
	faulty_set(&faulty, LIMIT, 0, 0);
	faulty.deaf = true; /* other firmware takes it and does nothing */
	assert_int_equal(fake_apply(&faulty.env.env, "power-limit", "65W", &err), -PW_ETIMEOUT);
	assert_has(err.text, "asked a power limit of 65000000 uW, is 125000000 uW: locked");
	faulty_set(&faulty, LIMIT, EIO, 0);
	assert_int_equal(fake_knob("power-limit")->probe(&faulty.env.env, &err), -PW_EUNSUPPORTED);
	faulty_close(&faulty);
}

static void the_register_counts_in_eighths(void **state)
{
	const struct pw_knob *knob = fake_knob("power-limit");
	pw_auto_value struct pw_value value = fake_value(knob, "65.06W");
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "intel-hwp-active", 4);
	fake_set(&faulty.model.fake, LIMIT, "65000000");
	fake_must(knob->verify(&faulty.env.env, &value, &err), &err);
	fake_set(&faulty.model.fake, LIMIT, "65125000");
	fake_must(knob->verify(&faulty.env.env, &value, &err), &err);
	fake_set(&faulty.model.fake, LIMIT, "65250000");
	assert_int_equal(knob->verify(&faulty.env.env, &value, &err), -PW_ETIMEOUT);
	fake_set(&faulty.model.fake, LIMIT, "64875000");
	assert_int_equal(knob->verify(&faulty.env.env, &value, &err), -PW_ETIMEOUT);
	faulty_close(&faulty);
}

static void machines_without_limits(void **state)
{
	static const char *const trees[] = { "vm-empty", "amd-pstate-epp", "arm-cppc" };
	struct pw_err err;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(trees); i++) {
		struct faulty faulty;

		faulty_open(&faulty, trees[i], 2);
		assert_int_equal(fake_knob("power-limit")->probe(&faulty.env.env, &err),
				 -PW_EUNSUPPORTED);
		assert_has(err.text, "no package with a long-term power limit");
		faulty_close(&faulty);
	}
}

static void profiles_are_those_of_the_firmware(void **state)
{
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "amd-pstate-epp", 4);
	pw_auto_free char *list = fake_choices(&faulty.env.env, "platform-profile");

	assert_string_equal(list, "low-power balanced performance");
	assert_int_equal(fake_check(&faulty.env.env, "platform-profile", "turbo", &err),
			 -PW_EUNSUPPORTED);
	assert_has(err.text, "no platform profile 'turbo' (available: low-power balanced "
			     "performance)");
	/* shown by some drivers, and taken by none */
	fake_set(&faulty.model.fake, PROFILE "_choices", "balanced custom");
	assert_int_equal(fake_check(&faulty.env.env, "platform-profile", "custom", &err),
			 -PW_EUNSUPPORTED);
	pw_auto_free char *fewer = fake_choices(&faulty.env.env, "platform-profile");

	assert_string_equal(fewer, "balanced");
	fake_set(&faulty.model.fake, PROFILE, "custom");
	assert_int_equal(fake_knob("platform-profile")->probe(&faulty.env.env, &err),
			 -PW_EUNSUPPORTED);
	assert_has(err.text, "'custom', which could not be put back");
	faulty_close(&faulty);

	faulty_open(&faulty, "intel-hwp-active", 4);
	assert_int_equal(fake_knob("platform-profile")->probe(&faulty.env.env, &err),
			 -PW_EUNSUPPORTED);
	assert_has(err.text, "the firmware offers no profiles");
	faulty_close(&faulty);
}

static void a_profile_that_is_refused(void **state)
{
	struct faulty faulty;
	struct pw_err err;

	(void)state;
	faulty_open(&faulty, "amd-pstate-epp", 4);
	faulty_set(&faulty, PROFILE, 0, EOPNOTSUPP);
	assert_int_equal(fake_apply(&faulty.env.env, "platform-profile", "performance", &err),
			 -PW_EUNSUPPORTED);
	assert_has(err.text, "does not take this profile");
	faulty_set(&faulty, PROFILE, 0, EBUSY);
	assert_int_equal(fake_apply(&faulty.env.env, "platform-profile", "performance", &err),
			 -PW_EBUSY);
	assert_has(err.text, "refused by the firmware");
	faulty_set(&faulty, PROFILE, 0, EPERM);
	assert_int_equal(fake_apply(&faulty.env.env, "platform-profile", "performance", &err),
			 -PW_EDENIED);
	faulty_set(&faulty, PROFILE, 0, 0);
	faulty.deaf = true; /* it goes back by itself */
	assert_int_equal(fake_apply(&faulty.env.env, "platform-profile", "performance", &err),
			 -PW_ETIMEOUT);
	assert_has(err.text, "asked 'performance', is 'balanced'");
	assert_has(err.hint, "power-profiles-daemon");
	faulty_set(&faulty, PROFILE, EIO, 0);
	assert_int_equal(fake_knob("platform-profile")->probe(&faulty.env.env, &err), -PW_EIO);
	faulty_close(&faulty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_changes_are_taken_back),
		cmocka_unit_test(only_packages_are_limited),
		cmocka_unit_test(both_interfaces_of_a_package),
		cmocka_unit_test(only_below_what_the_firmware_set),
		cmocka_unit_test(a_zone_must_be_enabled),
		cmocka_unit_test(a_locked_limit_is_told),
		cmocka_unit_test(the_register_counts_in_eighths),
		cmocka_unit_test(machines_without_limits),
		cmocka_unit_test(profiles_are_those_of_the_firmware),
		cmocka_unit_test(a_profile_that_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
