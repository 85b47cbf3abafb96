/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/disturbance.h"

#include "fake_root.h"

#include "lib/platform/power_supply.h"

#define CLASS "/sys/class/power_supply/"

static void put_supply(const struct fake *fake, const char *name, const char *type,
		       const char *file, const char *text)
{
	pw_auto_free char *type_path = pw_sprintf(CLASS "%s/type", name);
	pw_auto_free char *path = pw_sprintf(CLASS "%s/%s", name, file);

	fake_set(fake, type_path, type);
	fake_set(fake, path, text);
}

static enum pw_supply supply_of(const struct fake *fake)
{
	struct pw_supplies supplies;

	pw_supplies_find(&fake->root, &supplies);
	return pw_supply_read(&fake->root, &supplies);
}

static void mains_and_battery(void **state)
{
	struct fake fake;

	(void)state;
	fake_open(&fake, "cgroup-v1");
	assert_int_equal(supply_of(&fake), PW_SUPPLY_UNSET);
	put_supply(&fake, "hidpp_battery_0", "Battery", "status", "Discharging");
	fake_set(&fake, CLASS "hidpp_battery_0/scope", "Device");
	assert_int_equal(supply_of(&fake), PW_SUPPLY_UNSET); /* a mouse's battery */
	put_supply(&fake, "AC", "Mains", "online", "1");
	assert_int_equal(supply_of(&fake), PW_SUPPLY_MAINS);
	put_supply(&fake, "BAT0", "Battery", "status", "Charging");
	assert_int_equal(supply_of(&fake), PW_SUPPLY_MAINS);
	fake_set(&fake, CLASS "AC/online", "0");
	fake_set(&fake, CLASS "BAT0/status", "Discharging");
	assert_int_equal(supply_of(&fake), PW_SUPPLY_BATTERY);
	fake_set(&fake, CLASS "BAT0/status", "Unknown");
	assert_int_equal(supply_of(&fake), PW_SUPPLY_BATTERY);
	put_supply(&fake, "ucsi-source", "USB", "online", "1");
	assert_int_equal(supply_of(&fake), PW_SUPPLY_MAINS);
	fake_set(&fake, CLASS "BAT0/status", "Discharging"); /* the adapter is too weak */
	assert_int_equal(supply_of(&fake), PW_SUPPLY_BATTERY);
	fake_close(&fake);
}

static void more_supplies_than_are_kept(void **state)
{
	struct fake fake;

	(void)state;
	fake_open(&fake, "cgroup-v1");
	for (int i = 0; i < PW_SUPPLIES + 3; i++) {
		pw_auto_free char *name = pw_sprintf("ADP%d", i);

		put_supply(&fake, name, "Mains", "online", "1");
	}
	assert_int_equal(supply_of(&fake), PW_SUPPLY_MAINS);
	fake_close(&fake);
}

static void what_a_machine_tells(void **state)
{
	pw_auto_value struct pw_value found = PW_VALUE_INIT;
	struct fake fake;

	(void)state;
	fake_open(&fake, "intel-hwp-active");
	fake_set(&fake, "/proc/loadavg", "0.35 0.20 0.10 1/200 4242");
	fake_set(&fake, "/proc/sys/kernel/nmi_watchdog", "1");
	fake_set(&fake, "/proc/sys/kernel/perf_event_paranoid", "-1");
	fake_set(&fake, "/proc/cmdline", "quiet isolcpus=2-3 nohz_full=2,3 isolcpus=3");
	fake_set(&fake, "/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet");
	fake_set(&fake, "/dev/cpu_dma_latency", "hex:0a000000");
	fake_set(&fake, "/sys/kernel/sched_ext/state", "enabled");
	fake_set(&fake, "/sys/kernel/sched_ext/root/ops", "lavd");
	fake_set(&fake, "/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3");
	fake_set(&fake, "/sys/devices/system/cpu/cpu1/thermal_throttle/package_throttle_count",
		 "12");
	pw_disturbances(&fake.root, &found);
	assert_true(pw_value_get_real(&found, "load", 0) == 0.35);
	assert_true(pw_value_get_bool(&found, "nmi_watchdog", false));
	assert_int_equal(pw_value_get_int(&found, "perf_event_paranoid", 9), -1);
	assert_string_equal(pw_value_get_text(&found, "isolated", ""), "3");
	assert_string_equal(pw_value_get_text(&found, "nohz_full", ""), "2,3");
	assert_string_equal(pw_value_get_text(&found, "clocksource", ""), "hpet");
	assert_int_equal(pw_value_get_int(&found, "latency_us", -1), 10);
	assert_string_equal(pw_value_get_text(&found, "sched_ext", ""), "lavd");
	assert_int_equal(pw_value_get_int(&found, "throttled", -1), 12);
	assert_null(pw_value_get(&found, "virtual"));
	assert_null(pw_value_get(&found, "supply"));
	fake_close(&fake);
}

static void nobody_holds_a_limit(void **state)
{
	pw_auto_value struct pw_value found = PW_VALUE_INIT;
	struct fake fake;

	(void)state;
	fake_open(&fake, "cgroup-v1");
	fake_set(&fake, "/dev/cpu_dma_latency", "hex:00943577"); /* 2000000000 */
	fake_set(&fake, "/sys/kernel/sched_ext/state", "disabled");
	pw_disturbances(&fake.root, &found);
	assert_int_equal(found.count, 0);
	fake_close(&fake);
}

static void words_of_a_command_line(void **state)
{
	(void)state;
	assert_null(pw_cmdline_value("", "isolcpus"));
	assert_null(pw_cmdline_value("isolcpus xisolcpus=1 isolcpus.x=2", "isolcpus"));
	pw_auto_free char *value = pw_cmdline_value("a isolcpus=domain,2-5\n", "isolcpus");

	assert_string_equal(value, "domain,2-5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mains_and_battery),
		cmocka_unit_test(more_supplies_than_are_kept),
		cmocka_unit_test(what_a_machine_tells),
		cmocka_unit_test(nobody_holds_a_limit),
		cmocka_unit_test(words_of_a_command_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
