/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing text buffer. `text` is always NUL-terminated once anything was added, and may hold NUL
 * bytes of its own (length counts). The buffer owns `text`.
 */
#ifndef PW_BASE_STRBUF_H
#define PW_BASE_STRBUF_H

#include <stddef.h>

#include "lib/base/cleanup.h"

struct pw_strbuf {
	char *text;
	size_t length;
	size_t capacity;
};

#define PW_STRBUF_INIT ((struct pw_strbuf){ 0 })
#define pw_auto_strbuf pw_auto(pw_strbuf_done)

void pw_strbuf_done(struct pw_strbuf *buffer);
void pw_strbuf_clear(struct pw_strbuf *buffer);
void pw_strbuf_add(struct pw_strbuf *buffer, const void *data, size_t length);
void pw_strbuf_puts(struct pw_strbuf *buffer, const char *text);
void pw_strbuf_putc(struct pw_strbuf *buffer, char byte);
void pw_strbuf_fill(struct pw_strbuf *buffer, char byte, size_t count);
void pw_strbuf_printf(struct pw_strbuf *buffer, const char *format, ...) pw_printf(2, 3);
/* The text (never NULL), now the caller's; the buffer is empty again. */
char *pw_strbuf_take(struct pw_strbuf *buffer);
/* Never NULL. */
const char *pw_strbuf_text(const struct pw_strbuf *buffer);

#endif
