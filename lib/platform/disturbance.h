/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of the machine that may disturb a measurement and is no setting of perfwatt's. Keys
 * are absent where their source is:
 *   { "load": 0.35 (runnable and waiting tasks, mean of a minute), "throttled": n (thermal events
 *     of the CPU or package that was throttled most, since boot), "clocksource": "tsc",
 *     "nmi_watchdog": bool, "isolated": "2-3", "nohz_full": "2-3" (from the command line),
 *     "latency_us": n (a limit on idle states that somebody holds), "perf_event_paranoid": n,
 *     "sched_ext": name of the scheduler loaded, "virtual": "kvm", "supply": "mains"|"battery" }
 */
#ifndef PW_PLATFORM_DISTURBANCE_H
#define PW_PLATFORM_DISTURBANCE_H

#include "lib/base/fs.h"
#include "lib/plugin/value.h"

/* Fills an object; what cannot be read is left out. Never fails. */
void pw_disturbances(const struct pw_root *root, struct pw_value *ret);

/* The value of NAME=... among the words of a kernel command line (the last one); the caller's, or
 * NULL. Pure. */
char *pw_cmdline_value(const char *cmdline, const char *name);

#endif
