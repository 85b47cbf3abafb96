/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SplitMix64 (Steele, Lea, Flood 2014; the reference constants of Vigna's splitmix64.c): the one
 * generator of perfwatt. Same seed, same sequence, on every machine.
 */
#ifndef PW_STATS_RNG_H
#define PW_STATS_RNG_H

#include <stddef.h>
#include <stdint.h>

struct pw_rng {
	uint64_t state;
};

static inline struct pw_rng pw_rng_seeded(uint64_t seed)
{
	return (struct pw_rng){ .state = seed };
}

uint64_t pw_rng_next(struct pw_rng *rng);
/* 0 <= value < n, by the high 32 bits: ((u64 >> 32) * n) >> 32. n up to 2^32. */
uint64_t pw_rng_below(struct pw_rng *rng, uint64_t n);
/* 0 <= value < 1, 53 bits. */
double pw_rng_unit(struct pw_rng *rng);
/* Fisher-Yates, from the last item down. */
void pw_rng_shuffle(struct pw_rng *rng, size_t *items, size_t count);

#endif
