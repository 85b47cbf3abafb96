/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/plugin/option.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/text.h"

#define TEXT_LIMIT 4096

void pw_pointer_step(char *buffer, size_t size, const char *key)
{
	struct pw_strbuf step = PW_STRBUF_INIT;
	size_t used = strlen(buffer);

	pw_strbuf_putc(&step, '/');
	for (; *key; key++) {
		if (*key == '~')
			pw_strbuf_puts(&step, "~0");
		else if (*key == '/')
			pw_strbuf_puts(&step, "~1");
		else
			pw_strbuf_putc(&step, *key);
	}
	(void)snprintf(buffer + used, size - used, "%s", pw_strbuf_text(&step));
	pw_strbuf_done(&step);
}

int pw_fail_unknown_key(struct pw_err *err, const char *key, const char *what,
			const char *const *known, size_t count)
{
	const char *nearest = pw_nearest(key, known, count);
	char pointer[sizeof(err->where)] = "";

	pw_pointer_step(pointer, sizeof(pointer), key);
	if (nearest)
		return pw_fail_at(err, pointer, 1, "unknown %s (did you mean \"%s\"?)", what,
				  nearest);
	(void)pw_fail_at(err, pointer, 1, "unknown %s", what);
	if (count) {
		struct pw_strbuf list = PW_STRBUF_INIT;

		for (size_t i = 0; i < count; i++)
			pw_strbuf_printf(&list, "%s%s", i ? ", " : "", known[i]);
		(void)pw_err_hint(err, "known here: %s", pw_strbuf_text(&list));
		pw_strbuf_done(&list);
	}
	return -(int)err->code;
}

static int wrong_type(const char *wanted, const struct pw_value *value, struct pw_err *err)
{
	return pw_fail_at(err, "", 0, "wants %s, not %s", wanted, pw_value_type_name(value->type));
}

static int check_switch(struct pw_value *value, struct pw_err *err)
{
	if (value->type == PW_VALUE_BOOL)
		return 0;
	if (value->type == PW_VALUE_INT && (value->integer == 0 || value->integer == 1)) {
		*value = pw_value_bool(value->integer == 1);
		return 0;
	}
	if (value->type == PW_VALUE_TEXT) {
		bool on = strcmp(value->text, "on") == 0;

		if (on || strcmp(value->text, "off") == 0) {
			pw_value_done(value);
			*value = pw_value_bool(on);
			return 0;
		}
		return pw_fail_at(err, "", 0, "'%.80s' is neither on nor off", value->text);
	}
	return wrong_type("on/off (or true/false, 1/0)", value, err);
}

static int check_int(const struct pw_option *option, struct pw_value *value, struct pw_err *err)
{
	if (value->type != PW_VALUE_INT)
		return wrong_type("a whole number", value, err);
	if ((option->min || option->max) &&
	    (value->integer < option->min || value->integer > option->max))
		return pw_fail_at(err, "", 0, "%" PRId64 " is outside %" PRId64 " to %" PRId64,
				  value->integer, option->min, option->max);
	return 0;
}

static int check_real(struct pw_value *value, struct pw_err *err)
{
	if (value->type == PW_VALUE_INT)
		*value = pw_value_real((double)value->integer);
	return value->type == PW_VALUE_REAL ? 0 : wrong_type("a number", value, err);
}

static int check_text(const struct pw_value *value, struct pw_err *err)
{
	if (value->type != PW_VALUE_TEXT)
		return wrong_type("a text", value, err);
	if (strlen(value->text) > TEXT_LIMIT)
		return pw_fail_at(err, "", 0, "is longer than %d bytes", TEXT_LIMIT);
	return 0;
}

static int check_choice(const struct pw_option *option, const struct pw_value *value,
			struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf list = PW_STRBUF_INIT;

	if (value->type != PW_VALUE_TEXT)
		return wrong_type("a text", value, err);
	for (const char *const *choice = option->choices; *choice; choice++) {
		if (strcmp(*choice, value->text) == 0)
			return 0;
		pw_strbuf_printf(&list, "%s%s", list.length ? ", " : "", *choice);
	}
	return pw_fail_at(err, "", 0, "'%.80s' is not one of: %s", value->text,
			  pw_strbuf_text(&list));
}

static int check_time(const struct pw_option *option, struct pw_value *value, struct pw_err *err)
{
	int64_t ns;

	if (value->type == PW_VALUE_INT || value->type == PW_VALUE_REAL)
		return pw_fail_at(err, "", 0,
				  "a time needs a unit, for example \"5s\" or \"500ms\"");
	if (value->type != PW_VALUE_TEXT)
		return wrong_type("a time such as \"5s\"", value, err);
	if (pw_parse_time(value->text, &ns, err) < 0)
		return -(int)err->code;
	if ((option->min || option->max) && (ns < option->min || ns > option->max)) {
		char low[32], high[32];

		pw_time_text(option->min, low, sizeof(low));
		pw_time_text(option->max, high, sizeof(high));
		return pw_fail_at(err, "", 0, "'%.80s' is outside %s to %s", value->text, low,
				  high);
	}
	pw_value_done(value);
	*value = pw_value_int(ns);
	return 0;
}

