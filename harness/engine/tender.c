/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/tender.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "harness/engine/first.h"
#include "lib/base/clock.h"
#include "lib/base/fault.h"
#include "lib/base/file.h"

/* How long the end of a tree may take before perfwatt goes on without it. */
#define ENDING_LIMIT_MS 15000

/* The pipes between perfwatt, the tender and the first process. */
struct links {
	int control[2], status[2], release[2], failure[2];
};

static void close_pair(int pair[2])
{
	for (int i = 0; i < 2; i++) {
		if (pair[i] >= 0)
			close(pair[i]);
		pair[i] = -1;
	}
}

static void links_close(struct links *links)
{
	close_pair(links->control);
	close_pair(links->status);
	close_pair(links->release);
	close_pair(links->failure);
}

static int links_open(struct links *links, struct pw_err *err)
{
	*links = (struct links){ { -1, -1 }, { -1, -1 }, { -1, -1 }, { -1, -1 } };
	if (pipe2(links->control, O_CLOEXEC) < 0 || pipe2(links->status, O_CLOEXEC) < 0 ||
	    pipe2(links->release, O_CLOEXEC) < 0 || pipe2(links->failure, O_CLOEXEC) < 0) {
		int failed = errno;

		links_close(links);
		return pw_fail_errno(err, failed, "create the pipes of a run");
	}
	return 0;
}

/* Own /proc for the namespace, so that the workload sees its own processes and no others. */
static bool own_proc(void)
{
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0;
}

static pid_t fork_into_namespace(void)
{
	return (pid_t)syscall(SYS_clone, CLONE_NEWPID | CLONE_NEWNS | SIGCHLD, NULL, NULL, NULL,
			      NULL);
}

bool pw_namespace_usable(void)
{
	int status = 1;
	pid_t pid;

	if (geteuid() != 0)
		return false;
	pid = fork_into_namespace();
	if (pid == 0)
		_exit(own_proc() ? 0 : 1);
	if (pid < 0)
		return false;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void fill_usage(struct pw_ending *ending)
{
	struct rusage usage = { 0 };

	if (getrusage(RUSAGE_CHILDREN, &usage) < 0)
		return;
	ending->user_ns =
		usage.ru_utime.tv_sec * PW_NS_PER_S + usage.ru_utime.tv_usec * PW_NS_PER_US;
	ending->system_ns =
		usage.ru_stime.tv_sec * PW_NS_PER_S + usage.ru_stime.tv_usec * PW_NS_PER_US;
	ending->max_rss_kb = usage.ru_maxrss;
	ending->voluntary_switches = usage.ru_nvcsw;
	ending->involuntary_switches = usage.ru_nivcsw;
}

/* Reaps what has ended; true once the first process has. */
static bool reap(pid_t first, struct pw_ending *ending)
{
	bool gone = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
		if (pid == first) {
			ending->wait_status = status;
			gone = true;
		}
	}
	return gone || (pid < 0 && errno == ECHILD);
}

/* Waits for the first process or for the end of perfwatt, reaping on the way. True: the former. */
static bool tend(pid_t first, int control_fd, int signal_fd, struct pw_ending *ending)
{
	struct pollfd watched[] = { { .fd = control_fd, .events = POLLIN },
				    { .fd = signal_fd, .events = POLLIN } };
	struct signalfd_siginfo info;

	while (!reap(first, ending)) {
		if (poll(watched, 2, 1000) < 0 && errno != EINTR)
			return false;
		if (watched[0].revents)
			return false;
		if (watched[1].revents & POLLIN)
			(void)!read(signal_fd, &info, sizeof(info));
	}
	return true;
}

/* A chance to take back what it made (a scheduler, a listening socket) before it is killed. */
static void ask_to_end(pid_t first, int signal_fd, int64_t grace_ns, struct pw_ending *ending)
{
	int64_t until = pw_clock_monotonic() + grace_ns;
	struct pollfd watched = { .fd = signal_fd, .events = POLLIN };
	struct signalfd_siginfo info;

	(void)kill(first, SIGTERM); /* it may not lead a group of its own yet */
	(void)kill(-first, SIGTERM);
	while (!reap(first, ending)) {
		int64_t left = until - pw_clock_monotonic();

		if (left <= 0)
			return;
		(void)poll(&watched, 1, (int)(left / PW_NS_PER_MS) + 1);
		(void)!read(signal_fd, &info, sizeof(info));
	}
}

/* From the first process to the end of the tree, as far as that is to end. */
static void tend_tree(const struct pw_spawn *spawn, pid_t first, int control_fd, int signal_fd,
		      struct pw_ending *ending)
{
	bool by_itself = tend(first, control_fd, signal_fd, ending);

	if (!by_itself && spawn->grace_ns > 0)
		ask_to_end(first, signal_fd, spawn->grace_ns, ending);
	if (!by_itself || !spawn->leave)
		ending->leftovers =
			pw_tree_end(spawn->use_namespace, first, NULL, &ending->wait_status);
}

