/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/command.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "harness/engine/capture.h"
#include "lib/base/clock.h"
#include "lib/base/fault.h"
#include "lib/base/mem.h"
#include "lib/base/text.h"

/* Where PATH is not set: confstr(_CS_PATH) and the administrator's. */
#define DEFAULT_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
#define TEXT_LIMIT   200
#define TAIL_LINES   3

static const char *path_of(const struct pw_strv *env)
{
	for (size_t i = 0; i < env->count; i++) {
		if (strncmp(env->items[i], "PATH=", 5) == 0)
			return env->items[i] + 5;
	}
	return DEFAULT_PATH;
}

static bool is_program(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* An empty part of PATH is the present folder, as execvp(3) has it. */
static char *find_in_path(const char *name, const char *path, const char *directory)
{
	for (;;) {
		size_t length = strcspn(path, ":");
		pw_auto_free char *part = pw_strndup(path, length);
		pw_auto_free char *full = part[0] == '/' ? pw_sprintf("%s/%s", part, name)
							 : pw_sprintf("%s/%s%s%s", directory, part,
								      length ? "/" : "", name);

		if (is_program(full))
			return pw_take(full);
		if (!path[length])
			return NULL;
		path += length + 1;
	}
}

int pw_command_find(const char *name, const struct pw_strv *env, const char *directory, char **ret,
		    struct pw_err *err)
{
	pw_auto_free char *full = NULL;

	if (strchr(name, '/')) {
		full = name[0] == '/' ? pw_strdup(name) : pw_sprintf("%s/%s", directory, name);
		if (!is_program(full))
			return pw_fail(err, PW_ENOTFOUND, "%s is no program that can be executed",
				       full);
	} else {
		full = find_in_path(name, path_of(env), directory);
		if (!full)
			return pw_fail(err, PW_ENOTFOUND, "no program '%s' in PATH (%s)", name,
				       path_of(env));
	}
	*ret = pw_take(full);
	return 0;
}

char *pw_command_text(const struct pw_strv *argv)
{
	pw_auto_free char *joined = pw_strv_join(argv, " ");
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	size_t length = strlen(joined);
	bool cut = length > TEXT_LIMIT;

	if (cut) {
		length = TEXT_LIMIT;
		while (length && ((unsigned char)joined[length] & 0xc0) == 0x80)
			length--; /* not within a character */
		joined[length] = '\0';
	}
	pw_strbuf_putc(&text, '\'');
	pw_text_escape(&text, joined);
	pw_strbuf_puts(&text, cut ? "...'" : "'");
	return pw_strbuf_take(&text);
}

char *pw_ending_text(const struct pw_ending *ending)
{
	int status = ending->wait_status;

	if (!ending->started)
		return pw_sprintf("could not be started: %s: %s", ending->failure,
				  strerror(ending->failed_errno));
	if (WIFSIGNALED(status))
		return pw_sprintf("was ended by signal %d (%s)", WTERMSIG(status),
				  strsignal(WTERMSIG(status)));
	return pw_sprintf("ended with exit status %d", WEXITSTATUS(status));
}

char *pw_printed_last(const char *output, size_t length)
{
	pw_auto_free char *tail = pw_last_lines(output, length, TAIL_LINES);
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	if (!*tail)
		return pw_strdup("");
	for (char *c = tail; *c; c++) {
		if (*c == '\n' || *c == '\t')
			*c = *c == '\n' ? '|' : ' ';
	}
	pw_strbuf_puts(&text, "; it printed last: ");
	pw_text_escape(&text, tail);
	return pw_strbuf_take(&text);
}

/* A command on its way. */
struct execution {
	const struct pw_command *command;
	struct pw_child child;
	struct pw_capture output;
	struct pw_ending ending;
	int64_t limit_ns;
	bool timed_out, stopped;
};

static int start(struct execution *execution, struct pw_err *err)
{
	const struct pw_command *command = execution->command;
	struct pw_spawn spawn = {
		.argv = command->argv,
		.program = command->program,
		.exe_fd = -1,
		.env = command->env,
		.directory = command->directory,
		.files = command->files,
		.out_fd = -1,
		.err_fd = -1,
		.grace_ns = PW_COMMAND_GRACE_NS,
		.leave = true,
	};
	pw_auto_close int write_end = -1;

	memcpy(spawn.spared, command->spared, sizeof(spawn.spared));
	if (pw_capture_open(&execution->output, -1, &write_end, err) < 0)
		return -(int)err->code;
	spawn.out_fd = write_end;
	spawn.err_fd = write_end;
	return pw_child_start(&spawn, &execution->child, err);
}

/* Until it has ended or is told to: by its limit, by its output, by the user. */
static void follow(struct execution *execution)
{
	int64_t until = pw_clock_monotonic() + execution->limit_ns;

	for (;;) {
		struct pollfd watched[] = {
			{ .fd = execution->child.status_fd, .events = POLLIN },
			{ .fd = execution->output.fd, .events = POLLIN },
			{ .fd = execution->command->stop_fd, .events = POLLIN },
		};
		int64_t left = until - pw_clock_monotonic();

		if (poll(watched, PW_LENGTH(watched),
			 left > 0 ? (int)(left / PW_NS_PER_MS) + 1 : 0) < 0 &&
		    errno != EINTR)
			return;
		if (watched[1].revents)
			(void)pw_capture_read(&execution->output);
		if (watched[0].revents)
			return;
		execution->stopped = watched[2].revents != 0;
		execution->timed_out = pw_clock_monotonic() >= until;
		if (execution->stopped || execution->timed_out || execution->output.too_long)
			return;
	}
}

static int finish(struct execution *execution, struct pw_err *err)
{
	if (execution->stopped || execution->timed_out || execution->output.too_long)
		pw_child_stop(&execution->child);
	if (pw_child_finish(&execution->child, &execution->ending, err) < 0)
		return -(int)err->code;
	/* All of it is in the pipe; a daemon that was left behind may hold that open for long. */
	(void)pw_capture_read(&execution->output);
	if (execution->stopped)
		return pw_fail(err, PW_ESTOPPED, "interrupted");
	if (execution->timed_out)
		return pw_fail(err, PW_ETIMEOUT, "did not end within %.3g s and was ended",
			       (double)execution->limit_ns / (double)PW_NS_PER_S);
	if (execution->output.too_long)
		return pw_fail(err, PW_EFAILED, "printed more than %zu MiB and was ended",
			       PW_CAPTURE_LIMIT >> 20);
	return 0;
}

static int run(struct execution *execution, struct pw_err *err)
{
	int64_t limit_ms = PW_COMMAND_LIMIT_NS / PW_NS_PER_MS;

	execution->limit_ns = pw_fault_number("command-limit", limit_ms) * PW_NS_PER_MS;
	if (start(execution, err) < 0)
		return -(int)err->code;
	if (pw_child_release(&execution->child, err) == 0)
		follow(execution);
	else
		pw_child_stop(&execution->child);
	return finish(execution, err);
}

static int exit_code(const struct pw_ending *ending)
{
	return WIFSIGNALED(ending->wait_status) ? 128 + WTERMSIG(ending->wait_status)
						: WEXITSTATUS(ending->wait_status);
}

int pw_command_run(const struct pw_command *command, int *ret_exit, char **ret_output,
		   struct pw_err *err)
{
	struct execution execution = { .command = command, .child = PW_CHILD_INIT };
	pw_auto_free char *text = pw_command_text(command->argv);
	int r = run(&execution, err);

	if (r == 0 && !execution.ending.started) {
		pw_auto_free char *why = pw_ending_text(&execution.ending);

		r = pw_fail(err, PW_EFAILED, "%s", why);
	}
	if (r == 0 && ret_output)
		*ret_output = pw_strndup(pw_strbuf_text(&execution.output.text),
					 execution.output.text.length);
	if (r == 0)
		*ret_exit = exit_code(&execution.ending);
	pw_capture_close(&execution.output);
	return r < 0 ? pw_err_prefix(err, "%s", text) : 0;
}

int pw_command_succeed(const struct pw_command *command, struct pw_err *err)
{
	pw_auto_free char *output = NULL, *text = NULL, *last = NULL;
	int code = 0;
	int r = pw_command_run(command, &code, &output, err);

	if (r < 0 || code == 0)
		return r;
	text = pw_command_text(command->argv);
	last = pw_printed_last(output, strlen(output));
	if (code > 128)
		return pw_fail(err, PW_EFAILED, "%s was ended by signal %d (%s)%s", text,
			       code - 128, strsignal(code - 128), last);
	return pw_fail(err, PW_EFAILED, "%s ended with exit status %d%s", text, code, last);
}
