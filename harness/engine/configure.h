/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A configuration as a whole: its settings, its programs, the program that runs beside. One order,
 * for every switch:
 *
 *   stop what ran beside -> undo -> put back what the new one does not set ->
 *   apply -> set and prove -> verify -> start what runs beside
 */
#ifndef PW_ENGINE_CONFIGURE_H
#define PW_ENGINE_CONFIGURE_H

#include "harness/engine/companion.h"
#include "harness/engine/contents.h"
#include "harness/engine/program.h"
#include "harness/engine/settings.h"
#include "lib/model/store.h"

struct pw_configure {
	/* Of the session, borrowed. */
	struct pw_settings *settings;
	struct pw_store *store;
	struct pw_program_env programs; /* its spared: the guard, then the companion's tender */
	struct pw_contents *contents;	/* per configuration */
	/* State. */
	struct pw_companion companion;
	const struct pw_configuration *current; /* in force, as far as known; or NULL */
	struct pw_journal_undo undo; /* of the `apply` in force; config NULL: there is none */
};

#define PW_CONFIGURE_INIT ((struct pw_configure){ .companion = PW_COMPANION_INIT })

/*
 * Brings the configuration into force, as far as it is not: before every run. A file that it names
 * may not have changed since the session began. `id` names the file of what the program beside
 * prints: raw/<id>.with. -PW_ESTOPPED: the user interrupted. On failure the machine may stand
 * between; the next call begins with taking back what was done.
 */
int pw_configure_enter(struct pw_configure *configure, const struct pw_configuration *to,
		       const char *id, struct pw_err *err) pw_must_check;
/* Does the program beside still run? Between settling and the run. */
int pw_configure_ready(struct pw_configure *configure, struct pw_err *err) pw_must_check;
/*
 * After a run: is everything as it was brought into force? PW_EFAILED says what is not;
 * -PW_ESTOPPED: interrupted while that was found out.
 */
int pw_configure_held(struct pw_configure *configure, struct pw_err *err) pw_must_check;
/* Adds `apply` and `with` of the configuration in force to a record's settings. */
void pw_configure_describe(const struct pw_configure *configure, struct pw_value *settings);
/*
 * A new guard: the program beside is started anew for the next run, as its tender must outlive no
 * restore of that guard (it keeps the guard's socket open).
 */
void pw_configure_new_guard(struct pw_configure *configure, pid_t guard);
/* Stops what runs beside. What is to be undone is in the journal. */
void pw_configure_done(struct pw_configure *configure);

#endif
