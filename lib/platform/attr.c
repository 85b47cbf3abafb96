/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/attr.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/fs_cache.h"
#include "lib/base/parse.h"

bool pw_root_plain(const struct pw_root *root)
{
	return !root->real && pw_fs_below(root)->ops == &pw_fs_real;
}

int pw_attr_writable(const struct pw_root *root, const char *path, struct pw_err *err)
{
	pw_auto_close int fd = pw_root_open_file(root, path, O_WRONLY, err);

	if (fd >= 0)
		return 0;
	if (err->sys == EROFS)
		return pw_err_hint(err,
				   "the file system is mounted read-only (usual in a "
				   "container): run on the host, or with /sys mounted writable");
	if (err->code == PW_EDENIED)
		return pw_err_hint(err, "changing it needs root: run perfwatt with sudo");
	if (err->code == PW_ENOTFOUND)
		return pw_fail(err, PW_EUNSUPPORTED, "%s is not there", path);
	return -(int)err->code;
}

bool pw_attr_same(const char *shown, const void *asked)
{
	return strcmp(shown, asked) == 0;
}

int pw_attr_settle(const struct pw_root *root, const char *path, pw_attr_accept accept,
		   const void *asked, char *shown, size_t size, struct pw_err *err)
{
	int64_t now = pw_clock_monotonic();
	int64_t deadline = now + PW_SETTLE_NS;
	int r;

	for (;;) {
		r = pw_attr_read(root, path, shown, size, err);
		if (r == 0 && accept(shown, asked))
			return 0;
		now = pw_clock_monotonic();
		if (now >= deadline)
			break;
		pw_clock_sleep_until(now + PW_SETTLE_STEP_NS);
	}
	return r < 0 ? r : pw_fail(err, PW_ETIMEOUT, "%s", "");
}

int pw_attr_verify(const struct pw_root *root, const char *path, const char *what,
		   const char *asked, struct pw_err *err)
{
	char shown[PW_ATTR_SIZE] = "";
	int r = pw_attr_settle(root, path, pw_attr_same, asked, shown, sizeof(shown), err);

	if (r == -PW_ETIMEOUT && err->text[0] == '\0')
		return pw_fail(err, PW_ETIMEOUT, "%s: asked '%s', is '%s'", what, asked, shown);
	return r;
}

int pw_attr_restore(const struct pw_root *root, const struct pw_saved_item *item,
		    struct pw_err *err)
{
	char shown[PW_ATTR_SIZE];
	int r;

	if (!pw_root_plain(root) && pw_attr_get(root, item->path, shown, sizeof(shown)) &&
	    strcmp(shown, item->value) == 0)
		return 0;
	r = pw_attr_write(root, item->path, item->restore ? item->restore : item->value, err);
	return r < 0 ? r : pw_attr_verify(root, item->path, item->path, item->value, err);
}

bool pw_attr_is_back(const struct pw_knob_env *env, const struct pw_saved_item *item)
{
	const char *saved = item->restore && pw_root_plain(env->root) ? item->restore : item->value;
	pw_auto_free char *bytes = NULL;
	char shown[PW_ATTR_SIZE];
	struct pw_err ignored;
	size_t length;

	if (!pw_root_plain(env->root))
		return pw_attr_get(env->root, item->path, shown, sizeof(shown)) &&
		       strcmp(shown, saved) == 0;
	return pw_root_read_file(env->root, item->path, &bytes, &length, &ignored) == 0 &&
	       length == strlen(saved) && memcmp(bytes, saved, length) == 0;
}

/* A plain file's bytes, and its text as an attribute would show it. */
static int read_plain(const struct pw_root *root, const char *path, char shown[PW_ATTR_SIZE],
		      char **ret_bytes, struct pw_err *err)
{
	size_t length;
	int r = pw_root_read_file(root, path, ret_bytes, &length, err);

	if (r < 0)
		return r;
	(void)snprintf(shown, PW_ATTR_SIZE, "%s", *ret_bytes);
	length = strlen(shown);
	while (length && shown[length - 1] == '\n')
		shown[--length] = '\0';
	return 0;
}

int pw_attr_save(const struct pw_root *root, const char *path, struct pw_saved *saved,
		 struct pw_err *err)
{
	char shown[PW_ATTR_SIZE];
	pw_auto_free char *bytes = NULL;
	int r = pw_root_plain(root) ? read_plain(root, path, shown, &bytes, err)
				    : pw_attr_read(root, path, shown, sizeof(shown), err);

	if (r == 0)
		pw_saved_add(saved, path, shown, bytes);
	return r;
}

int pw_attr_read_words(const struct pw_root *root, const char *path, struct pw_strv *ret,
		       struct pw_err *err)
{
	char shown[PW_ATTR_SIZE] = "";
	int r = pw_attr_read(root, path, shown, sizeof(shown), err);

	if (r < 0 && r != -PW_ENOTFOUND)
		return r;
	pw_strv_split(ret, shown, " \t\n");
	return 0;
}

void pw_attr_words(const struct pw_root *root, const char *path, struct pw_strv *ret)
{
	struct pw_err ignored;

	(void)!pw_attr_read_words(root, path, ret, &ignored);
}

struct pw_value pw_attr_value(const char *text)
{
	struct pw_err ignored;
	int64_t number;

	if (pw_parse_i64(text, &number, &ignored) == 0)
		return pw_value_int(number);
	return pw_value_text(text);
}

int pw_err_append(struct pw_err *err, const char *format, ...)
{
	size_t used = strlen(err->text);
	va_list args;

	va_start(args, format);
	(void)vsnprintf(err->text + used, sizeof(err->text) - used, format, args);
	va_end(args);
	return -(int)err->code;
}

int pw_err_recode(struct pw_err *err, enum pw_code code)
{
	err->code = code;
	return -(int)code;
}
