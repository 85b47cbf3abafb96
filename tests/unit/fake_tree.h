/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contents as tests/sysroot/trees write them (see the README there), as files below a folder. */
#ifndef PW_TEST_FAKE_TREE_H
#define PW_TEST_FAKE_TREE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/strbuf.h"

#define FAKE_POLICY "/sys/devices/system/cpu/cpufreq/policy%u"
#define FAKE_CPU    "/sys/devices/system/cpu/cpu%u"

static inline void fake_must(int r, const struct pw_err *err)
{
	if (r < 0)
		fail_msg("%s", err->text);
}

/* Writes a file below the folder with exactly these bytes, its folders too. */
static inline void fake_put(const char *dir, const char *path, const char *data, size_t length)
{
	pw_auto_free char *full = pw_sprintf("%s%s", dir, path);
	char *slash = strrchr(full, '/');
	struct pw_err err;
	FILE *file;

	file = slash[1] ? fopen(full, "we") : NULL;
	if (!file) {
		*slash = '\0';
		fake_must(pw_make_dirs(full, &err), &err);
		*slash = '/';
		if (slash[1] == '\0')
			return;
		file = fopen(full, "we");
	}
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

/* A symbolic link in a folder that may not be there yet. */
static inline void fake_link(const char *dir, const char *path, const char *target)
{
	pw_auto_free char *full = pw_sprintf("%s%s", dir, path);
	char *slash = strrchr(full, '/');
	struct pw_err err;

	*slash = '\0';
	fake_must(pw_make_dirs(full, &err), &err);
	*slash = '/';
	fake_must(pw_remove_tree(full, &err), &err);
	assert_int_equal(symlink(target, full), 0);
}

static inline void fake_add_unescaped(struct pw_strbuf *buffer, const char *text)
{
	static const char codes[] = "nts\\", bytes[] = "\n\t \\";

	for (; *text; text++) {
		const char *code = *text == '\\' && text[1] ? strchr(codes, text[1]) : NULL;

		pw_strbuf_putc(buffer, code ? bytes[code - codes] : *text);
		text += code != NULL;
	}
}

static inline unsigned fake_hex(char digit)
{
	return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

static inline void fake_put_text(const char *dir, const char *path, const char *text)
{
	pw_auto_strbuf struct pw_strbuf data = PW_STRBUF_INIT;

	if (strncmp(text, "link:", 5) == 0) {
		fake_link(dir, path, text + 5);
		return;
	}
	if (strncmp(text, "hex:", 4) == 0) {
		for (text += 4; text[0] && text[1]; text += 2)
			pw_strbuf_putc(&data, (char)(fake_hex(text[0]) * 16 + fake_hex(text[1])));
	} else if (strncmp(text, "raw:", 4) == 0) {
		fake_add_unescaped(&data, text + 4);
	} else {
		fake_add_unescaped(&data, text);
		pw_strbuf_putc(&data, '\n');
	}
	fake_put(dir, path, pw_strbuf_text(&data), data.length);
}

#endif
