/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/exec/number.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/text.h"

/* How far around a capture its surroundings are shown. */
#define AROUND 40

struct span {
	const char *text;
	size_t length;
};

/* Separators inside a number that are longer than one byte: no-break space (U+00A0), narrow
 * no-break space (U+202F), right quotation mark (U+2019), in UTF-8. */
static const char *const wide_separators[] = { "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x99" };
#define MINUS_SIGN "\xe2\x88\x92" /* U+2212 */

/* The byte at `i`, 0 outside the text (also for what underflowed). */
static char at(const struct span *span, size_t i)
{
	return i < span->length ? span->text[i] : '\0';
}

static bool digit_at(const struct span *span, size_t i)
{
	char byte = at(span, i);

	return byte >= '0' && byte <= '9';
}

static bool text_at(const struct span *span, size_t i, const char *text)
{
	size_t size = strlen(text);

	return i < span->length && span->length - i >= size &&
	       memcmp(span->text + i, text, size) == 0;
}

static bool is_separator(char byte)
{
	return byte == '.' || byte == ',' || byte == '\'' || byte == '_';
}

static size_t separator_after(const struct span *span, size_t i)
{
	if (is_separator(at(span, i)))
		return 1;
	for (size_t k = 0; k < PW_LENGTH(wide_separators); k++) {
		if (text_at(span, i, wide_separators[k]))
			return strlen(wide_separators[k]);
	}
	return 0;
}

static size_t separator_before(const struct span *span, size_t i)
{
	if (is_separator(at(span, i - 1)))
		return 1;
	for (size_t k = 0; k < PW_LENGTH(wide_separators); k++) {
		size_t size = strlen(wide_separators[k]);

		if (i >= size && text_at(span, i - size, wide_separators[k]))
			return size;
	}
	return 0;
}

static bool is_sign(char byte)
{
	return byte == '+' || byte == '-';
}

static bool goes_on(const struct span *span, size_t start, size_t end)
{
	size_t separator = separator_after(span, end);
	char next = at(span, end);

	if (digit_at(span, end) || (separator && digit_at(span, end + separator)))
		return true;
	if (is_sign(next) && digit_at(span, end + 1))
		return true;
	if (next == 'e' || next == 'E')
		return digit_at(span, end + 1) ||
		       (is_sign(at(span, end + 1)) && digit_at(span, end + 2));
	if (next == 'x' || next == 'X')
		return end - start == 1 && at(span, start) == '0' &&
		       isxdigit((unsigned char)at(span, end + 1));
	return false;
}

/* A minus before `start` that is a sign rather than a dash inside a word. */
static bool minus_left_out(const struct span *span, size_t start)
{
	char before = at(span, start - 2);

	if (start >= 3 && text_at(span, start - 3, MINUS_SIGN))
		return true;
	return at(span, start - 1) == '-' && before != '-' && !isalnum((unsigned char)before);
}

static bool began_earlier(const struct span *span, size_t start)
{
	size_t separator = separator_before(span, start);
	char last = at(span, start - 1), before = at(span, start - 2);

	if (digit_at(span, start - 1) || (separator && digit_at(span, start - 1 - separator)))
		return true;
	if (last == '.')
		return before != '.';
	if (last == 'e' || last == 'E')
		return digit_at(span, start - 2) || before == '.';
	if (last == 'x' || last == 'X')
		return before == '0' && !isalnum((unsigned char)at(span, start - 3));
	if (is_sign(last) && (before == 'e' || before == 'E'))
		return digit_at(span, start - 3);
	if (is_sign(last) && digit_at(span, start - 2))
		return true;
	return minus_left_out(span, start);
}

static bool belongs(char byte)
{
	return isalnum((unsigned char)byte) || is_separator(byte) || is_sign(byte) ||
	       (unsigned char)byte >= 0x80;
}

static int refuse(const struct span *span, size_t start, size_t end, const char *why,
		  struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf captured = PW_STRBUF_INIT;
	pw_auto_strbuf struct pw_strbuf around = PW_STRBUF_INIT;
	pw_auto_free char *inner = pw_strndup(span->text + start, end - start);
	pw_auto_free char *outer = NULL;
	size_t from = start, to = end;

	while (from > 0 && start - from < AROUND && belongs(at(span, from - 1)))
		from--;
	while (to < span->length && to - end < AROUND && belongs(at(span, to)))
		to++;
	outer = pw_strndup(span->text + from, to - from);
	pw_text_escape(&captured, inner);
	pw_text_escape(&around, outer);
	return pw_fail(err, PW_EFAILED, "the captured '%.100s' %s '%.200s'",
		       pw_strbuf_text(&captured), why, pw_strbuf_text(&around));
}

int pw_exec_number(const char *text, size_t length, size_t start, size_t end, double *ret,
		   struct pw_err *err)
{
	const struct span span = { .text = text, .length = length };
	pw_auto_free char *number = NULL;
	struct pw_err reason = PW_ERR_INIT;

	if (start == end)
		return pw_fail(err, PW_EFAILED, "the captured number is empty");
	if (goes_on(&span, start, end) || began_earlier(&span, start))
		return refuse(&span, start, end, "is only a part of", err);
	number = pw_strndup(text + start, end - start);
	if (strlen(number) != end - start || pw_parse_real(number, ret, &reason) < 0)
		return refuse(&span, start, end, "is not a number, in", err);
	return 0;
}
