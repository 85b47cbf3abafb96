/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/external/original.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "workloads/engine/folder.h"
#include "workloads/engine/generator.h"
#include "workloads/engine/replay.h"
#include "workloads/external/child.h"
#include "workloads/external/port.h"
#include "workloads/external/said.h"

/* Where Debian's package keeps the load file. */
#define PACKAGED_LOAD "/usr/share/dbench/client.txt"
#define GENERATED     "load"
/* 4.0 and 5.x: the warm-up is a fifth of the time, and the last second is not measured. */
#define WARMUP_PART 5
#define LOST_S	    1
/* Beyond time and warm-up: 30 s until all clients stand ready, then the cleaning. */
#define SLACK_NS   (95 * PW_NS_PER_S)
#define VERSION_NS (5 * PW_NS_PER_S)
#define SERVER_NS  (5 * PW_NS_PER_S)
/* Processes that outlive their parent hold its output open. */
#define LEFTOVER_NS (2 * PW_NS_PER_S)
#define STEP_NS	    (10 * PW_NS_PER_MS)
/* Of its output, for the message when it fails. */
#define LAST_LINES 3
#define LINE_KEPT  160

/* One run. */
struct drive {
	const struct pw_original *original;
	const struct pw_work *work;
	unsigned clients, seconds; /* seconds: what it is asked for */
	char *version;		   /* "4.00" */
	char *load;		   /* path */
	char *load_name;
	struct pw_program server, client;
	bool begun, ended; /* marks */
	bool result;	   /* its last line was seen */
	char last[LAST_LINES][LINE_KEPT];
	size_t lines; /* handed on so far */
	int status;   /* of the client, once it has ended */
};

static unsigned clients_of(const struct pw_work *work)
{
	return (unsigned)pw_value_get_int(work->options, "clients", work->cpus ? work->cpus : 1);
}

static unsigned seconds_of(const struct pw_work *work)
{
	return (unsigned)(pw_value_get_int(work->options, "time", 60 * PW_NS_PER_S) / PW_NS_PER_S);
}

int64_t pw_original_duration(const struct pw_work *work)
{
	int64_t seconds = seconds_of(work) + LOST_S;

	return (seconds + seconds / WARMUP_PART + 1) * PW_NS_PER_S;
}

/* The first line of `PROGRAM --version`: 4.0 prints its banner before it refuses the option. */
static int find_version(struct drive *drive, struct pw_err *err)
{
	pw_auto_strv struct pw_strv argv = PW_STRV_INIT;
	struct pw_program program = PW_PROGRAM_INIT;
	struct pw_lines lines = { .start = 0 };
	const char *line;

	pw_strv_push(&argv, drive->original->program);
	pw_strv_push(&argv, "--version");
	if (pw_program_start(&program, &argv, true, err) < 0)
		return -(int)err->code;
	line = pw_program_line(&program, &lines, pw_clock_monotonic() + VERSION_NS);
	drive->version = line ? pw_said_version(line) : NULL;
	if (!drive->version)
		(void)pw_fail(err, PW_EUNSUPPORTED,
			      "'%s' on PATH is no dbench: --version says '%.80s'",
			      drive->original->program, line ? line : "nothing");
	pw_program_kill(&program);
	if (!drive->version)
		return pw_err_hint(err, "Debian package dbench, or dbench 5 built from source");
	return 0;
}

/* The load that is named, the package's, or ours; checked, as the originals go on past faults. */
static int find_load(struct drive *drive, struct pw_err *err)
{
	const char *named = pw_value_get_text(drive->work->options, "loadfile", NULL);
	struct pw_replay replay = { .clients = drive->clients };
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_load load;

	if (!named && access(PACKAGED_LOAD, R_OK) == 0)
		named = PACKAGED_LOAD;
	if (named)
		replay.loadfile = pw_strdup(named);
	if (pw_replay_load(&replay, &load, &drive->load_name, err) < 0) {
		pw_replay_done(&replay);
		return pw_err_prefix(err, "load file %s", named ? named : "(generated)");
	}
	pw_load_done(&load);
	pw_replay_done(&replay);
	if (named) {
		drive->load = pw_strdup(named);
		return 0;
	}
	drive->load = pw_sprintf("%s/" GENERATED, drive->work->workdir);
	pw_generator_text(PW_GENERATOR_SEED, &text);
	return pw_write_file_atomic(AT_FDCWD, drive->load, pw_strbuf_text(&text), text.length, err);
}

