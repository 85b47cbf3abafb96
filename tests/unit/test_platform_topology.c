/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/topology.h"

#include <errno.h>
#include <sched.h>

#include "fake_root.h"

static void cpusets_read_and_print(void **state)
{
	struct pw_cpuset set;
	struct pw_err err;
	struct fake fake;
	char *text;

	(void)state;
	fake_open(&fake, "arm-cppc");
	fake_set(&fake, "/sys/devices/system/cpu/online", "0-3,8,10-11");
	fake_must(pw_cpus_online(&fake.root, &set, &err), &err);
	assert_int_equal(set.count, 7);
	text = pw_cpuset_text(&set);
	assert_string_equal(text, "0-3,8,10-11");
	free(text);
	pw_cpuset_done(&set);
	/* under a fake root every online CPU is usable, whatever this process may use */
	fake_must(pw_cpus_usable(&fake.root, &set, &err), &err);
	assert_int_equal(set.count, 7);
	pw_cpuset_done(&set);
	fake_set(&fake, "/sys/devices/system/cpu/online", "0-x");
	assert_int_equal(pw_cpus_online(&fake.root, &set, &err), -PW_EINVAL);
	assert_non_null(strstr(err.text, "/sys/devices/system/cpu/online"));
	fake_set(&fake, "/sys/devices/system/cpu/online", "");
	assert_true(pw_cpus_online(&fake.root, &set, &err) < 0);
	fake_close(&fake);
}

static void usable_follows_affinity(void **state)
{
	struct pw_cpuset all, one;
	struct pw_root root;
	cpu_set_t before, mask;
	struct pw_err err;

	(void)state;
	fake_must(pw_root_open("/", &root, &err), &err);
	if (pw_cpus_usable(&root, &all, &err) < 0) {
		pw_root_close(&root);
		skip(); /* no /sys here */
	}
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	CPU_ZERO(&mask);
	CPU_SET(all.cpus[all.count - 1], &mask);
	assert_int_equal(sched_setaffinity(0, sizeof(mask), &mask), 0);
	fake_must(pw_cpus_usable(&root, &one, &err), &err);
	assert_int_equal(one.count, 1);
	assert_int_equal(one.cpus[0], all.cpus[all.count - 1]);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
	pw_cpuset_done(&one);
	pw_cpuset_done(&all);
	pw_root_close(&root);
}

static void expect_policies(const struct pw_root *root, const char *expected)
{
	pw_auto_strv struct pw_strv list = PW_STRV_INIT;
	pw_auto_free char *text = NULL;
	struct pw_err err;

	fake_must(pw_policies(root, &list, &err), &err);
	text = pw_strv_join(&list, " ");
	assert_string_equal(text, expected);
}

static ssize_t busy_read(const struct pw_root *root, const char *path, char *buffer, size_t size)
{
	if (strstr(path, "/policy4/"))
		return -EBUSY;
	return pw_fs_real.read(root, path, buffer, size);
}

static void policies_are_found_in_natural_order(void **state)
{
	static const struct pw_fs_ops ops = { .read = busy_read };
	struct fake fake;

	(void)state;
	fake_open(&fake, "arm-cppc");
	fake_set(&fake, "/sys/devices/system/cpu/cpufreq/policy10/affected_cpus", "10");
	fake_set(&fake, "/sys/devices/system/cpu/cpufreq/policyx/affected_cpus", "1");
	expect_policies(&fake.root, "policy0 policy4 policy10");
	/* the kernel's own word for an inactive policy */
	fake.root.ops = &ops;
	expect_policies(&fake.root, "policy0 policy10");
	fake_close(&fake);
}

static void inactive_policies_are_left_out(void **state)
{
	struct fake fake;

	(void)state;
	fake_open(&fake, "inactive-policy");
	expect_policies(&fake.root, "policy0");
	fake_close(&fake);
	fake_open(&fake, "vm-empty"); /* the folder is there and empty */
	expect_policies(&fake.root, "");
	fake_close(&fake);
	fake_open(&fake, "cgroup-v1"); /* no folder at all */
	expect_policies(&fake.root, "");
	fake_close(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpusets_read_and_print),
		cmocka_unit_test(usable_follows_affinity),
		cmocka_unit_test(policies_are_found_in_natural_order),
		cmocka_unit_test(inactive_policies_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
