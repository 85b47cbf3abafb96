/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/exec/unit.h"

#include <string.h>

#include "lib/base/mem.h"

enum family { UNKNOWN, TIME, DATA, FREQUENCY, POWER, ENERGY, COUNT };

struct unit {
	enum family family;
	const char *name;
	double size; /* in the family's smallest unit, so that every factor is a whole number */
};

#define KIB 1024.0
static const struct unit units[] = {
	{ TIME, "ns", 1 },
	{ TIME, "us", 1e3 },
	{ TIME, "\xc2\xb5s", 1e3 },
	{ TIME, "\xce\xbcs", 1e3 },
	{ TIME, "usec", 1e3 },
	{ TIME, "ms", 1e6 },
	{ TIME, "msec", 1e6 },
	{ TIME, "s", 1e9 },
	{ TIME, "sec", 1e9 },
	{ TIME, "secs", 1e9 },
	{ TIME, "second", 1e9 },
	{ TIME, "seconds", 1e9 },
	{ TIME, "min", 60e9 },
	{ TIME, "h", 3600e9 },
	{ DATA, "bit", 1 },
	{ DATA, "kbit", 1e3 },
	{ DATA, "Mbit", 1e6 },
	{ DATA, "Gbit", 1e9 },
	{ DATA, "B", 8 },
	{ DATA, "kB", 8e3 },
	{ DATA, "MB", 8e6 },
	{ DATA, "GB", 8e9 },
	{ DATA, "TB", 8e12 },
	{ DATA, "KiB", 8 * KIB },
	{ DATA, "MiB", 8 * KIB *KIB },
	{ DATA, "GiB", 8 * KIB *KIB *KIB },
	{ DATA, "TiB", 8 * KIB *KIB *KIB *KIB },
	{ FREQUENCY, "Hz", 1 },
	{ FREQUENCY, "kHz", 1e3 },
	{ FREQUENCY, "MHz", 1e6 },
	{ FREQUENCY, "GHz", 1e9 },
	{ POWER, "uW", 1 },
	{ POWER, "mW", 1e3 },
	{ POWER, "W", 1e6 },
	{ POWER, "kW", 1e9 },
	{ ENERGY, "uJ", 1 },
	{ ENERGY, "mJ", 1e3 },
	{ ENERGY, "J", 1e6 },
	{ ENERGY, "kJ", 1e9 },
	{ ENERGY, "Wh", 3600e6 },
};

/* A unit taken apart. `name` is the word without its "per second" and, for a count, its prefix. */
struct parts {
	enum family family;
	double size;
	bool per_second;
	char *name;
};

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), size = strlen(end);

	return length > size && strcmp(text + length - size, end) == 0;
}

/* The length of a unit without "/s" or "/sec". */
static size_t stem_length(const char *unit)
{
	if (ends_with(unit, "/s"))
		return strlen(unit) - strlen("/s");
	if (ends_with(unit, "/sec"))
		return strlen(unit) - strlen("/sec");
	return strlen(unit);
}

static const struct unit *find_unit(const char *name)
{
	for (size_t i = 0; i < PW_LENGTH(units); i++) {
		if (strcmp(units[i].name, name) == 0)
			return &units[i];
	}
	return NULL;
}

static struct parts take_apart(const char *unit)
{
	size_t length = stem_length(unit);
	struct parts parts = { .family = COUNT, .size = 1, .per_second = unit[length] != '\0' };
	const struct unit *known;

	parts.name = pw_strndup(unit, length);
	known = find_unit(parts.name);
	if (known) {
		parts.family = known->family;
		parts.size = known->size;
	}
	return parts;
}

static double prefix_size(char letter)
{
	switch (letter) {
	case 'k':
		return 1e3;
	case 'M':
		return 1e6;
	case 'G':
		return 1e9;
	default:
		return 0;
	}
}

/* The size of `name` in units of `word`: 1000 for ("kops", "ops"); 0 if it is another word. */
static double count_size(const char *name, const char *word)
{
	if (strcmp(name, word) == 0)
		return 1;
	return prefix_size(name[0]) > 0 && strcmp(name + 1, word) == 0 ? prefix_size(name[0]) : 0;
}

/* Sizes of both counts in one common word; false if they do not share one. */
static bool count_sizes(const char *from, const char *to, double *from_size, double *to_size)
{
	bool prefixed = prefix_size(to[0]) > 0 && to[1] != '\0';
	/* "kops" declared: the word both sides count in may be "ops". */
	const char *words[] = { to, prefixed ? to + 1 : to };

	for (size_t i = 0; i < PW_LENGTH(words); i++) {
		*to_size = count_size(to, words[i]);
		*from_size = count_size(from, words[i]);
		if (*from_size > 0)
			return true;
	}
	/* Nothing, or a prefix alone, was captured: of the word without prefix. */
	*to_size = count_size(to, words[1]);
	*from_size = from[0] == '\0' ? 1 : prefix_size(from[0]);
	return *from_size > 0 && (from[0] == '\0' || from[1] == '\0');
}

/* Both sizes in a common measure; false if there is none. */
static bool common_sizes(struct parts *from, struct parts *to)
{
	bool bare = from->name[0] == '\0' || from->name[1] == '\0';

	if (from->family != to->family)
		return false;
	if (from->family == COUNT) {
		/* "12k" for a declared "ops/s": what follows the prefix was not captured. */
		if (from->per_second != to->per_second && !(bare && !from->per_second))
			return false;
		return count_sizes(from->name, to->name, &from->size, &to->size);
	}
	return from->per_second == to->per_second;
}

int pw_exec_unit_convert(const char *from, const char *to, double *value, struct pw_err *err)
{
	struct parts source, target;
	bool common;

	if (strcmp(from, to) == 0)
		return 0;
	source = take_apart(from);
	target = take_apart(to);
	common = common_sizes(&source, &target);
	free(source.name);
	free(target.name);
	if (!common && from[0] == '\0')
		return pw_fail(err, PW_EFAILED, "captured no unit, declared is '%.40s'", to);
	if (!common)
		return pw_fail(err, PW_EFAILED,
			       "unit '%.40s' cannot be converted into the declared '%.40s'", from,
			       to);
	/* Whole-number factors multiply or divide exactly; 1/1000 would not. */
	if (source.size >= target.size)
		*value *= source.size / target.size;
	else
		*value /= target.size / source.size;
	return 0;
}

int pw_exec_unit_work(const char *unit, char **ret_unit, bool *ret_rate, struct pw_err *err)
{
	struct parts parts = take_apart(unit);

	if (parts.family == TIME || strchr(parts.name, '/')) {
		free(parts.name);
		return pw_fail(err, PW_EINVAL,
			       "work wants an amount (\"MB\") or an amount per second (\"MB/s\"), "
			       "not '%.40s'",
			       unit);
	}
	*ret_unit = parts.name;
	*ret_rate = parts.per_second;
	return 0;
}
