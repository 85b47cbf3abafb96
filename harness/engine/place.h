/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfwatt's own places: the lock that keeps a machine to one session, and the note of which
 * journal is to be restored. As root /run/perfwatt and /var/lib/perfwatt (below the root given);
 * else XDG_RUNTIME_DIR/perfwatt and XDG_STATE_HOME/perfwatt (or ~/.local/state/perfwatt).
 */
#ifndef PW_ENGINE_PLACE_H
#define PW_ENGINE_PLACE_H

#include "lib/base/err.h"
#include "lib/base/fs.h"

struct pw_places {
	char *run;   /* folder of the lock */
	char *state; /* folder of the note */
};

/* Their names only. */
void pw_places_find(const struct pw_root *root, struct pw_places *ret);
/* Their names, and the folders made. */
int pw_places_make(const struct pw_root *root, struct pw_places *ret, struct pw_err *err)
	pw_must_check;
void pw_places_done(struct pw_places *places);

/* The lock's fd, held while open. PW_EBUSY names who has it. */
int pw_lock_take(const struct pw_places *places, const char *results, struct pw_err *err)
	pw_must_check;
/* Who holds the lock now: "pid 123, results DIR"; NULL if nobody. The caller's. */
char *pw_lock_holder(const struct pw_places *places);

/* The journal that may have to be restored: noted before the first change, forgotten after the end.
 */
int pw_note_journal(const struct pw_places *places, const char *journal, struct pw_err *err)
	pw_must_check;
/* NULL if none is noted. The caller's. */
char *pw_noted_journal(const struct pw_places *places);
void pw_forget_journal(const struct pw_places *places);

#endif
