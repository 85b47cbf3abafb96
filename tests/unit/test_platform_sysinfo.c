/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/sysinfo.h"

#include "fake_root.h"

#include "lib/platform/cpuinfo.h"

static struct pw_value info_of(const char *tree)
{
	struct pw_value info = PW_VALUE_INIT;
	struct fake fake;

	fake_open(&fake, tree);
	pw_sysinfo(&fake.root, &info);
	fake_close(&fake);
	assert_int_equal(info.type, PW_VALUE_OBJECT);
	return info;
}

static void expect_text(const struct pw_value *info, const char *key, const char *expected)
{
	assert_string_equal(pw_value_get_text(info, key, "(absent)"), expected);
}

static void expect_int(const struct pw_value *info, const char *key, int64_t expected)
{
	assert_int_equal(pw_value_get_int(info, key, -1), expected);
}

static void intel_machine(void **state)
{
	pw_auto_value struct pw_value info = info_of("intel-hwp-active");

	(void)state;
	expect_text(&info, "name", "cascade");
	expect_text(&info, "cpu", "Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz");
	expect_text(&info, "vendor", "GenuineIntel");
	expect_int(&info, "family", 6);
	expect_int(&info, "model", 85);
	expect_int(&info, "stepping", 7);
	expect_text(&info, "microcode", "0x5003604");
	expect_text(&info, "architecture", "x86_64");
	expect_int(&info, "cpus", 4);
	expect_int(&info, "usable", 4);
	expect_int(&info, "sockets", 1);
	expect_int(&info, "cores", 2);
	expect_int(&info, "threads", 4);
	expect_int(&info, "memory_kb", 65536000);
	expect_text(&info, "kernel", "6.1.0-49-amd64");
	expect_text(&info, "kernel_version", "#1 SMP PREEMPT_DYNAMIC");
	expect_text(&info, "cmdline", "BOOT_IMAGE=/vmlinuz root=/dev/vda1");
	expect_text(&info, "driver", "intel_pstate");
	expect_text(&info, "driver_mode", "active (intel_pstate)");
	expect_text(&info, "idle_driver", "intel_idle");
	expect_text(&info, "boot", "8b3f6c1e-1f5a-4b0e-9d0a-2f4f0d6c7a11");
	assert_null(pw_value_get(&info, "virtual"));
}

static void machine_block(void **state)
{
	struct pw_value info = PW_VALUE_INIT;
	const struct pw_value *states, *range, *types;
	struct fake fake;

	(void)state;
	fake_open(&fake, "intel-hybrid");
	fake_set(&fake, "/sys/devices/system/node/online", "0-1");
	fake_set(&fake, "/sys/devices/system/cpu/vulnerabilities/mds", "Not affected");
	fake_set(&fake, "/sys/devices/system/cpu/cpu4/cpuidle/state2/disable", "1");
	pw_sysinfo(&fake.root, &info);
	fake_close(&fake);
	expect_int(&info, "cores", 6);
	expect_int(&info, "numa_nodes", 2);
	types = pw_value_get(&info, "types");
	expect_int(pw_value_get(types, "core"), "cores", 2);
	expect_int(pw_value_get(types, "core"), "threads", 4);
	expect_text(pw_value_get(types, "atom"), "cpus", "4-7");
	expect_text(&info, "governor", "powersave");
	expect_text(&info, "epp", "balance_performance");
	assert_true(pw_value_get_bool(&info, "boost", false));
	range = pw_value_get(&info, "frequency");
	expect_int(range, "min_khz", 400000);
	expect_text(range, "hardware_max_khz", "mixed: 4700000 (policy0-3), 3400000 (policy4-7)");
	expect_text(&info, "idle_governor", "menu");
	states = pw_value_get(pw_value_get(&info, "idle_states"), "core");
	assert_int_equal(states->count, 4);
	expect_text(&states->items[3], "name", "C6");
	expect_int(&states->items[3], "latency_us", 133);
	expect_int(&states->items[3], "residency_us", 600);
	states = pw_value_get(pw_value_get(&info, "idle_states"), "atom");
	assert_int_equal(states->count, 3);
	assert_true(pw_value_get_bool(&states->items[2], "disabled", false));
	expect_text(pw_value_get(&info, "mitigations"), "mds", "Not affected");
	pw_value_done(&info);
}

/* A list of types that does not fit the CPUs tells nothing. */
static void types_that_do_not_fit(void **state)
{
	static const char *const lists[] = { "0-3", "3-7", "4-6", "4-9", "x" };

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(lists); i++) {
		struct pw_value info = PW_VALUE_INIT;
		struct fake fake;

		fake_open(&fake, "intel-hybrid");
		fake_set(&fake, "/sys/devices/cpu_atom/cpus", lists[i]);
		pw_sysinfo(&fake.root, &info);
		fake_close(&fake);
		/* CPUs that are not online may be listed */
		assert_int_equal(pw_value_get(&info, "types") != NULL,
				 strcmp(lists[i], "4-9") == 0);
		pw_value_done(&info);
	}
}

