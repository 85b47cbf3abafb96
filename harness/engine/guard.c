/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/engine/restore.h"
#include "lib/base/fault.h"
#include "lib/base/fds.h"

static void ignore_signals(void)
{
	static const int ignored[] = {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGTSTP
	};

	for (size_t i = 0; i < PW_LENGTH(ignored); i++)
		(void)signal(ignored[i], SIG_IGN);
}

/* What a restore opens must not get the numbers of the standard streams, which programs inherit. */
static void fill_standard_streams(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	} while (fd >= 0 && fd < STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

/*
 * Everything else perfwatt had open is closed: a guard must not keep a pipe, a lock or a held
 * latency limit alive. Standard error stays, for a last word.
 */
static void guard_main(int fd, int lock_fd, struct pw_journal *journal,
		       const struct pw_catalog *catalog)
{
	const int kept[] = { fd, lock_fd, journal->fd };
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	struct pw_err err;
	sigset_t none;
	char byte;
	ssize_t n;

	(void)setsid();
	(void)prctl(PR_SET_NAME, "perfwatt-guard");
	ignore_signals();
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	pw_fds_close_others(kept, PW_LENGTH(kept));
	fill_standard_streams();
	do {
		n = read(fd, &byte, 1);
	} while (n < 0 && errno == EINTR);
	if (n == 1)
		_exit(0);
	_exit(pw_restore_open(journal, catalog, "guard", &report, &err) < 0 || report.failed.count);
}

int pw_guard_start(struct pw_journal *journal, const struct pw_catalog *catalog, int lock_fd,
		   struct pw_guard *ret, struct pw_err *err)
{
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return pw_fail_errno(err, errno, "start the guard");
	pid = fork();
	if (pid == 0) {
		close(ends[0]); /* the guard waits for the end of file that its closing gives */
		guard_main(ends[1], lock_fd, journal, catalog);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return pw_fail_errno(err, errno, "start the guard");
	}
	*ret = (struct pw_guard){ .pid = pid,
				  .fd = ends[0],
				  .journal = journal,
				  .catalog = catalog,
				  .lock_fd = lock_fd };
	pw_fault_point("guard");
	return 0;
}

static void wait_for(struct pw_guard *guard)
{
	close(guard->fd);
	while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*guard = PW_GUARD_INIT;
}

bool pw_guard_lives(const struct pw_guard *guard)
{
	siginfo_t info = { 0 };

	/* left as a zombie: its number must not go to another process meanwhile */
	return waitid(P_PID, (id_t)guard->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == 0;
}

int pw_guard_renew(struct pw_guard *guard, struct pw_err *err)
{
	struct pw_guard old = *guard;

	wait_for(guard);
	return pw_guard_start(old.journal, old.catalog, old.lock_fd, guard, err);
}

void pw_guard_dismiss(struct pw_guard *guard)
{
	if (guard->pid < 0)
		return;
	(void)!write(guard->fd, "k", 1);
	wait_for(guard);
}

void pw_guard_hand_over(struct pw_guard *guard)
{
	if (guard->pid >= 0)
		wait_for(guard);
}
