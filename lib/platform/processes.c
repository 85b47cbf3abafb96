/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/processes.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "lib/base/mem.h"

/* A line of /proc/PID/stat: 52 numbers of at most 20 digits and a name. */
#define STAT_SIZE 1280
/* Parents of parents: deeper than any tree of processes, and an end where a reading is torn. */
#define DEPTH_LIMIT 64

void pw_processes_init(struct pw_processes *processes, size_t capacity)
{
	*processes = (struct pw_processes){ .items = pw_new(capacity, sizeof(*processes->items)),
					    .capacity = capacity };
}

void pw_processes_done(struct pw_processes *processes)
{
	free(processes->items);
	*processes = (struct pw_processes){ 0 };
}

DIR *pw_processes_open(const struct pw_root *root)
{
	struct pw_err ignored;
	int fd = pw_root_open_file(root, "/proc", O_RDONLY | O_DIRECTORY, &ignored);
	DIR *folder;

	if (fd < 0)
		return NULL;
	folder = fdopendir(fd);
	if (!folder)
		close(fd);
	return folder;
}

/* A folder of a process: digits, and nothing that could lead elsewhere. */
static bool is_process(const char *name)
{
	size_t length = strspn(name, "0123456789");

	return length > 0 && length < 10 && name[length] == '\0';
}

size_t pw_processes_count(DIR *folder)
{
	struct dirent *entry;
	size_t count = 0;

	rewinddir(folder);
	while ((entry = readdir(folder)))
		count += is_process(entry->d_name);
	return count;
}

static bool read_one(const struct pw_root *root, const char *pid, struct pw_process *ret)
{
	char path[32], text[STAT_SIZE];
	struct pw_process_stat stat;
	ssize_t n;

	(void)snprintf(path, sizeof(path), "/proc/%.10s/stat", pid);
	n = root->ops->read(root, path, text, sizeof(text) - 1);
	if (n <= 0)
		return false;
	text[n] = '\0';
	if (!pw_process_stat_parse(text, &stat))
		return false;
	*ret = (struct pw_process){
		.pid = stat.pid, .parent = stat.parent, .kernel = stat.kernel, .start = stat.start
	};
	if (__builtin_add_overflow(stat.user, stat.system, &ret->ticks))
		return false;
	memcpy(ret->name, stat.name, sizeof(ret->name) - 1);
	return true;
}

/* The first item whose pid is not smaller. */
static size_t place_of(const struct pw_processes *processes, pid_t pid)
{
	size_t low = 0, high = processes->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (processes->items[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct pw_process *find(const struct pw_processes *processes, pid_t pid)
{
	size_t at = place_of(processes, pid);

	return at < processes->count && processes->items[at].pid == pid ? &processes->items[at]
									: NULL;
}

/* The kernel lists by pid, so this mostly appends; a plain folder comes in any order. */
static void insert(struct pw_processes *processes, const struct pw_process *process)
{
	size_t at = place_of(processes, process->pid);
	struct pw_process *place = &processes->items[at];

	if (at < processes->count && place->pid == process->pid)
		return;
	if (processes->count == processes->capacity) {
		processes->complete = false;
		return;
	}
	memmove(place + 1, place, (processes->count - at) * sizeof(*place));
	*place = *process;
	processes->count++;
}

void pw_processes_read(const struct pw_root *root, DIR *folder, struct pw_processes *processes)
{
	struct pw_process process;
	struct dirent *entry;

	processes->count = 0;
	processes->complete = folder != NULL;
	if (!folder)
		return;
	rewinddir(folder);
	while ((entry = readdir(folder))) {
		if (is_process(entry->d_name) && read_one(root, entry->d_name, &process))
			insert(processes, &process);
	}
}

static bool is_own(const struct pw_processes *processes, const struct pw_process *process,
		   pid_t self)
{
	for (int depth = 0; self > 0 && process && depth < DEPTH_LIMIT; depth++) {
		if (process->pid == self)
			return true;
		process = find(processes, process->parent);
	}
	return false;
}

/* A process that was not there before, or another under its pid, used all of its time since. */
static uint64_t used_since(const struct pw_processes *before, const struct pw_process *process)
{
	const struct pw_process *earlier = find(before, process->pid);

	if (earlier && earlier->start == process->start)
		return process->ticks > earlier->ticks ? process->ticks - earlier->ticks : 0;
	return before->complete ? process->ticks : 0;
}

struct pw_process_use pw_processes_compare(const struct pw_processes *before,
					   const struct pw_processes *after, pid_t self)
{
	struct pw_process_use use = { 0 };

	for (size_t i = 0; i < after->count; i++) {
		const struct pw_process *process = &after->items[i];
		uint64_t ticks = used_since(before, process);

		if (ticks == 0)
			continue;
		if (process->kernel) {
			use.kernel += ticks;
		} else if (is_own(after, process, self)) {
			use.own += ticks;
		} else {
			use.others += ticks;
			use.movers++;
			if (ticks > use.heaviest) {
				use.heaviest = ticks;
				use.process = process;
			}
		}
	}
	return use;
}

/* Keeps the list in falling order; the lightest falls off its end. */
static size_t rank_in(const struct pw_process **list, uint64_t *used, size_t count, size_t limit,
		      const struct pw_process *process, uint64_t ticks)
{
	size_t at = count;

	while (at > 0 && used[at - 1] < ticks)
		at--;
	if (at == limit)
		return count;
	if (count < limit)
		count++;
	memmove(list + at + 1, list + at, (count - at - 1) * sizeof(*list));
	memmove(used + at + 1, used + at, (count - at - 1) * sizeof(*used));
	list[at] = process;
	used[at] = ticks;
	return count;
}

size_t pw_processes_heaviest(const struct pw_processes *before, const struct pw_processes *after,
			     pid_t self, uint64_t least, const struct pw_process **ret,
			     uint64_t *used, size_t limit)
{
	size_t count = 0;

	for (size_t i = 0; i < after->count; i++) {
		const struct pw_process *process = &after->items[i];
		uint64_t ticks = used_since(before, process);

		if (ticks > 0 && ticks >= least && !process->kernel &&
		    !is_own(after, process, self))
			count = rank_in(ret, used, count, limit, process, ticks);
	}
	return count;
}
