/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files below a root. perfwatt reads /sys, /proc and /dev only through a `struct pw_root`, so that
 * a fake tree (--root DIR) stands in for a machine, and only through its operation table, so that
 * tests can give errors that plain files cannot (EBUSY, EAGAIN, late effects).
 *
 * Paths are absolute within the root ("/sys/devices/system/cpu/online"). Under a fake root they
 * are resolved with RESOLVE_IN_ROOT (openat2(2)): no link leads out of it.
 */
#ifndef PW_BASE_FS_H
#define PW_BASE_FS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

struct pw_root;

/* Both return a byte count or -errno. An attribute is read and written in one call. */
struct pw_fs_ops {
	ssize_t (*read)(const struct pw_root *root, const char *path, char *buffer, size_t size);
	ssize_t (*write)(const struct pw_root *root, const char *path, const char *text,
			 size_t length);
};

struct pw_root {
	int fd;
	char *path; /* "/" or the folder given */
	bool real;  /* the machine itself */
	const struct pw_fs_ops *ops;
	void *context; /* for the operation table */
};

extern const struct pw_fs_ops pw_fs_real;

/* dir NULL or "/" is the machine itself. */
int pw_root_open(const char *dir, struct pw_root *ret, struct pw_err *err) pw_must_check;
void pw_root_close(struct pw_root *root);

/* An open file below the root, O_CLOEXEC; flags as for open(2). Returns the fd or -code. */
int pw_root_open_file(const struct pw_root *root, const char *path, int flags, struct pw_err *err)
	pw_must_check;

/* One attribute, up to `size` - 1 bytes, trailing newlines cut, NUL-terminated. */
int pw_attr_read(const struct pw_root *root, const char *path, char *buffer, size_t size,
		 struct pw_err *err) pw_must_check;
int pw_attr_read_u64(const struct pw_root *root, const char *path, uint64_t *ret,
		     struct pw_err *err) pw_must_check;
/* The same without an error object: true if it was read. */
bool pw_attr_get(const struct pw_root *root, const char *path, char *buffer, size_t size);
/*
 * One attribute, in one pwrite without O_TRUNC and never creating a file. On a fake root the file
 * is then cut to the length written, as the kernel's attributes have no tail.
 */
int pw_attr_write(const struct pw_root *root, const char *path, const char *text,
		  struct pw_err *err) pw_must_check;

bool pw_root_exists(const struct pw_root *root, const char *path);
/* Names in a folder without "." and "..", in natural order. */
int pw_root_list(const struct pw_root *root, const char *path, struct pw_strv *ret,
		 struct pw_err *err) pw_must_check;
/* A whole file (limit 64 MiB); also NUL bytes. The caller's. */
int pw_root_read_file(const struct pw_root *root, const char *path, char **ret, size_t *ret_length,
		      struct pw_err *err) pw_must_check;

#endif
