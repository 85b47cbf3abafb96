/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/parse.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"

static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

int pw_parse_u64(const char *text, uint64_t *ret, struct pw_err *err)
{
	uint64_t value = 0;
	size_t length = digits(text);

	if (length == 0 || text[length] != '\0')
		return pw_fail(err, PW_EINVAL, "'%.80s' is not a whole number", text);
	for (size_t i = 0; i < length; i++) {
		if (__builtin_mul_overflow(value, 10U, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value))
			return pw_fail(err, PW_EINVAL, "'%.80s' is too large a number", text);
	}
	*ret = value;
	return 0;
}

int pw_parse_i64(const char *text, int64_t *ret, struct pw_err *err)
{
	int negative = text[0] == '-';
	uint64_t value = 0;
	int r = pw_parse_u64(text + negative, &value, err);

	if (r < 0)
		return pw_fail(err, PW_EINVAL, "'%.80s' is not a whole number", text);
	if (value > (uint64_t)INT64_MAX)
		return pw_fail(err, PW_EINVAL, "'%.80s' is too large a number", text);
	*ret = negative ? -(int64_t)value : (int64_t)value;
	return 0;
}

/* The length of the decimal number at the start of the text; 0 if there is none. */
static size_t number_length(const char *text)
{
	size_t sign = text[0] == '+' || text[0] == '-';
	size_t whole = digits(text + sign);
	size_t length = sign + whole;
	size_t fraction = 0, exponent;

	if (text[length] == '.') {
		fraction = digits(text + length + 1);
		length += 1 + fraction;
	}
	if (whole + fraction == 0)
		return 0;
	if (text[length] == 'e' || text[length] == 'E') {
		size_t start = length + 1 + (text[length + 1] == '+' || text[length + 1] == '-');

		exponent = digits(text + start);
		if (exponent)
			length = start + exponent;
	}
	return length;
}

/* strtod in the C locale, whatever the process has set. */
static double real_of(const char *text)
{
	static locale_t c_locale;

	if (!c_locale)
		c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	return strtod_l(text, NULL, c_locale);
}

int pw_parse_real(const char *text, double *ret, struct pw_err *err)
{
	size_t length = number_length(text);
	double value;

	if (length == 0 || text[length] != '\0')
		return pw_fail(err, PW_EINVAL, "'%.80s' is not a number", text);
	value = real_of(text);
	if (!isfinite(value))
		return pw_fail(err, PW_EINVAL, "'%.80s' is out of range", text);
	*ret = value;
	return 0;
}

struct unit {
	const char *name;
	double factor;
};

/* A number with one of the units; `what` and `example` go into the message. */
static int parse_quantity(const char *text, const struct unit *units, const char *what,
			  const char *example, double *ret, struct pw_err *err)
{
	size_t length = number_length(text);
	const char *unit = text + length;

	if (length == 0 || text[0] == '-' || text[0] == '+')
		return pw_fail(err, PW_EINVAL, "'%.80s' is not %s (%s)", text, what, example);
	if (*unit == '\0')
		return pw_fail(err, PW_EINVAL, "%s needs a unit (%s)", what, example);
	for (; units->name; units++) {
		if (strcmp(unit, units->name) == 0) {
			*ret = real_of(text) * units->factor;
			return 0;
		}
	}
	return pw_fail(err, PW_EINVAL, "'%.80s' is not %s: unknown unit '%.40s' (%s)", text, what,
		       unit, example);
}

int pw_parse_time(const char *text, int64_t *ret_ns, struct pw_err *err)
{
	static const struct unit units[] = { { "ns", 1 },      { "us", 1e3 }, { "ms", 1e6 },
					     { "s", 1e9 },     { "m", 60e9 }, { "h", 3600e9 },
					     { "d", 86400e9 }, { NULL, 0 } };
	double value;
	int r = parse_quantity(text, units, "a time", "for example \"5s\", \"500ms\", \"2m\"",
			       &value, err);

	if (r < 0)
		return r;
	if (!(value <= 366.0 * 86400e9))
		return pw_fail(err, PW_EINVAL, "'%.80s' is longer than a year", text);
	*ret_ns = (int64_t)llround(value);
	return 0;
}

int pw_parse_freq(const char *text, int64_t *ret_khz, struct pw_err *err)
{
	static const struct unit units[] = {
		{ "kHz", 1 }, { "MHz", 1e3 }, { "GHz", 1e6 }, { NULL, 0 }
	};
	double value;
	int r = parse_quantity(text, units, "a frequency", "for example \"2.4GHz\", \"800MHz\"",
			       &value, err);

	if (r < 0)
		return r;
	if (!(value < 1e9))
		return pw_fail(err, PW_EINVAL, "'%.80s' is no CPU frequency", text);
	*ret_khz = (int64_t)llround(value);
	return 0;
}

