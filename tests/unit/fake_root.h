/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fake machines for tests, from the descriptions in tests/sysroot/trees. */
#ifndef PW_TEST_FAKE_ROOT_H
#define PW_TEST_FAKE_ROOT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/fs.h"
#include "lib/base/parse.h"

#include "fake_tree.h"

/* Given by the build; by itself for whoever starts from the project's folder. */
#ifndef PW_TEST_DATA
#define PW_TEST_DATA "tests"
#endif

struct fake {
	char dir[64];
	struct pw_root root;
};

/* Builds tests/sysroot/trees/NAME.tree in a new folder and opens it as a root. */
static inline void fake_open(struct fake *fake, const char *name)
{
	pw_auto_free char *path = pw_sprintf(PW_TEST_DATA "/sysroot/trees/%s.tree", name);
	pw_auto_free char *text = NULL;
	pw_auto_free unsigned *policies = NULL;
	size_t length, count = 0;
	struct pw_err err;
	char *rest, *line;

	(void)snprintf(fake->dir, sizeof(fake->dir), "/tmp/perfwatt-test-XXXXXX");
	assert_non_null(mkdtemp(fake->dir));
	fake_must(pw_read_path(path, 1 << 20, &text, &length, &err), &err);
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (strncmp(line, "policy ", 7) == 0) {
			free(policies);
			fake_must(pw_parse_cpulist(line + 7, &policies, &count, &err), &err);
		} else if (line[0] != '#') {
			fake_line(fake->dir, line, policies, count);
		}
	}
	fake_must(pw_root_open(fake->dir, &fake->root, &err), &err);
}

static inline void fake_close(struct fake *fake)
{
	struct pw_err err;

	pw_root_close(&fake->root);
	fake_must(pw_remove_tree(fake->dir, &err), &err);
}

static inline void fake_set(const struct fake *fake, const char *path, const char *text)
{
	fake_put_text(fake->dir, path, text);
}

/* What the file shows, without the newline. A static buffer: one at a time. */
static inline const char *fake_get(const struct fake *fake, const char *path)
{
	static char text[4096];

	if (!pw_attr_get(&fake->root, path, text, sizeof(text)))
		fail_msg("%s cannot be read", path);
	return text;
}

/* All paths and bytes below a folder, for a comparison; the caller's. */
static inline void fake_snapshot_into(const struct pw_root *root, const char *path,
				      struct pw_strbuf *out)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;
	pw_auto_free char *data = NULL;
	struct pw_err err;
	size_t length;

	pw_strbuf_printf(out, "%s\n", path);
	if (pw_root_list(root, path, &names, &err) < 0) {
		fake_must(pw_root_read_file(root, path, &data, &length, &err), &err);
		pw_strbuf_printf(out, "[%zu]", length);
		pw_strbuf_add(out, data, length);
		return;
	}
	for (size_t i = 0; i < names.count; i++) {
		pw_auto_free char *below = pw_sprintf("%s/%s", path, names.items[i]);

		fake_snapshot_into(root, below, out);
	}
}

static inline char *fake_snapshot(const struct fake *fake, size_t *ret_length)
{
	struct pw_strbuf out = PW_STRBUF_INIT;

	fake_snapshot_into(&fake->root, "", &out);
	*ret_length = out.length;
	return pw_strbuf_take(&out);
}

#endif
