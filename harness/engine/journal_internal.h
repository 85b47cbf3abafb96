/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between journal.c, which knows the file, and journal_state.c, which knows what its lines mean. */
#ifndef PW_ENGINE_JOURNAL_INTERNAL_H
#define PW_ENGINE_JOURNAL_INTERNAL_H

#include "harness/engine/journal.h"

/* One line, without its newline. What it does not say goes into state->unreadable. */
void pw_journal_take(struct pw_journal_state *state, const char *line, size_t length,
		     size_t number);

#endif
