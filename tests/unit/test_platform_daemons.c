/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/daemons.h"

#include "fake_root.h"

#include "lib/platform/daemon_table.h"

#define IS(comm, cmdline) name_of(comm, cmdline, sizeof(cmdline) - 1)

/* The name of the daemon whose process this is, or "". */
static const char *name_of(const char *comm, const char *cmdline, size_t length)
{
	const struct pw_daemon *daemon = pw_daemon_of(comm, cmdline, length);

	return daemon ? daemon->name : "";
}

static void names_of_processes(void **state)
{
	(void)state;
	assert_string_equal(IS("thermald", "/usr/sbin/thermald\0--systemd\0"), "thermald");
	/* cut by the kernel */
	assert_string_equal(IS("power-profiles-", "/usr/libexec/power-profiles-daemon\0"),
			    "power-profiles-daemon");
	/* another name of its own, the program's stands in the command line */
	assert_string_equal(IS("gmain", "/usr/sbin/thermald\0"), "thermald");
	assert_string_equal(IS("tuned", ""), "tuned");
	assert_string_equal(IS("powertop", "powertop\0"), "powertop");
	assert_string_equal(IS("tuned-ppd", "/usr/bin/python3\0/usr/sbin/tuned-ppd\0"),
			    "tuned-ppd");
	assert_string_equal(IS("bash", "bash\0"), "");
	assert_string_equal(IS("", ""), "");
	assert_string_equal(IS("tune", "/usr/sbin/tunedx\0"), "");
	assert_string_equal(IS("power-profiles", "x\0"), "");
}

static void scripts_of_interpreters(void **state)
{
	(void)state;
	assert_string_equal(IS("python3", "/usr/bin/python3\0-Es\0/usr/sbin/tuned\0-l\0-P\0"),
			    "tuned");
	assert_string_equal(IS("python3.11", "python3.11\0/opt/auto-cpufreq\0--daemon\0"),
			    "auto-cpufreq");
	assert_string_equal(IS("python3", "python3\0/opt/throttled/throttled.py\0"), "throttled");
	assert_string_equal(IS("sh", "/bin/sh\0/usr/sbin/laptop_mode\0auto\0"), "laptop-mode");
	/* its file is an argument, no script */
	assert_string_equal(IS("vi", "vi\0/usr/sbin/tuned\0"), "");
	assert_string_equal(IS("sh", "sh\0-c\0tuned\0"), "");
	assert_string_equal(IS("python3", "python3\0"), "");
	assert_string_equal(IS("python3", "python3\0-Es\0"), "");
	/* cut off in the middle: no NUL at the end of the bytes that count */
	assert_string_equal(name_of("python3", "python3\0/usr/sbin/tuned", 23), "tuned");
}

static void put(const struct fake *fake, int pid, const char *comm, const char *cmdline)
{
	pw_auto_free char *path = pw_sprintf("/proc/%d/comm", pid);
	pw_auto_free char *line = pw_sprintf("/proc/%d/cmdline", pid);

	fake_set(fake, path, comm);
	fake_set(fake, line, cmdline);
}

/* As systemd marks an active unit: a link that leads nowhere. */
static void put_unit(const struct fake *fake, const char *unit)
{
	pw_auto_free char *path = pw_sprintf("%s/run/systemd/units/invocation:%s", fake->dir, unit);

	fake_set(fake, "/run/systemd/units/", "");
	assert_int_equal(symlink("0123456789abcdef0123456789abcdef", path), 0);
}

static void what_runs_on_a_machine(void **state)
{
	struct pw_daemons found;
	struct fake fake;

	(void)state;
	fake_open(&fake, "intel-hwp-active");
	put(&fake, 1, "systemd", "hex:2f7362696e2f696e697400");
	put(&fake, 812, "tuned", "hex:707974686f6e3300");
	put(&fake, 813, "tuned", "hex:707974686f6e3300"); /* the same program again */
	put(&fake, 90, "irqbalance", "raw:");
	put(&fake, 77, "kworker/0:1", "raw:");
	fake_set(&fake, "/proc/78/stat", "78 (vanished"); /* neither comm nor cmdline */
	fake_set(&fake, "/run/tlp/last_pwr", "0");
	put_unit(&fake, "cpupower.service");
	pw_daemons_find(&fake.root, &found);
	assert_int_equal(found.count, 4);
	assert_string_equal(found.items[0].daemon->name, "tuned");
	assert_int_equal(found.items[0].pid, 812);
	assert_string_equal(found.items[1].daemon->name, "TLP");
	assert_int_equal(found.items[1].pid, 0);
	assert_string_equal(found.items[2].daemon->name, "cpupower");
	assert_true(found.items[2].daemon->flags & PW_DAEMON_ONCE);
	assert_string_equal(found.items[3].daemon->name, "irqbalance");
	pw_daemons_done(&found);
	fake_close(&fake);
}

static void nothing_runs(void **state)
{
	struct pw_daemons found;
	struct fake fake;

	(void)state;
	fake_open(&fake, "cgroup-v1");
	pw_daemons_find(&fake.root, &found);
	assert_int_equal(found.count, 0);
	pw_daemons_done(&found);
	fake_close(&fake);
}

static const struct pw_daemon *named(const char *name)
{
	for (const struct pw_daemon *daemon = pw_daemon_table; daemon->name; daemon++) {
		if (strcmp(daemon->name, name) == 0)
			return daemon;
	}
	fail_msg("no %s in the table", name);
	return NULL;
}

static void what_they_write(void **state)
{
	const struct pw_daemon *tuned = named("tuned"), *thermald = named("thermald");

	(void)state;
	assert_true(pw_daemon_writes(tuned,
				     "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor"));
	assert_false(pw_daemon_writes(tuned, "/sys/devices/system/cpu/cpufreq/policy0/governor"));
	assert_false(pw_daemon_writes(tuned, ""));
	assert_true(pw_daemon_writes(
		thermald, "/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw"));
	assert_false(pw_daemon_writes(thermald,
				      "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor"));
	assert_true(pw_daemon_is_service(tuned, "tuned"));
	assert_true(pw_daemon_is_service(tuned, "tuned.service"));
	assert_false(pw_daemon_is_service(tuned, "tuned-ppd"));
	assert_false(pw_daemon_is_service(named("TLP"), "tlp"));
}

static void what_is_said_of_them(void **state)
{
	struct pw_daemon_found found = { .daemon = named("tuned"), .pid = 812 };
	pw_auto_free char *text = pw_daemon_text(&found), *hint = pw_daemon_hint(found.daemon);

	(void)state;
	assert_ptr_equal(strstr(text, "tuned (pid 812) may change governor, EPP"), text);
	assert_string_equal(hint, "stop it with \"services\": { \"tuned\": \"stop\" }");
}

/* Each says what it changes and how to end that, and is found by something. */
static void the_table(void **state)
{
	(void)state;
	for (const struct pw_daemon *daemon = pw_daemon_table; daemon->name; daemon++) {
		assert_true(daemon->changes && *daemon->changes);
		assert_non_null(daemon->files);
		assert_true((daemon->unit != NULL) != (daemon->remedy != NULL));
		assert_true(*daemon->programs || daemon->marker || daemon->unit);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_processes),
		cmocka_unit_test(scripts_of_interpreters),
		cmocka_unit_test(what_runs_on_a_machine),
		cmocka_unit_test(nothing_runs),
		cmocka_unit_test(what_they_write),
		cmocka_unit_test(what_is_said_of_them),
		cmocka_unit_test(the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
