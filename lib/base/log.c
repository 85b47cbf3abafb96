/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/log.h"

#include <stdarg.h>

void pw_log(const struct pw_log *log, enum pw_log_level level, const char *format, ...)
{
	char text[4096];
	va_list args;

	if (!log || !log->emit)
		return;
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	log->emit(log->context, level, text);
}
