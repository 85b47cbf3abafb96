/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a folder lies on, for the description of a machine:
 *   { "mount": "/", "file_system": "ext4", "device": "vda1", "disk": "vda", "model": text,
 *     "rotational": bool, "scheduler": "mq-deadline" }
 * Kernel Documentation/ABI/stable/sysfs-block. Keys are absent where their source is: a tmpfs has
 * no disk.
 */
#ifndef PW_PLATFORM_STORAGE_H
#define PW_PLATFORM_STORAGE_H

#include "lib/base/fs.h"
#include "lib/plugin/value.h"

/* Unset if nothing is known. A folder without a slash in front starts from the working folder. */
void pw_storage(const struct pw_root *root, const char *folder, struct pw_value *ret);

#endif
