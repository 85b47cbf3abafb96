/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The knobs sysfs and sysctl: names, what is refused, how values compare, and the way back. */
#include "fake_knob.h"

#include <errno.h>
#include <sys/stat.h>

#include "lib/platform/attr_value.h"
#include "lib/platform/file_name.h"

#define THP	   "/sys/kernel/mm/transparent_hugepage/enabled"
#define SCHEDULER  "/sys/block/sda/queue/scheduler"
#define SWAPPINESS "/proc/sys/vm/swappiness"

static const struct pw_file_kind sysfs = { .below = "/sys/" };
static const struct pw_file_kind sysctl = { .below = "/proc/sys/", .sysctl = true };

static struct pw_value one(const char *name, const char *text)
{
	struct pw_value value = pw_value_object();

	pw_value_set(&value, name, pw_value_text(text));
	return value;
}

struct rig {
	struct fake fake;
	struct fake_env env;
};

static void rig_open(struct rig *rig)
{
	fake_open(&rig->fake, "intel-passive");
	fake_set(&rig->fake, THP, "always [madvise] never");
	fake_set(&rig->fake, SCHEDULER, "[mq-deadline] none");
	rig->env = fake_env(&rig->fake);
}

static void rig_close(struct rig *rig)
{
	pw_cpuset_done(&rig->env.usable);
	fake_close(&rig->fake);
}

static int check(const struct rig *rig, const char *knob, const char *name, struct pw_err *err)
{
	pw_auto_value struct pw_value value = one(name, "1");
	int r = pw_knob_check_value(fake_knob(knob), &value, err);

	return r < 0 ? r : fake_knob(knob)->check(&rig->env.env, &value, err);
}

static void expect_path(const struct pw_file_kind *kind, const char *name, const char *path)
{
	pw_auto_free char *found = NULL;
	struct pw_err err;

	fake_must(pw_file_path(kind, name, &found, &err), &err);
	assert_string_equal(found, path);
}

static void names_lead_to_paths_and_back(void **state)
{
	pw_auto_free char *dotted = pw_file_name(&sysctl, SWAPPINESS);
	pw_auto_free char *slashed =
		pw_file_name(&sysctl, "/proc/sys/net/ipv4/conf/eth0.1/rp_filter");

	(void)state;
	expect_path(&sysfs, THP, THP);
	expect_path(&sysctl, "vm.swappiness", SWAPPINESS);
	expect_path(&sysctl, "vm/swappiness", SWAPPINESS);
	expect_path(&sysctl, "net/ipv4/conf/eth0.1/rp_filter",
		    "/proc/sys/net/ipv4/conf/eth0.1/rp_filter");
	expect_path(&sysctl, "net.ipv4.conf.eth0/1.rp_filter",
		    "/proc/sys/net/ipv4/conf/eth0.1/rp_filter");
	assert_string_equal(dotted, "vm.swappiness");
	assert_string_equal(slashed, "net/ipv4/conf/eth0.1/rp_filter");
}

static void wrong_names_are_config_errors(void **state)
{
	static const char *const wrong[][2] = {
		{ "sysfs", "/proc/sys/vm/swappiness" },
		{ "sysfs", "/sys/../proc/sys/vm/swappiness" },
		{ "sysfs", "/sys/a/./b" },
		{ "sysfs", "/sys//a" },
		{ "sysfs", "/sys/a/" },
		{ "sysfs", "sys/a" },
		{ "sysfs", "/system" },
		{ "sysfs", "" },
		{ "sysfs", "/sys/a\x1b" },
		{ "sysctl", "" },
		{ "sysctl", "vm..swappiness" },
		{ "sysctl", "../../sys/x" },
		{ "sysctl", "vm/../../x" },
		{ "sysctl", "/vm/swappiness" },
	};
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig);
	for (size_t i = 0; i < PW_LENGTH(wrong); i++) {
		err = PW_ERR_INIT;
		if (check(&rig, wrong[i][0], wrong[i][1], &err) != -PW_EINVAL || !err.at_key)
			fail_msg("%s '%s' is taken: %s", wrong[i][0], wrong[i][1], err.text);
	}
	pw_auto_value struct pw_value twice = one("vm.swappiness", "1");

	pw_value_set(&twice, "vm/swappiness", pw_value_text("2"));
	assert_int_equal(pw_knob_check_value(fake_knob("sysctl"), &twice, &err), -PW_EINVAL);
	assert_string_equal(err.where, "/vm~1swappiness");
	rig_close(&rig);
}

