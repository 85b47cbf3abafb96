/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/strv.h"

#include <stdarg.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/strbuf.h"

void pw_strv_done(struct pw_strv *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	*list = PW_STRV_INIT;
}

void pw_strv_push_own(struct pw_strv *list, char *text)
{
	pw_grow(&list->items, &list->capacity, list->count + 2, sizeof(*list->items));
	list->items[list->count++] = text;
	list->items[list->count] = NULL;
}

void pw_strv_push(struct pw_strv *list, const char *text)
{
	pw_strv_push_own(list, pw_strdup(text));
}

void pw_strv_pushf(struct pw_strv *list, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		abort();
	pw_strv_push_own(list, text);
}

void pw_strv_append(struct pw_strv *list, const struct pw_strv *other)
{
	for (size_t i = 0; i < other->count; i++)
		pw_strv_push(list, other->items[i]);
}

bool pw_strv_has(const struct pw_strv *list, const char *text)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i], text) == 0)
			return true;
	}
	return false;
}

static int compare_natural(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

void pw_strv_sort_natural(struct pw_strv *list)
{
	if (list->count > 1)
		qsort(list->items, list->count, sizeof(*list->items), compare_natural);
}

void pw_strv_split(struct pw_strv *list, const char *text, const char *separators)
{
	while (*text) {
		size_t skip = strspn(text, separators);
		size_t length = strcspn(text + skip, separators);

		if (length)
			pw_strv_push_own(list, pw_strndup(text + skip, length));
		text += skip + length;
	}
}

char *pw_strv_join(const struct pw_strv *list, const char *separator)
{
	struct pw_strbuf buffer = PW_STRBUF_INIT;

	for (size_t i = 0; i < list->count; i++) {
		if (i)
			pw_strbuf_puts(&buffer, separator);
		pw_strbuf_puts(&buffer, list->items[i]);
	}
	return pw_strbuf_take(&buffer);
}
