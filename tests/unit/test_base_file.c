/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removing what a hostile or an odd workload left: links, depth, modes; and what stays open. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/fds.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"

#define DEPTH  700
#define NOBODY 65534

static char *make_top(void)
{
	char top[] = "/tmp/pwfile-XXXXXX";

	assert_non_null(mkdtemp(top));
	return pw_strdup(top);
}

static void removes(const char *path)
{
	struct pw_err err;

	if (pw_remove_tree(path, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW), -1);
	assert_int_equal(errno, ENOENT);
}

static void make_file(const char *path)
{
	pw_auto_close int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
}

static void links_are_removed_and_not_followed(void **state)
{
	pw_auto_free char *top = make_top();
	pw_auto_free char *kept = pw_sprintf("%s/kept", top), *file = pw_sprintf("%s/file", kept);
	pw_auto_free char *tree = pw_sprintf("%s/tree", top), *inner = pw_sprintf("%s/in", tree);

	(void)state;
	assert_int_equal(mkdir(kept, 0700) | mkdir(tree, 0700), 0);
	make_file(file);
	assert_int_equal(symlink(kept, inner), 0);
	removes(tree);
	assert_int_equal(symlink(kept, tree), 0); /* a link in the place of the folder itself */
	removes(tree);
	make_file(tree);
	removes(tree);
	assert_int_equal(access(file, F_OK), 0);
	removes(top);
}

/* Deeper than descriptors may be open, and than a path may be long. */
static void any_depth_goes(void **state)
{
	pw_auto_free char *top = make_top();
	struct rlimit before, few;
	int fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	for (int i = 0; i < DEPTH; i++) {
		int below;

		assert_int_equal(mkdirat(fd, "folder", 0700), 0);
		below = openat(fd, "folder", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_true(below >= 0);
		close(fd);
		fd = below;
	}
	close(fd);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = (struct rlimit){ 64, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	removes(top);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

/* For root no folder is closed: another user stands in. */
static void closed_folders_are_opened_up(void **state)
{
	pw_auto_free char *top = make_top();
	pw_auto_free char *shut = pw_sprintf("%s/shut", top), *file = pw_sprintf("%s/file", shut);
	bool root = geteuid() == 0;

	(void)state;
	if (root)
		assert_int_equal(chown(top, NOBODY, NOBODY) | seteuid(NOBODY), 0);
	assert_int_equal(mkdir(shut, 0700), 0);
	make_file(file);
	assert_int_equal(chmod(shut, 0) | chmod(top, 0500), 0);
	removes(top);
	if (root)
		assert_int_equal(seteuid(0), 0);
}

static void nothing_is_made_without_a_name(void **state)
{
	struct pw_err err;

	(void)state;
	assert_int_equal(pw_make_dirs("", &err), -PW_EINVAL);
}

static void strange_descriptors_do_not_survive_an_exec(void **state)
{
	int low = fcntl(STDERR_FILENO, F_DUPFD, 20), high = fcntl(STDERR_FILENO, F_DUPFD, 300);

	(void)state;
	assert_true(low >= 20 && high >= 300);
	pw_fds_cloexec(100);
	assert_int_equal(fcntl(low, F_GETFD), 0);
	assert_int_equal(fcntl(high, F_GETFD), FD_CLOEXEC);
	close(low);
	close(high);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_are_removed_and_not_followed),
		cmocka_unit_test(any_depth_goes),
		cmocka_unit_test(closed_folders_are_opened_up),
		cmocka_unit_test(nothing_is_made_without_a_name),
		cmocka_unit_test(strange_descriptors_do_not_survive_an_exec),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
