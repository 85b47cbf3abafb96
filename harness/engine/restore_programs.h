/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of a restore: the programs that take back what others did, and the services to start again. */
#ifndef PW_ENGINE_RESTORE_PROGRAMS_H
#define PW_ENGINE_RESTORE_PROGRAMS_H

#include "harness/engine/restore.h"

/* Does the journal ask for anything to be executed? */
bool pw_restore_has_programs(const struct pw_journal_state *state);
/*
 * Runs what is not yet undone, the latest first, and notes each as undone. Before files are put
 * back: the program may write them too.
 */
void pw_restore_undo(struct pw_journal *journal, const struct pw_journal_state *state,
		     struct pw_restore_report *report);
/* Starts what was stopped, in reverse order, and notes each. Last of all: services read files. */
void pw_restore_services(const struct pw_root *root, struct pw_journal *journal,
			 const struct pw_journal_state *state, struct pw_restore_report *report);

#endif
