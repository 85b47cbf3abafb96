/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/loghist.h"

#include <math.h>

void pw_loghist_merge(struct pw_loghist *into, const struct pw_loghist *from)
{
	into->count += from->count;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	for (size_t i = 0; i < PW_LOGHIST_BUCKETS; i++)
		into->buckets[i] += from->buckets[i];
}

/* The middle of a bucket, rounded down. */
static uint64_t bucket_middle(size_t bucket)
{
	unsigned shift;
	uint64_t low;

	if (bucket < 2 * PW_LOGHIST_PARTS)
		return bucket;
	shift = (unsigned)(bucket >> PW_LOGHIST_PART_BITS) - 1;
	low = (uint64_t)(bucket - ((size_t)shift << PW_LOGHIST_PART_BITS)) << shift;
	return low + (((UINT64_C(1) << shift) - 1) >> 1);
}

uint64_t pw_loghist_quantile(const struct pw_loghist *hist, double quantile)
{
	uint64_t wanted = (uint64_t)ceil(quantile * (double)hist->count);
	uint64_t seen = 0;

	if (wanted == 0)
		wanted = 1;
	for (size_t i = 0; i < PW_LOGHIST_BUCKETS; i++) {
		seen += hist->buckets[i];
		if (seen >= wanted) {
			uint64_t middle = bucket_middle(i);

			return middle < hist->max_ns ? middle : hist->max_ns;
		}
	}
	return hist->max_ns;
}
