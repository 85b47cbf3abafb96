/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/names.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#define FIRST_BUCKETS 1024 /* a power of two */

void pw_names_init(struct pw_names *names)
{
	*names = (struct pw_names){ .bucket_count = FIRST_BUCKETS };
	names->buckets = pw_new(names->bucket_count, sizeof(*names->buckets));
	PW_PUSH(names->items, names->count, names->capacity, pw_strdup(""));
}

void pw_names_done(struct pw_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
	free(names->buckets);
	*names = (struct pw_names){ 0 };
}

/* The bucket of a name, or the free one where it belongs. */
static uint32_t *find_bucket(const struct pw_names *names, const char *name)
{
	size_t mask = names->bucket_count - 1;
	size_t at = (size_t)pw_fnv1a64_text(name) & mask;

	while (names->buckets[at] && strcmp(names->items[names->buckets[at]], name) != 0)
		at = (at + 1) & mask;
	return &names->buckets[at];
}

static void rehash(struct pw_names *names)
{
	free(names->buckets);
	names->bucket_count *= 2;
	names->buckets = pw_new(names->bucket_count, sizeof(*names->buckets));
	for (size_t i = 1; i < names->count; i++)
		*find_bucket(names, names->items[i]) = (uint32_t)i;
}

uint32_t pw_names_add(struct pw_names *names, const char *name)
{
	uint32_t *bucket;

	if (!*name)
		return 0;
	bucket = find_bucket(names, name);
	if (*bucket)
		return *bucket;
	*bucket = (uint32_t)names->count;
	PW_PUSH(names->items, names->count, names->capacity, pw_strdup(name));
	if (names->count * 2 > names->bucket_count)
		rehash(names);
	return (uint32_t)names->count - 1;
}
