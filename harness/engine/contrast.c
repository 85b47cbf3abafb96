/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/contrast.h"

#include <string.h>

static void add(struct pw_value *list, const char *name, const char *knob, const char *value)
{
	struct pw_value item = pw_value_object(), set = pw_value_object();

	if (knob)
		pw_value_set(&set, knob, pw_value_text(value));
	pw_value_set(&item, "name", pw_value_text(name));
	pw_value_set(&item, "set", set);
	pw_value_push(list, item);
}

/* Can the knob take this text here? */
static bool can(const struct pw_catalog *catalog, const struct pw_knob_env *env, const char *name,
		const char *text)
{
	const struct pw_knob *knob = pw_catalog_knob(catalog, name);
	pw_auto_value struct pw_value value = pw_value_text(text);
	struct pw_err err;

	return knob && (!knob->probe || knob->probe(env, &err) == 0) &&
	       pw_knob_check_value(knob, &value, &err) == 0 &&
	       (!knob->check || knob->check(env, &value, &err) == 0);
}

/* The governor farthest from the present one: performance, or, where that is in force, powersave.
 */
static bool add_governor(const struct pw_catalog *catalog, const struct pw_knob_env *env,
			 struct pw_value *list)
{
	static const char *const farthest[] = { "performance", "powersave" };
	const struct pw_knob *knob = pw_catalog_knob(catalog, "governor");
	pw_auto_value struct pw_value now = PW_VALUE_INIT;
	struct pw_err err;

	if (!knob || !knob->read || knob->probe(env, &err) < 0 || knob->read(env, &now, &err) < 0 ||
	    now.type != PW_VALUE_TEXT)
		return false;
	for (size_t i = 0; i < PW_LENGTH(farthest); i++) {
		if (strcmp(now.text, farthest[i]) != 0 &&
		    can(catalog, env, "governor", farthest[i])) {
			add(list, farthest[i], "governor", farthest[i]);
			return true;
		}
	}
	return false;
}

struct pw_value pw_contrast(const struct pw_catalog *catalog, const struct pw_knob_env *env)
{
	struct pw_value list = pw_value_list();

	add(&list, "present", NULL, NULL);
	add(&list, "present again", NULL, NULL);
	if (add_governor(catalog, env, &list))
		return list;
	if (env->usable_count > 1)
		add(&list, "one CPU", "affinity", "one");
	if (can(catalog, env, "cpu-max", "50%"))
		add(&list, "half CPU time", "cpu-max", "50%");
	return list;
}
