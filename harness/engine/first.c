/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/first.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/base/fds.h"
#include "lib/base/mem.h"

extern char **environ;

/* Out of memory shall hit the workload, not perfwatt that has a machine to put back. */
#define WORKLOAD_OOM_SCORE "500"

static void give_up(int failure_fd, const char *step, const char *what)
{
	struct pw_first_failure failure = { .error = errno };

	(void)snprintf(failure.step, sizeof(failure.step), "%s%s", step, what);
	(void)!write(failure_fd, &failure, sizeof(failure));
	_exit(127);
}

static void set_affinity(const struct pw_launch *launch, int failure_fd)
{
	size_t size = CPU_ALLOC_SIZE(launch->cpus[launch->cpu_count - 1] + 1);
	cpu_set_t *set = pw_new(1, size);

	for (size_t i = 0; i < launch->cpu_count; i++)
		CPU_SET_S(launch->cpus[i], size, set);
	if (sched_setaffinity(0, size, set) < 0)
		give_up(failure_fd, "set the CPU affinity", "");
	free(set);
}

static void join_cgroups(const struct pw_spawn *spawn, int failure_fd)
{
	for (size_t i = 0; i < spawn->launch->cgroups.count; i++) {
		pw_auto_free char *path =
			pw_sprintf("%s/cgroup.procs", spawn->launch->cgroups.items[i]);
		struct pw_err err;

		if (pw_attr_write(spawn->root, path, "0", &err) < 0) {
			errno = err.sys;
			give_up(failure_fd, "join ", path);
		}
	}
}

static int become_user(const struct pw_spawn *spawn)
{
	if (!spawn->change_user)
		return 0;
	if (spawn->user_name ? initgroups(spawn->user_name, spawn->gid) < 0
			     : setgroups(0, NULL) < 0)
		return -1;
	if (setresgid(spawn->gid, spawn->gid, spawn->gid) < 0)
		return -1;
	return setresuid(spawn->uid, spawn->uid, spawn->uid);
}

static void default_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL);
}

static void connect_streams(const struct pw_spawn *spawn, int failure_fd)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null < 0 || dup2(null, 0) < 0 || dup2(spawn->out_fd, 1) < 0 ||
	    dup2(spawn->err_fd, 2) < 0)
		give_up(failure_fd, "connect the output", "");
}

static void write_own(const char *path, const char *text)
{
	pw_auto_close int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0)
		(void)!write(fd, text, strlen(text));
}

void pw_first_main(const struct pw_spawn *spawn, int release_fd, int failure_fd)
{
	const char *program = spawn->program ? spawn->program : spawn->argv->items[0];
	char go;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)setsid();
	default_signals();
	write_own("/proc/self/oom_score_adj", WORKLOAD_OOM_SCORE);
	if (spawn->files)
		(void)setrlimit(RLIMIT_NOFILE, spawn->files);
	if (spawn->launch && spawn->launch->cpu_count)
		set_affinity(spawn->launch, failure_fd);
	if (spawn->launch)
		join_cgroups(spawn, failure_fd);
	connect_streams(spawn, failure_fd);
	if (become_user(spawn) < 0)
		give_up(failure_fd, "become the workload's user", "");
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* cleared by the change of user */
	if (spawn->directory && chdir(spawn->directory) < 0)
		give_up(failure_fd, "enter ", spawn->directory);
	if (read(release_fd, &go, 1) != 1)
		_exit(126); /* perfwatt is gone or gave up: nothing may start */
	pw_fds_cloexec(3);  /* what perfwatt's own caller had open is none of the workload's */
	environ = spawn->env->items; /* PATH is looked up in what the program will see */
	if (spawn->exe_fd >= 0)
		(void)syscall(SYS_execveat, spawn->exe_fd, "", spawn->argv->items, environ,
			      AT_EMPTY_PATH);
	else
		(void)execvp(program, spawn->argv->items);
	give_up(failure_fd, "execute ", program);
	_exit(127);
}

/* Exit status of the trial child: which step failed. */
enum { REACHED, NO_USER, NO_DIRECTORY, NO_PROGRAM };

static void trial(const struct pw_spawn *spawn, const char *program)
{
	if (become_user(spawn) < 0)
		_exit(NO_USER);
	if (spawn->directory && chdir(spawn->directory) < 0)
		_exit(NO_DIRECTORY);
	if (program && faccessat(AT_FDCWD, program, X_OK, AT_EACCESS) < 0)
		_exit(NO_PROGRAM);
	_exit(REACHED);
}

int pw_first_reachable(const struct pw_spawn *spawn, const char *program, struct pw_err *err)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return pw_fail_errno(err, errno, "fork");
	if (pid == 0)
		trial(spawn, program);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	switch (WIFEXITED(status) ? WEXITSTATUS(status) : NO_USER) {
	case REACHED:
		return 0;
	case NO_DIRECTORY:
		return pw_fail(err, PW_EINVAL, "cannot enter the folder %s", spawn->directory);
	case NO_PROGRAM:
		return pw_fail(err, PW_EINVAL, "cannot execute %s", program);
	default:
		return pw_fail(err, PW_EDENIED, "cannot become the workload's user");
	}
}
