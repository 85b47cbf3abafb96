/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All processes of the machine with the CPU time they have used, read twice and compared: who else
 * worked in between. A reading allocates nothing; it opens one file a process, some ten
 * microseconds each, so it belongs before or behind a measured window and never into it.
 */
#ifndef PW_PLATFORM_PROCESSES_H
#define PW_PLATFORM_PROCESSES_H

#include <dirent.h>

#include "lib/platform/procstat.h"

struct pw_process {
	pid_t pid, parent;
	bool kernel;
	uint64_t start, ticks; /* user and system */
	char name[16];	       /* as the kernel cuts it (TASK_COMM_LEN), longer ones too */
};

struct pw_processes {
	struct pw_process *items; /* by pid */
	size_t count, capacity;
	bool complete; /* false: not every process found room, or /proc cannot be listed */
};

/* Room for `capacity` processes. */
void pw_processes_init(struct pw_processes *processes, size_t capacity);
void pw_processes_done(struct pw_processes *processes);

/* The folder /proc for pw_processes_read(); NULL if it cannot be listed. For closedir(). */
DIR *pw_processes_open(const struct pw_root *root);
/* How many there are now. */
size_t pw_processes_count(DIR *folder);
/* A process that vanishes while it is read, and a line that cannot be read, are left out. */
void pw_processes_read(const struct pw_root *root, DIR *folder, struct pw_processes *processes);

/* CPU time used between two readings, ticks, by those that are there in the later one. */
struct pw_process_use {
	uint64_t own;			  /* `self` and what is below it */
	uint64_t kernel;		  /* threads of the kernel */
	uint64_t others;		  /* everything else */
	size_t movers;			  /* how many of the others used any */
	uint64_t heaviest;		  /* of the one below */
	const struct pw_process *process; /* the heaviest of the others, in `after`; NULL: none */
};

/* self 0: none of them is ours (a fake root). */
struct pw_process_use pw_processes_compare(const struct pw_processes *before,
					   const struct pw_processes *after, pid_t self);
/*
 * The others that used at least `least` ticks, the heaviest first, at most `limit` of them. How
 * many; `used` are their ticks.
 */
size_t pw_processes_heaviest(const struct pw_processes *before, const struct pw_processes *after,
			     pid_t self, uint64_t least, const struct pw_process **ret,
			     uint64_t *used, size_t limit);

#endif
