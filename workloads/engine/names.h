/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of names, each kept once; number 0 is the empty name. */
#ifndef PW_WORKLOADS_ENGINE_NAMES_H
#define PW_WORKLOADS_ENGINE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/cleanup.h"

struct pw_names {
	char **items; /* by number; owned */
	size_t count, capacity;
	uint32_t *buckets; /* open addressing over the numbers; 0 = free */
	size_t bucket_count;
};

void pw_names_init(struct pw_names *names);
void pw_names_done(struct pw_names *names);
/* The number of a name, which is added if new. */
uint32_t pw_names_add(struct pw_names *names, const char *name);

#endif
