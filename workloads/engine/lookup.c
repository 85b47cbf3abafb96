/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/lookup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workloads/engine/loadfile.h"

/* Folders nested deeper than this are no load file's. */
#define DEPTH_LIMIT 128

/*
 * The system calls of opendir(3): an open and an fstat. The C library's own would allocate its
 * buffer for every folder.
 */
static int open_folder(const char *name, size_t length)
{
	char folder[PW_NAME_SIZE];
	struct stat status;
	int fd;

	if (length >= sizeof(folder))
		return -1;
	memcpy(folder, name, length);
	folder[length] = '\0';
	fd = open(folder, O_RDONLY | O_NONBLOCK | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		(void)fstat(fd, &status);
	return fd;
}

static size_t folder_length(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? (size_t)(slash - name) : 0;
}

/* The entries of one getdents64 call; true if the search ends in them. */
static bool search_block(const char *listing, size_t length, const char *wanted, unsigned *left)
{
	for (size_t at = 0; at < length && *left; (*left)--) {
		const struct dirent64 *entry =
			(const struct dirent64 *)(const void *)(listing + at);

		if (wanted && strcasecmp(entry->d_name, wanted) == 0)
			return true;
		at += entry->d_reclen;
	}
	return *left == 0;
}

/* Reads a folder until the wanted entry or the limit is met. */
static void search(const char *name, const char *wanted, unsigned left, char *listing,
		   size_t listing_size)
{
	int fd = open_folder(name, folder_length(name));
	bool done = false;

	if (fd < 0)
		return;
	while (!done) {
		ssize_t n = getdents64(fd, listing, listing_size);

		if (n <= 0)
			break;
		done = search_block(listing, (size_t)n, wanted, &left);
	}
	close(fd);
}

void pw_lookup(const char *name, char *listing, size_t listing_size)
{
	struct stat status;

	if (stat(name, &status) < 0)
		search(name, name + folder_length(name) + 1, UINT32_MAX, listing, listing_size);
}

void pw_lookup_list(const char *name, unsigned entries, char *listing, size_t listing_size)
{
	if (entries)
		search(name, NULL, entries, listing, listing_size);
}

static int delete_entries(int dirfd, unsigned depth)
{
	DIR *folder = fdopendir(dirfd);
	struct dirent *entry;
	int r = 0;

	if (!folder) {
		r = -errno;
		close(dirfd);
		return r;
	}
	while (r == 0 && (entry = readdir(folder))) {
		int below;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		below = openat(dirfd, entry->d_name,
			       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (below >= 0 && depth == 0) {
			close(below);
			r = -ELOOP;
		} else if (below >= 0) {
			r = delete_entries(below, depth - 1);
		} else if (unlinkat(dirfd, entry->d_name, 0) < 0 && errno != ENOENT) {
			r = -errno;
		}
	}
	closedir(folder);
	return r;
}

int pw_lookup_delete_files(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	return delete_entries(fd, DEPTH_LIMIT);
}
