/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A foreign program below a native body: a process group of its own, dead with its parent, its
 * output in a pipe or on our standard error, never waited for without a limit.
 */
#ifndef PW_WORKLOADS_EXTERNAL_CHILD_H
#define PW_WORKLOADS_EXTERNAL_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

struct pw_program {
	pid_t pid;  /* also its process group; 0: none */
	int out_fd; /* what it prints on both streams, or -1 */
};

#define PW_PROGRAM_INIT ((struct pw_program){ .pid = 0, .out_fd = -1 })

/* argv[0] is looked up in PATH. read_output: stdout and stderr to out_fd, else both to our stderr.
 */
int pw_program_start(struct pw_program *program, const struct pw_strv *argv, bool read_output,
		     struct pw_err *err) pw_must_check;
/* Has it ended? *ret_status as of waitpid(2). Reaps; then pid is 0. */
bool pw_program_ended(struct pw_program *program, int *ret_status);
/* Kills the whole group, reaps, closes; none is fine. */
void pw_program_kill(struct pw_program *program);

/* One line of out_fd at a time. */
struct pw_lines {
	char buffer[4096];
	size_t start, end; /* what is read and not handed out yet */
	bool at_end;	   /* nothing more will come */
};

/*
 * The next line without its newline (a longer one in pieces), or NULL: end of the output, or none
 * until the moment of CLOCK_MONOTONIC. Good until the next call.
 */
const char *pw_program_line(const struct pw_program *program, struct pw_lines *lines,
			    int64_t until_ns);

#endif
