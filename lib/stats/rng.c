/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/stats/rng.h"

uint64_t pw_rng_next(struct pw_rng *rng)
{
	uint64_t z = rng->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint64_t pw_rng_below(struct pw_rng *rng, uint64_t n)
{
	return ((pw_rng_next(rng) >> 32) * n) >> 32;
}

double pw_rng_unit(struct pw_rng *rng)
{
	return (double)(pw_rng_next(rng) >> 11) * 0x1.0p-53;
}

void pw_rng_shuffle(struct pw_rng *rng, size_t *items, size_t count)
{
	for (size_t i = count; i > 1; i--) {
		size_t j = (size_t)pw_rng_below(rng, i);
		size_t kept = items[i - 1];

		items[i - 1] = items[j];
		items[j] = kept;
	}
}
