/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/place.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "lib/base/file.h"
#include "lib/base/mem.h"

#define NOTE_NAME  "journal"
#define NOTE_LIMIT 8192

static char *below(const char *folder, const char *rest)
{
	return pw_sprintf("%s%s", folder, rest);
}

static void find_for_user(struct pw_places *ret)
{
	const char *run = getenv("XDG_RUNTIME_DIR");
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	if (state && *state)
		ret->state = below(state, "/perfwatt");
	else if (home && *home)
		ret->state = below(home, "/.local/state/perfwatt");
	else
		ret->state = pw_sprintf("/tmp/perfwatt-%u", (unsigned)geteuid());
	ret->run = run && *run ? below(run, "/perfwatt") : pw_strdup(ret->state);
}

void pw_places_find(const struct pw_root *root, struct pw_places *ret)
{
	*ret = (struct pw_places){ 0 };
	if (!root->real || geteuid() == 0) {
		const char *top = root->real ? "" : root->path;

		ret->run = below(top, "/run/perfwatt");
		ret->state = below(top, "/var/lib/perfwatt");
	} else {
		find_for_user(ret);
	}
}

/* One more folder below a fake root; `path` is absolute within it. */
static int make_one(const struct pw_root *root, char *path, struct pw_err *err)
{
	char *slash = strrchr(path, '/');
	pw_auto_close int parent = -1;

	if (pw_root_exists(root, path))
		return 0;
	*slash = '\0';
	parent = pw_root_open_file(root, path, O_RDONLY | O_DIRECTORY, err);
	*slash = '/';
	if (parent < 0)
		return parent;
	if (mkdirat(parent, slash + 1, 0755) < 0)
		return pw_fail_errno(err, errno, "create folder %s below %s", path, root->path);
	return 0;
}

/* Links in a tree that stands in for a machine lead nowhere outside of it. */
static int make_below(const struct pw_root *root, const char *folder, struct pw_err *err)
{
	pw_auto_free char *path = pw_strdup(folder);

	for (char *slash = path + 1;; slash++) {
		char kept = *slash;
		int r;

		if (kept != '/' && kept != '\0')
			continue;
		*slash = '\0';
		r = make_one(root, path, err);
		*slash = kept;
		if (r < 0 || kept == '\0')
			return r;
	}
}

/* Where a folder below a fake root is in truth, all links followed within that root. */
static int resolve(const struct pw_root *root, char **path, struct pw_err *err)
{
	const char *folder = *path + strlen(root->path);
	pw_auto_close int fd = -1;
	pw_auto_free char *link = NULL;
	char *real;

	if (make_below(root, folder, err) < 0)
		return -(int)err->code;
	fd = pw_root_open_file(root, folder, O_RDONLY | O_DIRECTORY, err);
	if (fd < 0)
		return fd;
	link = pw_sprintf("/proc/self/fd/%d", fd);
	real = realpath(link, NULL);
	if (!real)
		return pw_fail_errno(err, errno, "folder %s", *path);
	free(*path);
	*path = real;
	return 0;
}

static int make_both(const struct pw_root *root, struct pw_places *places, struct pw_err *err)
{
	int r = root->real ? pw_make_dirs(places->run, err) : resolve(root, &places->run, err);

	if (r < 0)
		return r;
	return root->real ? pw_make_dirs(places->state, err) : resolve(root, &places->state, err);
}

int pw_places_make(const struct pw_root *root, struct pw_places *ret, struct pw_err *err)
{
	struct pw_places places;
	struct stat info;

	pw_places_find(root, &places);
	if (make_both(root, &places, err) < 0) {
		pw_places_done(&places);
		return pw_err_prefix(err, "perfwatt's own folder");
	}
	if (lstat(places.state, &info) < 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid()) {
		(void)pw_fail(err, PW_EDENIED, "%s is not a folder of this user", places.state);
		pw_places_done(&places);
		return -(int)err->code;
	}
	*ret = places;
	return 0;
}

void pw_places_done(struct pw_places *places)
{
	free(places->run);
	free(places->state);
	*places = (struct pw_places){ 0 };
}

static int open_lock(const struct pw_places *places)
{
	pw_auto_free char *path = below(places->run, "/lock");

	return open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
}

static char *read_holder(int fd)
{
	char text[NOTE_LIMIT];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	return n > 0 ? pw_strndup(text, (size_t)n) : pw_strdup("unknown");
}

char *pw_lock_holder(const struct pw_places *places)
{
	pw_auto_close int fd = open_lock(places);

	if (fd < 0 || flock(fd, LOCK_SH | LOCK_NB) == 0)
		return NULL;
	return read_holder(fd);
}

int pw_lock_take(const struct pw_places *places, const char *results, struct pw_err *err)
{
	pw_auto_close int fd = open_lock(places);
	pw_auto_free char *holder = pw_sprintf("pid %d, results %s", (int)getpid(), results);

	if (fd < 0)
		return pw_fail_errno(err, errno, "lock %s/lock", places->run);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		pw_auto_free char *other = read_holder(fd);

		(void)pw_fail(err, PW_EBUSY, "another perfwatt is at work on this machine (%s)",
			      other);
		return pw_err_hint(
			err, "wait for its end: two sessions would change each other's settings");
	}
	if (ftruncate(fd, 0) < 0 || pwrite(fd, holder, strlen(holder), 0) < 0)
		return pw_fail_errno(err, errno, "lock %s/lock", places->run);
	return pw_take_fd(&fd);
}

int pw_note_journal(const struct pw_places *places, const char *journal, struct pw_err *err)
{
	pw_auto_close int dirfd = open(places->state, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dirfd < 0)
		return pw_fail_errno(err, errno, "open %s", places->state);
	return pw_write_file_atomic(dirfd, NOTE_NAME, journal, strlen(journal), err);
}

char *pw_noted_journal(const struct pw_places *places)
{
	pw_auto_free char *path = below(places->state, "/" NOTE_NAME);
	char *text = NULL;
	size_t length;
	struct pw_err err;

	if (pw_read_path(path, NOTE_LIMIT, &text, &length, &err) < 0)
		return NULL;
	return text;
}

void pw_forget_journal(const struct pw_places *places)
{
	pw_auto_free char *path = below(places->state, "/" NOTE_NAME);

	(void)unlink(path);
}
