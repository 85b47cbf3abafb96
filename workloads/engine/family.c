/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/family.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"

void pw_family_init(struct pw_family *family)
{
	struct sigaction normal = { .sa_handler = SIG_DFL };

	*family = (struct pw_family){ 0 };
	(void)sigemptyset(&family->waited);
	(void)sigaddset(&family->waited, SIGCHLD);
	(void)sigaddset(&family->waited, SIGINT);
	(void)sigaddset(&family->waited, SIGTERM);
	(void)sigaddset(&family->waited, SIGHUP);
	(void)sigprocmask(SIG_BLOCK, &family->waited, &family->old_mask);
	/* An inherited SIG_IGN would let children vanish unseen. */
	(void)sigaction(SIGCHLD, &normal, &family->old_child);
}

static void note_end(struct pw_family *family, pid_t pid, int status)
{
	for (size_t i = 0; i < family->count; i++) {
		struct pw_child *child = &family->children[i];

		if (child->pid != pid)
			continue;
		child->pid = 0;
		child->status = status;
		family->alive--;
		return;
	}
}

static void reap(struct pw_family *family, int flags)
{
	while (family->alive) {
		int status;
		pid_t pid = waitpid(-1, &status, flags);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid <= 0)
			return;
		note_end(family, pid, status);
	}
}

void pw_family_done(struct pw_family *family)
{
	for (size_t i = 0; i < family->count; i++) {
		if (family->children[i].pid > 0)
			(void)kill(family->children[i].pid, SIGKILL);
	}
	reap(family, 0);
	free(family->children);
	(void)sigaction(SIGCHLD, &family->old_child, NULL);
	(void)sigprocmask(SIG_SETMASK, &family->old_mask, NULL);
	*family = (struct pw_family){ 0 };
}

static _Noreturn void child_main(const struct pw_family *family, pid_t parent, unsigned id,
				 int (*main)(void *context, unsigned id), void *context)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1); /* it died before the line above */
	/* A peer that is gone is an error of send(2), not a death. */
	(void)sigaction(SIGPIPE, &ignore, NULL);
	(void)sigprocmask(SIG_SETMASK, &family->old_mask, NULL);
	_exit(main(context, id));
}

int pw_family_fork(struct pw_family *family, enum pw_role role, unsigned id,
		   int (*main)(void *context, unsigned id), void *context, struct pw_err *err)
{
	struct pw_child child = { .role = role, .id = id };
	pid_t parent = getpid();

	child.pid = fork();
	if (child.pid < 0)
		return pw_fail_errno(err, errno, "start process %zu", family->count + 1);
	if (child.pid == 0)
		child_main(family, parent, id, main, context);
	PW_PUSH(family->children, family->count, family->capacity, child);
	family->alive++;
	return 0;
}

int pw_family_wait(struct pw_family *family, int64_t until_ns, struct pw_err *err)
{
	int64_t left = until_ns - pw_clock_monotonic();
	struct timespec limit;
	int signal_number;

	if (left < 0)
		left = 0;
	limit = (struct timespec){ .tv_sec = left / PW_NS_PER_S, .tv_nsec = left % PW_NS_PER_S };
	signal_number = sigtimedwait(&family->waited, NULL, &limit);
	if (signal_number > 0 && signal_number != SIGCHLD)
		return pw_fail(err, PW_ESTOPPED, "stopped by signal %d (%s)", signal_number,
			       strsignal(signal_number));
	reap(family, WNOHANG);
	return 0;
}

/* Of several failures: a death says more than a status, a client's status more than a server's. */
static int weight(const struct pw_child *child)
{
	return 2 * WIFSIGNALED(child->status) + (child->role == PW_ROLE_CLIENT);
}

const struct pw_child *pw_family_failed(const struct pw_family *family, bool early)
{
	const struct pw_child *found = NULL;

	for (size_t i = 0; i < family->count; i++) {
		const struct pw_child *child = &family->children[i];

		if (child->pid || (child->status == 0 && !(early && child->role == PW_ROLE_CLIENT)))
			continue;
		if (!found || weight(child) > weight(found))
			found = child;
	}
	return found;
}

size_t pw_family_alive(const struct pw_family *family, enum pw_role role)
{
	size_t count = 0;

	for (size_t i = 0; i < family->count; i++)
		count += family->children[i].pid && family->children[i].role == role;
	return count;
}
