/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPU quota: where the group goes on each kind of machine, and that nothing of it stays. */
#include "fake_knob.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "lib/platform/cgroup.h"
#include "lib/platform/mounts.h"

static struct pw_value share(const char *text)
{
	return fake_value(fake_knob("cpu-max"), text);
}

/* Launches with the value on the tree; checks the group's folder and what its quota file holds. */
static void quota_on(const char *tree, const char *text, const char *folder, const char *file,
		     const char *content)
{
	const struct pw_knob *knob = fake_knob("cpu-max");
	pw_auto_value struct pw_value value = share(text);
	struct pw_launch launch = PW_LAUNCH_INIT;
	size_t before_length, after_length;
	struct fake_env env;
	struct pw_err err;
	struct fake fake;

	fake_open(&fake, tree);
	env = fake_env(&fake);
	pw_auto_free char *before = fake_snapshot(&fake, &before_length);
	pw_auto_free char *path = pw_sprintf("%s/%s", folder, file);

	fake_must(knob->probe(&env.env, &err), &err);
	fake_must(knob->check(&env.env, &value, &err), &err);
	fake_must(knob->verify(&env.env, &value, &err), &err); /* nothing started yet */
	fake_must(knob->launch(&env.env, &value, &launch, &err), &err);
	assert_int_equal(launch.cgroups.count, 1);
	assert_string_equal(launch.cgroups.items[0], folder);
	assert_string_equal(fake_get(&fake, path), content);
	fake_must(knob->verify(&env.env, &value, &err), &err);
	/* the next run of the session takes the same group */
	fake_must(knob->launch(&env.env, &value, &launch, &err), &err);
	assert_string_equal(launch.cgroups.items[1], folder);
	fake_set(&fake, path, "77000");
	assert_int_equal(knob->verify(&env.env, &value, &err), -PW_ETIMEOUT);
	fake_must(knob->release(&env.env, &err), &err);
	fake_must(knob->release(&env.env, &err), &err); /* twice is fine */
	pw_auto_free char *after = fake_snapshot(&fake, &after_length);

	assert_string_equal(after, before);
	pw_launch_done(&launch);
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

static void version_1(void **state)
{
	static const char folder[] = "/sys/fs/cgroup/cpu quota/work/perfwatt-t1";

	(void)state;
	quota_on("cgroup-v1", "50%", folder, "cpu.cfs_quota_us", "100000");
	quota_on("cgroup-v1", "100%", folder, "cpu.cfs_quota_us", "-1");
}

static void version_2_below_a_slice(void **state)
{
	(void)state;
	quota_on("cgroup-v2-session", "25%", "/sys/fs/cgroup/user.slice/perfwatt-t1", "cpu.max",
		 "100000 100000");
	quota_on("cgroup-v2-session", "100%", "/sys/fs/cgroup/user.slice/perfwatt-t1", "cpu.max",
		 "max 100000");
}

static void version_2_in_the_true_root(void **state)
{
	(void)state;
	/* the controller is enabled for as long as the group is there */
	quota_on("cgroup-v2-root", "10%", "/sys/fs/cgroup/perfwatt-t1.on", "cpu.max",
		 "20000 100000");
}

static void a_container_cannot(void **state)
{
	struct fake_env env;
	struct pw_err err;
	struct fake fake;

	(void)state;
	fake_open(&fake, "cgroup-v2-container");
	env = fake_env(&fake);
	assert_int_equal(fake_knob("cpu-max")->probe(&env.env, &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "cpu controller is not enabled for the children");
	assert_has(err.hint, "cgroup.subtree_control");
	fake_must(fake_knob("cpu-max")->release(&env.env, &err), &err);
	fake_set(&fake, "/proc/self/cgroup", "0::/../../elsewhere");
	assert_int_equal(fake_knob("cpu-max")->probe(&env.env, &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "outside what is mounted");
	fake_set(&fake, "/proc/self/mountinfo", "31 23 0:28 / /sys rw - sysfs sysfs rw");
	assert_int_equal(fake_knob("cpu-max")->probe(&env.env, &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "no control groups");
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

static void shares_have_limits(void **state)
{
	static const char *const refused[] = { "0%", "101%", "0.4%" };
	struct fake_env env;
	struct pw_err err;
	struct fake fake;

	(void)state;
	fake_open(&fake, "cgroup-v1");
	env = fake_env(&fake);
	for (size_t i = 0; i < PW_LENGTH(refused); i++)
		assert_int_equal(fake_check(&env.env, "cpu-max", refused[i], &err), -PW_EINVAL);
	fake_must(fake_check(&env.env, "cpu-max", "0.5%", &err), &err);
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

/* A mount of a part of the hierarchy, as containers of version 1 have it. */
static void a_part_of_the_hierarchy(void **state)
{
	pw_auto(pw_cgroup_place_done) struct pw_cgroup_place place = { 0 };
	struct pw_err err;
	struct fake fake;

	(void)state;
	fake_open(&fake, "cgroup-v1");
	fake_set(&fake, "/proc/self/mountinfo",
		 "32 31 0:29 /box/7 /sys/fs/cgroup/cpu ro shared:1 master:2 - cgroup none rw,cpu");
	fake_set(&fake, "/proc/self/cgroup", "5:cpu,cpuacct:/box/7/inner");
	fake_must(pw_cgroup_place(&fake.root, &place, &err), &err);
	assert_int_equal(place.version, 1);
	assert_string_equal(place.own, "/sys/fs/cgroup/cpu/inner");
	fake_set(&fake, "/proc/self/cgroup", "5:cpu,cpuacct:/box/77");
	pw_cgroup_place_done(&place);
	assert_int_equal(pw_cgroup_place(&fake.root, &place, &err), -PW_EUNSUPPORTED);
	fake_close(&fake);
}

/* perfwatt died, and `restore` runs in another session's group. */
static void found_again_from_another_group(void **state)
{
	const struct pw_knob *knob = fake_knob("cpu-max");
	pw_auto_value struct pw_value value = share("50%");
	struct pw_launch launch = PW_LAUNCH_INIT;
	struct fake_env env;
	struct pw_err err;
	struct fake fake;

	(void)state;
	fake_open(&fake, "cgroup-v1");
	env = fake_env(&fake);
	fake_must(knob->launch(&env.env, &value, &launch, &err), &err);
	fake_set(&fake, "/proc/self/cgroup", "1:cpuacct,cpu:/other");
	fake_must(knob->release(&env.env, &err), &err);
	assert_false(pw_root_exists(&fake.root, launch.cgroups.items[0]));
	assert_true(pw_root_exists(&fake.root, "/sys/fs/cgroup/cpu quota/work/cgroup.procs"));
	pw_launch_done(&launch);
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

/* Takes its time to end, so that the removal has to wait for it. */
static void linger(int number)
{
	(void)number;
	(void)usleep(100000);
	_exit(0);
}

static pid_t join(const char *folder)
{
	pid_t child = fork();

	if (child == 0) {
		pw_auto_free char *path = pw_sprintf("%s/cgroup.procs", folder);
		int fd = open(path, O_WRONLY | O_CLOEXEC);

		(void)signal(SIGTERM, linger);
		if (fd < 0 || write(fd, "0", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	return child;
}

static bool has_joined(const char *folder, pid_t child)
{
	pw_auto_free char *path = pw_sprintf("%s/cgroup.procs", folder);
	pw_auto_free char *pid = pw_sprintf("%d\n", (int)child);
	struct pw_err err;

	for (int i = 0; i < 5000; i++) {
		pw_auto_free char *text = NULL;
		size_t length;

		fake_must(pw_read_path(path, 1 << 16, &text, &length, &err), &err);
		if (strstr(text, pid))
			return true;
		if (waitpid(child, NULL, WNOHANG) != 0)
			return false;
		usleep(1000);
	}
	return false;
}

static void on_this_machine(void **state)
{
	const struct pw_knob *knob = fake_knob("cpu-max");
	pw_auto_value struct pw_value value = share("50%");
	pw_auto_free char *tag = pw_sprintf("test%d", (int)getpid());
	struct pw_launch launch = PW_LAUNCH_INIT;
	struct fake machine = { .dir = "/" };
	struct fake_env env;
	struct pw_err err;
	pid_t child;

	(void)state;
	fake_must(pw_root_open("/", &machine.root, &err), &err);
	env = fake_env(&machine);
	env.env.tag = tag;
	if (knob->probe(&env.env, &err) < 0) {
		print_message("skipped: %s\n", err.text);
		pw_cpuset_done(&env.usable);
		pw_root_close(&machine.root);
		pw_value_done(&value);
		free(pw_take(tag)); /* skip() leaves by a jump: nothing is cleaned up behind it */
		skip();
	}
	fake_must(knob->launch(&env.env, &value, &launch, &err), &err);
	fake_must(knob->verify(&env.env, &value, &err), &err);
	assert_string_equal(fake_read(&env.env, "cpu-max"), "0.5");
	child = join(launch.cgroups.items[0]);
	assert_true(child > 0);
	assert_true(has_joined(launch.cgroups.items[0], child));
	/* with a process in it the kernel keeps the group */
	assert_int_equal(knob->release(&env.env, &err), -PW_EBUSY);
	(void)signal(SIGCHLD, SIG_IGN); /* reaped by the kernel */
	assert_int_equal(kill(child, SIGTERM), 0);
	fake_must(knob->release(&env.env, &err), &err);
	(void)signal(SIGCHLD, SIG_DFL);
	assert_false(pw_root_exists(&machine.root, launch.cgroups.items[0]));
	pw_launch_done(&launch);
	pw_cpuset_done(&env.usable);
	pw_root_close(&machine.root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(version_1),
		cmocka_unit_test(version_2_below_a_slice),
		cmocka_unit_test(version_2_in_the_true_root),
		cmocka_unit_test(a_container_cannot),
		cmocka_unit_test(shares_have_limits),
		cmocka_unit_test(a_part_of_the_hierarchy),
		cmocka_unit_test(found_again_from_another_group),
		cmocka_unit_test(on_this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