static void expect_refused(const struct rig *rig, const char *knob, const char *name,
			   const char *reason)
{
	struct pw_err err = PW_ERR_INIT;

	if (check(rig, knob, name, &err) != -PW_EUNSUPPORTED)
		fail_msg("%s is not refused: %s", name, err.text);
	assert_has(err.text, reason);
}

static void link_to(const struct rig *rig, const char *target, const char *path)
{
	pw_auto_free char *full = pw_sprintf("%s%s", rig->fake.dir, path);

	assert_int_equal(symlink(target, full), 0);
}

static void mode_of(const struct rig *rig, const char *path, mode_t mode)
{
	pw_auto_free char *full = pw_sprintf("%s%s", rig->fake.dir, path);

	assert_int_equal(chmod(full, mode), 0);
}

static void what_could_not_be_put_back_is_refused(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig);
	fake_set(&rig.fake, "/sys/kernel/once", "1");
	mode_of(&rig, "/sys/kernel/once", 0200);
	fake_set(&rig.fake, "/sys/kernel/fixed", "1");
	mode_of(&rig, "/sys/kernel/fixed", 0444);
	fake_set(&rig.fake, "/sys/kernel/lines", "1\\n2");
	fake_set(&rig.fake, "/sys/kernel/binary", "hex:31003200");
	fake_set(&rig.fake, "/proc/sys/vm/drop_caches", "0");
	pw_auto_free char *blanks = pw_strdup("x");

	for (int i = 0; i < 11; i++) {
		char *twice = pw_sprintf("%s%s", blanks, blanks);

		free(blanks);
		blanks = twice;
	}
	fake_set(&rig.fake, "/sys/kernel/long", blanks);
	expect_refused(&rig, "sysfs", "/sys/kernel/nothing", "is not there");
	expect_refused(&rig, "sysfs", "/sys/kernel/mm", "no file with a value");
	expect_refused(&rig, "sysfs", "/sys/kernel/once", "cannot be read by anybody");
	expect_refused(&rig, "sysfs", "/sys/kernel/fixed", "read-only");
	expect_refused(&rig, "sysfs", "/sys/kernel/lines", "more than one line");
	expect_refused(&rig, "sysfs", "/sys/kernel/binary", "more than one line");
	expect_refused(&rig, "sysfs", "/sys/kernel/long", "holds more than");
	expect_refused(&rig, "sysctl", "vm.drop_caches", "holds no state");
	rig_close(&rig);
}

/* Links may lead about below /sys, and nowhere else. */
static void links_stay_below_their_folder(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig);
	fake_set(&rig.fake, "/etc/passwd", "root");
	link_to(&rig, "../../proc/sys/vm/swappiness", "/sys/kernel/out");
	link_to(&rig, "/etc/passwd", "/sys/kernel/passwd");
	link_to(&rig, "../../sys/kernel/mm", "/sys/block/mm");
	expect_refused(&rig, "sysfs", "/sys/kernel/out", "leads to /proc/sys/vm/swappiness");
	expect_refused(&rig, "sysfs", "/sys/kernel/passwd", "leads to /etc/passwd");
	fake_must(check(&rig, "sysfs", "/sys/block/mm/transparent_hugepage/enabled", &err), &err);
	pw_auto_value struct pw_value both =
		one("/sys/block/mm/transparent_hugepage/enabled", "never");

	fake_must(fake_knob("sysfs")->save_for(&rig.env.env, &both, &saved, &err), &err);
	fake_must(fake_knob("sysfs")->save_for(&rig.env.env, &both, &saved, &err), &err);
	assert_int_equal(saved.count, 1);
	assert_string_equal(saved.items[0].path, THP);
	pw_value_set(&both, THP, pw_value_text("always"));
	assert_int_equal(fake_knob("sysfs")->check(&rig.env.env, &both, &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "the same file");
	pw_saved_done(&saved);
	rig_close(&rig);
}

