/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

void pw_err_clear(struct pw_err *err)
{
	*err = PW_ERR_INIT;
}

enum pw_code pw_code_of_errno(int errnum)
{
	switch (errnum) {
	case 0:
		return PW_OK;
	case EINVAL:
	case ERANGE:
		return PW_EINVAL;
	case EOPNOTSUPP:
	case ENOSYS:
		return PW_EUNSUPPORTED;
	case ENOENT:
	case ENOTDIR:
		return PW_ENOTFOUND;
	case EACCES:
	case EPERM:
	case EROFS:
		return PW_EDENIED;
	case EBUSY:
		return PW_EBUSY;
	case EAGAIN:
		return PW_EAGAIN;
	case ENODEV:
	case ENXIO:
		return PW_EGONE;
	case ETIMEDOUT:
		return PW_ETIMEOUT;
	default:
		return PW_EIO;
	}
}

int pw_fail(struct pw_err *err, enum pw_code code, const char *format, ...)
{
	va_list args;

	pw_err_clear(err);
	err->code = code;
	va_start(args, format);
	(void)vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return -(int)code;
}

int pw_fail_errno(struct pw_err *err, int errnum, const char *format, ...)
{
	char reason[128];
	size_t used;
	va_list args;

	pw_err_clear(err);
	err->code = pw_code_of_errno(errnum);
	if (err->code == PW_OK)
		err->code = PW_EIO;
	err->sys = errnum;
	va_start(args, format);
	(void)vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	used = strlen(err->text);
	(void)snprintf(err->text + used, sizeof(err->text) - used, ": %s",
		       strerror_r(errnum, reason, sizeof(reason)));
	return -(int)err->code;
}

int pw_fail_at(struct pw_err *err, const char *pointer, int at_key, const char *format, ...)
{
	char where[sizeof(err->where)];
	va_list args;

	(void)snprintf(where, sizeof(where), "%s", pointer);
	pw_err_clear(err);
	err->code = PW_EINVAL;
	err->at_key = at_key;
	memcpy(err->where, where, sizeof(where));
	va_start(args, format);
	(void)vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return -(int)err->code;
}

/* Puts "<formatted><separator>" in front of the text in a buffer. */
static void pw_printf(4, 0)
	prepend(char *buffer, size_t size, const char *separator, const char *format, va_list args)
{
	char old[sizeof(((struct pw_err *)0)->text)];
	size_t used;

	(void)snprintf(old, sizeof(old), "%s", buffer);
	(void)vsnprintf(buffer, size, format, args);
	used = strlen(buffer);
	(void)snprintf(buffer + used, size - used, "%s%s", separator, old);
}

int pw_err_prefix(struct pw_err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	prepend(err->text, sizeof(err->text), ": ", format, args);
	va_end(args);
	return -(int)err->code;
}

int pw_err_below(struct pw_err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	prepend(err->where, sizeof(err->where), "", format, args);
	va_end(args);
	return -(int)err->code;
}

int pw_err_hint(struct pw_err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(err->hint, sizeof(err->hint), format, args);
	va_end(args);
	return -(int)err->code;
}
