/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tokens of JSON text (RFC 8259), for position.c alone. */
#ifndef PW_MODEL_POSITION_INTERNAL_H
#define PW_MODEL_POSITION_INTERNAL_H

#include <stddef.h>

#include "lib/base/err.h"
#include "lib/base/strbuf.h"

struct pw_scan {
	const char *text; /* need not be NUL-terminated */
	size_t length;
	size_t at;    /* the next byte */
	size_t error; /* offset of what a failure is about */
	struct pw_err *err;
};

/* Fails about the byte at `offset`. */
int pw_scan_fail(struct pw_scan *scan, size_t offset, const char *format, ...) pw_printf(3, 4);
/* Fails about the next byte: "expected WHAT, found ...". */
int pw_scan_unexpected(struct pw_scan *scan, const char *what);
void pw_scan_blanks(struct pw_scan *scan);
/* The next byte, or -1 at the end. */
int pw_scan_peek(const struct pw_scan *scan);
/* A text, from its opening quote; its decoded content is added to `decoded` (may be NULL). */
int pw_scan_text(struct pw_scan *scan, struct pw_strbuf *decoded) pw_must_check;
/* A text, number, true, false or null. */
int pw_scan_scalar(struct pw_scan *scan) pw_must_check;

#endif
