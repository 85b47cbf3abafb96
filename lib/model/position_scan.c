/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tokens of JSON. What is accepted must be what jansson accepts (a fuzz target holds the two
 * together): integers within 64 bits, finite reals, no NUL, well-formed UTF-8.
 */
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/text.h"
#include "lib/model/position_internal.h"

int pw_scan_fail(struct pw_scan *scan, size_t offset, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	scan->error = offset;
	return pw_fail(scan->err, PW_EINVAL, "%s", text);
}

int pw_scan_peek(const struct pw_scan *scan)
{
	return scan->at < scan->length ? (unsigned char)scan->text[scan->at] : -1;
}

void pw_scan_blanks(struct pw_scan *scan)
{
	for (; scan->at < scan->length; scan->at++) {
		char byte = scan->text[scan->at];

		if (byte != ' ' && byte != '\t' && byte != '\n' && byte != '\r')
			return;
	}
}

int pw_scan_unexpected(struct pw_scan *scan, const char *what)
{
	int byte = pw_scan_peek(scan);

	if (byte < 0)
		return pw_scan_fail(scan, scan->at, "expected %s, found the end of the text", what);
	if (byte == 0)
		return pw_scan_fail(scan, scan->at, "expected %s, found a NUL byte", what);
	if (scan->at == 0 && byte == 0xef)
		return pw_scan_fail(scan, 0, "starts with a byte order mark; save it without one");
	if (byte == '\'')
		return pw_scan_fail(scan, scan->at, "expected %s, found ' (JSON quotes with \")",
				    what);
	if (byte > 0x20 && byte < 0x7f)
		return pw_scan_fail(scan, scan->at, "expected %s, found '%c'", what, byte);
	return pw_scan_fail(scan, scan->at, "expected %s, found byte 0x%02x", what, (unsigned)byte);
}

/* Four hexadecimal digits, or -1. */
static int32_t hex4(const struct pw_scan *scan, size_t at)
{
	static const char digits[] = "0123456789abcdef";
	int32_t value = 0;

	for (size_t i = at; i < at + 4; i++) {
		char byte = i < scan->length ? scan->text[i] : '\0';
		const char *digit;

		if (byte >= 'A' && byte <= 'F')
			byte = (char)(byte - 'A' + 'a');
		digit = byte ? strchr(digits, byte) : NULL;
		if (!digit)
			return -1;
		value = value << 4 | (int32_t)(digit - digits);
	}
	return value;
}

