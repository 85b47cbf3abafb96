/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/self/mountinfo and /proc/self/cgroup: where the cpu controller is and where we are in it;
 * what a folder lies on.
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

/* One line of mountinfo (proc(5)); owned, without escapes. */
struct pw_mount {
	char *device; /* "MAJOR:MINOR" */
	char *point;
	char *type;   /* "ext4" */
	char *source; /* "/dev/vda1", or any word */
};

void pw_mount_done(struct pw_mount *mount);
/* The mount that a folder given from the root on lies in. Pure. False if no line tells. */
bool pw_mount_of(const char *mountinfo, const char *folder, struct pw_mount *ret);

#endif