static void driver_modes(void **state)
{
	pw_auto_value struct pw_value passive = info_of("intel-passive");
	pw_auto_value struct pw_value epp = info_of("amd-pstate-epp");
	pw_auto_value struct pw_value acpi = info_of("acpi-cpufreq-boost");
	struct pw_value guided = PW_VALUE_INIT;
	struct fake fake;

	(void)state;
	expect_text(&passive, "driver_mode", "passive (intel_cpufreq)");
	expect_text(&epp, "driver_mode", "active (amd-pstate-epp)");
	expect_text(&acpi, "driver", "acpi-cpufreq");
	assert_null(pw_value_get(&acpi, "driver_mode"));
	/* passive and guided differ in the status file only */
	fake_open(&fake, "amd-pstate-epp");
	fake_set(&fake, "/sys/devices/system/cpu/cpufreq/policy0/scaling_driver", "amd-pstate");
	fake_set(&fake, "/sys/devices/system/cpu/amd_pstate/status", "guided");
	pw_sysinfo(&fake.root, &guided);
	expect_text(&guided, "driver_mode", "guided (amd-pstate)");
	pw_value_done(&guided);
	fake_set(&fake, "/sys/devices/system/cpu/amd_pstate/status", "passive");
	pw_sysinfo(&fake.root, &guided);
	expect_text(&guided, "driver_mode", "passive (amd-pstate)");
	pw_value_done(&guided);
	fake_close(&fake);
}

static void arm_machine(void **state)
{
	pw_auto_value struct pw_value info = info_of("arm-cppc");
	pw_auto_value struct pw_value board = info_of("inactive-policy");

	(void)state;
	expect_text(&info, "cpu", "Arm Neoverse-N1");
	expect_text(&info, "vendor", "Arm");
	expect_int(&info, "family", 8);
	expect_int(&info, "sockets", 2);
	expect_int(&info, "cores", 8);
	expect_text(&info, "architecture", "aarch64");
	assert_null(pw_value_get(&info, "model"));
	expect_text(&board, "cpu", "Some Board Rev 2"); /* no /proc/cpuinfo: the device tree */
	expect_int(&board, "cpus", 2);
}

static void virtual_and_bare(void **state)
{
	pw_auto_value struct pw_value vm = info_of("vm-empty");
	pw_auto_value struct pw_value bare = info_of("cgroup-v1");
	struct pw_value info = PW_VALUE_INIT;
	struct fake fake;

	(void)state;
	expect_text(&vm, "virtual", "kvm");
	expect_text(&vm, "idle_driver", "none");
	assert_null(pw_value_get(&vm, "driver"));
	/* almost nothing there: the keys are absent, nothing is guessed */
	assert_int_equal(bare.count, 2);
	expect_int(&bare, "cpus", 2);
	expect_int(&bare, "usable", 2);
	/* a vendor's name in DMI is no proof on x86 where the CPU does not say hypervisor */
	fake_open(&fake, "intel-hwp-active");
	fake_set(&fake, "/sys/class/dmi/id/bios_vendor", "Amazon EC2");
	pw_sysinfo(&fake.root, &info);
	assert_null(pw_value_get(&info, "virtual"));
	pw_value_done(&info);
	fake_close(&fake);
}

static void cpuinfo_fields(void **state)
{
	static const char text[] = "processor\t: 0\nmodel name\t: A: B \nmodel\t\t: 12\nempty:\n";
	pw_auto_free char *name = pw_cpuinfo_field(text, "model name");
	pw_auto_free char *model = pw_cpuinfo_field(text, "model");
	pw_auto_value struct pw_value info = pw_value_object();

	(void)state;
	assert_string_equal(name, "A: B");
	assert_string_equal(model, "12");
	assert_null(pw_cpuinfo_field(text, "empty"));
	assert_null(pw_cpuinfo_field(text, "mode"));
	assert_false(pw_cpuinfo_flag("flags\t\t: hypervisors lm\n", "hypervisor"));
	assert_true(pw_cpuinfo_flag("flags\t\t: lm hypervisor\n", "hypervisor"));
	pw_cpuinfo_parse("processor\t: 0\ncpu\t\t: POWER9, altivec supported\n", &info);
	expect_text(&info, "cpu", "POWER9, altivec supported");
}

static void the_machine_itself(void **state)
{
	pw_auto_value struct pw_value info = PW_VALUE_INIT;
	struct pw_root root;
	struct pw_err err;

	(void)state;
	fake_must(pw_root_open("/", &root, &err), &err);
	pw_sysinfo(&root, &info);
	pw_root_close(&root);
	assert_non_null(pw_value_get(&info, "architecture"));
	assert_true(pw_value_get_int(&info, "usable", 0) <= pw_value_get_int(&info, "cpus", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intel_machine),	 cmocka_unit_test(machine_block),
		cmocka_unit_test(types_that_do_not_fit), cmocka_unit_test(driver_modes),
		cmocka_unit_test(arm_machine),		 cmocka_unit_test(virtual_and_bare),
		cmocka_unit_test(cpuinfo_fields),	 cmocka_unit_test(the_machine_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
