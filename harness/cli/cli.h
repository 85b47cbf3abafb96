/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line: one table of commands, one cmd_*.c each, options declared in tables that also
 * print the help. To add a command: write cmd_<name>.c and add its row to the table in main.c.
 */
#ifndef PW_CLI_CLI_H
#define PW_CLI_CLI_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/log.h"
#include "lib/base/strv.h"
#include "lib/plugin/catalog.h"

/* The exit codes are a contract (docs/perfwatt.md): 2 > 1 > 3 > 4 > 0. */
enum pw_exit {
	PW_EXIT_OK = 0,
	PW_EXIT_USAGE = 2,	  /* usage or config error; a machine that cannot, with --strict */
	PW_EXIT_NOT_MEASURED = 3, /* a declared cell without a valid primary metric */
	PW_EXIT_NOTHING = 77,	  /* nothing can be measured here */
	PW_EXIT_SIGNAL = 128,	  /* + N: ended by signal N, state restored */
};

struct pw_cli_option {
	const char *name;     /* long form without dashes; NULL ends a table */
	char letter;	      /* short form, or 0 */
	const char *argument; /* what it takes, for the help; NULL: a switch */
	const char *help;
	/* Exactly one of these is set. */
	bool *on;
	const char **text;
	struct pw_strv *list; /* may be given more than once */
};

struct pw_command {
	const char *name;
	const char *summary;
	int (*run)(const struct pw_command *command, int argc, char **argv);
};

/* One usage of a command, for its help. */
struct pw_usage {
	const char *line;  /* "[CONFIG] [-o DIR] ..." */
	const char *about; /* a paragraph or more */
	const struct pw_cli_option *options;
	size_t least, most; /* how many words beside options */
};

/*
 * Parses argv (argv[0] is the command's name). Returns -1 to go on, or the exit code to end with
 * (help was printed, or the error was). Words that are no options go into `words`.
 */
int pw_cli_parse(const struct pw_command *command, const struct pw_usage *usage, int argc,
		 char **argv, struct pw_strv *words);

/* Prints "perfwatt: ...", the hint below it, and gives the exit code. */
int pw_cli_error(const struct pw_err *err);
int pw_cli_usage_error(const char *format, ...) pw_printf(1, 2);
/* Numbers from options: an error is printed and the exit code returned, else -1. */
int pw_cli_number(const char *option, const char *text, uint64_t least, uint64_t most,
		  uint64_t *ret);

/* What all commands share. */
extern const struct pw_catalog pw_cli_catalog;
extern const struct pw_log pw_cli_log; /* warnings and notes on stderr */

int pw_cmd_run(const struct pw_command *command, int argc, char **argv);
int pw_cmd_compare(const struct pw_command *command, int argc, char **argv);
int pw_cmd_report(const struct pw_command *command, int argc, char **argv);
int pw_cmd_plan(const struct pw_command *command, int argc, char **argv);
int pw_cmd_doctor(const struct pw_command *command, int argc, char **argv);
int pw_cmd_list(const struct pw_command *command, int argc, char **argv);
int pw_cmd_show(const struct pw_command *command, int argc, char **argv);
int pw_cmd_restore(const struct pw_command *command, int argc, char **argv);
/* Internal: the process in which a native workload's body runs. Not in the help. */
int pw_cmd_workload(const struct pw_command *command, int argc, char **argv);

#endif
