/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of position.h that need no index: comments, line and column, paths for people. */
#include <stdint.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/model/position.h"

/* The offset behind a text that starts at `at`. None crosses a line, so neither does this. */
static size_t behind_text(const char *text, size_t length, size_t at)
{
	for (at++; at < length && text[at] != '\n'; at++) {
		if (text[at] == '"')
			return at + 1;
		if (text[at] == '\\' && at + 1 < length && text[at + 1] != '\n')
			at++;
	}
	return at;
}

/* The offset behind the comment that starts at `at`; 0 if it has no end. */
static size_t behind_comment(const char *text, size_t length, size_t at)
{
	const char *end;

	if (text[at + 1] == '/') {
		end = memchr(text + at, '\n', length - at);
		return end ? (size_t)(end - text) : length;
	}
	end = memmem(text + at + 2, length - at - 2, "*/", 2);
	return end ? (size_t)(end - text) + 2 : 0;
}

static void blank(char *text, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (text[i] != '\n')
			text[i] = ' ';
	}
}

int pw_json_blank_comments(char *text, size_t length, size_t *ret_error_offset, struct pw_err *err)
{
	size_t at = 0;

	while (at < length) {
		size_t end = at + 1;

		if (text[at] == '"') {
			end = behind_text(text, length, at);
		} else if (text[at] == '/' && at + 1 < length &&
			   (text[at + 1] == '/' || text[at + 1] == '*')) {
			end = behind_comment(text, length, at);
			if (end == 0) {
				*ret_error_offset = at;
				return pw_fail(err, PW_EINVAL, "this comment has no end (*/)");
			}
			blank(text, at, end);
		}
		at = end;
	}
	return 0;
}

void pw_line_column(const char *text, size_t offset, size_t *ret_line, size_t *ret_column)
{
	size_t line = 1, start = 0;

	for (size_t i = 0; i < offset; i++) {
		if (text[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	*ret_line = line;
	*ret_column = offset - start + 1;
}

/* Can the key stand behind a dot without being misread. */
static bool is_plain(const char *key)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-";

	return *key && key[strspn(key, plain)] == '\0';
}

static void add_step(struct pw_strbuf *path, const char *key)
{
	if (*key && key[strspn(key, "0123456789")] == '\0') {
		pw_strbuf_printf(path, "[%s]", key);
	} else if (is_plain(key)) {
		pw_strbuf_printf(path, "%s%s", path->length ? "." : "", key);
	} else {
		pw_strbuf_puts(path, "[\"");
		pw_text_escape(path, key);
		pw_strbuf_puts(path, "\"]");
	}
}

char *pw_pointer_path(const char *pointer)
{
	pw_auto_strbuf struct pw_strbuf path = PW_STRBUF_INIT, key = PW_STRBUF_INIT;

	while (*pointer == '/') {
		pw_strbuf_clear(&key);
		for (pointer++; *pointer && *pointer != '/'; pointer++) {
			if (pointer[0] == '~' && (pointer[1] == '0' || pointer[1] == '1'))
				pw_strbuf_putc(&key, *++pointer == '0' ? '~' : '/');
			else
				pw_strbuf_putc(&key, *pointer);
		}
		add_step(&path, pw_strbuf_text(&key));
	}
	return pw_strbuf_take(&path);
}
