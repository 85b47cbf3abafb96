/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"

/* Rounds of 10 ms: a tree that forks faster than it is killed for 10 s is given up on. */
#define ROUNDS	 1000
#define ROUND_NS (10 * PW_NS_PER_MS)

struct process {
	pid_t pid, parent;
	bool below;
};

/* The parent of a process from /proc/<pid>/stat: the second field after the last ')'. */
static pid_t parent_of(const char *pid)
{
	pw_auto_free char *path = pw_sprintf("/proc/%s/stat", pid);
	pw_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	pw_auto_strv struct pw_strv fields = PW_STRV_INIT;
	char text[512];
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	const char *after;
	struct pw_err err;
	uint64_t parent;

	if (n <= 0)
		return -1;
	text[n] = '\0';
	after = strrchr(text, ')');
	if (!after)
		return -1;
	pw_strv_split(&fields, after + 1, " ");
	if (fields.count < 2 || pw_parse_u64(fields.items[1], &parent, &err) < 0)
		return -1;
	return (pid_t)parent;
}

static size_t list_processes(struct process **ret)
{
	struct process *list = NULL;
	size_t count = 0, capacity = 0;
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		struct pw_err err;
		uint64_t pid;

		if (pw_parse_u64(entry->d_name, &pid, &err) < 0)
			continue;
		PW_PUSH(list, count, capacity,
			((struct process){ .pid = (pid_t)pid,
					   .parent = parent_of(entry->d_name) }));
	}
	if (dir)
		closedir(dir);
	*ret = list;
	return count;
}

static bool is_spared(const pid_t *spared, pid_t pid)
{
	for (size_t i = 0; spared && i < PW_SPARED; i++) {
		if (spared[i] == pid)
			return true;
	}
	return false;
}

static bool any_spared(const pid_t *spared)
{
	for (size_t i = 0; spared && i < PW_SPARED; i++) {
		if (spared[i] > 0)
			return true;
	}
	return false;
}

static bool is_below(const struct process *list, size_t count, pid_t parent, pid_t self)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i].pid == parent)
			return list[i].below;
	}
	return parent == self;
}

/* Marks all descendants of this process; repeated until nothing new is found. */
static void mark_descendants(struct process *list, size_t count, const pid_t *spared)
{
	pid_t self = getpid();
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = 0; i < count; i++) {
			if (list[i].below || list[i].pid == self || is_spared(spared, list[i].pid))
				continue;
			list[i].below = list[i].parent == self ||
					is_below(list, count, list[i].parent, self);
			changed |= list[i].below;
		}
	}
}

/* How many there were. */
static size_t kill_descendants(const pid_t *spared)
{
	pw_auto_free struct process *list = NULL;
	size_t count = list_processes(&list), found = 0;

	mark_descendants(list, count, spared);
	for (size_t i = 0; i < count; i++) {
		if (!list[i].below)
			continue;
		(void)kill(list[i].pid, SIGKILL);
		found++;
	}
	return found;
}

unsigned pw_tree_end(bool in_namespace, pid_t first, const pid_t spared[PW_SPARED],
		     int *wait_status)
{
	unsigned ended = 0;

	for (int round = 0; round < ROUNDS; round++) {
		size_t found = 1;
		int status;
		pid_t pid;

		if (in_namespace)
			(void)kill(-1, SIGKILL);
		else
			found = kill_descendants(spared);
		while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
			if (pid == first)
				*wait_status = status;
			else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
				ended++;
		}
		if ((pid < 0 && errno == ECHILD) || (any_spared(spared) && found == 0))
			return ended;
		pw_clock_sleep_until(pw_clock_monotonic() + (round == 0 ? PW_NS_PER_MS : ROUND_NS));
	}
	return ended;
}