/* A saved item whose path has become a way out, or was forged: nothing is written. */
static void restore_writes_nowhere_else(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig);
	link_to(&rig, "../../proc/sys/vm/swappiness", "/sys/kernel/out");
	pw_saved_add(&saved, "/sys/kernel/out", "7", NULL);
	pw_saved_add(&saved, SWAPPINESS, "7", NULL);
	for (size_t i = 0; i < saved.count; i++)
		assert_true(fake_knob("sysfs")->restore(&rig.env.env, &saved.items[i], &err) < 0);
	assert_string_equal(fake_get(&rig.fake, SWAPPINESS), "60");
	pw_saved_done(&saved);
	rig_close(&rig);
}

static void plain_files_come_back_byte_for_byte(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	const struct pw_knob *knob = fake_knob("sysfs");
	pw_auto_value struct pw_value value = one(THP, "never");
	pw_auto_value struct pw_value shown = PW_VALUE_INIT;
	size_t before_length, after_length;
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig);
	pw_auto_free char *before = fake_snapshot(&rig.fake, &before_length);

	fake_must(knob->save_for(&rig.env.env, &value, &saved, &err), &err);
	fake_must(knob->read_saved(&rig.env.env, &saved, &shown, &err), &err);
	assert_string_equal(pw_value_get_text(&shown, THP, ""), "madvise");
	fake_must(knob->apply(&rig.env.env, &value, &err), &err);
	fake_must(knob->verify(&rig.env.env, &value, &err), &err);
	assert_string_equal(fake_get(&rig.fake, THP), "never");
	fake_restore(&rig.env.env, "sysfs", &saved);
	pw_auto_free char *after = fake_snapshot(&rig.fake, &after_length);

	assert_int_equal(before_length, after_length);
	assert_memory_equal(before, after, after_length);
	pw_saved_done(&saved);
	rig_close(&rig);
}

/* A kernel's lists show all choices, whatever was written; numbers in its own form. */
static ssize_t list_write(const struct pw_root *root, const char *path, const char *text,
			  size_t length)
{
	const struct rig *rig = root->context;
	static const char *const words[] = { "always", "madvise", "never" };
	pw_auto_strbuf struct pw_strbuf list = PW_STRBUF_INIT;
	bool known = false;

	for (size_t i = 0; i < PW_LENGTH(words); i++) {
		bool chosen = strcmp(words[i], text) == 0;

		known |= chosen;
		pw_strbuf_printf(&list, chosen ? "%s[%s]" : "%s%s", i ? " " : "", words[i]);
	}
	if (strcmp(path, THP) == 0 && !known)
		return -EINVAL;
	if (strcmp(path, THP) == 0)
		fake_set(&rig->fake, path, pw_strbuf_text(&list));
	else if (strcmp(text, "0x10") == 0)
		fake_set(&rig->fake, path, "16");
	else if (strcmp(text, "4096 8192 16384") == 0)
		fake_set(&rig->fake, path, "4096\\t8192\\t16384");
	else
		fake_set(&rig->fake, path, strcmp(text, "\n") == 0 ? "" : text);
	return (ssize_t)length;
}

static const struct pw_fs_ops list_ops = { .write = list_write };

static void kernel_open(struct rig *rig, struct pw_fs_ops *ops)
{
	rig_open(rig);
	*ops = list_ops;
	ops->read = pw_fs_real.read;
	rig->fake.root.ops = ops;
	rig->fake.root.context = rig;
}

static void the_word_in_brackets_is_the_value(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	const struct pw_knob *knob = fake_knob("sysfs");
	pw_auto_value struct pw_value value = one(THP, "never");
	pw_auto_value struct pw_value wrong = one(THP, "sometimes");
	struct pw_fs_ops ops;
	struct rig rig;
	struct pw_err err;

	(void)state;
	kernel_open(&rig, &ops);
	fake_must(knob->save_for(&rig.env.env, &value, &saved, &err), &err);
	assert_string_equal(saved.items[0].value, "always [madvise] never");
	assert_string_equal(saved.items[0].restore, "madvise");
	fake_must(knob->apply(&rig.env.env, &value, &err), &err);
	assert_string_equal(fake_get(&rig.fake, THP), "always madvise [never]");
	fake_must(knob->verify(&rig.env.env, &value, &err), &err);
	assert_int_equal(knob->apply(&rig.env.env, &wrong, &err), -PW_EINVAL);
	assert_has(err.text, "it holds 'always madvise [never]'");
	assert_int_equal(knob->verify(&rig.env.env, &wrong, &err), -PW_ETIMEOUT);
	assert_has(err.text, THP ": asked 'sometimes', is 'always madvise [never]'");
	assert_false(knob->is_back(&rig.env.env, &saved.items[0]));
	fake_restore(&rig.env.env, "sysfs", &saved);
	assert_string_equal(fake_get(&rig.fake, THP), "always [madvise] never");
	pw_saved_done(&saved);
	rig_close(&rig);
}

