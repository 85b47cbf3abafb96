/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The load file as dbench 4.0 reads it while it measures: line by line through the C library, so 4
 * KiB by system call, once more at its end, and back to the start with each session. Operations
 * come from the parsed load; this makes the same calls beside them. The file is a copy in memory.
 */
#ifndef PW_WORKLOADS_ENGINE_REFILL_H
#define PW_WORKLOADS_ENGINE_REFILL_H

#include <stddef.h>

#include "workloads/engine/loadfile.h"

#define PW_REFILL_SIZE 4096 /* the C library's buffer for a file of an ordinary block size */

struct pw_refill {
	int fd;
	size_t start; /* where the session begins */
	size_t next;  /* what is read so far reaches to here */
	char buffer[PW_REFILL_SIZE];
};

int pw_refill_open(struct pw_refill *refill, const struct pw_load *load, struct pw_err *err)
	pw_must_check;
/* A line at this place of the text is taken. */
void pw_refill_line(struct pw_refill *refill, size_t at);
/* The session is over: the end of the file is met, then it begins anew. */
void pw_refill_rewind(struct pw_refill *refill);

#endif
