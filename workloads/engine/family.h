/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes of a native body: forked, watched, ended and reaped by it alone. A child dies with
 * its parent (PR_SET_PDEATHSIG). While a family exists, SIGCHLD and the signals that ask to end
 * (SIGINT, SIGTERM, SIGHUP) are blocked and taken from pw_family_wait().
 */
#ifndef PW_WORKLOADS_ENGINE_FAMILY_H
#define PW_WORKLOADS_ENGINE_FAMILY_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/base/err.h"

enum pw_role { PW_ROLE_UNSET, PW_ROLE_CLIENT, PW_ROLE_SERVER };

struct pw_child {
	pid_t pid; /* 0 = reaped */
	enum pw_role role;
	unsigned id;
	int status; /* of waitpid(), once reaped */
};

struct pw_family {
	struct pw_child *children;
	size_t count, capacity;
	size_t alive;
	sigset_t old_mask;
	sigset_t waited; /* what pw_family_wait() takes */
	struct sigaction old_child;
};

void pw_family_init(struct pw_family *family);
/* Kills and reaps who is left, gives the signals back. */
void pw_family_done(struct pw_family *family);
/*
 * Forks. In the child it calls main(context, id) and exits with what that returns. The parent goes
 * on.
 */
int pw_family_fork(struct pw_family *family, enum pw_role role, unsigned id,
		   int (*main)(void *context, unsigned id), void *context, struct pw_err *err)
	pw_must_check;
/*
 * Waits until a moment of CLOCK_MONOTONIC, or until children have ended (they are reaped then). An
 * error if this process is asked to end (ESTOPPED).
 */
int pw_family_wait(struct pw_family *family, int64_t until_ns, struct pw_err *err) pw_must_check;
/* The first child that is reaped and did not end with status 0, or (if `early`) any client. */
const struct pw_child *pw_family_failed(const struct pw_family *family, bool early);
size_t pw_family_alive(const struct pw_family *family, enum pw_role role);

#endif