static int check_freq(struct pw_value *value, struct pw_err *err)
{
	int64_t khz;

	if (value->type == PW_VALUE_INT || value->type == PW_VALUE_REAL)
		return pw_fail_at(err, "", 0, "a frequency needs a unit, for example \"2.4GHz\"");
	if (value->type != PW_VALUE_TEXT)
		return wrong_type("a frequency such as \"2.4GHz\"", value, err);
	if (pw_parse_freq(value->text, &khz, err) < 0)
		return -(int)err->code;
	pw_value_done(value);
	*value = pw_value_int(khz);
	return 0;
}

static int check_power(struct pw_value *value, struct pw_err *err)
{
	int64_t uw;

	if (value->type == PW_VALUE_INT || value->type == PW_VALUE_REAL)
		return pw_fail_at(err, "", 0, "a power needs a unit, for example \"65W\"");
	if (value->type != PW_VALUE_TEXT)
		return wrong_type("a power such as \"65W\"", value, err);
	if (pw_parse_power(value->text, &uw, err) < 0)
		return -(int)err->code;
	pw_value_done(value);
	*value = pw_value_int(uw);
	return 0;
}

static int check_percent(struct pw_value *value, struct pw_err *err)
{
	double fraction;

	if (value->type == PW_VALUE_INT || value->type == PW_VALUE_REAL)
		return pw_fail_at(err, "", 0, "a percentage needs its sign, for example \"2%%\"");
	if (value->type != PW_VALUE_TEXT)
		return wrong_type("a percentage such as \"2%\"", value, err);
	if (pw_parse_percent(value->text, &fraction, err) < 0)
		return -(int)err->code;
	pw_value_done(value);
	*value = pw_value_real(fraction);
	return 0;
}

static int check_argv(const struct pw_value *value, struct pw_err *err)
{
	if (value->type != PW_VALUE_LIST)
		return wrong_type(
			"a list of texts, [\"program\", \"argument\"] (never a shell line)", value,
			err);
	if (value->count == 0)
		return pw_fail_at(err, "", 0, "is empty");
	for (size_t i = 0; i < value->count; i++) {
		if (check_text(&value->items[i], err) < 0)
			return pw_err_below(err, "/%zu", i);
	}
	if (value->items[0].text[0] == '\0')
		return pw_fail_at(err, "/0", 0, "the program's name is empty");
	return 0;
}

int pw_option_check(const struct pw_option *option, struct pw_value *value, struct pw_err *err)
{
	switch (option->type) {
	case PW_OPT_SWITCH:
		return check_switch(value, err);
	case PW_OPT_INT:
		return check_int(option, value, err);
	case PW_OPT_REAL:
		return check_real(value, err);
	case PW_OPT_TEXT:
	case PW_OPT_PATH:
		return check_text(value, err);
	case PW_OPT_CHOICE:
		return check_choice(option, value, err);
	case PW_OPT_TIME:
		return check_time(option, value, err);
	case PW_OPT_FREQ:
		return check_freq(value, err);
	case PW_OPT_POWER:
		return check_power(value, err);
	case PW_OPT_PERCENT:
		return check_percent(value, err);
	case PW_OPT_ARGV:
		return check_argv(value, err);
	default:
		return 0; /* SWEEP: the model; TREE: the plug-in */
	}
}

/* A quantity in the largest of the units (name, factor; largest first) that divides it. */
static struct pw_value quantity(int64_t amount, const char *const *units, const int64_t *factors,
				size_t count)
{
	char text[48];
	size_t unit = 0;

	while (unit + 1 < count && (amount == 0 || amount % factors[unit] != 0))
		unit++;
	(void)snprintf(text, sizeof(text), "%" PRId64 "%s", amount / factors[unit], units[unit]);
	return pw_value_text(text);
}

static struct pw_value percent(double fraction)
{
	char text[48];

	(void)snprintf(text, sizeof(text), "%.10g%%", 100 * fraction);
	return pw_value_text(text);
}

struct pw_value pw_option_outer(const struct pw_option *option, const struct pw_value *value)
{
	static const char *const times[] = { "h", "m", "s", "ms", "us", "ns" };
	static const int64_t time_factors[] = { 3600000000000, 60000000000, 1000000000,
						1000000,       1000,	    1 };
	static const char *const freqs[] = { "GHz", "MHz", "kHz" };
	static const int64_t freq_factors[] = { 1000000, 1000, 1 };
	static const char *const powers[] = { "kW", "W", "mW" };
	static const int64_t power_factors[] = { 1000000000, 1000000, 1000 };

