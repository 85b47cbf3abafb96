/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/mixed.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/strbuf.h"
#include "lib/platform/attr.h"
#include "lib/platform/topology.h"

void pw_mixed_done(struct pw_mixed *mixed)
{
	for (size_t i = 0; i < mixed->count; i++) {
		free(mixed->items[i].value);
		pw_strv_done(&mixed->items[i].names);
	}
	free(mixed->items);
	*mixed = PW_MIXED_INIT;
}

void pw_mixed_note(struct pw_mixed *mixed, const char *value, const char *name)
{
	size_t at = 0;

	while (at < mixed->count && strcmp(mixed->items[at].value, value) != 0)
		at++;
	if (at == mixed->count) {
		struct pw_holder fresh = { .value = pw_strdup(value) };

		PW_PUSH(mixed->items, mixed->count, mixed->capacity, fresh);
	}
	pw_strv_push(&mixed->items[at].names, name);
}

/* The holders as a reader wants them: "cpu0-2,5", or their names; the caller's. */
static char *names_of(const struct pw_holder *holder, const char *prefix)
{
	pw_auto_free char *list = pw_strv_join(&holder->names, prefix ? "," : ", ");
	struct pw_cpuset set = { 0 };
	pw_auto_free char *numbers = NULL;
	struct pw_err ignored;

	if (!prefix || pw_parse_cpulist(list, &set.cpus, &set.count, &ignored) < 0)
		return pw_take(list);
	numbers = pw_cpuset_text(&set);
	pw_cpuset_done(&set);
	return pw_sprintf("%s%s", prefix, numbers);
}

struct pw_value pw_mixed_value(const struct pw_mixed *mixed, const char *prefix)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	if (mixed->count == 1)
		return pw_attr_value(mixed->items[0].value);
	for (size_t i = 0; i < mixed->count; i++) {
		pw_auto_free char *names = names_of(&mixed->items[i], prefix);

		pw_strbuf_printf(&text, "%s%s (%s)", i ? ", " : "mixed: ", mixed->items[i].value,
				 names);
	}
	return pw_value_text(pw_strbuf_text(&text));
}