static void fill_argv(const struct drive *drive, struct pw_strv *argv)
{
	pw_strv_push(argv, drive->original->program);
	if (drive->version[0] >= '5') {
		pw_strv_push(argv, "-B");
		pw_strv_push(argv, drive->original->backend);
	}
	pw_strv_push(argv, "-t");
	pw_strv_pushf(argv, "%u", drive->seconds);
	pw_strv_push(argv, "-c");
	pw_strv_push(argv, drive->load);
	if (!drive->original->server) {
		pw_strv_push(argv, "-D");
		pw_strv_push(argv, drive->work->workdir);
	}
	pw_strv_pushf(argv, "%u", drive->clients);
	if (drive->original->server)
		pw_strv_push(argv, "127.0.0.1");
}

static int check_port(const struct drive *drive, struct pw_err *err)
{
	bool taken;

	if (pw_port_taken(PW_TBENCH_PORT, &taken, err) < 0)
		return -(int)err->code;
	if (!taken)
		return 0;
	(void)pw_fail(err, PW_EBUSY,
		      "port %d, the only one that %s knows, is taken by another "
		      "program",
		      PW_TBENCH_PORT, drive->original->server);
	return pw_err_hint(err, "find it with: ss -ltnp sport = :%d", PW_TBENCH_PORT);
}

static int start_server(struct drive *drive, struct pw_err *err)
{
	pw_auto_strv struct pw_strv argv = PW_STRV_INIT;
	int64_t until = pw_clock_monotonic() + SERVER_NS;
	bool listens = false;
	int status;

	if (!drive->original->server)
		return 0;
	pw_strv_push(&argv, drive->original->server);
	if (check_port(drive, err) < 0 || pw_program_start(&drive->server, &argv, false, err) < 0)
		return -(int)err->code;
	while (!listens && pw_clock_monotonic() < until) {
		if (pw_program_ended(&drive->server, &status))
			return pw_fail(err, PW_EFAILED, "%s ended at once, with status %d%s",
				       drive->original->server,
				       WIFEXITED(status) ? WEXITSTATUS(status) : status,
				       status >> 8 == 127 ? " (is it on PATH?)" : "");
		if (pw_port_taken(PW_TBENCH_PORT, &listens, err) < 0)
			return -(int)err->code;
		if (!listens)
			pw_clock_sleep_until(pw_clock_monotonic() + STEP_NS);
	}
	if (!listens)
		return pw_fail(err, PW_ETIMEOUT, "%s does not listen on port %d after 5 s",
			       drive->original->server, PW_TBENCH_PORT);
	return 0;
}

static void print_line(const char *line)
{
	(void)puts(line);
	(void)fflush(stdout);
}

/* Handed on as it comes, with the marks of the window. */
static void take_line(struct drive *drive, const char *line)
{
	enum pw_said_kind kind = pw_said(line);

	if (kind == PW_SAID_EXECUTE && !drive->begun) {
		print_line(PW_MARK_BEGIN);
		drive->begun = true;
	}
	if (kind == PW_SAID_CLEANUP && drive->begun && !drive->ended) {
		print_line(PW_MARK_END);
		drive->ended = true;
	}
	drive->result |= kind == PW_SAID_THROUGHPUT;
	(void)snprintf(drive->last[drive->lines++ % LAST_LINES], LINE_KEPT, "%s", line);
	print_line(line);
}

