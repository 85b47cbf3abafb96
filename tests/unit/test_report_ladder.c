/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/ladder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct pw_value row(const char *name, int64_t mhz)
{
	struct pw_value value = pw_value_object();

	pw_value_set(&value, "name", pw_value_text(name));
	pw_value_set(&value, "mhz", pw_value_int(mhz));
	return value;
}

static void published_chart(void **state)
{
	static const struct {
		const char *name;
		int64_t mhz;
	} levels[] = { { "EFFIC", 1000 }, { "BASE", 2400 }, { "24C", 3100 } };
	pw_auto_value struct pw_value rows = pw_value_list();
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(levels); i++)
		pw_value_push(&rows, row(levels[i].name, levels[i].mhz));
	pw_ladder_rows(&rows, &text);
	assert_string_equal(pw_strbuf_text(&text),
			    "EFFIC   1000 |**********\n"
			    "BASE    2400 |************************\n"
			    "24C     3100 |*******************************\n");
}

/* session.json may come from anywhere. */
static void strange_rows(void **state)
{
	pw_auto_value struct pw_value rows = pw_value_list();
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_value best = row("LOWEST-NONLINEAR", 2977);

	(void)state;
	pw_value_push(&rows, row("NEGATIVE", -1));
	pw_value_push(&rows, row("HUGE", INT64_MAX));
	pw_value_push(&rows, pw_value_text("no row"));
	pw_value_push(&rows, row("A\x1b[31m", 199));
	pw_value_set(&best, "highest_mhz", pw_value_int(3000));
	pw_value_push(&rows, best);
	pw_value_push(&rows, row("FAST", 99999));
	pw_ladder_rows(&rows, &text);
	assert_null(strstr(pw_strbuf_text(&text), "HUGE"));
	assert_null(strchr(pw_strbuf_text(&text), '\x1b'));
	assert_non_null(strstr(pw_strbuf_text(&text), "  199 |*\n"));
	assert_non_null(strstr(pw_strbuf_text(&text), "***** (the best core 3000)\n"));
	assert_true(text.length < 400);
}

static void whole_block(void **state)
{
	pw_auto_value struct pw_value turbo = pw_value_object();
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_value ladders = pw_value_list(), ladder = pw_value_object();
	struct pw_value rows = pw_value_list(), notes = pw_value_list();

	(void)state;
	pw_ladder_text(NULL, &text);
	pw_ladder_text(&turbo, &text);
	assert_int_equal(text.length, 0);
	pw_value_push(&rows, row("BASE", 200));
	pw_value_push(&notes, pw_value_text("a word"));
	pw_value_set(&ladder, "source", pw_value_text("msr"));
	pw_value_set(&ladder, "packages", pw_value_text("0-1"));
	pw_value_set(&ladder, "type", pw_value_text("atom"));
	pw_value_set(&ladder, "rows", rows);
	pw_value_set(&ladder, "notes", notes);
	pw_value_push(&ladders, ladder);
	pw_value_push(&ladders, pw_value_text("no ladder"));
	pw_value_set(&turbo, "ladders", ladders);
	pw_ladder_text(&turbo, &text);
	assert_string_equal(pw_strbuf_text(&text),
			    "Levels in MHz, from msr, packages 0-1, cores of type atom\n"
			    "BASE     200 |**\n"
			    "  note: a word\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_chart),
		cmocka_unit_test(strange_rows),
		cmocka_unit_test(whole_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
