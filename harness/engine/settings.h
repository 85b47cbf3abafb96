/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine's settings over a session: saved once, switched from configuration to configuration,
 * proven before and after every run, put back at the end.
 *
 * A configuration means: the machine as it stood, with the values of its `set` laid over. So a
 * switch applies what the configuration sets and puts everything else back to the saved state.
 */
#ifndef PW_ENGINE_SETTINGS_H
#define PW_ENGINE_SETTINGS_H

#include "harness/engine/journal.h"
#include "lib/base/log.h"
#include "lib/model/config.h"
#include "lib/platform/topology.h"

/* One knob of this machine with what was saved of it. */
struct pw_setting_state {
	const struct pw_knob *knob;
	struct pw_saved saved;
	int held_fd; /* HELD knobs: what is held open now, or -1 */
};

struct pw_settings {
	struct pw_knob_env env;
	const struct pw_catalog *catalog;
	struct pw_setting_state *states; /* present knobs, ascending order */
	size_t count, capacity;
	struct pw_launch launch;  /* of the current configuration */
	struct pw_saved snapshot; /* every saved file as it read after the last switch */
	const struct pw_configuration *current;
	struct pw_cpuset online; /* as last looked at */
	struct pw_cpuset usable; /* what env.usable names once CPUs have come or gone */
	unsigned cpu_changes;	 /* how often CPUs came or went: what was opened on them is stale */
	bool followed;		 /* a setting that follows another (tunables) has been applied */
};

/*
 * Finds the knobs of this machine. Writes nothing. env's members are borrowed for the whole life;
 * settings.env.usable follows the CPUs that configurations take offline and back.
 */
void pw_settings_init(struct pw_settings *settings, const struct pw_knob_env *env,
		      const struct pw_catalog *catalog);
void pw_settings_done(struct pw_settings *settings);

/* Can this machine have the configuration? The reason if not. No writes. */
int pw_settings_possible(const struct pw_settings *settings,
			 const struct pw_configuration *configuration, struct pw_err *err)
	pw_must_check;
/*
 * Saves the state of every present knob, and of the files that the configurations given name
 * themselves, and puts it into the journal (not yet synced). What `config_usable` excludes is left
 * out.
 */
int pw_settings_save(struct pw_settings *settings, const struct pw_config *config,
		     const bool *config_usable, struct pw_journal *journal, struct pw_err *err)
	pw_must_check;
/*
 * A switch, in two halves, as a configuration's program may act between them: everything that the
 * configuration leaves alone goes back to the saved state; then what it sets is applied and proven,
 * and the snapshot taken. On failure the machine may stand between.
 */
int pw_settings_put_back(struct pw_settings *settings, const struct pw_configuration *configuration,
			 struct pw_err *err) pw_must_check;
int pw_settings_apply(struct pw_settings *settings, const struct pw_configuration *configuration,
		      struct pw_err *err) pw_must_check;
/*
 * Is everything still as after the switch? PW_EFAILED names the first value that changed under us.
 */
int pw_settings_held(const struct pw_settings *settings, struct pw_err *err) pw_must_check;
/* Present values by knob name, for the record: { "governor": "schedutil", ... }. */
void pw_settings_describe(const struct pw_settings *settings, struct pw_value *ret);
/* Lets go of held files and workload surroundings (the files themselves are put back by restore).
 */
void pw_settings_release(struct pw_settings *settings);

#endif
