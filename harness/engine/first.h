/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first process of a workload, between its fork and its exec. */
#ifndef PW_ENGINE_FIRST_H
#define PW_ENGINE_FIRST_H

#include "harness/engine/tender.h"

/* Written as one piece to the failure pipe when a step fails; the pipe closes by itself on exec. */
struct pw_first_failure {
	int error; /* errno */
	char step[sizeof(((struct pw_ending *)0)->failure)];
};

/* Waits for the release, prepares, executes. Never returns. */
void pw_first_main(const struct pw_spawn *spawn, int release_fd, int failure_fd)
	__attribute__((noreturn));

/*
 * May this user enter the folder and execute the file? Tried in a child that becomes the user.
 * program NULL: only the folder.
 */
int pw_first_reachable(const struct pw_spawn *spawn, const char *program, struct pw_err *err)
	pw_must_check;

#endif
