/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that came from outside: is it fit to be shown, and how wide is it. UTF-8 throughout. */
#ifndef PW_BASE_TEXT_H
#define PW_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/strbuf.h"

/* Decodes one character at text (NUL-terminated); its length in bytes, 0 at the end, -1 if
 * malformed. */
int pw_utf8_next(const char *text, uint32_t *ret_character);
bool pw_utf8_valid(const char *text, size_t length);
/* No control characters (C0, DEL, C1), no bidirectional controls, no line separators; valid UTF-8.
 */
bool pw_text_printable(const char *text);
/* Terminal columns; wide characters count two, combining ones none, malformed bytes one. */
size_t pw_text_width(const char *text);
/* Adds the text with every character that is not printable as \xNN or \u{NNNN}. */
void pw_text_escape(struct pw_strbuf *buffer, const char *text);
/* Adds the text and then blanks up to `columns` (left-aligned). */
void pw_text_pad(struct pw_strbuf *buffer, const char *text, size_t columns);
/* Adds blanks up to `columns`, then the text (right-aligned). */
void pw_text_pad_left(struct pw_strbuf *buffer, const char *text, size_t columns);

#endif
