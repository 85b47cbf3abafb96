/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can this machine have a configuration: judged before anything is written. */
#include <string.h>

#include "harness/engine/settings.h"
#include "harness/engine/settings_internal.h"

/* What an earlier setting of the same configuration brings that later ones cannot see yet. */
enum change {
	CHANGE_CPUS = 1 << 0,
	CHANGE_DRIVER = 1 << 1,
	CHANGE_GOVERNOR = 1 << 2,
};

/*
 * Behind which changes a setting's files are other ones, or none: it is told only at its turn.
 * Settings by path are not among these: what is not there now could not be saved.
 */
static unsigned waits_for(const struct pw_knob *knob)
{
	if (knob->flags & PW_KNOB_FOLLOWS)
		return 0; /* its check() knows what may come */
	switch (knob->scope) {
	case PW_KNOB_POLICY:
		return CHANGE_CPUS | CHANGE_DRIVER;
	case PW_KNOB_CPU:
	case PW_KNOB_WORKLOAD:
		return CHANGE_CPUS;
	case PW_KNOB_MACHINE:
		/* boost, the driver's percentages */
		return knob->order > PW_ORDER_DRIVER && knob->order < PW_ORDER_POWER ? CHANGE_DRIVER
										     : 0;
	default:
		return 0;
	}
}

static unsigned brings(const struct pw_knob *knob)
{
	if (knob->flags & PW_KNOB_RECREATES)
		return knob->order < PW_ORDER_PROFILE ? CHANGE_CPUS : CHANGE_DRIVER;
	return knob->order == PW_ORDER_GOVERNOR ? CHANGE_GOVERNOR : 0;
}

static bool is_in_force(const struct pw_knob_env *env, const struct pw_setting *setting)
{
	pw_auto_value struct pw_value now = PW_VALUE_INIT;
	struct pw_err ignored;

	return setting->knob->read && setting->knob->read(env, &now, &ignored) == 0 &&
	       pw_value_equal(&now, &setting->value);
}

int pw_setting_can_be(const struct pw_knob_env *env, const struct pw_setting *setting, bool settled,
		      struct pw_err *err)
{
	const struct pw_knob *knob = setting->knob;
	struct pw_knob_env own = *env;

	own.settled = settled;
	if (knob->probe && knob->probe(&own, err) < 0)
		return pw_err_prefix(err, "%s", knob->name);
	if (knob->check && knob->check(&own, &setting->value, err) < 0)
		return pw_err_prefix(err, "%s", knob->name);
	return 0;
}

/* A file that another setting saves and restores cannot be set behind that one's back. */
static int check_owner(const struct pw_settings *settings, const struct pw_saved *named,
		       const struct pw_knob *owner, struct pw_err *err)
{
	struct pw_saved owned = PW_SAVED_INIT;
	const char *taken = NULL;
	struct pw_err ignored;
	int r = 0;

	(void)!owner->save(&settings->env, &owned, &ignored);
	for (size_t i = 0; !taken && i < named->count; i++) {
		if (pw_saved_has(&owned, named->items[i].path))
			taken = named->items[i].path;
	}
	if (taken) {
		(void)pw_fail(err, PW_EUNSUPPORTED, "%s belongs to the setting '%s'", taken,
			      owner->name);
		r = pw_err_hint(err, "set %s instead", owner->name);
	}
	pw_saved_done(&owned);
	return r;
}

static int check_owners(const struct pw_settings *settings, const struct pw_setting *setting,
			struct pw_err *err)
{
	struct pw_saved named = PW_SAVED_INIT;
	int r;

	if (!setting->knob->save_for)
		return 0;
	r = setting->knob->save_for(&settings->env, &setting->value, &named, err);
	for (size_t i = 0; r == 0 && i < settings->count; i++) {
		const struct pw_knob *knob = settings->states[i].knob;

		if (knob != setting->knob && knob->save)
			r = check_owner(settings, &named, knob, err);
	}
	pw_saved_done(&named);
	return r < 0 ? pw_err_prefix(err, "%s", setting->knob->name) : 0;
}

int pw_settings_possible(const struct pw_settings *settings,
			 const struct pw_configuration *configuration, struct pw_err *err)
{
	unsigned changes = 0;

	for (size_t i = 0; i < configuration->setting_count; i++) {
		const struct pw_setting *setting = &configuration->settings[i];
		unsigned own = brings(setting->knob);

		if (changes & waits_for(setting->knob))
			continue;
		if (pw_setting_can_be(&settings->env, setting, changes == 0, err) < 0 ||
		    check_owners(settings, setting, err) < 0)
			return -(int)err->code;
		if (own && !is_in_force(&settings->env, setting))
			changes |= own;
	}
	return 0;
}
