/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a native workload as the program does: in a process of its own, output captured. */
#ifndef PW_TEST_ENGINE_RIG_H
#define PW_TEST_ENGINE_RIG_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/plugin/workload.h"

struct rig {
	const struct pw_workload *workload;
	struct pw_value options;
	struct pw_work work;
	char *workdir; /* made by rig_init, removed by rig_done */
	uid_t user;    /* run as this user if not 0 */
	pid_t pid;     /* of the body, leader of its own session */
	int out, err;  /* unnamed files */
	int status;    /* of waitpid */
	char *out_text, *err_text;
	size_t out_length, err_length;
};

/* `settings` are "key=value" texts, NULL-terminated; false (with a message) if they are refused. */
bool rig_init(struct rig *rig, const char *workload, const char *const *settings);
/* Also: everything of the run is ended and its folder removed. */
void rig_done(struct rig *rig);
void rig_start(struct rig *rig);
/* Waits until the text stands in stdout; false after 20 s. */
bool rig_wait_for(struct rig *rig, const char *text);
/* Waits for the end of the body and reads its output. */
void rig_finish(struct rig *rig);
/* No process of the run is left; waits 5 s for those that are just dying. */
bool rig_all_gone(struct rig *rig);
bool rig_workdir_empty(const struct rig *rig);
/* The n-th child of the body, from the last one back (n = 0); 0 if there is none. */
pid_t rig_child(const struct rig *rig, unsigned n);
/* Writes a file beside the work folder and names it as option "loadfile". */
void rig_loadfile(struct rig *rig, const char *text, size_t length);

#endif
