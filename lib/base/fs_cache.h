/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A root whose attributes are read once: for looking at a machine, where many ask for the same
 * files of hundreds of CPUs. Only attribute reads are kept, errors too; what opens files itself,
 * lists folders or writes goes to the root below, and a write forgets everything.
 *
 * Not for whoever waits for a file to change.
 */
#ifndef PW_BASE_FS_CACHE_H
#define PW_BASE_FS_CACHE_H

#include "lib/base/fs.h"

struct pw_fs_cache;

/*
 * `below` is borrowed and must outlive the cache; so must the cache *ret_root, which needs no
 * closing of its own.
 */
struct pw_fs_cache *pw_fs_cache_new(const struct pw_root *below, struct pw_root *ret_root);
void pw_fs_cache_free(struct pw_fs_cache *cache);
/* The root below a cache, or the root itself: for whoever must know what the files are. */
const struct pw_root *pw_fs_below(const struct pw_root *root);

#endif