static int block_child_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	(void)sigprocmask(SIG_SETMASK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* What the first process wrote before an exec that failed; nothing if the exec succeeded. */
static void read_failure(int fd, struct pw_ending *ending)
{
	struct pw_first_failure failure = { 0 };

	ending->started = read(fd, &failure, sizeof(failure)) != (ssize_t)sizeof(failure);
	if (ending->started)
		return;
	ending->failed_errno = failure.error;
	memcpy(ending->failure, failure.step, sizeof(ending->failure));
}

static void report(int status_fd, const struct pw_ending *ending)
{
	struct pw_err ignored;

	(void)!pw_write_all(status_fd, ending, sizeof(*ending), &ignored);
}

/* The tender's life. Never returns. */
static void tender_main(const struct pw_spawn *spawn, struct links *links)
{
	struct pw_ending ending = { 0 };
	int signal_fd;
	pid_t first;

	(void)setsid();
	(void)prctl(PR_SET_NAME, "perfwatt-tender");
	if (spawn->use_namespace) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)own_proc();
	} else {
		(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	}
	signal_fd = block_child_signal();
	close(links->control[1]);
	close(links->status[0]);
	close(links->release[1]);
	first = fork();
	if (first == 0)
		pw_first_main(spawn, links->release[0], links->failure[1]);
	close(links->failure[1]);
	close(links->release[0]);
	close(spawn->out_fd);
	close(spawn->err_fd);
	if (first < 0) {
		ending.failed_errno = errno;
		(void)snprintf(ending.failure, sizeof(ending.failure), "start a process");
		report(links->status[1], &ending);
		_exit(1);
	}
	tend_tree(spawn, first, links->control[0], signal_fd, &ending);
	read_failure(links->failure[0], &ending);
	fill_usage(&ending);
	report(links->status[1], &ending);
	_exit(0);
}

int pw_child_start(const struct pw_spawn *spawn, struct pw_child *ret, struct pw_err *err)
{
	struct links links;
	pid_t pid;

	if (links_open(&links, err) < 0)
		return -(int)err->code;
	pid = spawn->use_namespace ? fork_into_namespace() : fork();
	if (pid == 0)
		tender_main(spawn, &links);
	if (pid < 0) {
		int failed = errno;

		links_close(&links);
		return pw_fail_errno(err, failed, "start the workload's process");
	}
	*ret = (struct pw_child){
		.tender = pid,
		.control_fd = pw_take_fd(&links.control[1]),
		.status_fd = pw_take_fd(&links.status[0]),
		.release_fd = pw_take_fd(&links.release[1]),
	};
	memcpy(ret->spared, spawn->spared, sizeof(ret->spared));
	links_close(&links);
	pw_fault_point("fork");
	return 0;
}

int pw_child_release(struct pw_child *child, struct pw_err *err)
{
	int r = pw_write_all(child->release_fd, "g", 1, err);

	close(pw_take_fd(&child->release_fd));
	return r;
}

void pw_child_stop(struct pw_child *child)
{
	if (child->control_fd >= 0)
		close(pw_take_fd(&child->control_fd));
	if (child->tender > 0) /* a workload of the same user may have stopped it */
		(void)kill(child->tender, SIGCONT);
}

static int read_ending(int fd, struct pw_ending *ret, struct pw_err *err)
{
	struct pollfd watched = { .fd = fd, .events = POLLIN };
	int ready;
	ssize_t n;

	do {
		ready = poll(&watched, 1, ENDING_LIMIT_MS);
	} while (ready < 0 && errno == EINTR);
	if (ready == 0)
		return pw_fail(err, PW_ETIMEOUT, "the workload's processes did not end within %d s",
			       ENDING_LIMIT_MS / 1000);
	n = read(fd, ret, sizeof(*ret));
	if (n != (ssize_t)sizeof(*ret))
		return pw_fail(err, PW_EFAILED,
			       "the workload's processes were killed from outside");
	return 0;
}

int pw_child_finish(struct pw_child *child, struct pw_ending *ret, struct pw_err *err)
{
	struct pw_ending ending = { 0 };
	int r = read_ending(child->status_fd, &ending, err);

	if (r == -PW_ETIMEOUT)
		(void)kill(child->tender, SIGKILL);
	pw_child_stop(child);
	if (child->release_fd >= 0)
		close(pw_take_fd(&child->release_fd));
	close(pw_take_fd(&child->status_fd));
	while (waitpid(child->tender, NULL, 0) < 0 && errno == EINTR)
		;
	child->tender = -1;
	if (r < 0) /* a tender that was killed left its tree to us */
		(void)pw_tree_end(false, -1, child->spared, NULL);
	if (r == 0)
		*ret = ending;
	return r;
}
