/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs and cpufreq policies of a machine, read below a root. */
#ifndef PW_PLATFORM_TOPOLOGY_H
#define PW_PLATFORM_TOPOLOGY_H

#include "lib/base/err.h"
#include "lib/base/fs.h"

struct pw_cpuset {
	unsigned *cpus; /* sorted */
	size_t count;
};

void pw_cpuset_done(struct pw_cpuset *set);
/* /sys/devices/system/cpu/online; owned. */
int pw_cpus_online(const struct pw_root *root, struct pw_cpuset *ret, struct pw_err *err)
	pw_must_check;
/* Online CPUs that this process may use (sched_getaffinity; all online ones under a fake root). */
int pw_cpus_usable(const struct pw_root *root, struct pw_cpuset *ret, struct pw_err *err)
	pw_must_check;
/* "0-3,8" as the kernel writes it; the caller's. */
char *pw_cpuset_text(const struct pw_cpuset *set);

/*
 * Names of the active policies ("policy0", "policy4"), natural order; an inactive one (all its
 * CPUs offline: every read gives EBUSY) is left out. An absent or empty cpufreq folder is an empty
 * list.
 */
int pw_policies(const struct pw_root *root, struct pw_strv *ret, struct pw_err *err) pw_must_check;

#define PW_CPU_DIR     "/sys/devices/system/cpu"
#define PW_CPUFREQ_DIR "/sys/devices/system/cpu/cpufreq"

#endif
