/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"

/* "/sys/x" to "sys/x"; the root itself to ".". */
static const char *relative(const char *path)
{
	path += strspn(path, "/");
	return *path ? path : ".";
}

/*
 * A link with ".." in it is walked again while something is renamed or mounted anywhere on the
 * system at that moment: the kernel then cannot tell that it stayed inside (openat2(2), EAGAIN).
 */
#define WALKS 1000

static int open_below(const struct pw_root *root, const char *path, int flags)
{
	struct open_how how = { .flags = (uint64_t)(flags | O_CLOEXEC),
				.resolve = RESOLVE_IN_ROOT };
	int fd = -1;

	if (root->real)
		return open(path, flags | O_CLOEXEC);
	for (int walk = 0; walk < WALKS; walk++) {
		fd = (int)syscall(SYS_openat2, root->fd, relative(path), &how, sizeof(how));
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	if (fd < 0 && errno == ENOSYS)
		fd = openat(root->fd, relative(path), flags | O_CLOEXEC | O_NOFOLLOW);
	return fd;
}

static ssize_t real_read(const struct pw_root *root, const char *path, char *buffer, size_t size)
{
	pw_auto_close int fd = open_below(root, path, O_RDONLY | O_NONBLOCK);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = pread(fd, buffer, size, 0);
	return n < 0 ? -errno : n;
}

static ssize_t real_write(const struct pw_root *root, const char *path, const char *text,
			  size_t length)
{
	pw_auto_close int fd = open_below(root, path, O_WRONLY);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = pwrite(fd, text, length, 0);
	if (n < 0)
		return -errno;
	if (!root->real && ftruncate(fd, n) < 0)
		return -errno;
	return n;
}

const struct pw_fs_ops pw_fs_real = { .read = real_read, .write = real_write };

/* A journal names the root: the name must hold from everywhere. */
static char *absolute(const char *path)
{
	char *full = realpath(path, NULL);

	return full ? full : pw_strdup(path);
}

int pw_root_open(const char *dir, struct pw_root *ret, struct pw_err *err)
{
	const char *path = dir ? dir : "/";
	struct stat given, machine;
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return pw_fail_errno(err, errno, "root '%s'", path);
	if (fstat(fd, &given) < 0 || stat("/", &machine) < 0) {
		close(fd);
		return pw_fail_errno(err, errno, "root '%s'", path);
	}
	*ret = (struct pw_root){
		.fd = fd,
		.path = absolute(path),
		.real = given.st_dev == machine.st_dev && given.st_ino == machine.st_ino,
		.ops = &pw_fs_real,
	};
	return 0;
}

void pw_root_close(struct pw_root *root)
{
	if (root->path && root->fd >= 0)
		close(root->fd);
	free(root->path);
	*root = (struct pw_root){ .fd = -1 };
}

int pw_root_open_file(const struct pw_root *root, const char *path, int flags, struct pw_err *err)
{
	int fd = open_below(root, path, flags);

	if (fd < 0)
		return pw_fail_errno(err, errno, "open %s", path);
	return fd;
}

int pw_attr_read(const struct pw_root *root, const char *path, char *buffer, size_t size,
		 struct pw_err *err)
{
	ssize_t n = root->ops->read(root, path, buffer, size - 1);

	if (n < 0)
		return pw_fail_errno(err, (int)-n, "read %s", path);
	while (n > 0 && (buffer[n - 1] == '\n' || buffer[n - 1] == '\0'))
		n--;
	buffer[n] = '\0';
	return 0;
}

bool pw_attr_get(const struct pw_root *root, const char *path, char *buffer, size_t size)
{
	struct pw_err ignored;

	return pw_attr_read(root, path, buffer, size, &ignored) == 0;
}

int pw_attr_read_u64(const struct pw_root *root, const char *path, uint64_t *ret,
		     struct pw_err *err)
{
	char text[64];
	int r = pw_attr_read(root, path, text, sizeof(text), err);

	if (r < 0)
		return r;
	if (pw_parse_u64(text, ret, err) < 0)
		return pw_err_prefix(err, "read %s", path);
	return 0;
}

int pw_attr_write(const struct pw_root *root, const char *path, const char *text,
		  struct pw_err *err)
{
	size_t length = strlen(text);
	ssize_t n = root->ops->write(root, path, text, length);

	if (n < 0)
		return pw_fail_errno(err, (int)-n, "write %s '%s'", path, text);
	if ((size_t)n != length)
		return pw_fail(err, PW_EIO, "write %s '%s': only %zd of %zu bytes taken", path,
			       text, n, length);
	return 0;
}

bool pw_root_exists(const struct pw_root *root, const char *path)
{
	pw_auto_close int fd = open_below(root, path, O_PATH);

	return fd >= 0;
}

int pw_root_list(const struct pw_root *root, const char *path, struct pw_strv *ret,
		 struct pw_err *err)
{
	int fd = pw_root_open_file(root, path, O_RDONLY | O_DIRECTORY, err);
	struct dirent *entry;
	DIR *dir;

	if (fd < 0)
		return fd;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return pw_fail_errno(err, errno, "list %s", path);
	}
	while ((entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			pw_strv_push(ret, entry->d_name);
	}
	closedir(dir);
	pw_strv_sort_natural(ret);
	return 0;
}

int pw_root_read_file(const struct pw_root *root, const char *path, char **ret, size_t *ret_length,
		      struct pw_err *err)
{
	pw_auto_close int fd = pw_root_open_file(root, path, O_RDONLY, err);

	if (fd < 0)
		return fd;
	if (pw_read_fd(fd, 64 << 20, ret, ret_length, err) < 0)
		return pw_err_prefix(err, "read %s", path);
	return 0;
}
