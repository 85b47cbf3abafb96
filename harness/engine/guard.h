/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guard: a small process in a session of its own that outlives perfwatt and, if perfwatt dies
 * without having put the machine back, does it from the journal.
 */
#ifndef PW_ENGINE_GUARD_H
#define PW_ENGINE_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

#include "harness/engine/journal.h"
#include "lib/base/err.h"
#include "lib/plugin/catalog.h"

struct pw_guard {
	pid_t pid;
	int fd; /* its end: a byte = all is well, end of file = perfwatt died */
	/* What another one would be started with; borrowed. */
	struct pw_journal *journal;
	const struct pw_catalog *catalog;
	int lock_fd;
};

#define PW_GUARD_INIT ((struct pw_guard){ .pid = -1, .fd = -1 })

/*
 * The journal, and lock_fd (-1: none), stay open in the guard: it restores even if the results
 * folder is gone, and nobody starts while it puts things back.
 */
int pw_guard_start(struct pw_journal *journal, const struct pw_catalog *catalog, int lock_fd,
		   struct pw_guard *ret, struct pw_err *err) pw_must_check;
/* Nobody stands in for perfwatt any more once it was killed: to be asked before every change. */
bool pw_guard_lives(const struct pw_guard *guard);
/* Another one in the place of one that is gone. On failure there is none. */
int pw_guard_renew(struct pw_guard *guard, struct pw_err *err) pw_must_check;
/* The machine has been put back: the guard goes. */
void pw_guard_dismiss(struct pw_guard *guard);
/* perfwatt could not put everything back: the guard tries once more and goes. */
void pw_guard_hand_over(struct pw_guard *guard);

#endif
