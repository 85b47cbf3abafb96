/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From two readings to shares of CPU time, and from shares to verdicts. Pure. */
#ifndef PW_ENGINE_NOISE_SHARES_H
#define PW_ENGINE_NOISE_SHARES_H

#include "lib/model/config.h"
#include "lib/platform/processes.h"

/* A machine that slept longer than the jitter between two reads of two clocks. */
bool pw_was_suspended(int64_t suspended_ns);

struct pw_interval {
	struct pw_cpu_times passed; /* of all CPUs, ticks */
	struct pw_process_use use;
	int64_t ns;	   /* by the monotonic clock */
	int64_t tree_ns;   /* CPU time of the workload's tree, which is gone by the end */
	long tick_rate;	   /* ticks a second */
	bool by_processes; /* /proc/stat is too coarse for this interval: only `use` counts */
};

/* Shares, 0.05 for 5 %. */
struct pw_noise_shares {
	bool known;			      /* false: the counters did not advance */
	double others, steal, iowait, kernel; /* of all CPUs' time */
	double sure_others, sure_steal;	      /* less what counting in ticks may have added */
	double heaviest;		      /* of one CPU's time */
	char name[96];			      /* of the heaviest process, fit to be shown */
	pid_t pid;			      /* 0: there is none */
};

void pw_noise_shares(const struct pw_interval *interval, struct pw_noise_shares *ret);
/* A process's name, fit to be shown. */
void pw_noise_name(const struct pw_process *process, char *ret, size_t size);
/* One text for each limit of the config that is passed: "noise: ...". */
void pw_noise_beyond(const struct pw_noise_shares *shares, const struct pw_config *config,
		     struct pw_strv *texts);

#endif
