/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where messages go. Library layers never print: they hand texts to the sink their caller gave.
 */
#ifndef PW_BASE_LOG_H
#define PW_BASE_LOG_H

#include "lib/base/cleanup.h"

enum pw_log_level { PW_LOG_UNSET, PW_LOG_ERROR, PW_LOG_WARNING, PW_LOG_NOTE, PW_LOG_DEBUG };

struct pw_log {
	void (*emit)(void *context, enum pw_log_level level, const char *text);
	void *context;
};

/* Formats and hands on; log may be NULL (then nothing happens). */
void pw_log(const struct pw_log *log, enum pw_log_level level, const char *format, ...)
	pw_printf(3, 4);

#endif
