/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/attr_value.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"

#define BLANKS "\n\t "

int pw_value_form(const struct pw_value *value, struct pw_err *err)
{
	if (value->type == PW_VALUE_INT)
		return 0;
	if (value->type != PW_VALUE_TEXT)
		return pw_fail_at(err, "", 0, "wants a text or a whole number, not %s",
				  pw_value_type_name(value->type));
	if (value->text[strspn(value->text, " \t")] == '\0')
		return pw_fail_at(err, "", 0, "is empty: there is nothing to write");
	if (strlen(value->text) >= PW_ATTR_SIZE - 1)
		return pw_fail_at(err, "", 0, "is longer than %d bytes", PW_ATTR_SIZE - 2);
	for (const char *at = value->text; *at; at++) {
		if ((unsigned char)*at < ' ' && *at != '\t')
			return pw_fail_at(err, "", 0, "holds a control character: one line only");
	}
	return 0;
}

const char *pw_value_written(const struct pw_value *value, char buffer[PW_ATTR_SIZE])
{
	if (value->type == PW_VALUE_INT)
		(void)snprintf(buffer, PW_ATTR_SIZE, "%" PRId64, value->integer);
	else
		(void)snprintf(buffer, PW_ATTR_SIZE, "%s", value->text);
	return buffer;
}

char *pw_value_chosen(const char *shown)
{
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	const char *chosen = NULL;
	size_t length;

	pw_strv_split(&words, shown, BLANKS);
	for (size_t i = 0; i < words.count; i++) {
		const char *word = words.items[i];

		length = strlen(word);
		if (word[0] != '[' || length < 3 || word[length - 1] != ']')
			continue;
		if (chosen)
			return NULL;
		chosen = word;
	}
	return chosen ? pw_strndup(chosen + 1, strlen(chosen) - 2) : NULL;
}

static bool hex_number(const char *digits, uint64_t *ret)
{
	uint64_t number = 0;

	if (*digits == '\0' || strlen(digits) > 16)
		return false;
	for (; *digits; digits++) {
		static const char all[] = "0123456789abcdef";
		char digit =
			*digits >= 'A' && *digits <= 'F' ? (char)(*digits + 'a' - 'A') : *digits;
		const char *at = strchr(all, digit);

		if (!at)
			return false;
		number = number << 4 | (uint64_t)(at - all);
	}
	*ret = number;
	return true;
}

/* Sign and amount, so that the whole ranges of 64 bits fit, with and without a sign. */
struct number {
	bool negative;
	uint64_t amount;
};

static bool number_of(const char *word, struct number *ret)
{
	struct number number = { .negative = word[0] == '-' };
	struct pw_err ignored;

	if (word[0] == '-' || word[0] == '+')
		word++;
	if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X')) {
		if (!hex_number(word + 2, &number.amount))
			return false;
	} else if (strspn(word, "0123456789") != strlen(word) ||
		   pw_parse_u64(word, &number.amount, &ignored) < 0) {
		return false;
	}
	number.negative &= number.amount != 0;
	*ret = number;
	return true;
}

static bool is_mask(const char *word)
{
	return *word && word[strspn(word, "0123456789abcdef,")] == '\0';
}

/* Hex digits from the first that counts; the commas between groups say nothing. */
static const char *mask_step(const char *at)
{
	return at + strspn(at, ",");
}

static bool masks_same(const char *a, const char *b)
{
	a += strspn(a, "0,");
	b += strspn(b, "0,");
	while (*a && *a == *b) {
		a = mask_step(a + 1);
		b = mask_step(b + 1);
	}
	return *a == '\0' && *b == '\0';
}

/* The kernel's bool parameters show Y and N (kernel/params.c, param_get_bool). */
static bool yes_no_same(const char *shown, const char *asked)
{
	static const char *const words[][6] = { { "Y", "y", "1", "on", "true", NULL },
						{ "N", "n", "0", "off", "false", NULL } };

	for (size_t i = 0; i < PW_LENGTH(words); i++) {
		if (strcmp(shown, words[i][0]) != 0)
			continue;
		for (const char *const *word = words[i]; *word; word++) {
			if (strcmp(asked, *word) == 0)
				return true;
		}
	}
	return false;
}

static bool words_same(const char *shown, const char *asked)
{
	struct number a, b;

	if (strcmp(shown, asked) == 0 || yes_no_same(shown, asked))
		return true;
	if (number_of(shown, &a) && number_of(asked, &b))
		return a.negative == b.negative && a.amount == b.amount;
	return is_mask(shown) && is_mask(asked) && masks_same(shown, asked);
}

bool pw_value_same(const char *shown, const char *asked)
{
	pw_auto_strv struct pw_strv is = PW_STRV_INIT;
	pw_auto_strv struct pw_strv wanted = PW_STRV_INIT;
	pw_auto_free char *chosen = pw_value_chosen(shown);

	if (chosen && strcmp(chosen, asked) == 0)
		return true;
	pw_strv_split(&is, shown, BLANKS);
	pw_strv_split(&wanted, asked, BLANKS);
	if (is.count != wanted.count)
		return false;
	for (size_t i = 0; i < is.count; i++) {
		if (!words_same(is.items[i], wanted.items[i]))
			return false;
	}
	return true;
}
