/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time of one pass over all counters of a source: CLOCK_MONOTONIC before and after it. A
 * reading counts as taken in the middle.
 */
#ifndef PW_COLLECTORS_STAMP_H
#define PW_COLLECTORS_STAMP_H

#include <stdint.h>

#include "lib/base/clock.h"
#include "lib/plugin/collector.h"

struct pw_stamp {
	int64_t before_ns, after_ns;
};

typedef int64_t (*pw_clock_fn)(void);

static inline pw_clock_fn pw_stamp_clock(const struct pw_collect *collect)
{
	return collect->clock ? collect->clock : pw_clock_monotonic;
}

static inline int64_t pw_stamp_middle(const struct pw_stamp *stamp)
{
	return stamp->before_ns + (stamp->after_ns - stamp->before_ns) / 2;
}

static inline int64_t pw_stamp_width(const struct pw_stamp *stamp)
{
	return stamp->after_ns - stamp->before_ns;
}

#endif
