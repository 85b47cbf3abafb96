/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/ladder.h"

#include <inttypes.h>

#include "lib/base/text.h"

#define NAME_WIDTH   7
#define STAR_MHZ     100
#define STAR_LIMIT   100 /* 10 GHz: beyond it a file is wrong */
#define HIGHEST_SANE (INT64_C(1000) * 1000)

static const char *name_of(const struct pw_value *row)
{
	const char *name = pw_value_get_text(row, "name", NULL);
	int64_t mhz = pw_value_get_int(row, "mhz", 0);

	return mhz > 0 && mhz < HIGHEST_SANE ? name : NULL;
}

static size_t count_of(const struct pw_value *list)
{
	return list && list->type == PW_VALUE_LIST ? list->count : 0;
}

static size_t width_of(const struct pw_value *rows)
{
	size_t width = NAME_WIDTH;

	for (size_t i = 0; i < count_of(rows); i++) {
		const char *name = name_of(&rows->items[i]);
		pw_auto_strbuf struct pw_strbuf shown = PW_STRBUF_INIT;

		if (name)
			pw_text_escape(&shown, name);
		if (pw_text_width(pw_strbuf_text(&shown)) > width)
			width = pw_text_width(pw_strbuf_text(&shown));
	}
	return width;
}

static void print_row(const struct pw_value *row, size_t width, struct pw_strbuf *text)
{
	int64_t mhz = pw_value_get_int(row, "mhz", 0);
	int64_t highest = pw_value_get_int(row, "highest_mhz", 0);
	int64_t stars = mhz / STAR_MHZ;
	pw_auto_strbuf struct pw_strbuf name = PW_STRBUF_INIT;

	pw_text_escape(&name, name_of(row));
	pw_text_pad(text, pw_strbuf_text(&name), width);
	pw_strbuf_printf(text, " %4" PRId64 " |", mhz);
	pw_strbuf_fill(text, '*', (size_t)(stars < STAR_LIMIT ? stars : STAR_LIMIT));
	if (highest > mhz)
		pw_strbuf_printf(text, " (the best core %" PRId64 ")", highest);
	pw_strbuf_putc(text, '\n');
}

void pw_ladder_rows(const struct pw_value *rows, struct pw_strbuf *text)
{
	size_t width = width_of(rows);

	for (size_t i = 0; i < count_of(rows); i++) {
		if (name_of(&rows->items[i]))
			print_row(&rows->items[i], width, text);
	}
}

static void print_notes(const struct pw_value *ladder, struct pw_strbuf *text)
{
	pw_auto_strv struct pw_strv notes = PW_STRV_INIT;

	pw_value_get_strv(ladder, "notes", &notes);
	for (size_t i = 0; i < notes.count; i++) {
		pw_strbuf_puts(text, "  note: ");
		pw_text_escape(text, notes.items[i]);
		pw_strbuf_putc(text, '\n');
	}
}

static void print_ladder(const struct pw_value *ladder, struct pw_strbuf *text)
{
	static const char *const keys[] = { "source", "packages", "type" };
	static const char *const words[] = { "from ", ", packages ", ", cores of type " };

	if (count_of(pw_value_get(ladder, "rows")) == 0)
		return;
	pw_strbuf_puts(text, "Levels in MHz, ");
	for (size_t i = 0; i < PW_LENGTH(keys); i++) {
		const char *value = pw_value_get_text(ladder, keys[i], NULL);

		if (!value)
			continue;
		pw_strbuf_puts(text, words[i]);
		pw_text_escape(text, value);
	}
	pw_strbuf_putc(text, '\n');
	pw_ladder_rows(pw_value_get(ladder, "rows"), text);
	print_notes(ladder, text);
}

void pw_ladder_text(const struct pw_value *turbo, struct pw_strbuf *text)
{
	const struct pw_value *ladders = turbo ? pw_value_get(turbo, "ladders") : NULL;

	for (size_t i = 0; i < count_of(ladders); i++)
		print_ladder(&ladders->items[i], text);
}