static void sysctl_values_in_the_kernels_form(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	const struct pw_knob *knob = fake_knob("sysctl");
	pw_auto_value struct pw_value value = one("vm.swappiness", "0x10");
	pw_auto_value struct pw_value shown = PW_VALUE_INIT;
	struct pw_fs_ops ops;
	struct rig rig;
	struct pw_err err;

	(void)state;
	kernel_open(&rig, &ops);
	fake_set(&rig.fake, "/proc/sys/kernel/core_pattern", "");
	pw_value_set(&value, "net/ipv4/tcp_rmem", pw_value_text("4096 8192 16384"));
	pw_value_set(&value, "kernel.numa_balancing", pw_value_int(1));
	pw_value_set(&value, "kernel.core_pattern", pw_value_text("core"));
	fake_must(pw_knob_check_value(knob, &value, &err), &err);
	fake_must(knob->check(&rig.env.env, &value, &err), &err);
	fake_must(knob->save_for(&rig.env.env, &value, &saved, &err), &err);
	fake_must(knob->apply(&rig.env.env, &value, &err), &err);
	fake_must(knob->verify(&rig.env.env, &value, &err), &err);
	fake_must(knob->read_saved(&rig.env.env, &saved, &shown, &err), &err);
	assert_int_equal(pw_value_get_int(&shown, "vm.swappiness", 0), 16);
	assert_string_equal(pw_value_get_text(&shown, "net.ipv4.tcp_rmem", ""),
			    "4096\t8192\t16384");
	fake_restore(&rig.env.env, "sysctl", &saved);
	assert_string_equal(fake_get(&rig.fake, SWAPPINESS), "60");
	assert_string_equal(fake_get(&rig.fake, "/proc/sys/kernel/core_pattern"), "");
	pw_saved_done(&saved);
	rig_close(&rig);
}

static void values_compare_as_the_kernel_means_them(void **state)
{
	static const char *const same[][2] = {
		{ "16", "0x10" },
		{ "16", "016" },
		{ "-1", "-1" },
		{ "4096\t1", "4096 1" },
		{ "always [madvise] never", "madvise" },
		{ "[none]", "none" },
		{ "Y", "1" },
		{ "N", "off" },
		{ "0f", "f" },
		{ "00000000,000000ff", "ff" },
		{ "18446744073709551615", "0xffffffffffffffff" },
		{ "text", "text" },
		{ "0", "-0" },
	};
	static const char *const different[][2] = {
		{ "16", "10" },	    { "1", "1 1" }, { "always [madvise] never", "never" },
		{ "Y", "0" },	    { "-1", "1" },  { "[a] [b]", "a" },
		{ "text", "Text" }, { "1f", "f" },  { "18446744073709551615", "-1" },
		{ "", "0" },
	};

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(same); i++) {
		if (!pw_value_same(same[i][0], same[i][1]))
			fail_msg("'%s' is not '%s'", same[i][0], same[i][1]);
	}
	for (size_t i = 0; i < PW_LENGTH(different); i++) {
		if (pw_value_same(different[i][0], different[i][1]))
			fail_msg("'%s' is '%s'", different[i][0], different[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_lead_to_paths_and_back),
		cmocka_unit_test(wrong_names_are_config_errors),
		cmocka_unit_test(what_could_not_be_put_back_is_refused),
		cmocka_unit_test(links_stay_below_their_folder),
		cmocka_unit_test(restore_writes_nowhere_else),
		cmocka_unit_test(plain_files_come_back_byte_for_byte),
		cmocka_unit_test(the_word_in_brackets_is_the_value),
		cmocka_unit_test(sysctl_values_in_the_kernels_form),
		cmocka_unit_test(values_compare_as_the_kernel_means_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
