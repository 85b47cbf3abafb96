/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log-linear histogram of times in ns: every power of two is cut into 32 equal parts, so that a
 * quantile is within 1/32 of the true one. Fixed size, no allocation, fit for shared memory.
 */
#ifndef PW_WORKLOADS_ENGINE_LOGHIST_H
#define PW_WORKLOADS_ENGINE_LOGHIST_H

#include <stddef.h>
#include <stdint.h>

#define PW_LOGHIST_PART_BITS 5
#define PW_LOGHIST_PARTS     (1 << PW_LOGHIST_PART_BITS)
#define PW_LOGHIST_TOP_BITS  42 /* 2^42 ns = 73 min; what is longer counts in the last bucket */
#define PW_LOGHIST_BUCKETS   ((PW_LOGHIST_TOP_BITS - PW_LOGHIST_PART_BITS + 1) * PW_LOGHIST_PARTS)

struct pw_loghist {
	uint64_t count;
	uint64_t max_ns;
	uint64_t buckets[PW_LOGHIST_BUCKETS];
};

static inline size_t pw_loghist_bucket(uint64_t ns)
{
	int shift;

	if (ns < PW_LOGHIST_PARTS)
		return (size_t)ns;
	if (ns >> PW_LOGHIST_TOP_BITS)
		return PW_LOGHIST_BUCKETS - 1;
	shift = 63 - __builtin_clzll(ns) - PW_LOGHIST_PART_BITS;
	return ((size_t)shift << PW_LOGHIST_PART_BITS) + (size_t)(ns >> shift);
}

static inline void pw_loghist_add(struct pw_loghist *hist, uint64_t ns)
{
	hist->count++;
	hist->buckets[pw_loghist_bucket(ns)]++;
	if (ns > hist->max_ns)
		hist->max_ns = ns;
}

void pw_loghist_merge(struct pw_loghist *into, const struct pw_loghist *from);
/*
 * The value below or at which the share `quantile` (0 < q <= 1) of the values lies: the middle of
 * its bucket, never above the maximum; 0 when empty.
 */
uint64_t pw_loghist_quantile(const struct pw_loghist *hist, double quantile);

#endif
