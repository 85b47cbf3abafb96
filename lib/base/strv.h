/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing list of strings, NULL-terminated at every moment (so that it serves as an argv). */
#ifndef PW_BASE_STRV_H
#define PW_BASE_STRV_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/cleanup.h"

struct pw_strv {
	char **items; /* NULL while empty */
	size_t count;
	size_t capacity;
};

#define PW_STRV_INIT ((struct pw_strv){ 0 })
#define pw_auto_strv pw_auto(pw_strv_done)

void pw_strv_done(struct pw_strv *list);
void pw_strv_push(struct pw_strv *list, const char *text);
/* Takes ownership of the text. */
void pw_strv_push_own(struct pw_strv *list, char *text);
void pw_strv_pushf(struct pw_strv *list, const char *format, ...) pw_printf(2, 3);
void pw_strv_append(struct pw_strv *list, const struct pw_strv *other);
bool pw_strv_has(const struct pw_strv *list, const char *text);
/* Sorts so that numbers inside names count as numbers (policy2 before policy10). */
void pw_strv_sort_natural(struct pw_strv *list);
/* Splits at any of the bytes in `separators`; empty parts are left out. */
void pw_strv_split(struct pw_strv *list, const char *text, const char *separators);
/* The items joined; the caller's. */
char *pw_strv_join(const struct pw_strv *list, const char *separator);

#endif
