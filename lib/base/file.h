/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ordinary files of our own: results, work folders. Nothing here follows a symbolic link in the
 * last part of a path that it writes to or removes.
 */
#ifndef PW_BASE_FILE_H
#define PW_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "lib/base/err.h"

/* Everything from a file descriptor, more than `limit` bytes is -PW_EINVAL. NUL-terminated; the
 * caller's. */
int pw_read_fd(int fd, size_t limit, char **ret, size_t *ret_length, struct pw_err *err)
	pw_must_check;
int pw_read_path(const char *path, size_t limit, char **ret, size_t *ret_length, struct pw_err *err)
	pw_must_check;
/* All bytes or an error (EINTR and short writes are carried on). */
int pw_write_all(int fd, const void *data, size_t length, struct pw_err *err) pw_must_check;
/* A new file (0644) with this content, fsynced; replaces an old one as a whole. */
int pw_write_file_atomic(int dirfd, const char *name, const void *data, size_t length,
			 struct pw_err *err) pw_must_check;
/* A folder (0755) and those above it that are missing. */
int pw_make_dirs(const char *path, struct pw_err *err) pw_must_check;
/*
 * A folder with all below it, however deep, links removed and not followed; a missing one is fine.
 * Whatever else stands at the path (a link, a file) is removed itself.
 */
int pw_remove_tree(const char *path, struct pw_err *err) pw_must_check;
/* fsync of a folder, so that names in it last. */
int pw_sync_dir(int dirfd, struct pw_err *err) pw_must_check;

#endif
