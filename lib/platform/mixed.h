/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What several files of one kind hold, for the record: the value they share, or the text
 * "mixed: a (cpu0-2), b (cpu3)", so that the one that deviates is seen. As pw_policies_read() does
 * it for policies.
 */
#ifndef PW_PLATFORM_MIXED_H
#define PW_PLATFORM_MIXED_H

#include "lib/base/strv.h"
#include "lib/plugin/value.h"

/* One value and the names of those that hold it. */
struct pw_holder {
	char *value;
	struct pw_strv names;
};

struct pw_mixed {
	struct pw_holder *items;
	size_t count, capacity;
};

#define PW_MIXED_INIT ((struct pw_mixed){ 0 })
#define pw_auto_mixed pw_auto(pw_mixed_done)

void pw_mixed_done(struct pw_mixed *mixed);
void pw_mixed_note(struct pw_mixed *mixed, const char *value, const char *name);
/*
 * At least one was noted. A prefix ("cpu") says that the names are numbers: they are shown as a
 * list behind it. NULL: names with commas between.
 */
struct pw_value pw_mixed_value(const struct pw_mixed *mixed, const char *prefix);

#endif
