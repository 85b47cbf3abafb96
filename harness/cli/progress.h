/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a session tells while it runs: one status line on a terminal, one line a run elsewhere. */
#ifndef PW_CLI_PROGRESS_H
#define PW_CLI_PROGRESS_H

#include "harness/engine/session.h"

enum pw_progress_form {
	PW_PROGRESS_UNSET,
	PW_PROGRESS_NONE,
	PW_PROGRESS_PLAIN,
	PW_PROGRESS_LINE, /* one line that is rewritten */
	PW_PROGRESS_JSON,
};

struct pw_progress_view {
	enum pw_progress_form form;
	int drawn; /* a status line stands on the terminal */
};

/* "auto", "plain", "json", "none"; UNSET if unknown. auto: a line on a terminal, else plain. */
enum pw_progress_form pw_progress_form_parse(const char *text);
/* For pw_session_options.emit; the context is a struct pw_progress_view. Writes to stderr. */
void pw_progress_emit(void *context, const struct pw_event *event);
/* Ends the status line, if one stands. */
void pw_progress_finish(struct pw_progress_view *view);

#endif
