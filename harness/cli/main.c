/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/cli/cli.h"
#include "lib/base/parse.h"

static const struct pw_command commands[] = {
	{ "run", "run a comparison from a config and print its tables", pw_cmd_run },
	{ "compare", "compare settings on a command, without a config file", pw_cmd_compare },
	{ "report", "print the tables of results folders", pw_cmd_report },
	{ "plan", "show what a config would run here, in which order and how long", pw_cmd_plan },
	{ "doctor", "tell what can be measured and set here, and what cannot, and why",
	  pw_cmd_doctor },
	{ "list", "list workloads, collectors, knobs or built-in configs", pw_cmd_list },
	{ "show", "show the records of a results folder", pw_cmd_show },
	{ "restore", "put the machine back from a journal", pw_cmd_restore },
	{ NULL, NULL, NULL },
};

static const struct pw_command internal = { "__workload", NULL, pw_cmd_workload };

static void print_help(FILE *to)
{
	fprintf(to, "Usage: perfwatt COMMAND [OPTION]...\n\n"
		    "What a CPU power setting costs or gains in performance and per watt.\n\n"
		    "Commands:\n");
	for (const struct pw_command *command = commands; command->name; command++)
		fprintf(to, "  %-9s %s\n", command->name, command->summary);
	fprintf(to,
		"\nOptions:\n  --help     this text; \"perfwatt COMMAND --help\" for one command\n"
		"  --version  the version\n\n"
		"\"perfwatt run\" alone runs a quick comparison of this machine's settings.\n");
}

static int unknown_command(const char *word)
{
	const char *names[sizeof(commands) / sizeof(commands[0])];
	size_t count = 0;
	const char *nearest;

	for (const struct pw_command *command = commands; command->name; command++)
		names[count++] = command->name;
	nearest = pw_nearest(word, names, count);
	if (nearest)
		return pw_cli_usage_error("unknown command '%s' (did you mean \"%s\"?)", word,
					  nearest);
	return pw_cli_usage_error("unknown command '%s' (perfwatt --help lists them)", word);
}

static int dispatch(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return PW_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		print_help(stdout);
		return PW_EXIT_OK;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("perfwatt %s\n", PW_VERSION);
		return PW_EXIT_OK;
	}
	if (strcmp(argv[1], internal.name) == 0)
		return internal.run(&internal, argc - 1, argv + 1);
	for (const struct pw_command *command = commands; command->name; command++) {
		if (strcmp(argv[1], command->name) == 0)
			return command->run(command, argc - 1, argv + 1);
	}
	return unknown_command(argv[1]);
}

/* A full disk or a closed pipe behind stdout must not end as success. */
static int check_stdout(int code)
{
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "perfwatt: standard output could not be written\n");
		return code == PW_EXIT_OK ? PW_EXIT_USAGE : code;
	}
	return code;
}

/*
 * A standard stream that was closed before: its number would go to the next file opened, and
 * messages into that. Opened the wrong way round, so that using it still fails.
 */
static void hold_closed_streams(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", (fd == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
	}
}

int main(int argc, char **argv)
{
	hold_closed_streams();
	(void)umask(022);
	return check_stdout(dispatch(argc, argv));
}
