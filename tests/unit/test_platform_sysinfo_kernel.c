/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's description: how the kernel preempts, its tick, and the firmware's limit. */
#include "lib/platform/sysinfo.h"

#include "fake_root.h"

#define RELEASE "6.1.0-49-amd64" /* of the tree */
#define CONFIG	"/boot/config-" RELEASE
#define PREEMPT "/sys/kernel/debug/sched/preempt"
#define VERSION "/proc/sys/kernel/version"
#define CMDLINE "/proc/cmdline"

static void expect(const struct fake *fake, const char *key, const char *expected)
{
	pw_auto_value struct pw_value info = PW_VALUE_INIT;
	const char *text;

	pw_sysinfo(&fake->root, &info);
	text = pw_value_get_text(&info, key, NULL);
	if (expected)
		assert_string_equal(text, expected);
	else
		assert_null(text);
}

static int64_t hz_of(const struct fake *fake)
{
	pw_auto_value struct pw_value info = PW_VALUE_INIT;

	pw_sysinfo(&fake->root, &info);
	return pw_value_get_int(&info, "tick_hz", 0);
}

static void preemption(void **state)
{
	struct fake fake;

	(void)state;
	fake_open(&fake, "intel-hwp-active");
	expect(&fake, "preemption", "dynamic"); /* which one is not to be seen */
	fake_set(&fake, CONFIG, "# CONFIG_PREEMPT_NONE is not set\\nCONFIG_PREEMPT_VOLUNTARY=y");
	expect(&fake, "preemption", "voluntary (dynamic)");
	fake_set(&fake, CMDLINE, "preempt=none root=/dev/vda1 preempt=full");
	expect(&fake, "preemption", "full (dynamic)"); /* the last one wins */
	fake_set(&fake, PREEMPT, "none (voluntary) full");
	expect(&fake, "preemption", "voluntary (dynamic)"); /* it was changed since */
	fake_close(&fake);
	fake_open(&fake, "intel-hwp-active");
	fake_set(&fake, VERSION, "#1 SMP PREEMPT_RT Debian");
	expect(&fake, "preemption", "rt");
	fake_set(&fake, VERSION, "#1 SMP PREEMPT Debian");
	expect(&fake, "preemption", "full");
	fake_set(&fake, VERSION, "#1 SMP Debian");
	expect(&fake, "preemption", NULL); /* none or voluntary */
	fake_set(&fake, "/lib/modules/" RELEASE "/config", "CONFIG_PREEMPT_NONE=y");
	expect(&fake, "preemption", "none");
	fake_set(&fake, CMDLINE, "preempt=full"); /* without effect in this kernel */
	expect(&fake, "preemption", "none");
	fake_close(&fake);
}

static void tick(void **state)
{
	struct fake fake;

	(void)state;
	fake_open(&fake, "intel-hwp-active");
	expect(&fake, "tick", NULL);
	assert_int_equal(hz_of(&fake), 0);
	fake_set(&fake, CONFIG, "CONFIG_NO_HZ_COMMON=y\\nCONFIG_HZ_250=y\\nCONFIG_HZ=250");
	expect(&fake, "tick", "nohz-idle");
	assert_int_equal(hz_of(&fake), 250);
	fake_set(&fake, "/sys/devices/system/cpu/nohz_full", "2-3");
	expect(&fake, "tick", "nohz-full");
	fake_set(&fake, "/sys/devices/system/cpu/nohz_full", "(null)");
	expect(&fake, "tick", "nohz-idle");
	fake_set(&fake, CMDLINE, "nohz=off");
	expect(&fake, "tick", "periodic");
	fake_set(&fake, CMDLINE, "quiet");
	fake_set(&fake, CONFIG, "CONFIG_HZ_PERIODIC=y\\nCONFIG_HZ=x");
	expect(&fake, "tick", "periodic");
	assert_int_equal(hz_of(&fake), 0);
	fake_close(&fake);
}

/* A release is part of a path: one that leads elsewhere is not followed. */
static void strange_release(void **state)
{
	struct fake fake;

	(void)state;
	fake_open(&fake, "intel-hwp-active");
	fake_set(&fake, "/proc/sys/kernel/osrelease", "../secret");
	fake_set(&fake, "/boot/config-../secret", "CONFIG_PREEMPT_NONE=y");
	fake_set(&fake, "/boot/secret", "CONFIG_PREEMPT_NONE=y");
	expect(&fake, "preemption", "dynamic");
	fake_close(&fake);
}

static void limit_of_the_firmware(void **state)
{
	struct pw_value info = PW_VALUE_INIT;
	struct fake fake;

	(void)state;
	fake_open(&fake, "intel-hwp-active");
	for (unsigned i = 0; i < 4; i++) {
		pw_auto_free char *path = pw_sprintf(FAKE_POLICY "/bios_limit", i);

		fake_set(&fake, path, i == 2 ? "2100000" : "3900000");
	}
	pw_sysinfo(&fake.root, &info);
	assert_string_equal(pw_value_get_text(pw_value_get(&info, "frequency"), "bios_khz",
					      "(absent)"),
			    "mixed: 3900000 (policy0-1,3), 2100000 (policy2)");
	pw_value_done(&info);
	fake_close(&fake);
}

static void the_machine_itself(void **state)
{
	pw_auto_value struct pw_value info = PW_VALUE_INIT;
	struct pw_root root;
	struct pw_err err;
	int64_t hz;

	(void)state;
	fake_must(pw_root_open("/", &root, &err), &err);
	pw_sysinfo(&root, &info);
	pw_root_close(&root);
	hz = pw_value_get_int(&info, "tick_hz", 0);
	assert_true(hz >= 24 && hz <= 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(preemption),	      cmocka_unit_test(tick),
		cmocka_unit_test(strange_release),    cmocka_unit_test(limit_of_the_firmware),
		cmocka_unit_test(the_machine_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