	if (option->type == PW_OPT_TIME && value->type == PW_VALUE_INT)
		return quantity(value->integer, times, time_factors, PW_LENGTH(times));
	if (option->type == PW_OPT_FREQ && value->type == PW_VALUE_INT)
		return quantity(value->integer, freqs, freq_factors, PW_LENGTH(freqs));
	if (option->type == PW_OPT_POWER && value->type == PW_VALUE_INT)
		return quantity(value->integer, powers, power_factors, PW_LENGTH(powers));
	if (option->type == PW_OPT_PERCENT && value->type == PW_VALUE_REAL)
		return percent(value->real);
	if (option->type == PW_OPT_SWITCH && value->type == PW_VALUE_BOOL)
		return pw_value_text(value->boolean ? "on" : "off");
	return pw_value_copy(value);
}

static const struct pw_option *find_option(const struct pw_option *table, const char *name)
{
	for (; table && table->name; table++) {
		if (strcmp(table->name, name) == 0)
			return table;
	}
	return NULL;
}

static int unknown_option(const struct pw_option *table, const struct pw_option *common,
			  const char *const *keys, const char *key, struct pw_err *err)
{
	const char **known = NULL;
	size_t count = 0, capacity = 0;
	int r;

	for (; table && table->name; table++)
		PW_PUSH(known, count, capacity, table->name);
	for (; common && common->name; common++)
		PW_PUSH(known, count, capacity, common->name);
	for (; keys && *keys; keys++)
		PW_PUSH(known, count, capacity, *keys);
	r = pw_fail_unknown_key(err, key, "key", known, count);
	free(known);
	return r;
}

static bool listed(const char *const *keys, const char *key)
{
	for (; keys && *keys; keys++) {
		if (strcmp(*keys, key) == 0)
			return true;
	}
	return false;
}

/* The default of an option as a value in the outer form. */
static int default_value(const struct pw_option *option, struct pw_value *ret, struct pw_err *err)
{
	int64_t integer;
	double real;

	switch (option->type) {
	case PW_OPT_INT:
	case PW_OPT_SWEEP:
		if (pw_parse_i64(option->otherwise, &integer, err) == 0) {
			*ret = pw_value_int(integer);
			return 0;
		}
		if (option->type == PW_OPT_INT)
			return -(int)err->code;
		break;
	case PW_OPT_REAL:
		if (pw_parse_real(option->otherwise, &real, err) < 0)
			return -(int)err->code;
		*ret = pw_value_real(real);
		return 0;
	default:
		break;
	}
	*ret = pw_value_text(option->otherwise);
	return 0;
}

static int fill_defaults(const struct pw_option *table, struct pw_value *object, struct pw_err *err)
{
	for (; table && table->name; table++) {
		struct pw_value value = PW_VALUE_INIT;

		if (pw_value_get(object, table->name))
			continue;
		if (table->flags & PW_OPT_REQUIRED)
			return pw_fail_at(err, "", 0, "needs \"%s\" (%s)", table->name,
					  table->help);
		if (!table->otherwise)
			continue;
		if (default_value(table, &value, err) < 0 ||
		    pw_option_check(table, &value, err) < 0) {
			pw_value_done(&value);
			return pw_err_prefix(err, "default of %s", table->name);
		}
		pw_value_set(object, table->name, value);
	}
	return 0;
}

int pw_options_check(const struct pw_option *table, const struct pw_option *common,
		     const char *const *keys, struct pw_value *object, struct pw_err *err)
{
	for (size_t i = 0; i < object->count; i++) {
		const char *key = object->keys[i];
		const struct pw_option *option = find_option(table, key);

		if (!option)
			option = find_option(common, key);
		if (!option && listed(keys, key))
			continue;
		if (!option)
			return unknown_option(table, common, keys, key, err);
		if (pw_option_check(option, &object->items[i], err) < 0) {
			char pointer[sizeof(err->where)] = "";

			pw_pointer_step(pointer, sizeof(pointer), key);
			return pw_err_below(err, "%s", pointer);
		}
	}
	if (fill_defaults(table, object, err) < 0)
		return -(int)err->code;
	return fill_defaults(common, object, err);
}

const char *pw_option_type_text(enum pw_option_type type)
{
	static const char *const texts[] = {
		[PW_OPT_SWITCH] = "on or off",
		[PW_OPT_INT] = "a whole number",
		[PW_OPT_REAL] = "a number",
		[PW_OPT_TEXT] = "a text",
		[PW_OPT_PATH] = "a path",
		[PW_OPT_CHOICE] = "a word",
		[PW_OPT_TIME] = "a time",
		[PW_OPT_FREQ] = "a frequency",
		[PW_OPT_POWER] = "a power",
		[PW_OPT_PERCENT] = "a percentage",
		[PW_OPT_ARGV] = "a list of texts",
		[PW_OPT_SWEEP] = "a sweep",
		[PW_OPT_TREE] = "an object or a list",
	};

	return (size_t)type < PW_LENGTH(texts) && texts[type] ? texts[type] : "?";
}
