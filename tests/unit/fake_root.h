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

#include "fake_description.h"

struct fake {
	char dir[64];
	struct pw_root root;
};

/* Builds tests/sysroot/trees/NAME.tree in a new folder and opens it as a root. */
static inline void fake_open(struct fake *fake, const char *name)
{
	struct fake_builder builder = { .dir = fake->dir };
	struct pw_err err;

	(void)snprintf(fake->dir, sizeof(fake->dir), "/tmp/perfwatt-test-XXXXXX");
	assert_non_null(mkdtemp(fake->dir));
	fake_read_description(&builder, name);
	free(builder.policies.items);
	free(builder.cpus.items);
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
	struct pw_root plain = fake->root;

	plain.ops = &pw_fs_real; /* a test's own table is not asked */
	if (!pw_attr_get(&plain, path, text, sizeof(text)))
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
