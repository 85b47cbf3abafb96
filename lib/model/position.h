/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where in a JSON text (with comments) a value stands: JSON pointer -> byte offsets of its key and
 * of its value. Built by one walk over the text, no recursion; also finds duplicate keys.
 */
#ifndef PW_MODEL_POSITION_H
#define PW_MODEL_POSITION_H

#include <stddef.h>

#include "lib/base/err.h"

struct pw_positions; /* opaque */

struct pw_place {
	size_t key;   /* offset of the key's quote; of the value if it has no key */
	size_t value; /* offset of the value's first byte */
};

/*
 * Replaces // and block comments by blanks in place, so that every offset stays; newlines stay.
 * Text inside strings is left alone. An unterminated comment is an error with its place.
 */
int pw_json_blank_comments(char *text, size_t length, size_t *ret_error_offset, struct pw_err *err)
	pw_must_check;
/*
 * Indexes a comment-free text. A syntax error, nesting beyond PW_JSON_DEPTH or a duplicate key is
 * an error whose offset is given (of the second key, for a duplicate).
 */
int pw_positions_build(const char *text, size_t length, struct pw_positions **ret,
		       size_t *ret_error_offset, struct pw_err *err) pw_must_check;
void pw_positions_free(struct pw_positions *positions);
/* The place of a pointer, or of its nearest existing parent. "" is the root. */
struct pw_place pw_positions_find(const struct pw_positions *positions, const char *pointer);
/* Line and column from 1, columns in bytes. */
void pw_line_column(const char *text, size_t offset, size_t *ret_line, size_t *ret_column);
/* "/configs/1/set/governer" to "configs[1].set.governer"; the caller's. */
char *pw_pointer_path(const char *pointer);

#endif
