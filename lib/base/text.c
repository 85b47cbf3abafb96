/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/text.h"

#include <locale.h>
#include <string.h>
#include <wchar.h>

int pw_utf8_next(const char *text, uint32_t *ret_character)
{
	const unsigned char *byte = (const unsigned char *)text;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	int length = byte[0] < 0x80   ? 1
		     : byte[0] < 0xc2 ? -1
		     : byte[0] < 0xe0 ? 2
		     : byte[0] < 0xf0 ? 3
		     : byte[0] < 0xf5 ? 4
				      : -1;
	uint32_t character;

	if (byte[0] == 0)
		return 0;
	if (length < 0)
		return -1;
	character = length == 1 ? byte[0] : byte[0] & (0x7fU >> length);
	for (int i = 1; i < length; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return -1;
		character = character << 6 | (byte[i] & 0x3f);
	}
	if (character < least[length] && length > 1)
		return -1;
	if (character > 0x10ffff || (character >= 0xd800 && character <= 0xdfff))
		return -1;
	*ret_character = character;
	return length;
}

bool pw_utf8_valid(const char *text, size_t length)
{
	size_t at = 0;

	while (at < length) {
		uint32_t character;
		int step = pw_utf8_next(text + at, &character);

		if (step <= 0)
			return false;
		at += (size_t)step;
	}
	return at == length;
}

/* Control characters, line separators and the bidirectional controls of UAX #9. */
static bool hidden(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

bool pw_text_printable(const char *text)
{
	uint32_t character;
	int step;

	while ((step = pw_utf8_next(text, &character)) > 0) {
		if (hidden(character))
			return false;
		text += step;
	}
	return step == 0;
}

/* wcwidth() follows the locale; C.UTF-8 is built into glibc since 2.35. */
static int character_width(uint32_t character)
{
	static locale_t utf8;
	locale_t before;
	int width;

	if (character < 0x80)
		return 1;
	if (!utf8)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	if (!utf8)
		return 1;
	before = uselocale(utf8);
	width = wcwidth((wchar_t)character);
	uselocale(before);
	return width < 0 ? 1 : width;
}

size_t pw_text_width(const char *text)
{
	size_t width = 0;

	while (*text) {
		uint32_t character;
		int step = pw_utf8_next(text, &character);

		width += step < 0 ? 1 : (size_t)character_width(character);
		text += step < 0 ? 1 : step;
	}
	return width;
}

void pw_text_escape(struct pw_strbuf *buffer, const char *text)
{
	while (*text) {
		uint32_t character;
		int step = pw_utf8_next(text, &character);

		if (step < 0)
			pw_strbuf_printf(buffer, "\\x%02x", (unsigned char)*text);
		else if (hidden(character))
			pw_strbuf_printf(buffer, "\\u{%04x}", character);
		else
			pw_strbuf_add(buffer, text, (size_t)step);
		text += step < 0 ? 1 : step;
	}
}

static size_t missing(const char *text, size_t columns)
{
	size_t width = pw_text_width(text);

	return width < columns ? columns - width : 0;
}

void pw_text_pad(struct pw_strbuf *buffer, const char *text, size_t columns)
{
	pw_strbuf_puts(buffer, text);
	pw_strbuf_fill(buffer, ' ', missing(text, columns));
}

void pw_text_pad_left(struct pw_strbuf *buffer, const char *text, size_t columns)
{
	pw_strbuf_fill(buffer, ' ', missing(text, columns));
	pw_strbuf_puts(buffer, text);
}