/* Until its output ends: that is when its last process is gone. */
static int follow(struct drive *drive, struct pw_err *err)
{
	int64_t limit = pw_original_duration(drive->work) + SLACK_NS;
	int64_t until = pw_clock_monotonic() + limit;
	struct pw_lines lines = { .start = 0 };
	bool ended = false;

	while (!lines.at_end) {
		int64_t step = pw_clock_monotonic() + PW_NS_PER_S / 2;
		const char *line =
			pw_program_line(&drive->client, &lines, step < until ? step : until);

		if (line)
			take_line(drive, line);
		if (!ended && pw_program_ended(&drive->client, &drive->status)) {
			ended = true;
			until = pw_clock_monotonic() + LEFTOVER_NS;
		}
		if (!line && !lines.at_end && pw_clock_monotonic() >= until)
			return ended ? pw_fail(err, PW_EFAILED, "%s left processes behind",
					       drive->original->program)
				     : pw_fail(err, PW_ETIMEOUT,
					       "%s is still running after %" PRId64 " s (it never "
					       "ends while a client has moved no byte)",
					       drive->original->program, limit / PW_NS_PER_S);
	}
	while (!ended && pw_clock_monotonic() < until) {
		ended = pw_program_ended(&drive->client, &drive->status);
		if (!ended)
			pw_clock_sleep_until(pw_clock_monotonic() + STEP_NS);
	}
	return ended ? 0 : pw_fail(err, PW_ETIMEOUT, "%s does not end", drive->original->program);
}

static int judge_status(const struct drive *drive, struct pw_err *err)
{
	int status = drive->status;

	if (WIFSIGNALED(status))
		return pw_fail(err, PW_EFAILED, "%s was ended by signal %d (%s)",
			       drive->original->program, WTERMSIG(status),
			       strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) == 0 && !drive->result)
		return pw_fail(err, PW_EFAILED, "%s ended with no final Throughput line",
			       drive->original->program);
	if (WEXITSTATUS(status) == 0)
		return 0;
	return pw_fail(err, PW_EFAILED, "%s ended with status %d%s", drive->original->program,
		       WEXITSTATUS(status), WEXITSTATUS(status) == 127 ? " (is it on PATH?)" : "");
}

static int drive_it(struct drive *drive, struct pw_err *err)
{
	pw_auto_strv struct pw_strv argv = PW_STRV_INIT;
	char filesystem[32] = "loopback";

	if (find_version(drive, err) < 0 || find_load(drive, err) < 0 ||
	    start_server(drive, err) < 0)
		return -(int)err->code;
	if (!drive->original->server &&
	    pw_folder_filesystem(drive->work->workdir, filesystem, sizeof(filesystem), err) < 0)
		return -(int)err->code;
	fill_argv(drive, &argv);
	if (pw_program_start(&drive->client, &argv, true, err) < 0 || follow(drive, err) < 0 ||
	    judge_status(drive, err) < 0)
		return -(int)err->code;
	(void)printf(PW_ORIGINAL_VERSION "%s\n" PW_ORIGINAL_LOAD "%s\n" PW_ORIGINAL_FILESYSTEM
					 "%s\n",
		     drive->version, drive->load_name, filesystem);
	(void)fflush(stdout);
	return 0;
}

static void print_failure(const struct drive *drive, const struct pw_err *err)
{
	size_t from = drive->lines > LAST_LINES ? drive->lines - LAST_LINES : 0;

	(void)fprintf(stderr, "%s: %s", drive->original->name, err->text);
	for (size_t i = from; i < drive->lines; i++)
		(void)fprintf(stderr, "%s%s", i == from ? "; it said last: " : " | ",
			      drive->last[i % LAST_LINES]);
	(void)fputc('\n', stderr);
}

int pw_original_run(const struct pw_original *original, const struct pw_work *work)
{
	struct drive drive = { .original = original,
			       .work = work,
			       .clients = clients_of(work),
			       .seconds = seconds_of(work) + LOST_S,
			       .server = PW_PROGRAM_INIT,
			       .client = PW_PROGRAM_INIT };
	struct pw_err err;
	int r = drive_it(&drive, &err);

	if (r < 0)
		print_failure(&drive, &err);
	pw_program_kill(&drive.client);
	pw_program_kill(&drive.server);
	free(drive.version);
	free(drive.load);
	free(drive.load_name);
	return r < 0 ? 1 : 0;
}
