/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose processes workloads are: as root never root's unless asked for by name. */
#ifndef PW_ENGINE_USER_H
#define PW_ENGINE_USER_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/base/err.h"

struct pw_user {
	bool change; /* false: perfwatt is not root, workloads run as the caller */
	uid_t uid;
	gid_t gid;
	char *name; /* NULL: a number without an account */
	char *home;
};

/*
 * As root: the first of these that is given: --user, the workload's `user`, the config's `user`,
 * SUDO_UID, "nobody". A name or a number. Not as root: the caller; another name is an error.
 */
int pw_user_find(const char *option, const char *of_workload, const char *of_config,
		 struct pw_user *ret, struct pw_err *err) pw_must_check;
void pw_user_done(struct pw_user *user);

#endif
