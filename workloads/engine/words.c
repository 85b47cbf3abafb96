/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/words.h"

#include <stdio.h>
#include <string.h>

#include "workloads/engine/op.h"

/* Slashes forward, and none directly after a blank; returns the end. */
static void normalise(char *line)
{
	char *to = line;

	for (const char *from = line; *from; from++) {
		char c = *from == '\\' ? '/' : *from;

		if (c == '\t' || c == '\r')
			c = ' ';
		if (c == '/' && to > line && to[-1] == ' ')
			continue;
		*to++ = c;
	}
	*to = '\0';
}

int pw_words_split(char *line, char *words[PW_WORDS_MAX])
{
	char *at = line;
	int count = 0;

	normalise(line);
	for (;;) {
		char end = ' ';

		while (*at == ' ')
			at++;
		if (!*at)
			return count;
		if (count == PW_WORDS_MAX)
			return PW_WORDS_TOO_MANY;
		if (*at == '"') {
			end = '"';
			at++;
		}
		words[count++] = at;
		at = strchrnul(at, end);
		if (!*at)
			return end == '"' ? PW_WORDS_OPEN_QUOTE : count;
		*at++ = '\0';
	}
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

bool pw_number_parse(const char *text, int64_t *ret)
{
	const int64_t limit = INT64_MAX / 32;
	bool negative = *text == '-';
	int64_t value = 0;
	int base = 10;

	if (negative)
		text++;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	} else if (text[0] == '0' && text[1]) {
		base = 8;
		text++;
	}
	if (!*text)
		return false;
	for (; *text; text++) {
		int digit = digit_value(*text);

		if (digit >= base || value > limit)
			return false;
		value = value * base + digit;
	}
	*ret = negative ? -value : value;
	return true;
}

int pw_expected_parse(const char *text)
{
	int64_t value;

	if (strcmp(text, "NT_STATUS_OK") == 0 || strcmp(text, "SUCCESS") == 0)
		return PW_EXPECT_OK;
	if (strncmp(text, "NT_STATUS_", 10) == 0 && text[10])
		return PW_EXPECT_FAILURE;
	if (strcmp(text, "ERROR") == 0)
		return PW_EXPECT_FAILURE;
	if (strcmp(text, "*") == 0)
		return PW_EXPECT_ANY;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && pw_number_parse(text, &value))
		return value == 0 ? PW_EXPECT_OK : PW_EXPECT_FAILURE;
	return PW_EXPECT_UNSET;
}

size_t pw_name_for_client(const char *name, unsigned id, char *buffer, size_t size)
{
	static const char pattern[] = "client1";
	const size_t pattern_length = sizeof(pattern) - 1;
	size_t used = 0;

	if (size < 2)
		return 0;
	buffer[used++] = '.';
	while (*name) {
		if (used + sizeof("client4294967295") > size)
			return 0;
		if (strncmp(name, pattern, pattern_length) == 0) {
			used += (size_t)snprintf(buffer + used, size - used, "client%u", id);
			name += pattern_length;
		} else {
			buffer[used++] = *name++;
		}
	}
	buffer[used] = '\0';
	return used;
}
