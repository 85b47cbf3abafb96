/* SPDX-License-Identifier: GPL-2.0-or-later */
/* power-limit: only below the firmware's limit, on every zone that limits a package, and back. */
#include "fake_devices_rig.h"

#include "lib/platform/power_zones.h"

#define ZONE	PW_ZONES_DIR "/intel-rapl:0"
#define SECOND	PW_ZONES_DIR "/intel-rapl:1"
#define MMIO	PW_ZONES_DIR "/intel-rapl-mmio:0"
#define LIMIT	"/constraint_0_power_limit_uw"
#define HIGHEST "/constraint_0_max_power_uw"

/* A zone without its limits' upper ends, as those of memory-mapped registers are. */
static void add_zone(struct devices *devices, const char *zone, const char *name, const char *uw)
{
	static const char *const files[] = { "name", "enabled", "constraint_0_name",
					     "constraint_0_power_limit_uw" };
	const char *texts[] = { name, "1", "long_term", uw };

	for (size_t i = 0; i < PW_LENGTH(files); i++) {
		pw_auto_free char *path = pw_sprintf("%s/%s", zone, files[i]);

		devices_set(devices, path, texts[i]);
	}
}

static void every_zone_of_a_package_is_set(void **state)
{
	struct devices_back back;
	struct devices devices;

	(void)state;
	devices_open(&devices, "intel-hwp-active");
	add_zone(&devices, MMIO, "package-0", "125000000");
	add_zone(&devices, SECOND, "psys", "200000000");
	add_zone(&devices, PW_ZONES_DIR "/intel-rapl:2", "package-1", "125000000");
	add_zone(&devices, PW_ZONES_DIR "/dtpm:0", "package-9", "125000000");
	devices_save(&devices, "power-limit", &back);
	assert_int_equal(back.saved.count, 3);
	expect_applied(&devices, "power-limit", "65W", "65000000");
	expect_file(&devices, ZONE LIMIT, "65000000");
	expect_file(&devices, MMIO LIMIT, "65000000");
	expect_file(&devices, PW_ZONES_DIR "/intel-rapl:2" LIMIT, "65000000");
	/* not the platform, other control types, other constraints or what lies below a package */
	expect_file(&devices, SECOND LIMIT, "200000000");
	expect_file(&devices, PW_ZONES_DIR "/dtpm:0" LIMIT, "125000000");
	expect_file(&devices, ZONE "/constraint_1_power_limit_uw", "156250000");
	expect_file(&devices, PW_ZONES_DIR "/intel-rapl:0:0" LIMIT, "0");
	devices_restore(&devices, "power-limit", &back);
	devices_close(&devices);
}

static void the_constraint_goes_by_its_name(void **state)
{
	struct devices devices;

	(void)state;
	devices_open(&devices, "intel-hwp-active");
	devices_set(&devices, ZONE "/constraint_0_name", "peak_power");
	devices_set(&devices, ZONE "/constraint_1_name", "long_term");
	expect_applied(&devices, "power-limit", "65W", "65000000");
	expect_file(&devices, ZONE "/constraint_1_power_limit_uw", "65000000");
	expect_file(&devices, ZONE LIMIT, "125000000");
	devices_set(&devices, ZONE "/constraint_1_name", "short_term");
	expect_probe(&devices, "power-limit", -PW_EUNSUPPORTED,
		     "no package with a long-term power limit");
	devices_close(&devices);
}

static void expect_refused(struct devices *devices, const char *value, const char *text)
{
	struct pw_err err;

	assert_int_equal(fake_check(&devices->env.env, "power-limit", value, &err),
			 -PW_EUNSUPPORTED);
	assert_string_equal(err.text, text);
	assert_has(err.hint, "only limits below the firmware's");
}

