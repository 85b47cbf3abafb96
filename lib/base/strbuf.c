/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/strbuf.h"

#include <stdarg.h>
#include <string.h>

#include "lib/base/mem.h"

void pw_strbuf_done(struct pw_strbuf *buffer)
{
	free(buffer->text);
	*buffer = PW_STRBUF_INIT;
}

void pw_strbuf_clear(struct pw_strbuf *buffer)
{
	buffer->length = 0;
	if (buffer->text)
		buffer->text[0] = '\0';
}

void pw_strbuf_add(struct pw_strbuf *buffer, const void *data, size_t length)
{
	pw_grow(&buffer->text, &buffer->capacity, buffer->length + length + 1, 1);
	if (length)
		memcpy(buffer->text + buffer->length, data, length);
	buffer->length += length;
	buffer->text[buffer->length] = '\0';
}

void pw_strbuf_puts(struct pw_strbuf *buffer, const char *text)
{
	pw_strbuf_add(buffer, text, strlen(text));
}

void pw_strbuf_putc(struct pw_strbuf *buffer, char byte)
{
	pw_strbuf_add(buffer, &byte, 1);
}

void pw_strbuf_fill(struct pw_strbuf *buffer, char byte, size_t count)
{
	pw_grow(&buffer->text, &buffer->capacity, buffer->length + count + 1, 1);
	memset(buffer->text + buffer->length, byte, count);
	buffer->length += count;
	buffer->text[buffer->length] = '\0';
}

void pw_strbuf_printf(struct pw_strbuf *buffer, const char *format, ...)
{
	va_list args, again;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length > 0) {
		pw_grow(&buffer->text, &buffer->capacity, buffer->length + (size_t)length + 1, 1);
		(void)vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, again);
		buffer->length += (size_t)length;
	}
	va_end(again);
}

char *pw_strbuf_take(struct pw_strbuf *buffer)
{
	char *text = buffer->text ? buffer->text : pw_strdup("");

	*buffer = PW_STRBUF_INIT;
	return text;
}

const char *pw_strbuf_text(const struct pw_strbuf *buffer)
{
	return buffer->text ? buffer->text : "";
}
