/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/fs_cache.h"

#include <string.h>

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#define FIRST_SLOTS 1024 /* a power of two */

struct entry {
	char *path; /* NULL: free */
	uint64_t hash;
	ssize_t result; /* of the read: bytes, or -errno */
	size_t asked;	/* bytes asked for: a longer read is another read */
	char *data;
};

struct pw_fs_cache {
	const struct pw_root *below;
	struct entry *slots;
	size_t slot_count, used;
};

static struct entry *slot_of(struct entry *slots, size_t count, uint64_t hash, const char *path)
{
	size_t at = (size_t)hash & (count - 1);

	while (slots[at].path && (slots[at].hash != hash || strcmp(slots[at].path, path) != 0))
		at = (at + 1) & (count - 1);
	return &slots[at];
}

/* At most half of the slots are used, so that a search ends soon. */
static void make_room(struct pw_fs_cache *cache)
{
	size_t count = cache->slot_count * 2;
	struct entry *slots;

	if (cache->used * 2 < cache->slot_count)
		return;
	slots = pw_new(count, sizeof(*slots));
	for (size_t i = 0; i < cache->slot_count; i++) {
		struct entry *entry = &cache->slots[i];

		if (entry->path)
			*slot_of(slots, count, entry->hash, entry->path) = *entry;
	}
	free(cache->slots);
	cache->slots = slots;
	cache->slot_count = count;
}

static void forget_all(struct pw_fs_cache *cache)
{
	for (size_t i = 0; i < cache->slot_count; i++) {
		free(cache->slots[i].path);
		free(cache->slots[i].data);
		cache->slots[i] = (struct entry){ .path = NULL };
	}
	cache->used = 0;
}

/* The whole read fitted, or there is nothing more to be had than was. */
static bool serves(const struct entry *entry, size_t size)
{
	return entry->result < 0 || size == entry->asked ||
	       ((size_t)entry->result < entry->asked && (size_t)entry->result < size);
}

static ssize_t cached_read(const struct pw_root *root, const char *path, char *buffer, size_t size)
{
	struct pw_fs_cache *cache = root->context;
	uint64_t hash = pw_fnv1a64_text(path);
	struct entry *entry = slot_of(cache->slots, cache->slot_count, hash, path);
	ssize_t n;

	if (entry->path && serves(entry, size)) {
		if (entry->result > 0)
			memcpy(buffer, entry->data, (size_t)entry->result);
		return entry->result;
	}
	n = cache->below->ops->read(cache->below, path, buffer, size);
	if (!entry->path) {
		make_room(cache);
		entry = slot_of(cache->slots, cache->slot_count, hash, path);
		entry->path = pw_strdup(path);
		entry->hash = hash;
		cache->used++;
	}
	free(entry->data);
	entry->data = n > 0 ? pw_memdup(buffer, (size_t)n) : NULL;
	entry->result = n;
	entry->asked = size;
	return n;
}

static ssize_t cached_write(const struct pw_root *root, const char *path, const char *text,
			    size_t length)
{
	struct pw_fs_cache *cache = root->context;

	forget_all(cache);
	return cache->below->ops->write(cache->below, path, text, length);
}

static const struct pw_fs_ops cached = { .read = cached_read, .write = cached_write };

const struct pw_root *pw_fs_below(const struct pw_root *root)
{
	return root->ops == &cached ? ((const struct pw_fs_cache *)root->context)->below : root;
}

struct pw_fs_cache *pw_fs_cache_new(const struct pw_root *below, struct pw_root *ret_root)
{
	struct pw_fs_cache *cache = pw_new(1, sizeof(*cache));

	cache->below = below;
	cache->slot_count = FIRST_SLOTS;
	cache->slots = pw_new(FIRST_SLOTS, sizeof(*cache->slots));
	*ret_root = *below;
	ret_root->ops = &cached;
	ret_root->context = cache;
	return cache;
}

void pw_fs_cache_free(struct pw_fs_cache *cache)
{
	if (!cache)
		return;
	forget_all(cache);
	free(cache->slots);
	free(cache);
}
