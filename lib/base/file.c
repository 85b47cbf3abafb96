/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/mem.h"
#include "lib/base/strbuf.h"

int pw_read_fd(int fd, size_t limit, char **ret, size_t *ret_length, struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf buffer = PW_STRBUF_INIT;
	char chunk[16384];

	for (;;) {
		ssize_t n = read(fd, chunk, sizeof(chunk));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return pw_fail_errno(err, errno, "read");
		if (n == 0)
			break;
		if (buffer.length + (size_t)n > limit)
			return pw_fail(err, PW_EINVAL, "larger than %zu bytes", limit);
		pw_strbuf_add(&buffer, chunk, (size_t)n);
	}
	*ret_length = buffer.length;
	*ret = pw_strbuf_take(&buffer);
	return 0;
}

int pw_read_path(const char *path, size_t limit, char **ret, size_t *ret_length, struct pw_err *err)
{
	pw_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return pw_fail_errno(err, errno, "open %s", path);
	if (pw_read_fd(fd, limit, ret, ret_length, err) < 0)
		return pw_err_prefix(err, "%s", path);
	return 0;
}

int pw_write_all(int fd, const void *data, size_t length, struct pw_err *err)
{
	const char *from = data;

	while (length) {
		ssize_t n = write(fd, from, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return pw_fail_errno(err, errno, "write");
		from += n;
		length -= (size_t)n;
	}
	return 0;
}

int pw_sync_dir(int dirfd, struct pw_err *err)
{
	if (fsync(dirfd) < 0 && errno != EINVAL && errno != EROFS)
		return pw_fail_errno(err, errno, "sync folder");
	return 0;
}

static int write_and_sync(int fd, const void *data, size_t length, struct pw_err *err)
{
	int r = pw_write_all(fd, data, length, err);

	if (r < 0)
		return r;
	if (fsync(fd) < 0)
		return pw_fail_errno(err, errno, "sync");
	return 0;
}

int pw_write_file_atomic(int dirfd, const char *name, const void *data, size_t length,
			 struct pw_err *err)
{
	pw_auto_free char *temporary = pw_sprintf(".%s.new", name);
	pw_auto_close int fd = -1;

	(void)unlinkat(dirfd, temporary, 0);
	fd = openat(dirfd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return pw_fail_errno(err, errno, "create %s", temporary);
	if (write_and_sync(fd, data, length, err) < 0) {
		(void)unlinkat(dirfd, temporary, 0);
		return pw_err_prefix(err, "%s", name);
	}
	if (renameat(dirfd, temporary, dirfd, name) < 0)
		return pw_fail_errno(err, errno, "rename %s", name);
	return pw_sync_dir(dirfd, err);
}

int pw_make_dirs(const char *path, struct pw_err *err)
{
	pw_auto_free char *partial = pw_strdup(path);

	if (!*path)
		return pw_fail(err, PW_EINVAL, "create folder '': no name");
	for (char *slash = partial + 1;; slash++) {
		char kept = *slash;

		if (kept != '/' && kept != '\0')
			continue;
		*slash = '\0';
		if (mkdir(partial, 0755) < 0 && errno != EEXIST)
			return pw_fail_errno(err, errno, "create folder %s", partial);
		*slash = kept;
		if (kept == '\0')
			return 0;
	}
}

/*
 * Folders nested deeper than this are moved up beside the topmost one and removed from there: each
 * level on the way down holds a descriptor, and a tree may be of any depth.
 */
#define DEPTH_LIMIT 32

struct removal {
	int top;	 /* the topmost folder */
	unsigned lifted; /* folders moved up to it */
	int failed;	 /* the last -errno; 0 = none */
};

static void remove_folder(struct removal *removal, int dirfd, const char *name, int depth);

/* A folder that lets not even its owner in is opened up first; not through a link. */
static int open_folder(int dirfd, const char *name)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(dirfd, name, flags);

	if (fd < 0 && errno == EACCES && fchmodat(dirfd, name, 0700, AT_SYMLINK_NOFOLLOW) == 0)
		fd = openat(dirfd, name, flags);
	return fd;
}

static void remove_entries(struct removal *removal, int dirfd, int depth)
{
	DIR *dir = fdopendir(dirfd);
	struct dirent *entry;

	if (!dir) {
		removal->failed = -errno;
		close(dirfd);
		return;
	}
	(void)fchmod(dirfd,
		     0700); /* read-only folders (a cache of sources) hold on to their files */
	while ((entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (unlinkat(dirfd, entry->d_name, 0) < 0 && errno != ENOENT)
			remove_folder(removal, dirfd, entry->d_name, depth);
	}
	closedir(dir);
}

static void lift(struct removal *removal, int dirfd, const char *name)
{
	pw_auto_free char *lifted = pw_sprintf("perfwatt-lifted-%u", removal->lifted);

	if (renameat(dirfd, name, removal->top, lifted) < 0)
		removal->failed = -errno;
	removal->lifted++;
}

/* An entry that unlinkat() did not take: a folder, or something that will not go. */
static void remove_folder(struct removal *removal, int dirfd, const char *name, int depth)
{
	int unlink_failed = errno;
	int below = open_folder(dirfd, name);

	if (below < 0) {
		removal->failed = errno == ENOTDIR || errno == ELOOP ? -unlink_failed : -errno;
		return;
	}
	if (depth == 0) {
		close(below);
		lift(removal, dirfd, name);
		return;
	}
	remove_entries(removal, below, depth - 1);
	if (unlinkat(dirfd, name, AT_REMOVEDIR) < 0 && errno != ENOENT && !removal->failed)
		removal->failed = -errno;
}

/* Everything in a folder; in rounds, as long as something was moved up. */
static int empty_folder(int fd)
{
	struct removal removal = { .top = fd };
	unsigned lifted;

	do {
		int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (copy < 0)
			return -errno;
		lifted = removal.lifted;
		remove_entries(&removal, copy, DEPTH_LIMIT);
	} while (removal.failed == 0 && removal.lifted != lifted);
	return removal.failed;
}

int pw_remove_tree(const char *path, struct pw_err *err)
{
	pw_auto_close int fd = open_folder(AT_FDCWD, path);
	int failed = 0;

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 && errno != ENOTDIR && errno != ELOOP)
		return pw_fail_errno(err, errno, "remove %s", path);
	if (fd < 0 && unlink(path) < 0 && errno != ENOENT)
		failed = -errno;
	if (fd >= 0)
		failed = empty_folder(fd);
	if (fd >= 0 && failed == 0 && rmdir(path) < 0 && errno != ENOENT)
		failed = -errno;
	if (failed < 0)
		return pw_fail_errno(err, -failed, "remove %s", path);
	return 0;
}
