/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

static void out_of_memory(void)
{
	static const char message[] = "perfwatt: out of memory\n";

	(void)!write(STDERR_FILENO, message, sizeof(message) - 1);
	abort();
}

void *pw_new(size_t n, size_t size)
{
	void *memory = calloc(n ? n : 1, size ? size : 1);

	if (!memory)
		out_of_memory();
	return memory;
}

char *pw_strdup(const char *text)
{
	return pw_strndup(text, strlen(text));
}

char *pw_strndup(const char *text, size_t length)
{
	char *copy = pw_new(length + 1, 1);

	memcpy(copy, text, length);
	return copy;
}

void *pw_memdup(const void *data, size_t size)
{
	void *copy = pw_new(1, size);

	if (size)
		memcpy(copy, data, size);
	return copy;
}

char *pw_sprintf(const char *format, ...)
{
	char *text = NULL;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		out_of_memory();
	return text;
}

void pw_grow(void *array, size_t *capacity, size_t need, size_t size)
{
	void **items = array;
	size_t wanted = *capacity ? *capacity : 8;
	void *grown;

	if (need <= *capacity)
		return;
	while (wanted < need) {
		if (wanted > SIZE_MAX / 2 / size)
			out_of_memory();
		wanted *= 2;
	}
	grown = reallocarray(*items, wanted, size);
	if (!grown)
		out_of_memory();
	memset((char *)grown + *capacity * size, 0, (wanted - *capacity) * size);
	*items = grown;
	*capacity = wanted;
}
