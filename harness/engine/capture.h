/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One output stream of a workload: kept in memory for the parser, written to raw/, scanned for
 * marks. */
#ifndef PW_ENGINE_CAPTURE_H
#define PW_ENGINE_CAPTURE_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strbuf.h"

/* A workload that prints more than this on one stream is stopped. */
#define PW_CAPTURE_LIMIT ((size_t)64 << 20)

struct pw_capture {
	int fd;	    /* read end; -1 after the end of file */
	int raw_fd; /* -1: not kept */
	struct pw_strbuf text;
	size_t scanned;	 /* bytes in whole lines already handed out */
	size_t searched; /* bytes in which no further newline is */
	bool too_long;
	struct pw_err raw_failure; /* code PW_OK: none */
};

/* Makes a pipe; the write end goes to *ret_write (O_CLOEXEC). Takes raw_fd over. */
int pw_capture_open(struct pw_capture *capture, int raw_fd, int *ret_write, struct pw_err *err)
	pw_must_check;
void pw_capture_close(struct pw_capture *capture);
/* Takes what is there without waiting; false once the end of file (or the limit) is reached. */
bool pw_capture_read(struct pw_capture *capture);
/*
 * The next whole line not yet handed out, without its newline; NULL if none. Borrowed, *ret_length
 * bytes, valid until the next read.
 */
const char *pw_capture_line(struct pw_capture *capture, size_t *ret_length);

/* The last lines of a text (at most `lines`, 400 bytes), for messages; the caller's. */
char *pw_last_lines(const char *text, size_t length, unsigned lines);

#endif
