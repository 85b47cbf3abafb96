/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors as values. A fallible function returns 0 or -(enum pw_code), takes `struct pw_err *`
 * last, leaves its outputs untouched when it fails, and neither prints nor exits. Outer layers
 * prepend what they know, so that the user reads
 *     config 'sugov': policy3: write scaling_governor 'schedutil': Invalid argument
 * `err` may never be NULL; reuse of one object overwrites it.
 */
#ifndef PW_BASE_ERR_H
#define PW_BASE_ERR_H

#include "lib/base/cleanup.h"

enum pw_code {
	PW_OK = 0,
	PW_EINVAL,	 /* the input is wrong: usage, config, load file, result file */
	PW_EUNSUPPORTED, /* this machine or this build cannot: skipped with the reason, not failed
			  */
	PW_ENOTFOUND,	 /* a file or a name is not there */
	PW_EDENIED,	 /* permission */
	PW_EBUSY,	 /* somebody else holds it, or the kernel says EBUSY */
	PW_EAGAIN,	 /* the kernel says EAGAIN: driver off, no fresh sample */
	PW_EGONE,	 /* the object vanished under us (ENODEV, ENXIO): enumerate again */
	PW_ETIMEOUT,	 /* a limit ran out */
	PW_EIO,		 /* any other failure of the system */
	PW_EFAILED,	 /* a program ran and failed */
	PW_ESTOPPED,	 /* the user interrupted */
};

struct pw_err {
	enum pw_code code;
	int sys;	 /* errno where a system call failed, else 0 */
	char text[2048]; /* what, where, why; no newline at the end */
	char hint[512];	 /* what to do about it; may be empty */
	char where[512]; /* RFC 6901 JSON pointer of the value at fault, relative to the input; "" =
			    root */
	int at_key;	 /* 1: the key of `where` is at fault rather than its value */
};

#define PW_ERR_INIT ((struct pw_err){ .code = PW_OK })

/* Sets the error and returns -code. */
int pw_fail(struct pw_err *err, enum pw_code code, const char *format, ...) pw_printf(3, 4);
/* The same for a failed system call: ": strerror(errnum)" is appended, the code follows errnum. */
int pw_fail_errno(struct pw_err *err, int errnum, const char *format, ...) pw_printf(3, 4);
/* The same for a value of a config: `pointer` (may be "") says where; at_key as in pw_err. */
int pw_fail_at(struct pw_err *err, const char *pointer, int at_key, const char *format, ...)
	pw_printf(4, 5);
/* Puts "context: " in front of the text and returns -code. */
int pw_err_prefix(struct pw_err *err, const char *format, ...) pw_printf(2, 3);
/* Puts a pointer ("/metrics/0") in front of `where` and returns -code. */
int pw_err_below(struct pw_err *err, const char *format, ...) pw_printf(2, 3);
/* Sets the hint and returns -code. */
int pw_err_hint(struct pw_err *err, const char *format, ...) pw_printf(2, 3);
void pw_err_clear(struct pw_err *err);

enum pw_code pw_code_of_errno(int errnum);

#endif
