/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/self/mountinfo and /proc/self/cgroup: where the cpu controller is and where we are in it.
 */
#ifndef PW_PLATFORM_MOUNTS_H
#define PW_PLATFORM_MOUNTS_H

#include "lib/base/err.h"
#include "lib/base/fs.h"

struct pw_cgroup_place {
	int version;
	char *mount; /* mount point; owned */
	char *own;   /* folder of our own group, at or below the mount point; owned */
};

void pw_cgroup_place_done(struct pw_cgroup_place *place);
/*
 * The hierarchy with the cpu controller: version 1's where it is mounted, else version 2's (whether
 * cpu is among its controllers is not looked at here). UNSUPPORTED with the reason.
 */
int pw_cgroup_place(const struct pw_root *root, struct pw_cgroup_place *ret, struct pw_err *err)
	pw_must_check;

#endif