static void never_above_the_firmwares(void **state)
{
	struct devices devices;
	struct pw_err err;

	(void)state;
	devices_open(&devices, "intel-hwp-active");
	devices_set(&devices, ZONE LIMIT, "95000000");
	fake_must(fake_check(&devices.env.env, "power-limit", "95W", &err), &err);
	expect_refused(&devices, "95.5W",
		       "package-0 (intel-rapl:0): 95.5 W is above the limit "
		       "found here, 95 W");
	devices_set(&devices, ZONE LIMIT, "250000000");
	expect_refused(&devices, "130W",
		       "package-0 (intel-rapl:0): 130 W is above the highest "
		       "that the package takes, 125 W");
	/* no highest: the present one alone */
	devices_set(&devices, ZONE HIGHEST, "0");
	fake_must(fake_check(&devices.env.env, "power-limit", "130W", &err), &err);
	devices_set(&devices, ZONE HIGHEST, NULL);
	fake_must(fake_check(&devices.env.env, "power-limit", "250W", &err), &err);
	expect_refused(&devices, "251W",
		       "package-0 (intel-rapl:0): 251 W is above the limit found "
		       "here, 250 W");
	devices_set(&devices, ZONE HIGHEST, "125000000");
	devices.part = HIGHEST;
	devices.read_errno = ENODATA;
	fake_must(fake_check(&devices.env.env, "power-limit", "200W", &err), &err);
	devices.part = NULL;
	/* the lower one of several zones counts */
	add_zone(&devices, MMIO, "package-0", "80000000");
	expect_refused(&devices, "90W",
		       "package-0 (intel-rapl-mmio:0): 90 W is above the limit "
		       "found here, 80 W");
	assert_int_equal(fake_check(&devices.env.env, "power-limit", "100mW", &err), -PW_EINVAL);
	assert_string_equal(err.text, "0.1 W is less than the least step of 0.125 W");
	assert_int_equal(devices.model.writes, 0);
	devices_close(&devices);
}

static void a_limit_that_is_not_known(void **state)
{
	struct devices devices;

	(void)state;
	devices_open(&devices, "intel-hwp-active");
	devices_set(&devices, ZONE LIMIT, "0");
	expect_probe(&devices, "power-limit", 0, "");
	devices_set(&devices, ZONE HIGHEST, "0");
	expect_probe(&devices, "power-limit", -PW_EUNSUPPORTED,
		     "the firmware's limit is not known");
	devices.part = LIMIT;
	devices.read_errno = ENODATA;
	expect_probe(&devices, "power-limit", -PW_EUNSUPPORTED, "No data available");
	devices_close(&devices);

	devices_open(&devices, "amd-pstate-epp");
	expect_probe(&devices, "power-limit", -PW_EUNSUPPORTED, "no package with a long-term");
	devices_close(&devices);
	devices_open(&devices, "vm-empty");
	expect_probe(&devices, "power-limit", -PW_EUNSUPPORTED, "no package with a long-term");
	devices_close(&devices);
}

static void zones_that_are_switched_off(void **state)
{
	struct devices devices;
	struct pw_err err;

	(void)state;
	devices_open(&devices, "intel-hwp-active");
	devices_set(&devices, ZONE "/enabled", "0");
	assert_int_equal(fake_knob("power-limit")->probe(&devices.env.env, &err), -PW_EUNSUPPORTED);
	assert_string_equal(err.text, "package-0 (intel-rapl:0): its power limits are not enabled "
				      "(" ZONE "/enabled is not 1)");
	assert_has(err.hint, "write 1 to that file");
	/* the other control type limits the package: then that one is set, and alone */
	add_zone(&devices, MMIO, "package-0", "125000000");
	expect_applied(&devices, "power-limit", "65W", "65000000");
	expect_file(&devices, ZONE LIMIT, "125000000");
	/* but a second package that nothing limits is one too many */
	add_zone(&devices, SECOND, "package-1", "125000000");
	devices_set(&devices, SECOND "/enabled", "0");
	expect_probe(&devices, "power-limit", -PW_EUNSUPPORTED, "package-1 (intel-rapl:1)");
	devices_close(&devices);
}

