/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sweep words. "A..B" is A, the powers of two between, and B; a number with x counts in usable
 * CPUs; "topology" is "1..1x". A list may mix numbers and words. What appears twice counts once.
 */
#include <inttypes.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/text.h"
#include "lib/model/config_internal.h"

#define WORDS "a number, a list such as [1, 2, 8], \"1..4x\" or \"1x\" (x = CPUs), or \"topology\""

struct sweep {
	unsigned cpus;
	int64_t min, max;
	bool any;	       /* texts and any number are values too */
	struct pw_value *list; /* unique, in order */
};

static int add(const struct sweep *sweep, struct pw_value item, struct pw_err *err)
{
	for (size_t i = 0; i < sweep->list->count; i++) {
		if (pw_value_equal(&sweep->list->items[i], &item)) {
			pw_value_done(&item);
			return 0;
		}
	}
	if (sweep->list->count == PW_POINT_LIMIT) {
		pw_value_done(&item);
		return pw_fail_at(err, "", 0, "has more than %d values", PW_POINT_LIMIT);
	}
	pw_value_push(sweep->list, item);
	return 0;
}

static int check_number(const struct sweep *sweep, int64_t number, struct pw_err *err)
{
	if (number >= sweep->min && number <= sweep->max)
		return 0;
	return pw_fail_at(err, "", 0, "%" PRId64 " is outside %" PRId64 " to %" PRId64, number,
			  sweep->min, sweep->max);
}

static int add_number(const struct sweep *sweep, int64_t number, struct pw_err *err)
{
	if (check_number(sweep, number, err) < 0)
		return -(int)err->code;
	return add(sweep, pw_value_int(number), err);
}

struct term {
	int64_t value;
	bool relative; /* counted in CPUs */
};

/* "8" or "4x" at *text, which is moved behind it. */
static bool read_term(const char **text, unsigned cpus, struct term *ret)
{
	struct pw_err ignored = PW_ERR_INIT;
	size_t length = strspn(*text, "0123456789");
	pw_auto_free char *digits = pw_strndup(*text, length);
	uint64_t number;

	if (pw_parse_u64(digits, &number, &ignored) < 0 || number > (uint64_t)PW_SWEEP_MAX)
		return false;
	ret->relative = (*text)[length] == 'x';
	ret->value = (int64_t)number * (ret->relative ? cpus : 1);
	*text += length + ret->relative;
	return true;
}

/* Is the text a word of the form TERM or TERM..TERM; a bare number is none. */
static bool read_word(const char *text, unsigned cpus, struct term *from, struct term *to)
{
	if (strcmp(text, "topology") == 0)
		text = "1..1x";
	if (!read_term(&text, cpus, from))
		return false;
	*to = *from;
	if (*text == '\0')
		return from->relative;
	if (strncmp(text, "..", 2) != 0)
		return false;
	text += 2;
	return read_term(&text, cpus, to) && *text == '\0';
}

static int add_word(const struct sweep *sweep, const char *text, struct pw_err *err)
{
	struct term from, to;

	if (!read_word(text, sweep->cpus, &from, &to)) {
		if (sweep->any)
			return add(sweep, pw_value_text(text), err);
		return pw_fail_at(err, "", 0, "'%.80s' is no sweep (%s)", text, WORDS);
	}
	if (from.value > to.value && !from.relative && !to.relative)
		return pw_fail_at(err, "", 0, "'%.80s' runs backwards", text);
	if (check_number(sweep, to.value, err) < 0)
		return -(int)err->code;
	/* On a machine with fewer CPUs than the start asks for, only the maximum is left. */
	if (from.value < to.value && add_number(sweep, from.value, err) < 0)
		return -(int)err->code;
	for (int64_t power = 1; power < to.value; power *= 2) {
		if (power > from.value && add_number(sweep, power, err) < 0)
			return -(int)err->code;
	}
	return add_number(sweep, to.value, err);
}

static int add_text(const struct sweep *sweep, const struct pw_value *value, struct pw_err *err)
{
	if (pw_want_text(value, 4 * PW_NAME_LIMIT, err) < 0)
		return -(int)err->code;
	return add_word(sweep, value->text, err);
}

static int add_item(const struct sweep *sweep, const struct pw_value *value, struct pw_err *err)
{
	switch (value->type) {
	case PW_VALUE_INT:
		return add_number(sweep, value->integer, err);
	case PW_VALUE_TEXT:
		return add_text(sweep, value, err);
	case PW_VALUE_REAL:
		if (sweep->any)
			return add(sweep, pw_value_real(value->real), err);
		return pw_fail_at(err, "", 0, "wants whole numbers");
	default:
		return pw_fail_at(err, "", 0, "wants %s, not %s", WORDS,
				  pw_value_type_name(value->type));
	}
}

static int expand(const struct sweep *sweep, const struct pw_value *value, struct pw_err *err)
{
	if (value->type != PW_VALUE_LIST)
		return add_item(sweep, value, err);
	if (value->count == 0)
		return pw_fail_at(err, "", 0, "is empty: a sweep has at least one value");
	for (size_t i = 0; i < value->count; i++) {
		if (add_item(sweep, &value->items[i], err) < 0)
			return pw_err_below(err, "/%zu", i);
	}
	return 0;
}

/* `limits` is everything but the list. */
static int expand_into(const struct sweep *limits, const struct pw_value *value,
		       struct pw_value *ret, struct pw_err *err)
{
	struct pw_value list = pw_value_list();
	struct sweep sweep = *limits;

	sweep.list = &list;
	if (expand(&sweep, value, err) < 0) {
		pw_value_done(&list);
		return -(int)err->code;
	}
	*ret = list;
	return 0;
}

int pw_sweep_expand(const struct pw_value *value, const struct pw_option *option, unsigned cpus,
		    struct pw_value *ret, struct pw_err *err)
{
	struct sweep limits = { .cpus = cpus, .min = 1, .max = PW_SWEEP_MAX };

	if (option->min > 1)
		limits.min = option->min;
	if (option->max > 0)
		limits.max = option->max;
	return expand_into(&limits, value, ret, err);
}

int pw_sweep_expand_any(const struct pw_value *value, unsigned cpus, struct pw_value *ret,
			struct pw_err *err)
{
	struct sweep limits = { .cpus = cpus, .min = INT64_MIN, .max = INT64_MAX, .any = true };

	return expand_into(&limits, value, ret, err);
}
