/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf events behind a small table, so that collectors run on scripted counters in tests.
 *
 * PMUs are found through their sysfs description (/sys/bus/event_source/devices/<pmu>: type,
 * cpumask, format/, events/ with .scale and .unit; kernel: Documentation/ABI/testing/
 * sysfs-bus-event_source-devices-events). A PMU type number read from a fake root must never reach
 * the kernel: under --root the counters are files of that root, and the
 * kernel's backend refuses a root that is not real.
 *
 * The files of a fake root: ROOT/perf/<pmu>/<event>/cpu<N> holds one counter as a plain decimal
 * number of 64 bits, in the event's own units (for "power": 2^-32 J). It is read anew each time, so
 * that it may be rewritten or replaced by a rename at any moment.
 */
#ifndef PW_PLATFORM_PERF_H
#define PW_PLATFORM_PERF_H

#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/fs.h"

struct pw_perf;

/* One event of one PMU. */
struct pw_perf_event {
	char pmu[64];  /* "power" */
	char name[64]; /* "energy-pkg" */
	uint32_t type;
	uint64_t config;
	double scale;  /* value * scale = units; 1 if the kernel gives none */
	char unit[32]; /* "Joules" or "" */
};

#define PW_PERF_GROUP_MAX 8

/* One reading of a group: values in the order of opening, taken in one call. */
struct pw_perf_reading {
	uint64_t values[PW_PERF_GROUP_MAX];
	uint64_t enabled_ns, running_ns; /* differ if multiplexed; 0 where the backend has none */
};

struct pw_perf_ops {
	/*
	 * Opens `count` events as one group on a CPU (pid -1), counting from then on. Returns a
	 * handle >= 0 or -code: EDENIED with the hint, EUNSUPPORTED if there is no such event.
	 */
	int (*open)(const struct pw_perf *perf, const struct pw_perf_event *events, size_t count,
		    unsigned cpu, struct pw_err *err);
	/* Neither allocates nor opens on the machine itself. EGONE if the events are gone. */
	int (*read)(const struct pw_perf *perf, int handle, struct pw_perf_reading *ret,
		    struct pw_err *err);
	void (*close)(const struct pw_perf *perf, int handle);
	void (*done)(struct pw_perf *perf); /* frees the context; may be NULL */
};

struct pw_perf {
	const struct pw_perf_ops *ops;
	const struct pw_root *root;
	void *context; /* the backend's own */
};

/* The kernel's backend for a real root, the file backend for a fake one. The root is borrowed. */
int pw_perf_init(struct pw_perf *perf, const struct pw_root *root, struct pw_err *err)
	pw_must_check;
/* Closes what is still open. */
void pw_perf_done(struct pw_perf *perf);

/* Each backend by itself. The kernel's refuses to open anything for a root that is not real. */
void pw_perf_init_kernel(struct pw_perf *perf, const struct pw_root *root);
void pw_perf_init_root(struct pw_perf *perf, const struct pw_root *root);

/*
 * Describes one event of a PMU from sysfs: type, the terms of events/<event> ("event=0x02,
 * umask=1", "config=0x5") placed by format/<term> ("config:0-7,21"), .scale and .unit. UNSUPPORTED
 * if the PMU or the event is not there (the text says which, the hint what might bring it) or needs
 * more than attr.config; EINVAL if a description is malformed.
 */
int pw_perf_describe(const struct pw_root *root, const char *pmu, const char *event,
		     struct pw_perf_event *ret, struct pw_err *err) pw_must_check;
/* The CPUs on which the PMU's events are to be opened: its cpumask, or every online CPU where it
 * has none ("msr"); owned list. */
int pw_perf_cpumask(const struct pw_root *root, const char *pmu, unsigned **ret, size_t *ret_count,
		    struct pw_err *err) pw_must_check;

#endif