/* The register counts in 1/8 W. */
static void a_limit_is_shown_in_whole_units(void **state)
{
	const struct pw_knob *knob = fake_knob("power-limit");
	pw_auto_value struct pw_value asked = fake_value(knob, "65W");
	struct devices_back back;
	struct devices devices;
	struct pw_err err;

	(void)state;
	devices_open(&devices, "intel-hwp-active");
	devices_save(&devices, "power-limit", &back);
	expect_applied(&devices, "power-limit", "65.2W", "65125000");
	fake_must(knob->verify(&devices.env.env, &asked, &err), &err);
	devices_set(&devices, ZONE LIMIT, "65250000");
	assert_int_equal(knob->verify(&devices.env.env, &asked, &err), -PW_ETIMEOUT);
	devices_set(&devices, ZONE LIMIT, "64750000");
	assert_int_equal(knob->verify(&devices.env.env, &asked, &err), -PW_ETIMEOUT);
	assert_false(knob->is_back(&devices.env.env, &back.saved.items[0]));
	/* near is not back: the saved number itself is */
	devices_set(&devices, ZONE LIMIT, "124875000");
	assert_false(knob->is_back(&devices.env.env, &back.saved.items[0]));
	devices_restore(&devices, "power-limit", &back);
	devices_close(&devices);
}

static void a_locked_limit(void **state)
{
	/* powercap gives ENODATA for whatever the driver said */
	static const int errnos[] = { ENODATA, EIO, EINVAL, EPERM, EACCES };
	struct pw_saved saved = PW_SAVED_INIT;
	struct devices devices;
	struct pw_err err;

	(void)state;
	devices_open(&devices, "intel-hwp-active");
	fake_must(fake_knob("power-limit")->save(&devices.env.env, &saved, &err), &err);
	devices.part = LIMIT;
	for (size_t i = 0; i < PW_LENGTH(errnos); i++) {
		devices.write_errno = errnos[i];
		assert_int_equal(fake_apply(&devices.env.env, "power-limit", "65W", &err),
				 -PW_EUNSUPPORTED);
		assert_has(err.text, LIMIT " '65000000'");
		assert_has(err.text, "the firmware has most likely locked the power limit");
		assert_has(err.hint, "firmware's setup");
	}
	devices.write_errno = EBUSY; /* nothing of a lock */
	assert_int_equal(fake_apply(&devices.env.env, "power-limit", "65W", &err), -PW_EBUSY);
	assert_null(strstr(err.text, "locked"));
	devices.write_errno = 0;
	devices.deaf = true;
	assert_int_equal(fake_apply(&devices.env.env, "power-limit", "65W", &err), -PW_ETIMEOUT);
	assert_string_equal(err.text, "package-0 (intel-rapl:0): asked a power limit of 65000000 "
				      "uW, is 125000000 uW: locked by the firmware, or set anew by "
				      "it or by another program");
	assert_has(err.hint, "thermald");
	/* nothing to do for a restore: what stands there is what was saved */
	fake_restore(&devices.env.env, "power-limit", &saved);
	devices.deaf = false;
	devices.late = 7;
	expect_applied(&devices, "power-limit", "65W", "65000000");
	devices.write_errno = ENODATA;
	assert_int_equal(fake_knob("power-limit")->restore(&devices.env.env, &saved.items[0], &err),
			 -PW_EUNSUPPORTED);
	assert_has(err.text, "locked the power limit");
	pw_saved_done(&saved);
	devices_close(&devices);
}

static void packages_that_differ_are_told(void **state)
{
	struct devices devices;

	(void)state;
	devices_open(&devices, "intel-hwp-active");
	add_zone(&devices, SECOND, "package-1", "95000000");
	assert_string_equal(fake_read(&devices.env.env, "power-limit"),
			    "mixed: 125000000 (intel-rapl:0), 95000000 (intel-rapl:1)");
	expect_applied(&devices, "power-limit", "95W", "95000000");
	devices_close(&devices);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_zone_of_a_package_is_set),
		cmocka_unit_test(the_constraint_goes_by_its_name),
		cmocka_unit_test(never_above_the_firmwares),
		cmocka_unit_test(a_limit_that_is_not_known),
		cmocka_unit_test(zones_that_are_switched_off),
		cmocka_unit_test(a_limit_is_shown_in_whole_units),
		cmocka_unit_test(a_locked_limit),
		cmocka_unit_test(packages_that_differ_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
