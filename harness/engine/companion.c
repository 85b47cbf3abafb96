/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/companion.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"

/* Enough for the last lines of an error message. */
#define TAIL_SIZE 4096

static void let_go(struct pw_companion *companion)
{
	if (companion->output_fd >= 0)
		close(companion->output_fd);
	free(companion->text);
	*companion = PW_COMPANION_INIT;
}

bool pw_companion_runs(const struct pw_companion *companion)
{
	struct pollfd status = { .fd = companion->child.status_fd, .events = POLLIN };

	return companion->child.tender > 0 && poll(&status, 1, 0) == 0;
}

/* Waits for its end, but not past the limit. */
static bool ends_within(const struct pw_companion *companion, int64_t limit_ns)
{
	struct pollfd status = { .fd = companion->child.status_fd, .events = POLLIN };
	int64_t until = pw_clock_monotonic() + limit_ns;
	int ready;

	do {
		int64_t left = until - pw_clock_monotonic();

		ready = poll(&status, 1, left > 0 ? (int)(left / PW_NS_PER_MS) + 1 : 0);
	} while (ready < 0 && errno == EINTR);
	return ready != 0;
}

/* What it printed last, read from the end of its file. */
static char *printed_last(const struct pw_companion *companion)
{
	char tail[TAIL_SIZE];
	struct stat info;
	off_t from;
	ssize_t n;

	if (fstat(companion->output_fd, &info) < 0)
		return pw_strdup("");
	from = info.st_size > TAIL_SIZE ? info.st_size - TAIL_SIZE : 0;
	n = pread(companion->output_fd, tail, sizeof(tail), from);
	return pw_printed_last(tail, n > 0 ? (size_t)n : 0);
}

/* It has ended by itself: how, as an error. */
static int fail_ended(struct pw_companion *companion, struct pw_err *err)
{
	struct pw_ending ending = { 0 };
	pw_auto_free char *how = NULL, *last = printed_last(companion);

	if (pw_child_finish(&companion->child, &ending, err) == 0)
		how = pw_ending_text(&ending);
	(void)pw_fail(err, PW_EFAILED, "with: %s %s%s", companion->text,
		      how ? how : "was killed from outside", last);
	let_go(companion);
	return -PW_EFAILED;
}

static int start(struct pw_companion *companion, const struct pw_command *command,
		 struct pw_err *err)
{
	struct pw_spawn spawn = {
		.argv = command->argv,
		.program = command->program,
		.exe_fd = -1,
		.env = command->env,
		.directory = command->directory,
		.files = command->files,
		.out_fd = companion->output_fd,
		.err_fd = companion->output_fd,
		.grace_ns = PW_COMMAND_GRACE_NS,
	};

	memcpy(spawn.spared, command->spared, sizeof(spawn.spared));
	return pw_child_start(&spawn, &companion->child, err);
}

int pw_companion_start(struct pw_companion *companion, const struct pw_command *command,
		       int output_fd, struct pw_err *err)
{
	pw_companion_stop(companion);
	companion->output_fd = output_fd;
	companion->text = pw_command_text(command->argv);
	/* whoever else appends to the file, or it restarts itself: nothing is written over */
	(void)fcntl(output_fd, F_SETFL, O_APPEND);
	if (start(companion, command, err) < 0) {
		let_go(companion);
		return pw_err_prefix(err, "with");
	}
	if (pw_child_release(&companion->child, err) < 0) {
		pw_companion_stop(companion);
		return pw_err_prefix(err, "with");
	}
	if (ends_within(companion, PW_COMPANION_START_NS))
		return fail_ended(companion, err);
	return 0;
}

int pw_companion_check(struct pw_companion *companion, struct pw_err *err)
{
	if (companion->child.tender < 0)
		return pw_fail(err, PW_EFAILED, "with: it does not run");
	return pw_companion_runs(companion) ? 0 : fail_ended(companion, err);
}

void pw_companion_stop(struct pw_companion *companion)
{
	struct pw_ending ignored;
	struct pw_err err;

	if (companion->child.tender > 0) {
		pw_child_stop(&companion->child);
		(void)!pw_child_finish(&companion->child, &ignored, &err);
	}
	let_go(companion);
}
