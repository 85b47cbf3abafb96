/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/file_name.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/mem.h"
#include "lib/base/text.h"

#define PATH_LIMIT 512

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* Absolute, and nothing on the way that names another place than it says. */
static bool is_plain(const char *path)
{
	if (*path != '/')
		return false;
	while (*path == '/') {
		size_t length = strcspn(++path, "/");

		if (length == 0 || (length == 1 && path[0] == '.') ||
		    (length == 2 && path[0] == '.' && path[1] == '.'))
			return false;
		path += length;
	}
	return true;
}

/* sysctl(8): the first separator is the one; the other character then stands for itself, and where
 * dots separate a slash stands for a dot. */
static void separate(char *name)
{
	const char *first = strpbrk(name, "./");

	if (!first || *first == '/')
		return;
	for (; *name; name++)
		*name = *name == '.' ? '/' : *name == '/' ? '.' : *name;
}

int pw_file_path(const struct pw_file_kind *kind, const char *name, char **ret, struct pw_err *err)
{
	pw_auto_free char *path = NULL;

	if (kind->sysctl) {
		pw_auto_free char *below = pw_strdup(name);

		separate(below);
		path = pw_sprintf("%s%s", kind->below, below);
	} else {
		path = pw_strdup(name);
	}
	if (!pw_text_printable(path) || strlen(path) > PATH_LIMIT)
		return pw_fail_at(err, "", 1, "is no name of a file");
	if (!is_plain(path))
		return pw_fail_at(err, "", 1,
				  kind->sysctl
					  ? "is no name as sysctl(8) has them (\"vm.swappiness\")"
					  : "is no plain path (absolute, without \".\" or \"..\")");
	if (!starts_with(path, kind->below))
		return pw_fail_at(err, "", 1, "is not below %s", kind->below);
	*ret = pw_take(path);
	return 0;
}

char *pw_file_name(const struct pw_file_kind *kind, const char *path)
{
	char *name;

	if (!kind->sysctl || !starts_with(path, kind->below))
		return pw_strdup(path);
	name = pw_strdup(path + strlen(kind->below));
	if (strchr(name, '.'))
		return name;
	for (char *at = name; *at; at++) {
		if (*at == '/')
			*at = '.';
	}
	return name;
}

/* Where an open file lies: the one thing that /proc of this process says of it, never a fake
 * root's. */
static int place_of(const struct pw_root *root, int fd, char **ret, struct pw_err *err)
{
	pw_auto_free char *link = pw_sprintf("/proc/self/fd/%d", fd);
	char place[PATH_MAX];
	size_t skip = root->real ? 0 : strlen(root->path);
	ssize_t n = readlink(link, place, sizeof(place) - 1);

	if (n < 0)
		return pw_fail_errno(err, errno, "find the real place of a file");
	place[n] = '\0';
	if (!root->real && strcmp(root->path, "/") == 0)
		skip = 0;
	if ((size_t)n < skip || strncmp(place, root->path, skip) != 0)
		return pw_fail(err, PW_EUNSUPPORTED, "leads out of the root");
	*ret = pw_strdup(place + skip);
	return 0;
}

static int check_file(const char *path, const struct stat *info, struct pw_err *err)
{
	if (!S_ISREG(info->st_mode))
		return pw_fail(err, PW_EUNSUPPORTED, "%s is no file with a value", path);
	if (!(info->st_mode & (S_IRUSR | S_IRGRP | S_IROTH)))
		return pw_fail(err, PW_EUNSUPPORTED,
			       "%s cannot be read by anybody: what is there could not be put back",
			       path);
	if (!(info->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)))
		return pw_fail(err, PW_EUNSUPPORTED, "%s is read-only", path);
	return 0;
}

int pw_file_locate(const struct pw_file_kind *kind, const struct pw_root *root, const char *name,
		   char **ret, struct pw_err *err)
{
	pw_auto_free char *path = NULL, *place = NULL;
	pw_auto_close int fd = -1;
	struct stat info;
	int r = pw_file_path(kind, name, &path, err);

	if (r < 0)
		return r;
	fd = pw_root_open_file(root, path, O_PATH, err);
	if (fd == -PW_ENOTFOUND)
		return pw_fail(err, PW_EUNSUPPORTED, "%s is not there", path);
	if (fd < 0)
		return fd;
	if (fstat(fd, &info) < 0)
		return pw_fail_errno(err, errno, "%s", path);
	r = check_file(path, &info, err);
	if (r == 0)
		r = place_of(root, fd, &place, err);
	if (r < 0)
		return r;
	if (!starts_with(place, kind->below) || !is_plain(place))
		return pw_fail(err, PW_EUNSUPPORTED, "%s leads to %s, which is not below %s", path,
			       place, kind->below);
	*ret = pw_take(place);
	return 0;
}