static void add_utf8(struct pw_strbuf *decoded, uint32_t c)
{
	if (c < 0x80) {
		pw_strbuf_putc(decoded, (char)c);
		return;
	}
	if (c < 0x800) {
		pw_strbuf_putc(decoded, (char)(0xc0 | c >> 6));
	} else if (c < 0x10000) {
		pw_strbuf_putc(decoded, (char)(0xe0 | c >> 12));
		pw_strbuf_putc(decoded, (char)(0x80 | (c >> 6 & 0x3f)));
	} else {
		pw_strbuf_putc(decoded, (char)(0xf0 | c >> 18));
		pw_strbuf_putc(decoded, (char)(0x80 | (c >> 12 & 0x3f)));
		pw_strbuf_putc(decoded, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	pw_strbuf_putc(decoded, (char)(0x80 | (c & 0x3f)));
}

/* \uXXXX, or a pair of them for a character beyond U+FFFF; at the backslash. */
static int scan_unicode(struct pw_scan *scan, struct pw_strbuf *decoded)
{
	size_t start = scan->at;
	int32_t high = hex4(scan, start + 2), low;

	if (high < 0)
		return pw_scan_fail(scan, start, "\\u needs four hexadecimal digits");
	if (high == 0)
		return pw_scan_fail(scan, start, "\\u0000 is not allowed in a text");
	scan->at += 6;
	if (high >= 0xd800 && high <= 0xdfff) {
		bool pair = high < 0xdc00 && scan->length - scan->at >= 6 &&
			    scan->text[scan->at] == '\\' && scan->text[scan->at + 1] == 'u';

		low = pair ? hex4(scan, scan->at + 2) : -1;
		if (low < 0xdc00 || low > 0xdfff)
			return pw_scan_fail(scan, start, "\\u%04x is half of a surrogate pair",
					    (unsigned)high);
		scan->at += 6;
		high = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
	}
	if (decoded)
		add_utf8(decoded, (uint32_t)high);
	return 0;
}

static int scan_escape(struct pw_scan *scan, struct pw_strbuf *decoded)
{
	static const char letters[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
	char letter = scan->at + 1 < scan->length ? scan->text[scan->at + 1] : '\0';
	const char *found;

	if (letter == 'u')
		return scan_unicode(scan, decoded);
	found = letter ? strchr(letters, letter) : NULL;
	if (!found)
		return pw_scan_fail(scan, scan->at,
				    "unknown escape in a text (a backslash itself is written "
				    "\\\\)");
	if (decoded)
		pw_strbuf_putc(decoded, meaning[found - letters]);
	scan->at += 2;
	return 0;
}

static int scan_character(struct pw_scan *scan, struct pw_strbuf *decoded)
{
	size_t left = scan->length - scan->at;
	char bytes[5] = ""; /* the text may end within a character */
	uint32_t character;
	int step;

	memcpy(bytes, scan->text + scan->at, left < 4 ? left : 4);
	step = pw_utf8_next(bytes, &character);
	if (step <= 0)
		return pw_scan_fail(scan, scan->at, "byte 0x%02x is not valid UTF-8",
				    (unsigned char)bytes[0]);
	if (decoded)
		pw_strbuf_add(decoded, bytes, (size_t)step);
	scan->at += (size_t)step;
	return 0;
}

int pw_scan_text(struct pw_scan *scan, struct pw_strbuf *decoded)
{
	size_t start = scan->at++;

	while (scan->at < scan->length) {
		unsigned char byte = (unsigned char)scan->text[scan->at];
		int r;

		if (byte == '"') {
			scan->at++;
			return 0;
		}
		if (byte == '\n')
			return pw_scan_fail(scan, start,
					    "this text does not end on its line (a newline inside "
					    "is written \\n)");
		if (byte < 0x20)
			return pw_scan_fail(scan, scan->at,
					    "control character in a text (write it as \\u%04x)",
					    byte);
		r = byte == '\\' ? scan_escape(scan, decoded) : scan_character(scan, decoded);
		if (r < 0)
			return r;
	}
	return pw_scan_fail(scan, start, "this text has no closing quote");
}

static size_t skip_digits(struct pw_scan *scan)
{
	size_t start = scan->at;

	while (scan->at < scan->length && scan->text[scan->at] >= '0' &&
	       scan->text[scan->at] <= '9')
		scan->at++;
	return scan->at - start;
}

/* Digits without leading zeros against the largest magnitude of a 64-bit integer of that sign. */
static bool fits_int64(const char *digits, size_t count, bool negative)
{
	const char *limit = negative ? "9223372036854775808" : "9223372036854775807";
	size_t most = strlen(limit);

	return count < most || (count == most && memcmp(digits, limit, most) <= 0);
}

/* What follows the integer part; *ret_real tells whether anything did. */
static int scan_fraction(struct pw_scan *scan, bool *ret_real)
{
	int byte = pw_scan_peek(scan);

	*ret_real = false;
	if (byte == '.') {
		scan->at++;
		*ret_real = true;
		if (skip_digits(scan) == 0)
			return pw_scan_unexpected(scan, "a digit after the point");
		byte = pw_scan_peek(scan);
	}
	if (byte == 'e' || byte == 'E') {
		scan->at++;
		*ret_real = true;
		byte = pw_scan_peek(scan);
		if (byte == '+' || byte == '-')
			scan->at++;
		if (skip_digits(scan) == 0)
			return pw_scan_unexpected(scan, "a digit of the exponent");
	}
	return 0;
}

static int scan_number(struct pw_scan *scan)
{
	size_t start = scan->at, whole;
	bool negative = scan->text[start] == '-', real;
	const char *digits = scan->text + start + negative;
	pw_auto_free char *token = NULL;
	double value;

	scan->at += negative;
	whole = skip_digits(scan);
	if (whole == 0)
		return pw_scan_unexpected(scan, "a digit after '-'");
	if (whole > 1 && digits[0] == '0')
		return pw_scan_fail(scan, start, "a number may not start with a zero");
	if (scan_fraction(scan, &real) < 0)
		return -(int)scan->err->code;
	if (!real) {
		if (!fits_int64(digits, whole, negative))
			return pw_scan_fail(scan, start, "number beyond 64 bits");
		return 0;
	}
	token = pw_strndup(scan->text + start, scan->at - start);
	if (pw_parse_real(token, &value, scan->err) < 0)
		return pw_scan_fail(scan, start, "number out of range");
	return 0;
}

static int scan_word(struct pw_scan *scan)
{
	static const char *const words[] = { "true", "false", "null" };
	size_t start = scan->at, length;

	while (scan->at < scan->length && ((scan->text[scan->at] | 0x20) >= 'a') &&
	       ((scan->text[scan->at] | 0x20) <= 'z'))
		scan->at++;
	length = scan->at - start;
	for (size_t i = 0; i < PW_LENGTH(words); i++) {
		if (strlen(words[i]) == length && memcmp(words[i], scan->text + start, length) == 0)
			return 0;
	}
	return pw_scan_fail(scan, start, "unknown word '%.*s' (a text stands in double quotes)",
			    length < 40 ? (int)length : 40, scan->text + start);
}

int pw_scan_scalar(struct pw_scan *scan)
{
	int byte = pw_scan_peek(scan);

	if (byte == '"')
		return pw_scan_text(scan, NULL);
	if (byte == '-' || (byte >= '0' && byte <= '9'))
		return scan_number(scan);
	if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'))
		return scan_word(scan);
	return pw_scan_unexpected(scan, "a value");
}
