/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/epp.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/parse.h"

#define EPP_MAX 255

/*
 * Kernel arch/x86/include/asm/msr-index.h, HWP_EPP_*; drivers/cpufreq/amd-pstate.h has 0xBF for
 * balance_power. balance_performance depends on the model: intel_pstate takes 102 for some, or the
 * firmware's value where that lies between 1 and 127 (intel_pstate_update_epp_defaults).
 */
static const struct {
	const char *word;
	uint64_t low, high; /* numbers that a driver may show as this word */
	uint64_t usual;	    /* 0xBF for AMD is in the range */
} table[] = {
	{ "performance", 0, 0, 0 },
	{ "balance_performance", 1, 128, 128 },
	{ "balance_power", 191, 192, 192 },
	{ "power", 255, 255, 255 },
};

/* Any number: what "default" stands for is known to the driver alone. */
static const char any_word[] = "default";

int pw_epp_text(const struct pw_value *value, char text[PW_EPP_TEXT_SIZE], struct pw_err *err)
{
	struct pw_err ignored;
	uint64_t number;

	if (value->type == PW_VALUE_INT) {
		if (value->integer < 0 || value->integer > EPP_MAX)
			return pw_fail_at(err, "", 0, "%" PRId64 " is outside 0 to %d",
					  value->integer, EPP_MAX);
		(void)snprintf(text, PW_EPP_TEXT_SIZE, "%" PRId64, value->integer);
		return 0;
	}
	if (value->type != PW_VALUE_TEXT)
		return pw_fail_at(err, "", 0, "wants a word such as \"power\" or a number, not %s",
				  pw_value_type_name(value->type));
	if (pw_parse_u64(value->text, &number, &ignored) == 0 && number > EPP_MAX)
		return pw_fail_at(err, "", 0, "%s is outside 0 to %d", value->text, EPP_MAX);
	if (value->text[0] == '\0' || strlen(value->text) >= PW_EPP_TEXT_SIZE)
		return pw_fail_at(err, "", 0, "'%.80s' is no energy performance preference",
				  value->text);
	(void)snprintf(text, PW_EPP_TEXT_SIZE, "%s", value->text);
	return 0;
}

bool pw_epp_is_word(const char *text)
{
	for (size_t i = 0; i < PW_LENGTH(table); i++) {
		if (strcmp(table[i].word, text) == 0)
			return true;
	}
	return strcmp(text, any_word) == 0;
}

const char *pw_epp_word(const char *number)
{
	struct pw_err ignored;
	uint64_t value;

	if (pw_parse_u64(number, &value, &ignored) < 0)
		return NULL;
	for (size_t i = 0; i < PW_LENGTH(table); i++) {
		if (value == table[i].usual || (value >= 191 && value == table[i].low))
			return table[i].word;
	}
	return NULL;
}

/* The numbers a text may stand for; false if it is neither a known word nor a number. */
static bool span(const char *text, uint64_t *low, uint64_t *high)
{
	struct pw_err ignored;

	if (pw_parse_u64(text, low, &ignored) == 0) {
		*high = *low;
		return true;
	}
	for (size_t i = 0; i < PW_LENGTH(table); i++) {
		if (strcmp(table[i].word, text) == 0) {
			*low = table[i].low;
			*high = table[i].high;
			return true;
		}
	}
	return false;
}

bool pw_epp_same(const char *shown, const char *asked)
{
	uint64_t shown_low, shown_high, asked_low, asked_high;

	if (strcmp(shown, asked) == 0)
		return true;
	if (strcmp(asked, any_word) == 0)
		return shown[0] != '\0';
	if (!span(shown, &shown_low, &shown_high) || !span(asked, &asked_low, &asked_high))
		return false;
	return shown_low <= asked_high && asked_low <= shown_high;
}
