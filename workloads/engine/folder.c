/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/folder.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/mem.h"

/* Not in linux/magic.h; fs/xfs/libxfs/xfs_format.h. */
#define XFS_MAGIC 0x58465342

int pw_folder_enter(struct pw_folder *folder, const char *parent, struct pw_err *err)
{
	pw_auto_free char *path = pw_sprintf("%s/dbench-XXXXXX", parent);

	if (!mkdtemp(path))
		return pw_fail_errno(err, errno, "make a folder in %s", parent);
	if (chdir(path) < 0) {
		int errnum = errno;

		(void)rmdir(path);
		return pw_fail_errno(err, errnum, "change to %s", path);
	}
	folder->path = pw_take(path);
	return 0;
}

int pw_folder_leave(struct pw_folder *folder, struct pw_err *err)
{
	pw_auto_free char *path = pw_take(folder->path);

	if (!path)
		return 0;
	if (chdir("..") < 0)
		return pw_fail_errno(err, errno, "leave %s", path);
	/* The last part of the path, seen from the folder above: the whole may be relative. */
	return pw_remove_tree(strrchr(path, '/') + 1, err);
}

int pw_folder_filesystem(const char *path, char *buffer, size_t size, struct pw_err *err)
{
	static const struct {
		unsigned long magic;
		const char *name;
	} known[] = {
		{ TMPFS_MAGIC, "tmpfs" },
		{ EXT4_SUPER_MAGIC, "ext4" },
		{ OVERLAYFS_SUPER_MAGIC, "overlay" },
		{ BTRFS_SUPER_MAGIC, "btrfs" },
		{ XFS_MAGIC, "xfs" },
	};
	struct statfs status;
	unsigned long magic;

	if (statfs(path, &status) < 0)
		return pw_fail_errno(err, errno, "statfs %s", path);
	magic = (unsigned long)status.f_type & 0xffffffffUL;
	for (size_t i = 0; i < PW_LENGTH(known); i++) {
		if (known[i].magic == magic) {
			(void)snprintf(buffer, size, "%s", known[i].name);
			return 0;
		}
	}
	(void)snprintf(buffer, size, "0x%lx", magic);
	return 0;
}
