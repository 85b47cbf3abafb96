/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every test of a knob does: find it, give it a value as a config would, put things back. */
#ifndef PW_TEST_FAKE_KNOB_H
#define PW_TEST_FAKE_KNOB_H

#include "fake_root.h"

#include "lib/platform/topology.h"
#include "lib/plugin/knob.h"

static inline const struct pw_knob *fake_knob(const char *name)
{
	for (const struct pw_knob *const *knob = pw_knobs; *knob; knob++) {
		if (strcmp((*knob)->name, name) == 0)
			return *knob;
	}
	fail_msg("no knob %s", name);
	abort(); /* the compiler does not know that fail_msg() never returns */
}

struct fake_env {
	struct pw_cpuset usable;
	struct pw_knob_env env;
};

static inline struct fake_env fake_env(const struct fake *fake)
{
	struct fake_env made = { .env = { .root = &fake->root, .tag = "t1" } };
	struct pw_err err;

	fake_must(pw_cpus_usable(&fake->root, &made.usable, &err), &err);
	made.env.usable = made.usable.cpus;
	made.env.usable_count = made.usable.count;
	return made;
}

/* A text, or a whole number where it is one, in the knob's internal form. */
static inline struct pw_value fake_value(const struct pw_knob *knob, const char *text)
{
	struct pw_value value = pw_value_text(text);
	struct pw_err err;
	int64_t number;

	if (knob->value.type == PW_OPT_TREE && pw_parse_i64(text, &number, &err) == 0) {
		pw_value_done(&value);
		value = pw_value_int(number);
	}
	fake_must(pw_option_check(&knob->value, &value, &err), &err);
	return value;
}

/* check, apply (or hold is the test's own business) and verify; the first failure's code. */
static inline int fake_apply(const struct pw_knob_env *env, const char *name, const char *text,
			     struct pw_err *err)
{
	const struct pw_knob *knob = fake_knob(name);
	pw_auto_value struct pw_value value = fake_value(knob, text);
	int r = knob->probe(env, err);

	if (r == 0 && knob->check)
		r = knob->check(env, &value, err);
	if (r == 0)
		r = knob->apply(env, &value, err);
	return r < 0 ? r : knob->verify(env, &value, err);
}

static inline int fake_check(const struct pw_knob_env *env, const char *name, const char *text,
			     struct pw_err *err)
{
	const struct pw_knob *knob = fake_knob(name);
	pw_auto_value struct pw_value value = fake_value(knob, text);

	return knob->check(env, &value, err);
}

/* As the engine does it: the knob's restore, or write, read back and compare. */
static inline void fake_restore(const struct pw_knob_env *env, const char *name,
				const struct pw_saved *saved)
{
	const struct pw_knob *knob = fake_knob(name);
	struct pw_err err;
	char text[1024];

	for (size_t i = 0; i < saved->count; i++) {
		const struct pw_saved_item *item = &saved->items[i];

		if (knob->restore) {
			fake_must(knob->restore(env, item, &err), &err);
			if (knob->is_back && !knob->is_back(env, item))
				fail_msg("%s is not back at '%s'", item->path, item->value);
			continue;
		}
		fake_must(pw_attr_write(env->root, item->path,
					item->restore ? item->restore : item->value, &err),
			  &err);
		fake_must(pw_attr_read(env->root, item->path, text, sizeof(text), &err), &err);
		assert_string_equal(text, item->value);
	}
}

/* The value that read() gives, as a text; a static buffer. */
static inline const char *fake_read(const struct pw_knob_env *env, const char *name)
{
	static char text[256];
	pw_auto_value struct pw_value value = PW_VALUE_INIT;
	struct pw_err err;

	fake_must(fake_knob(name)->read(env, &value, &err), &err);
	if (value.type == PW_VALUE_TEXT)
		(void)snprintf(text, sizeof(text), "%s", value.text);
	else if (value.type == PW_VALUE_INT)
		(void)snprintf(text, sizeof(text), "%lld", (long long)value.integer);
	else if (value.type == PW_VALUE_BOOL)
		(void)snprintf(text, sizeof(text), "%s", value.boolean ? "on" : "off");
	else
		(void)snprintf(text, sizeof(text), "%g", value.real);
	return text;
}

/* choices() joined by blanks; the caller's. */
static inline char *fake_choices(const struct pw_knob_env *env, const char *name)
{
	pw_auto_strv struct pw_strv list = PW_STRV_INIT;
	struct pw_err err;

	fake_must(fake_knob(name)->choices(env, &list, &err), &err);
	return pw_strv_join(&list, " ");
}

#define assert_has(text, part)                                                                     \
	do {                                                                                       \
		if (!strstr(text, part))                                                           \
			fail_msg("'%s' does not hold '%s'", text, part);                           \
	} while (0)

#endif
