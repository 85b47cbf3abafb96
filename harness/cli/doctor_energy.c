/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/doctor_energy.h"

#include <string.h>

#include "lib/base/text.h"

#define NAME_COLUMNS 20

struct pw_value pw_doctor_energy(const struct pw_collect *collect)
{
	const struct pw_collector *best = NULL;
	struct pw_value tree = PW_VALUE_INIT;
	struct pw_err ignored;
	void *state;

	for (const struct pw_collector *const *at = pw_collectors; *at; at++) {
		if (strcmp((*at)->section, "energy") == 0 && (*at)->describe && !(*at)->missing &&
		    (*at)->probe(collect, &ignored) == 0 && (!best || (*at)->rank < best->rank))
			best = *at;
	}
	if (!best || best->open(collect, &state, &ignored) < 0)
		return tree;
	tree = pw_value_object();
	best->describe(state, &tree);
	best->close(state);
	return tree;
}

/* How many domains this one lies in: parents stand before what is in them. */
static size_t depth_of(const struct pw_value *list, size_t index)
{
	const char *parent = pw_value_get_text(&list->items[index], "parent", NULL);
	size_t depth = 0;

	for (size_t i = index; parent && i > 0; i--) {
		const struct pw_value *node = &list->items[i - 1];

		if (strcmp(pw_value_get_text(node, "name", ""), parent) != 0)
			continue;
		depth++;
		parent = pw_value_get_text(node, "parent", NULL);
	}
	return depth;
}

static void node_line(const struct pw_value *list, size_t index, struct pw_strbuf *text)
{
	const struct pw_value *node = &list->items[index];
	pw_auto_strbuf struct pw_strbuf name = PW_STRBUF_INIT;

	pw_strbuf_fill(&name, ' ', 2 * depth_of(list, index));
	pw_text_escape(&name, pw_value_get_text(node, "name", "?"));
	pw_strbuf_puts(text, "    ");
	pw_text_pad(text, pw_strbuf_text(&name), NAME_COLUMNS);
	pw_strbuf_putc(text, ' ');
	pw_text_escape(text, pw_value_get_text(node, "why", "?"));
	pw_strbuf_putc(text, '\n');
}

void pw_doctor_energy_text(const struct pw_value *tree, struct pw_strbuf *text)
{
	const struct pw_value *list = pw_value_get(tree, "tree");
	pw_auto_strv struct pw_strv notes = PW_STRV_INIT;

	if (!list || list->type != PW_VALUE_LIST)
		return;
	pw_strbuf_puts(text, "  domains of ");
	pw_text_escape(text, pw_value_get_text(tree, "source", "?"));
	pw_strbuf_puts(text, ", scope ");
	pw_text_escape(text, pw_value_get_text(tree, "scope", "?"));
	pw_strbuf_puts(text, ":\n");
	for (size_t i = 0; i < list->count; i++)
		node_line(list, i, text);
	pw_value_get_strv(tree, "notes", &notes);
	for (size_t i = 0; i < notes.count; i++) {
		pw_strbuf_puts(text, "    note: ");
		pw_text_escape(text, notes.items[i]);
		pw_strbuf_putc(text, '\n');
	}
}
