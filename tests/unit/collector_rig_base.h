/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bench of collector_rig.h: its parts, its clock, and the files of its root. */
#ifndef PW_TEST_COLLECTOR_RIG_BASE_H
#define PW_TEST_COLLECTOR_RIG_BASE_H

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/clock.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/platform/perf.h"
#include "lib/plugin/collector.h"

#define RIG_COUNTERS 64

/* One scripted counter: an event on a CPU. */
struct rig_counter {
	char event[64];
	unsigned cpu;
	uint64_t value;
};

struct rig_group {
	char events[PW_PERF_GROUP_MAX][64];
	size_t count;
	unsigned cpu;
};

struct rig {
	char dir[64];
	struct pw_root root;
	struct pw_perf perf;
	struct pw_collect collect;
	struct pw_err err;
	/* the scripted perf backend */
	struct rig_counter counters[RIG_COUNTERS];
	size_t counter_count;
	struct rig_group groups[RIG_COUNTERS];
	size_t group_count;
	int open_now; /* handles that were opened and not closed */
	enum pw_code open_fails, read_fails;
	uint64_t enabled_ns, running_ns; /* what readings say of the time counted */
	/* the collector under test */
	const struct pw_collector *collector;
	void *state;
	struct pw_value section;
	struct pw_strv warnings;
};

/* The clock that collectors see; each look at it costs rig_tick ns. */
static int64_t rig_now_ns;
static int64_t rig_tick_ns;

static inline int64_t rig_clock(void)
{
	int64_t now_ns = rig_now_ns;

	rig_now_ns += rig_tick_ns;
	return now_ns;
}

static inline void rig_at(double seconds)
{
	rig_now_ns = (int64_t)(seconds * 1e9) + PW_NS_PER_S;
}

/* A file of the root; the folders above it are made. */
static inline void rig_file(struct rig *rig, const char *path, const char *text)
{
	pw_auto_free char *full = pw_sprintf("%s%s", rig->dir, path);
	pw_auto_free char *folder = pw_strndup(full, (size_t)(strrchr(full, '/') - full));
	FILE *file;

	assert_int_equal(pw_make_dirs(folder, &rig->err), 0);
	file = fopen(full, "we");
	assert_non_null(file);
	assert_true(fprintf(file, "%s\n", text) > 0);
	assert_int_equal(fclose(file), 0);
}

static inline void rig_number(struct rig *rig, const char *path, uint64_t value)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%" PRIu64, value);
	rig_file(rig, path, text);
}

static inline void rig_remove(struct rig *rig, const char *path)
{
	pw_auto_free char *full = pw_sprintf("%s%s", rig->dir, path);

	assert_int_equal(unlink(full), 0);
}

#endif
