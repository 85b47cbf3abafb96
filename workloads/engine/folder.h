/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder that dbench works in: made below the run's work folder, removed with all in it. */
#ifndef PW_WORKLOADS_ENGINE_FOLDER_H
#define PW_WORKLOADS_ENGINE_FOLDER_H

#include "lib/base/err.h"

struct pw_folder {
	char *path; /* NULL: none */
};

/* Makes a new folder below `parent` and changes into it. */
int pw_folder_enter(struct pw_folder *folder, const char *parent, struct pw_err *err) pw_must_check;
/* Changes out of it again and removes it; none is fine. */
int pw_folder_leave(struct pw_folder *folder, struct pw_err *err) pw_must_check;
/*
 * Name of the file system that a path lies on: "tmpfs", "ext4", "overlay", "btrfs", "xfs", else its
 * magic number in hex. ext2 and ext3 count as ext4, whose magic number they share.
 */
int pw_folder_filesystem(const char *path, char *buffer, size_t size, struct pw_err *err)
	pw_must_check;

#endif
