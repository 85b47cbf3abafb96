/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/fds.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/parse.h"

/* Where neither close_range(2) nor /proc tells what is open. */
#define BLIND_LIMIT 65536

static void each_open(void (*act)(int fd, const void *context), const void *context)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	for (int fd = 0; !dir && fd < BLIND_LIMIT; fd++)
		act(fd, context);
	while (dir && (entry = readdir(dir))) {
		struct pw_err err;
		uint64_t fd;

		if (pw_parse_u64(entry->d_name, &fd, &err) == 0 && (int)fd != dirfd(dir))
			act((int)fd, context);
	}
	if (dir)
		closedir(dir);
}

static void set_cloexec(int fd, const void *context)
{
	if (fd >= *(const int *)context)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void pw_fds_cloexec(unsigned first)
{
	int from = (int)first;

	if (syscall(SYS_close_range, first, UINT_MAX, CLOSE_RANGE_CLOEXEC) < 0)
		each_open(set_cloexec, &from);
}

struct kept {
	const int *fds;
	size_t count;
};

static void close_other(int fd, const void *context)
{
	const struct kept *kept = context;
	bool keep = fd == STDERR_FILENO;

	for (size_t i = 0; i < kept->count; i++)
		keep |= kept->fds[i] == fd;
	if (!keep)
		close(fd);
}

void pw_fds_close_others(const int *fds, size_t count)
{
	struct kept kept = { .fds = fds, .count = count };

	each_open(close_other, &kept);
}
