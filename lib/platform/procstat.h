/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel counts of CPU time, as texts below /proc (proc(5); K6.1 fs/proc/stat.c,
 * fs/proc/array.c). All times are ticks of sysconf(_SC_CLK_TCK). The parsers are pure, allocate
 * nothing, and leave *ret alone where they return false.
 */
#ifndef PW_PLATFORM_PROCSTAT_H
#define PW_PLATFORM_PROCSTAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/base/fs.h"

/* The line "cpu" of /proc/stat. Time of guests is part of user and nice already. */
struct pw_cpu_times {
	uint64_t user, nice, system, idle, iowait, irq, softirq, steal;
};

bool pw_cpu_times_parse(const char *text, struct pw_cpu_times *ret);
/* Of all CPUs together; allocates nothing. */
bool pw_cpu_times_read(const struct pw_root *root, struct pw_cpu_times *ret);

/* What passed between two readings. A field that fell (iowait may, proc(5)) counts as 0. */
struct pw_cpu_times pw_cpu_times_between(const struct pw_cpu_times *before,
					 const struct pw_cpu_times *after);
/* All of it, idle time included. */
uint64_t pw_cpu_times_total(const struct pw_cpu_times *times);

/*
 * The longest name that is kept: the kernel gives 15 bytes of a program's, but up to 63 of its own
 * workers' (K6.1 fs/proc/array.c, proc_task_name()).
 */
#define PW_PROCESS_NAME 64

struct pw_process_stat {
	pid_t pid, parent;
	char state;
	bool kernel; /* a thread of the kernel (PF_KTHREAD) */
	uint64_t user, system;
	uint64_t start; /* since boot: tells a process from a later one with the same pid */
	char name[PW_PROCESS_NAME];
};

/* One /proc/PID/stat. The name stands between the first '(' and the last ')' and may hold both. */
bool pw_process_stat_parse(const char *text, struct pw_process_stat *ret);

#endif
