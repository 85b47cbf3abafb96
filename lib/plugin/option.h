/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Typed option tables: what a workload, collector or knob takes from the config. One table drives
 * checking, defaults, units, help and "did you mean".
 *
 * After pw_options_check() the object holds every option of the table, in the internal form:
 * TIME -> INT nanoseconds, FREQ -> INT kHz, POWER -> INT microwatts, PERCENT -> REAL fraction,
 * SWITCH -> BOOL, CHOICE and TEXT -> TEXT, ARGV -> LIST of TEXT, INT -> INT, REAL -> REAL, TREE ->
 * as given (checked by the plug-in). SWEEP stays as written (a list or a word): the model expands
 * it into points, and a plug-in's run sees the point's value as INT (or TEXT). An optional option
 * without default that was not given is absent.
 */
#ifndef PW_PLUGIN_OPTION_H
#define PW_PLUGIN_OPTION_H

#include <stdint.h>

#include "lib/base/err.h"
#include "lib/plugin/value.h"

enum pw_option_type {
	PW_OPT_UNSET,
	PW_OPT_SWITCH, /* true, false, "on", "off", 1, 0 */
	PW_OPT_INT,    /* within [min, max] unless both are 0 */
	PW_OPT_REAL,
	PW_OPT_TEXT, /* at most 4096 bytes */
	PW_OPT_PATH, /* TEXT; a relative one counts from the entry's folder: a run sees it absolute
		      */
	PW_OPT_CHOICE,
	PW_OPT_TIME,	/* "5s"; a number without a unit is refused */
	PW_OPT_FREQ,	/* "2.4GHz" */
	PW_OPT_POWER,	/* "65W", "800mW", "1.2kW" */
	PW_OPT_PERCENT, /* "2%" */
	PW_OPT_ARGV,	/* a non-empty list of texts */
	PW_OPT_SWEEP,	/* [1, 2, 8], "1..4x", "1x", "topology", or one number */
	PW_OPT_TREE,	/* anything; the plug-in checks it */
};

enum pw_option_flags {
	PW_OPT_REQUIRED = 1 << 0,
};

struct pw_option {
	const char *name;
	enum pw_option_type type;
	const char *help;
	const char *otherwise; /* default, written as in a config ("60s"; INT and REAL as digits),
				  or NULL */
	int64_t min, max;      /* INT: limits; TIME: limits in ns */
	const char *const *choices; /* NULL-terminated; CHOICE only */
	unsigned flags;
};

/*
 * Checks one value against one option and puts it into internal form. The error's place is ""
 * (the value itself).
 */
int pw_option_check(const struct pw_option *option, struct pw_value *value, struct pw_err *err)
	pw_must_check;
/*
 * Checks an object against one or more tables (each ends with a NULL name; `common` may be NULL):
 * unknown keys (with a suggestion), types, limits, missing required ones; fills defaults. `keys`
 * lists further keys that are the caller's own business (NULL-terminated, may be NULL).
 */
int pw_options_check(const struct pw_option *table, const struct pw_option *common,
		     const char *const *keys, struct pw_value *object, struct pw_err *err)
	pw_must_check;
/* A checked value as a config would hold it ("2.4GHz", "50%", "on"): the way back from internal
 * form. */
struct pw_value pw_option_outer(const struct pw_option *option, const struct pw_value *value);
/* "a time", "on or off", ...: what an option takes, for people. */
const char *pw_option_type_text(enum pw_option_type type);
/* Fails at the key `key` of an object: "unknown WHAT (did you mean ...?)". */
int pw_fail_unknown_key(struct pw_err *err, const char *key, const char *what,
			const char *const *known, size_t count);
/* Adds one step to an RFC 6901 pointer in a buffer: '~' and '/' of the key are escaped. */
void pw_pointer_step(char *buffer, size_t size, const char *key);

#endif
