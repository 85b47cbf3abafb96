/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ending what is left of a process tree. Called by the tender, after its first process. */
#ifndef PW_ENGINE_TREE_H
#define PW_ENGINE_TREE_H

#include <stdbool.h>
#include <sys/types.h>

/* Children of a process that are none of a tree's: up to so many. Entries of 0 or less count for
 * nothing. */
#define PW_SPARED 2

/*
 * Kills and reaps everything below this process: in a PID namespace by kill(-1), else by walking
 * /proc. `first` is the first process and not counted; if it is reaped here its status goes to
 * *wait_status. Those of `spared` (NULL: none) and what is below them stay alive. Returns how many
 * others had to be ended.
 */
unsigned pw_tree_end(bool in_namespace, pid_t first, const pid_t spared[PW_SPARED],
		     int *wait_status);

#endif
