/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of settings by path, and the files they lead to. */
#ifndef PW_PLATFORM_FILE_NAME_H
#define PW_PLATFORM_FILE_NAME_H

#include "lib/platform/file_setting.h"

/*
 * The path that a name of this kind stands for; the caller's. -PW_EINVAL at the key if it is none:
 * not below the kind's folder, with "." or ".." on the way, or with unprintable characters.
 */
int pw_file_path(const struct pw_file_kind *kind, const char *name, char **ret, struct pw_err *err)
	pw_must_check;
/* The way back, for a path below the kind's folder: "vm.swappiness"; the caller's. */
char *pw_file_name(const struct pw_file_kind *kind, const char *path);
/*
 * The file's real place within the root, links resolved; the caller's. UNSUPPORTED if it is not
 * there, no regular file, without permission bits to read and write it, or not below the kind's
 * folder.
 */
int pw_file_locate(const struct pw_file_kind *kind, const struct pw_root *root, const char *name,
		   char **ret, struct pw_err *err) pw_must_check;

#endif