int pw_parse_power(const char *text, int64_t *ret_uw, struct pw_err *err)
{
	static const struct unit units[] = {
		{ "mW", 1 }, { "W", 1e3 }, { "kW", 1e6 }, { NULL, 0 }
	};
	double value;
	int r = parse_quantity(text, units, "a power", "for example \"65W\", \"800mW\"", &value,
			       err);

	if (r < 0)
		return r;
	if (!(value <= 1e9))
		return pw_fail(err, PW_EINVAL, "'%.80s' is more than a megawatt", text);
	*ret_uw = (int64_t)llround(value) * 1000;
	return 0;
}

int pw_parse_percent(const char *text, double *ret, struct pw_err *err)
{
	static const struct unit units[] = { { "%", 0.01 }, { NULL, 0 } };
	double value;
	int r = parse_quantity(text, units, "a percentage", "for example \"2%\"", &value, err);

	if (r < 0)
		return r;
	if (!isfinite(value))
		return pw_fail(err, PW_EINVAL, "'%.80s' is out of range", text);
	*ret = value;
	return 0;
}

static int compare_unsigned(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

/* Numbers past this are no CPU numbers (the kernel's largest NR_CPUS is 8192). */
#define CPU_LIMIT 65536

static int parse_range(const char *text, uint64_t *first, uint64_t *last, struct pw_err *err)
{
	pw_auto_free char *from = pw_strndup(text, digits(text));
	const char *rest = text + strlen(from);
	int r = pw_parse_u64(from, first, err);

	if (r < 0)
		return r;
	*last = *first;
	if (*rest == '\0')
		return 0;
	if (*rest != '-')
		return pw_fail(err, PW_EINVAL, "'%.80s' is not a CPU range", text);
	return pw_parse_u64(rest + 1, last, err);
}

int pw_parse_cpulist(const char *text, unsigned **ret, size_t *ret_count, struct pw_err *err)
{
	pw_auto_strv struct pw_strv parts = PW_STRV_INIT;
	pw_auto_free unsigned *cpus = NULL;
	size_t count = 0, capacity = 0, unique = 0;

	pw_strv_split(&parts, text, ", \n");
	for (size_t i = 0; i < parts.count; i++) {
		uint64_t first = 0, last = 0;

		if (parse_range(parts.items[i], &first, &last, err) < 0 || first > last ||
		    last >= CPU_LIMIT)
			return pw_fail(err, PW_EINVAL, "'%.80s' is not a CPU list", text);
		for (uint64_t cpu = first; cpu <= last; cpu++)
			PW_PUSH(cpus, count, capacity, (unsigned)cpu);
	}
	if (count)
		qsort(cpus, count, sizeof(*cpus), compare_unsigned);
	for (size_t i = 0; i < count; i++) {
		if (unique == 0 || cpus[unique - 1] != cpus[i])
			cpus[unique++] = cpus[i];
	}
	*ret = pw_take(cpus);
	*ret_count = unique;
	return 0;
}

/* Levenshtein distance with adjacent swaps as one edit; words longer than this are not compared. */
#define WORD_LIMIT 48

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

static size_t edits(const char *a, const char *b)
{
	size_t rows[3][WORD_LIMIT + 1];
	size_t *before = rows[0], *last = rows[1], *row = rows[2];
	size_t m = strlen(a), n = strlen(b);

	if (m > WORD_LIMIT || n > WORD_LIMIT)
		return SIZE_MAX;
	for (size_t j = 0; j <= n; j++)
		last[j] = j;
	for (size_t i = 1; i <= m; i++) {
		size_t *spare = before;

		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			row[j] = smallest(last[j] + 1, row[j - 1] + 1,
					  last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
		before = last;
		last = row;
		row = spare;
	}
	return last[n];
}

const char *pw_nearest(const char *word, const char *const *candidates, size_t count)
{
	size_t best = strlen(word) / 3 + 1;
	const char *nearest = NULL;

	for (size_t i = 0; i < count; i++) {
		size_t distance = edits(word, candidates[i]);

		if (distance < best || (distance == best && !nearest)) {
			best = distance;
			nearest = candidates[i];
		}
	}
	return nearest;
}

void pw_time_text(int64_t ns, char *buffer, size_t size)
{
	int64_t seconds = (ns + PW_NS_PER_S / 2) / PW_NS_PER_S;

	if (ns < PW_NS_PER_S)
		(void)snprintf(buffer, size, "%" PRId64 "ms", ns / PW_NS_PER_MS);
	else if (seconds < 60)
		(void)snprintf(buffer, size, "%" PRId64 "s", seconds);
	else if (seconds < 3600)
		(void)snprintf(buffer, size, "%" PRId64 "m%02" PRId64 "s", seconds / 60,
			       seconds % 60);
	else
		(void)snprintf(buffer, size, "%" PRId64 "h%02" PRId64 "m", seconds / 3600,
			       seconds / 60 % 60);
}
