/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long each CPU was not idle, from /proc/stat (proc(5); K6.1 fs/proc/stat.c): the time that
 * passed less idle, iowait and stolen time. Idle time is measured by the kernel at the CPU's own
 * entries and exits, while user and system time are sampled at timer ticks and miss short work. It
 * is shown in steps of 10 ms, so a run is known to about one step a CPU.
 */
#ifndef PW_COLLECTORS_CPU_TIME_H
#define PW_COLLECTORS_CPU_TIME_H

#include "lib/base/fs.h"
#include "lib/plugin/collector.h"

struct pw_cpu_time_cpu {
	bool seen;	   /* in the last reading */
	uint64_t not_busy; /* ticks: idle, iowait, steal */
	uint64_t first;	   /* the same when the run began */
	int64_t busy_ns;   /* in this run; never falls */
};

struct pw_cpu_time {
	const struct pw_root *root;
	int fd; /* -1: by path */
	char *text;
	size_t size;
	struct pw_cpu_time_cpu *cpus; /* by CPU number */
	size_t count;
	int64_t first_ns;
	double step_s; /* one tick */
};

/* `highest`: the highest CPU number. Reads once to see that it can be read. */
int pw_cpu_time_open(struct pw_cpu_time *time, const struct pw_root *root, unsigned highest,
		     struct pw_err *err) pw_must_check;
void pw_cpu_time_close(struct pw_cpu_time *time);
/* A run begins with start = true. Allocates nothing. */
int pw_cpu_time_read(struct pw_cpu_time *time, bool start, int64_t now_ns, struct pw_err *err)
	pw_must_check;
/* Busy time of a CPU in this run, ns; EGONE if it was not in the last reading. */
int pw_cpu_time_busy(const struct pw_cpu_time *time, unsigned cpu, int64_t *ret_ns,
		     struct pw_err *err) pw_must_check;

#endif
