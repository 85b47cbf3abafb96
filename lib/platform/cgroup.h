/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A control group of our own with a CPU quota (kernel Documentation/admin-guide/cgroup-v2.rst and
 * Documentation/scheduler/sched-bwc.rst). Version 1 is used where the cpu controller is mounted
 * there, else version 2.
 *
 * The group is made below perfwatt's own group. Version 2 lets a group have either processes or
 * children under a controller ("no internal processes"), and perfwatt's group has perfwatt in it:
 * there the nearest group above serves that has the cpu controller enabled for its children. The
 * true root group may have both; if the controller is not enabled there, it is for as long as our
 * group exists (and the group's name says so, that its removal can undo it).
 */
#ifndef PW_PLATFORM_CGROUP_H
#define PW_PLATFORM_CGROUP_H

#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/fs.h"

#define PW_CGROUP_PERIOD_US    100000 /* the kernel's default period */
#define PW_CGROUP_QUOTA_MIN_US 1000   /* kernel kernel/sched/core.c, min_cfs_quota_period */
#define PW_CGROUP_NO_QUOTA     (-1)

struct pw_cgroup {
	int version;  /* 1 or 2 */
	char *mount;  /* where the hierarchy is mounted; owned, as all here */
	char *parent; /* the folder in which ours is made */
	char *name;   /* of ours */
	bool enable;  /* version 2: the controller must be enabled in the parent first */
};

void pw_cgroup_done(struct pw_cgroup *group);
/* Where a group for this tag goes; UNSUPPORTED with the reason where it can go nowhere. No writes.
 */
int pw_cgroup_find(const struct pw_root *root, const char *tag, struct pw_cgroup *ret,
		   struct pw_err *err) pw_must_check;
/* Can groups be made in the parent. */
int pw_cgroup_writable(const struct pw_root *root, const struct pw_cgroup *group,
		       struct pw_err *err) pw_must_check;
/* The folder below the root; the caller's. */
char *pw_cgroup_path(const struct pw_cgroup *group);
/* Makes the group; one that is there already is taken. */
int pw_cgroup_make(const struct pw_root *root, const struct pw_cgroup *group, struct pw_err *err)
	pw_must_check;
/* CPU time per PW_CGROUP_PERIOD_US, or PW_CGROUP_NO_QUOTA. */
int pw_cgroup_set_quota(const struct pw_root *root, const struct pw_cgroup *group, int64_t quota_us,
			struct pw_err *err) pw_must_check;
int pw_cgroup_get_quota(const struct pw_root *root, const struct pw_cgroup *group,
			int64_t *ret_quota_us, struct pw_err *err) pw_must_check;
/*
 * Removes the tag's group, wherever in the hierarchy it is (perfwatt may run in another group by
 * now), waiting up to a second for its last processes to be reaped. None: fine.
 */
int pw_cgroup_remove(const struct pw_root *root, const char *tag, struct pw_err *err) pw_must_check;

#endif
