/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file backend: counters of a fake root (perf.h says where). */
#include <stdio.h>

#include "lib/base/mem.h"
#include "lib/platform/perf.h"

#define PATH_SIZE 192

struct group {
	char paths[PW_PERF_GROUP_MAX][PATH_SIZE];
	size_t count; /* 0: free */
};

struct files {
	struct group *groups;
	size_t count, capacity;
};

static int free_handle(struct files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		if (files->groups[i].count == 0)
			return (int)i;
	}
	pw_grow(&files->groups, &files->capacity, files->count + 1, sizeof(*files->groups));
	files->count++;
	return (int)files->count - 1;
}

/* An event without its file is an event that the fake machine does not have. */
static int check_file(const struct pw_perf *perf, const char *path, struct pw_err *err)
{
	uint64_t value;
	int r = pw_attr_read_u64(perf->root, path, &value, err);

	if (r == -PW_ENOTFOUND)
		return pw_fail(err, PW_EUNSUPPORTED, "no counter file %s in this root", path);
	return r;
}

static int files_open(const struct pw_perf *perf, const struct pw_perf_event *events, size_t count,
		      unsigned cpu, struct pw_err *err)
{
	struct files *files = perf->context;
	struct group group = { .count = count };
	int handle;

	if (count == 0 || count > PW_PERF_GROUP_MAX)
		return pw_fail(err, PW_EINVAL, "a perf group of %zu events", count);
	for (size_t i = 0; i < count; i++) {
		int r;

		(void)snprintf(group.paths[i], PATH_SIZE, "/perf/%s/%s/cpu%u", events[i].pmu,
			       events[i].name, cpu);
		r = check_file(perf, group.paths[i], err);
		if (r < 0)
			return r;
	}
	handle = free_handle(files);
	files->groups[handle] = group;
	return handle;
}

static int files_read(const struct pw_perf *perf, int handle, struct pw_perf_reading *ret,
		      struct pw_err *err)
{
	const struct files *files = perf->context;
	const struct group *group = &files->groups[handle];
	struct pw_perf_reading reading = { 0 };

	for (size_t i = 0; i < group->count; i++) {
		int r = pw_attr_read_u64(perf->root, group->paths[i], &reading.values[i], err);

		if (r == -PW_ENOTFOUND)
			return pw_fail(err, PW_EGONE, "counter file %s is gone", group->paths[i]);
		if (r < 0)
			return r;
	}
	*ret = reading;
	return 0;
}

static void files_close(const struct pw_perf *perf, int handle)
{
	struct files *files = perf->context;

	files->groups[handle].count = 0;
}

static void files_done(struct pw_perf *perf)
{
	struct files *files = perf->context;

	free(files->groups);
	free(files);
}

static const struct pw_perf_ops files_ops = {
	.open = files_open,
	.read = files_read,
	.close = files_close,
	.done = files_done,
};

void pw_perf_init_root(struct pw_perf *perf, const struct pw_root *root)
{
	*perf = (struct pw_perf){
		.ops = &files_ops,
		.root = root,
		.context = pw_new(1, sizeof(struct files)),
	};
}
