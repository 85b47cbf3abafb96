/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jansson in one place: value <-> JSON, and one writer whose numbers are the shortest text that
 * reads back equal (so that records are diffable and lose no digit). jansson is not seen above
 * lib/model.
 */
#ifndef PW_MODEL_JSON_H
#define PW_MODEL_JSON_H

#include "lib/base/err.h"
#include "lib/base/strbuf.h"
#include "lib/plugin/value.h"

/* Nesting deeper than this is refused on reading (jansson's own limit is 2048). */
#define PW_JSON_DEPTH 100

/*
 * Strict JSON text (no comments; duplicate keys and NUL refused) to a value. The error says line
 * and column. Integers beyond 64 bits are refused.
 */
int pw_json_parse(const char *text, size_t length, struct pw_value *ret, struct pw_err *err)
	pw_must_check;
enum pw_json_flags { PW_JSON_COMPACT = 0, PW_JSON_INDENT = 1 };
void pw_json_write(const struct pw_value *value, enum pw_json_flags flags,
		   struct pw_strbuf *buffer);
/* The shortest decimal text that reads back as the same double; whole numbers get ".0". */
void pw_json_real(double real, struct pw_strbuf *buffer);

#endif
