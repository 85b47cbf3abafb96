/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program that runs beside the workload (`with`): a scheduler, a daemon. It lives below a
 * tender of its own, so that all of it ends when it is stopped and when perfwatt dies. No PID
 * namespace: it is there to act on the machine.
 */
#ifndef PW_ENGINE_COMPANION_H
#define PW_ENGINE_COMPANION_H

#include "harness/engine/command.h"

struct pw_companion {
	struct pw_child child; /* tender -1: none runs */
	int output_fd;	       /* what it prints; -1: none was started */
	char *text;	       /* its command, for messages */
};

#define PW_COMPANION_INIT ((struct pw_companion){ .child = PW_CHILD_INIT, .output_fd = -1 })

/*
 * Starts it; it prints into output_fd, which becomes the companion's (readable, and appended to).
 * One that ends within PW_COMPANION_START_NS has failed to start: the error has its last lines.
 * The command's stop_fd counts for nothing.
 */
#define PW_COMPANION_START_NS (INT64_C(100) * 1000000)
int pw_companion_start(struct pw_companion *companion, const struct pw_command *command,
		       int output_fd, struct pw_err *err) pw_must_check;
/* 0 while it runs. PW_EFAILED: it has ended, how, and what it printed last; it is let go of. */
int pw_companion_check(struct pw_companion *companion, struct pw_err *err) pw_must_check;
bool pw_companion_runs(const struct pw_companion *companion);
/* SIGTERM, after PW_COMMAND_GRACE_NS SIGKILL, for all of it. Nothing if none runs. */
void pw_companion_stop(struct pw_companion *companion);

#endif
