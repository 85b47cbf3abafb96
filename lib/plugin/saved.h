/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of files before something changes them, and what puts it back. */
#ifndef PW_PLUGIN_SAVED_H
#define PW_PLUGIN_SAVED_H

#include <stdbool.h>
#include <stddef.h>

/* One file whose content is to be put back. All owned by the list. */
struct pw_saved_item {
	char *path;
	char *value;   /* what was read: the state to be back at */
	char *restore; /* what to write for it; NULL = value (a QoS request is not what is read) */
};

struct pw_saved {
	struct pw_saved_item *items;
	size_t count, capacity;
};

#define PW_SAVED_INIT ((struct pw_saved){ 0 })
void pw_saved_done(struct pw_saved *saved);
/* restore may be NULL. */
void pw_saved_add(struct pw_saved *saved, const char *path, const char *value, const char *restore);
bool pw_saved_has(const struct pw_saved *saved, const char *path);

#endif
