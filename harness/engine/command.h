/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One program run to its end, without a shell: in a session and process group of its own below a
 * tender (so that it ends with perfwatt), standard input from /dev/null, output captured.
 */
#ifndef PW_ENGINE_COMMAND_H
#define PW_ENGINE_COMMAND_H

#include "harness/engine/tender.h"

/* A program that changes a setting or a service answers within seconds; one that takes a minute
 * hangs. */
#define PW_COMMAND_LIMIT_NS (INT64_C(60) * 1000000000)
/* Between SIGTERM and SIGKILL. */
#define PW_COMMAND_GRACE_NS (INT64_C(2) * 1000000000)

/* What to run. All borrowed for the call. */
struct pw_command {
	const struct pw_strv *argv;
	const char *program; /* the file to execute; NULL: argv[0], looked up in the PATH of env */
	const struct pw_strv *env; /* the whole environment */
	const char *directory;	   /* NULL: stay */
	const struct rlimit *files;
	pid_t spared[PW_SPARED]; /* as in struct pw_spawn */
	int stop_fd;		 /* readable: the user interrupts; -1: not to be interrupted */
};

/*
 * Runs it to its end. 0: it ended with exit status `*ret_exit` (128 + N for signal N). *ret_output
 * (NULL: not wanted) is what it printed on both streams, the caller's. -PW_ETIMEOUT: it took longer
 * than PW_COMMAND_LIMIT_NS and was ended with all below it; -PW_ESTOPPED: interrupted, and ended.
 * Processes that it leaves behind stay, unless it was ended.
 */
int pw_command_run(const struct pw_command *command, int *ret_exit, char **ret_output,
		   struct pw_err *err) pw_must_check;
/* The same, where any other exit status than 0 is -PW_EFAILED, with the last lines printed. */
int pw_command_succeed(const struct pw_command *command, struct pw_err *err) pw_must_check;

/*
 * The file that a program's name stands for: a name with a slash counts from `directory`, another
 * is looked up in the PATH of `env` (a list of "NAME=value"). PW_ENOTFOUND if there is none. The
 * caller's.
 */
int pw_command_find(const char *name, const struct pw_strv *env, const char *directory, char **ret,
		    struct pw_err *err) pw_must_check;

/* "'tuned-adm off'", printable and of bounded length, for messages; the caller's. */
char *pw_command_text(const struct pw_strv *argv);
/* "ended with exit status 3", "was ended by signal 9 (Killed)", "could not be started: ..."; the
 * caller's. */
char *pw_ending_text(const struct pw_ending *ending);
/* "; it printed last: ..." of an output, printable; "" if that is empty. The caller's. */
char *pw_printed_last(const char *output, size_t length);

#endif
