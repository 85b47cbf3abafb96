/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/exec/place.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/strbuf.h"

const struct pw_value *pw_exec_point(const struct pw_work *work)
{
	const struct pw_value *point = pw_value_get(work->options, "point");

	if (!point)
		point = pw_value_get(work->options, "sweep");
	if (!point || point->type != PW_VALUE_OBJECT)
		return NULL;
	for (size_t i = 0; i < point->count; i++) {
		enum pw_value_type type = point->items[i].type;

		if (type == PW_VALUE_LIST || type == PW_VALUE_OBJECT)
			return NULL;
	}
	return point;
}

/* The shortest digits that read back as the same number. */
static void put_real(struct pw_strbuf *buffer, double real)
{
	struct pw_err ignored = PW_ERR_INIT;
	char text[32];
	double back = 0;

	for (int digits = 15; digits <= 17; digits++) {
		(void)snprintf(text, sizeof(text), "%.*g", digits, real);
		if (pw_parse_real(text, &back, &ignored) == 0 && !(back < real || back > real))
			break;
	}
	pw_strbuf_puts(buffer, text);
}

static void put_value(struct pw_strbuf *buffer, const struct pw_value *value)
{
	switch (value->type) {
	case PW_VALUE_INT:
		pw_strbuf_printf(buffer, "%" PRId64, value->integer);
		break;
	case PW_VALUE_REAL:
		put_real(buffer, value->real);
		break;
	case PW_VALUE_BOOL:
		pw_strbuf_puts(buffer, value->boolean ? "true" : "false");
		break;
	case PW_VALUE_TEXT:
		pw_strbuf_puts(buffer, value->text);
		break;
	default:
		break;
	}
}

/* The value whose "{key}" the text begins with, and its length; NULL if it begins with none. */
static const struct pw_value *placeholder(const char *text, const struct pw_value *point,
					  size_t *ret_length)
{
	for (size_t i = 0; point && point->type == PW_VALUE_OBJECT && i < point->count; i++) {
		size_t size = strlen(point->keys[i]);

		if (text[0] == '{' && strncmp(text + 1, point->keys[i], size) == 0 &&
		    text[1 + size] == '}') {
			*ret_length = size + 2;
			return &point->items[i];
		}
	}
	return NULL;
}

char *pw_exec_fill(const char *text, const struct pw_value *point)
{
	struct pw_strbuf filled = PW_STRBUF_INIT;
	size_t length = 0;

	while (*text) {
		const struct pw_value *value = placeholder(text, point, &length);

		if (value) {
			put_value(&filled, value);
			text += length;
		} else {
			pw_strbuf_putc(&filled, *text++);
		}
	}
	return pw_strbuf_take(&filled);
}

/* "folder/name", or the name alone where it is absolute or the folder unknown. */
static char *join(const char *folder, const char *name)
{
	if (!folder || name[0] == '/')
		return pw_strdup(name);
	return pw_sprintf("%s/%s", folder, name);
}

char *pw_exec_path(const struct pw_work *work, const char *path)
{
	pw_auto_free char *filled = pw_exec_fill(path, pw_exec_point(work));

	return join(work->directory, filled);
}

/* 0 for a regular file that may be run, else the errno that execve(2) would give. */
static int runnable(const char *path)
{
	struct stat status;

	if (stat(path, &status) < 0)
		return errno;
	if (!S_ISREG(status.st_mode))
		return EISDIR;
	/* Root may read everything, yet runs only what somebody may run: faccessat knows both. */
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0 ? errno : 0;
}

/* The first hit of a bare name in a list of folders, as runnable(). */
static int search(const struct pw_work *work, const char *name, const char *path_list)
{
	int result = ENOENT;

	for (const char *part = path_list;; part++) {
		size_t size = strcspn(part, ":");
		pw_auto_free char *folder = pw_strndup(part, size);
		pw_auto_free char *above = join(work->directory, size ? folder : ".");
		pw_auto_free char *path = pw_sprintf("%s/%s", above, name);
		int r = runnable(path);

		if (r == 0)
			return 0;
		if (r == EACCES)
			result = r;
		part += size;
		if (*part == '\0')
			return result;
	}
}

static int check_directory(const struct pw_work *work, struct pw_err *err)
{
	struct stat status;

	if (!work->directory)
		return 0;
	if (stat(work->directory, &status) == 0 && !S_ISDIR(status.st_mode))
		errno = ENOTDIR;
	else if (faccessat(AT_FDCWD, work->directory, X_OK, AT_EACCESS) == 0)
		return 0;
	return pw_fail_at(err, "/directory", 0, "cannot start in '%.200s': %s", work->directory,
			  strerror(errno));
}

int pw_exec_find(const struct pw_work *work, const char *path_list, struct pw_err *err)
{
	const struct pw_value *command = pw_value_get(work->options, "command");
	const char *given = command->items[0].text;
	pw_auto_free char *name = pw_exec_fill(given, pw_exec_point(work));
	pw_auto_free char *path = NULL;
	int r;

	if (check_directory(work, err) < 0)
		return -(int)err->code;
	/* Without a point, a name that the sweep fills in cannot be judged. */
	if (!pw_exec_point(work) && strchr(name, '{') && pw_value_get(work->options, "sweep"))
		return 0;
	if (!strchr(name, '/')) {
		r = search(work, name, path_list);
	} else {
		path = join(work->directory, name);
		r = runnable(path);
	}
	if (r == 0)
		return 0;
	(void)pw_fail_at(err, "/command/0", 0, "'%.200s': %s", name, strerror(r));
	if (!strchr(name, '/') && r == ENOENT)
		return pw_err_hint(err, "it is in no folder of PATH: %.400s", path_list);
	return pw_err_hint(err, r == EACCES ? "is it executable (chmod +x), and for whom?"
					    : "relative paths start in the entry's directory");
}
