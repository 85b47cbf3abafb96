/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/fs_cache.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Gives the path back as content, and counts. */
struct counted {
	unsigned reads, writes;
};

static ssize_t counted_read(const struct pw_root *root, const char *path, char *buffer, size_t size)
{
	struct counted *counted = root->context;
	size_t length = strlen(path);

	counted->reads++;
	if (strcmp(path, "/absent") == 0)
		return -ENOENT;
	length = length < size ? length : size;
	memcpy(buffer, path, length);
	return (ssize_t)length;
}

static ssize_t counted_write(const struct pw_root *root, const char *path, const char *text,
			     size_t length)
{
	struct counted *counted = root->context;

	(void)path;
	(void)text;
	counted->writes++;
	return (ssize_t)length;
}

static const struct pw_fs_ops counted_ops = { .read = counted_read, .write = counted_write };

static void each_file_once(void **state)
{
	struct counted counted = { 0 };
	struct pw_root below = { .fd = -1, .ops = &counted_ops, .context = &counted }, root;
	struct pw_fs_cache *cache = pw_fs_cache_new(&below, &root);
	char path[32], text[64];

	(void)state;
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 5000; i++) {
			(void)snprintf(path, sizeof(path), "/cpu%d", i);
			assert_true(pw_attr_get(&root, path, text, sizeof(text)));
			assert_string_equal(text, path);
		}
	}
	assert_int_equal(counted.reads, 5000);
	pw_fs_cache_free(cache);
}

static void errors_lengths_writes(void **state)
{
	struct counted counted = { 0 };
	struct pw_root below = { .fd = -1, .ops = &counted_ops, .context = &counted }, root;
	struct pw_fs_cache *cache = pw_fs_cache_new(&below, &root);
	struct pw_err err;
	char text[64];

	(void)state;
	assert_ptr_equal(pw_fs_below(&root), &below);
	assert_ptr_equal(pw_fs_below(&below), &below);
	assert_int_equal(pw_attr_read(&root, "/absent", text, sizeof(text), &err), -PW_ENOTFOUND);
	assert_int_equal(pw_attr_read(&root, "/absent", text, sizeof(text), &err), -PW_ENOTFOUND);
	assert_int_equal(counted.reads, 1);
	/* what was cut is no answer for who asks for more, nor a long one for who has less room */
	assert_int_equal(root.ops->read(&root, "/abcdef", text, 3), 3);
	assert_int_equal(root.ops->read(&root, "/abcdef", text, 32), 7);
	assert_int_equal(root.ops->read(&root, "/abcdef", text, 3), 3);
	assert_int_equal(counted.reads, 4);
	assert_int_equal(pw_attr_write(&root, "/abcdef", "x", &err), 0);
	assert_int_equal(counted.writes, 1);
	assert_int_equal(root.ops->read(&root, "/abcdef", text, 3), 3);
	assert_int_equal(counted.reads, 5);
	pw_fs_cache_free(cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_file_once),
		cmocka_unit_test(errors_lengths_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
