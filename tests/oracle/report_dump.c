/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text report of results folders on stdout: what the oracle and the golden tests look at. */
#include <stdio.h>

#include "report/report.h"

static void emit(void *context, enum pw_log_level level, const char *text)
{
	(void)context;
	(void)level;
	(void)fprintf(stderr, "%s\n", text);
}

int main(int argc, char **argv)
{
	static const struct pw_log log = { .emit = emit };
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_err err = PW_ERR_INIT;
	struct pw_report_options options = { .folders = (const char *const *)argv + 1,
					     .folder_count = (size_t)argc - 1,
					     .log = &log };

	if (argc < 2) {
		(void)fprintf(stderr, "usage: report_dump DIR...\n");
		return 2;
	}
	if (pw_report_text(&options, &text, &err) < 0) {
		(void)fprintf(stderr, "%s\n", err.text);
		return 2;
	}
	return fwrite(text.text, 1, text.length, stdout) == text.length ? 0 : 2;
}
