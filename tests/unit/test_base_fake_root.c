/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two builders of fake machines, this one in C and make_root.py, build the same of every tree.
 */
#include "fake_root.h"

#include <sys/wait.h>
#include <unistd.h>

/* Exit status of `python3 make_root.py TREE DIR`; 127: there is no Python. */
static int run_python(const char *tree, const char *dir)
{
	pw_auto_free char *path = pw_sprintf(PW_TEST_DATA "/sysroot/trees/%s", tree);
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		(void)execlp("python3", "python3", "-B", PW_TEST_DATA "/sysroot/make_root.py", path,
			     dir, (char *)NULL);
		_exit(127);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void compare(const char *tree)
{
	pw_auto_free char *name = pw_strndup(tree, strlen(tree) - strlen(".tree"));
	struct fake ours, theirs = { .dir = "/tmp/perfwatt-test-XXXXXX" };
	size_t our_length, their_length;
	struct pw_err err;
	int status;

	assert_non_null(mkdtemp(theirs.dir));
	status = run_python(tree, theirs.dir);
	if (status == 127) {
		(void)rmdir(theirs.dir);
		skip();
	}
	assert_int_equal(status, 0);
	fake_must(pw_root_open(theirs.dir, &theirs.root, &err), &err);
	fake_open(&ours, name);
	pw_auto_free char *our_files = fake_snapshot(&ours, &our_length);
	pw_auto_free char *their_files = fake_snapshot(&theirs, &their_length);

	if (our_length != their_length || memcmp(our_files, their_files, our_length) != 0)
		fail_msg("%s: not the same of both builders", tree);
	fake_close(&ours);
	fake_close(&theirs);
}

static void both_builders_agree(void **state)
{
	pw_auto_strv struct pw_strv trees = PW_STRV_INIT;
	struct pw_root source;
	struct pw_err err;

	(void)state;
	fake_must(pw_root_open(PW_TEST_DATA "/sysroot/trees", &source, &err), &err);
	fake_must(pw_root_list(&source, "/", &trees, &err), &err);
	pw_root_close(&source);
	for (size_t i = 0; i < trees.count; i++) {
		const char *end = strrchr(trees.items[i], '.');

		/* the large one says nothing more and takes longer than all others together */
		if (end && strcmp(end, ".tree") == 0 &&
		    strcmp(trees.items[i], "server-256.tree") != 0)
			compare(trees.items[i]);
	}
}

static void numbers_count(void **state)
{
	pw_auto_free char *text = fake_numbered("%N,%(N+64) of %(N-2), 5% N", 10);

	(void)state;
	assert_string_equal(text, "10,74 of 8, 5% N");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_count),
		cmocka_unit_test(both_builders_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
