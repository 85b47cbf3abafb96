/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The language of tests/sysroot/trees (see the README there), line by line. */
#ifndef PW_TEST_FAKE_DESCRIPTION_H
#define PW_TEST_FAKE_DESCRIPTION_H

#include "fake_tree.h"

#include "lib/base/parse.h"

/* Given by the build; by itself for whoever starts from the project's folder. */
#ifndef PW_TEST_DATA
#define PW_TEST_DATA "tests"
#endif

struct fake_numbers {
	unsigned *items;
	size_t count;
};

struct fake_builder {
	const char *dir;
	struct fake_numbers policies, cpus;
};

static inline void fake_take_numbers(struct fake_numbers *numbers, const char *list)
{
	struct pw_err err;

	free(numbers->items);
	*numbers = (struct fake_numbers){ 0 };
	fake_must(pw_parse_cpulist(list, &numbers->items, &numbers->count, &err), &err);
}

/* "%N" is the number itself, "%(N+64)" and "%(N-64)" count from it. */
static inline const char *fake_add_number(struct pw_strbuf *out, const char *mark, unsigned number)
{
	int64_t offset;
	struct pw_err err;
	size_t length;

	if (mark[1] == 'N') {
		pw_strbuf_printf(out, "%u", number);
		return mark + 2;
	}
	length = strcspn(mark, ")");
	pw_auto_free char *text = pw_strndup(mark + 4, length - 4);

	fake_must(pw_parse_i64(text, &offset, &err), &err);
	if (mark[3] == '-')
		offset = -offset;
	pw_strbuf_printf(out, "%lld", (long long)(number + offset));
	return mark + length + 1;
}

static inline char *fake_numbered(const char *text, unsigned number)
{
	struct pw_strbuf out = PW_STRBUF_INIT;

	while (*text) {
		if (strncmp(text, "%N", 2) == 0 || strncmp(text, "%(N+", 4) == 0 ||
		    strncmp(text, "%(N-", 4) == 0)
			text = fake_add_number(&out, text, number);
		else
			pw_strbuf_putc(&out, *text++);
	}
	return pw_strbuf_take(&out);
}

/* text NULL: the file or folder goes away. */
static inline void fake_one(const char *dir, const char *path, const char *text)
{
	pw_auto_free char *full = pw_sprintf("%s%s", dir, path);
	struct pw_err err;

	if (text)
		fake_put_text(dir, path, text);
	else
		fake_must(pw_remove_tree(full, &err), &err);
}

/* "@/" is the folder of every policy named, "&/" the one of every CPU. */
static inline void fake_each(const struct fake_builder *builder, const char *path, const char *text)
{
	const struct fake_numbers *numbers = path[0] == '@' ? &builder->policies : &builder->cpus;

	if (path[0] == '/') {
		fake_one(builder->dir, path, text);
		return;
	}
	for (size_t i = 0; i < numbers->count; i++) {
		unsigned number = numbers->items[i];
		pw_auto_free char *folder = path[0] == '@' ? pw_sprintf(FAKE_POLICY, number)
							   : pw_sprintf(FAKE_CPU, number);
		pw_auto_free char *below = fake_numbered(path + 1, number);
		pw_auto_free char *full = pw_sprintf("%s%s", folder, below);
		pw_auto_free char *content = text ? fake_numbered(text, number) : NULL;

		fake_one(builder->dir, full, content);
	}
}

static inline void fake_read_description(struct fake_builder *builder, const char *name);

static inline void fake_line(struct fake_builder *builder, char *line)
{
	char *text = strchr(line, '\t');

	if (line[0] == '#')
		return;
	if (text)
		*text++ = '\0';
	if (strncmp(line, "policy ", 7) == 0)
		fake_take_numbers(&builder->policies, line + 7);
	else if (strncmp(line, "cpu ", 4) == 0)
		fake_take_numbers(&builder->cpus, line + 4);
	else if (strncmp(line, "include ", 8) == 0)
		fake_read_description(builder, line + 8);
	else if (strncmp(line, "without ", 8) == 0)
		fake_each(builder, line + 8, NULL);
	else
		fake_each(builder, line, text ? text : "");
}

static inline void fake_read_description(struct fake_builder *builder, const char *name)
{
	pw_auto_free char *path = pw_sprintf(PW_TEST_DATA "/sysroot/trees/%s.tree", name);
	pw_auto_free char *text = NULL;
	struct pw_err err;
	char *rest, *line;
	size_t length;

	fake_must(pw_read_path(path, 1 << 20, &text, &length, &err), &err);
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		fake_line(builder, line);
}

#endif
