/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/external/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"

/* In the child: nothing but calls that are allowed between fork and exec. */
static _Noreturn void become(char *const *argv, pid_t parent, int out_fd)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127); /* it died before the line above */
	(void)setpgid(0, 0);
	if (dup2(out_fd, STDOUT_FILENO) < 0 || dup2(out_fd, STDERR_FILENO) < 0)
		_exit(127);
	(void)execvp(argv[0], argv);
	_exit(127);
}

int pw_program_start(struct pw_program *program, const struct pw_strv *argv, bool read_output,
		     struct pw_err *err)
{
	pw_auto_free char **words = pw_new(argv->count + 1, sizeof(*words));
	pid_t parent = getpid();
	int pipe_fds[2] = { -1, -1 };

	for (size_t i = 0; i < argv->count; i++)
		words[i] = argv->items[i];
	if (read_output && pipe2(pipe_fds, O_CLOEXEC) < 0)
		return pw_fail_errno(err, errno, "a pipe for %s", argv->items[0]);
	program->pid = fork();
	if (program->pid == 0)
		become(words, parent, read_output ? pipe_fds[1] : STDERR_FILENO);
	if (pipe_fds[1] >= 0)
		close(pipe_fds[1]);
	if (program->pid < 0) {
		int reason = errno;

		program->pid = 0;
		if (pipe_fds[0] >= 0)
			close(pipe_fds[0]);
		return pw_fail_errno(err, reason, "start %s", argv->items[0]);
	}
	(void)setpgid(program->pid, program->pid); /* whoever comes first */
	program->out_fd = pipe_fds[0];
	return 0;
}

bool pw_program_ended(struct pw_program *program, int *ret_status)
{
	pid_t got;

	do
		got = waitpid(program->pid, ret_status, WNOHANG);
	while (got < 0 && errno == EINTR);
	if (got != program->pid)
		return false;
	program->pid = 0;
	return true;
}

void pw_program_kill(struct pw_program *program)
{
	int status;

	if (program->pid > 0) {
		(void)kill(-program->pid, SIGKILL);
		while (waitpid(program->pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	if (program->out_fd >= 0)
		close(program->out_fd);
	*program = PW_PROGRAM_INIT;
}

/* Room for more: what was handed out goes. */
static void make_room(struct pw_lines *lines)
{
	if (lines->start == 0)
		return;
	memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
	lines->end -= lines->start;
	lines->start = 0;
}

/* False: nothing came, or nothing will. */
static bool read_more(const struct pw_program *program, struct pw_lines *lines, int64_t until_ns)
{
	struct pollfd wait = { .fd = program->out_fd, .events = POLLIN };
	int64_t left = until_ns - pw_clock_monotonic();
	ssize_t got;

	if (poll(&wait, 1, left > 0 ? (int)(left / PW_NS_PER_MS) + 1 : 0) <= 0)
		return false;
	got = read(program->out_fd, lines->buffer + lines->end,
		   sizeof(lines->buffer) - 1 - lines->end);
	if (got <= 0) {
		lines->at_end = got == 0 || errno != EINTR;
		return false;
	}
	lines->end += (size_t)got;
	return true;
}

static const char *hand_out(struct pw_lines *lines, size_t end)
{
	const char *line = lines->buffer + lines->start;

	lines->buffer[end] = '\0';
	lines->start = end < lines->end ? end + 1 : end;
	return line;
}

const char *pw_program_line(const struct pw_program *program, struct pw_lines *lines,
			    int64_t until_ns)
{
	while (true) {
		const char *start = lines->buffer + lines->start;
		const char *newline = memchr(start, '\n', lines->end - lines->start);

		if (newline)
			return hand_out(lines, (size_t)(newline - lines->buffer));
		make_room(lines);
		if (lines->end == sizeof(lines->buffer) - 1 || (lines->at_end && lines->end > 0))
			return hand_out(lines, lines->end);
		if (lines->at_end || (!read_more(program, lines, until_ns) && !lines->at_end))
			return NULL;
	}
}
