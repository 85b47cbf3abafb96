/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's backend: counting events for the whole machine, one group a CPU. */
#include "lib/platform/perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>

#include "lib/base/mem.h"

struct group {
	int fds[PW_PERF_GROUP_MAX]; /* the leader first */
	size_t count;		    /* 0: free */
};

struct kernel {
	struct group *groups;
	size_t count, capacity;
};

static int open_event(const struct pw_perf_event *event, unsigned cpu, int leader)
{
	/*
	 * No sampling and no exclude bits: the power and msr PMUs refuse both with EINVAL. The
	 * times tell whether the counts are of the whole time.
	 */
	struct perf_event_attr attr = {
		.type = event->type,
		.size = sizeof(attr),
		.config = event->config,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, (int)cpu, leader, PERF_FLAG_FD_CLOEXEC);
}

static int fail_open(const struct pw_perf_event *event, unsigned cpu, int errnum,
		     struct pw_err *err)
{
	(void)pw_fail_errno(err, errnum, "perf event %s/%s/ on cpu%u", event->pmu, event->name,
			    cpu);
	switch (errnum) {
	case EACCES:
	case EPERM:
		err->code = PW_EDENIED;
		return pw_err_hint(err, "run as root, give perfwatt CAP_PERFMON (setcap "
					"cap_perfmon+ep), or set kernel.perf_event_paranoid to 0 "
					"(sysctl kernel.perf_event_paranoid=0)");
	case ENOENT:
	case EINVAL:
	case ENOSYS:
		err->code = PW_EUNSUPPORTED;
		return -PW_EUNSUPPORTED;
	case EMFILE:
		return pw_err_hint(err, "raise the limit of open files (ulimit -n): one is needed "
					"per event and CPU");
	default:
		return -(int)err->code;
	}
}

static void close_group(struct group *group)
{
	/* Members before their leader, as they count only with it. */
	while (group->count > 0)
		close(group->fds[--group->count]);
}

static int free_handle(struct kernel *kernel)
{
	for (size_t i = 0; i < kernel->count; i++) {
		if (kernel->groups[i].count == 0)
			return (int)i;
	}
	PW_PUSH(kernel->groups, kernel->count, kernel->capacity, (struct group){ 0 });
	return (int)kernel->count - 1;
}

static int kernel_open(const struct pw_perf *perf, const struct pw_perf_event *events, size_t count,
		       unsigned cpu, struct pw_err *err)
{
	struct kernel *kernel = perf->context;
	struct group group = { 0 };
	int handle;

	/* A type number of a fake tree names some other PMU of this machine. */
	if (!perf->root->real)
		return pw_fail(err, PW_EINVAL, "perf events of a fake root never reach the kernel");
	if (count == 0 || count > PW_PERF_GROUP_MAX)
		return pw_fail(err, PW_EINVAL, "a perf group of %zu events", count);
	for (size_t i = 0; i < count; i++) {
		int fd = open_event(&events[i], cpu, i ? group.fds[0] : -1);

		if (fd < 0) {
			int errnum = errno;

			close_group(&group);
			return fail_open(&events[i], cpu, errnum, err);
		}
		group.fds[group.count++] = fd;
	}
	handle = free_handle(kernel);
	kernel->groups[handle] = group;
	return handle;
}

static int kernel_read(const struct pw_perf *perf, int handle, struct pw_perf_reading *ret,
		       struct pw_err *err)
{
	struct kernel *kernel = perf->context;
	const struct group *group = &kernel->groups[handle];
	/* PERF_FORMAT_GROUP (perf_event_open(2)): nr, time_enabled, time_running, values[nr]. */
	uint64_t words[3 + PW_PERF_GROUP_MAX] = { 0 };
	size_t size = (3 + group->count) * sizeof(words[0]);
	ssize_t n = read(group->fds[0], words, sizeof(words));

	if (n < 0)
		return pw_fail_errno(err, errno, "read perf events");
	/* Nothing is read of an event in error state, say of a CPU that went offline. */
	if ((size_t)n != size || words[0] != group->count)
		return pw_fail(err, PW_EGONE, "perf events are gone (CPU offline?)");
	*ret = (struct pw_perf_reading){ .enabled_ns = words[1], .running_ns = words[2] };
	memcpy(ret->values, &words[3], group->count * sizeof(words[0]));
	return 0;
}

static void kernel_close(const struct pw_perf *perf, int handle)
{
	struct kernel *kernel = perf->context;

	close_group(&kernel->groups[handle]);
}

static void kernel_done(struct pw_perf *perf)
{
	struct kernel *kernel = perf->context;

	for (size_t i = 0; i < kernel->count; i++)
		close_group(&kernel->groups[i]);
	free(kernel->groups);
	free(kernel);
}

static const struct pw_perf_ops kernel_ops = {
	.open = kernel_open,
	.read = kernel_read,
	.close = kernel_close,
	.done = kernel_done,
};

void pw_perf_init_kernel(struct pw_perf *perf, const struct pw_root *root)
{
	*perf = (struct pw_perf){
		.ops = &kernel_ops,
		.root = root,
		.context = pw_new(1, sizeof(struct kernel)),
	};
}

int pw_perf_init(struct pw_perf *perf, const struct pw_root *root, struct pw_err *err)
{
	(void)err;
	if (root->real)
		pw_perf_init_kernel(perf, root);
	else
		pw_perf_init_root(perf, root);
	return 0;
}

void pw_perf_done(struct pw_perf *perf)
{
	if (perf->ops && perf->ops->done)
		perf->ops->done(perf);
	*perf = (struct pw_perf){ 0 };
}
