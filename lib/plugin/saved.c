/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/plugin/saved.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"

void pw_saved_done(struct pw_saved *saved)
{
	for (size_t i = 0; i < saved->count; i++) {
		free(saved->items[i].path);
		free(saved->items[i].value);
		free(saved->items[i].restore);
	}
	free(saved->items);
	*saved = PW_SAVED_INIT;
}

void pw_saved_add(struct pw_saved *saved, const char *path, const char *value, const char *restore)
{
	struct pw_saved_item item = {
		.path = pw_strdup(path),
		.value = pw_strdup(value),
		.restore = restore ? pw_strdup(restore) : NULL,
	};

	PW_PUSH(saved->items, saved->count, saved->capacity, item);
}

bool pw_saved_has(const struct pw_saved *saved, const char *path)
{
	for (size_t i = 0; i < saved->count; i++) {
		if (strcmp(saved->items[i].path, path) == 0)
			return true;
	}
	return false;
}
