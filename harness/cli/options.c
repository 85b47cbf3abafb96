/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/strbuf.h"

/* Option values for getopt: above every short letter. */
#define FIRST_LONG 1000
#define HELP_VALUE 999

int pw_cli_error(const struct pw_err *err)
{
	fprintf(stderr, "perfwatt: %s\n", err->text);
	if (err->hint[0])
		fprintf(stderr, "  hint: %s\n", err->hint);
	return err->code == PW_EUNSUPPORTED ? PW_EXIT_NOTHING : PW_EXIT_USAGE;
}

int pw_cli_usage_error(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "perfwatt: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n");
	return PW_EXIT_USAGE;
}

int pw_cli_number(const char *option, const char *text, uint64_t least, uint64_t most,
		  uint64_t *ret)
{
	struct pw_err err;
	uint64_t value;

	if (pw_parse_u64(text, &value, &err) < 0)
		return pw_cli_usage_error("--%s: %s", option, err.text);
	if (value < least || value > most)
		return pw_cli_usage_error("--%s: %s is outside %" PRIu64 " to %" PRIu64, option,
					  text, least, most);
	*ret = value;
	return -1;
}

static void print_option(const struct pw_cli_option *option)
{
	pw_auto_strbuf struct pw_strbuf left = PW_STRBUF_INIT;

	if (option->letter)
		pw_strbuf_printf(&left, "-%c, ", option->letter);
	pw_strbuf_printf(&left, "--%s", option->name);
	if (option->argument)
		pw_strbuf_printf(&left, " %s", option->argument);
	printf("  %-24s %s\n", pw_strbuf_text(&left), option->help);
}

static int print_help(const struct pw_command *command, const struct pw_usage *usage)
{
	printf("Usage: perfwatt %s %s\n\n%s\n\nOptions:\n", command->name, usage->line,
	       usage->about);
	for (const struct pw_cli_option *option = usage->options; option->name; option++)
		print_option(option);
	printf("  %-24s %s\n", "--help", "this text");
	return PW_EXIT_OK;
}

struct tables {
	struct option *longs;
	struct pw_strbuf shorts;
	size_t count;
};

static void build_tables(const struct pw_usage *usage, struct tables *tables)
{
	size_t capacity = 0;

	pw_strbuf_puts(&tables->shorts, ":");
	for (const struct pw_cli_option *option = usage->options; option->name; option++) {
		struct option row = { .name = option->name,
				      .has_arg = option->argument ? required_argument : no_argument,
				      .val = FIRST_LONG + (int)tables->count };

		PW_PUSH(tables->longs, tables->count, capacity, row);
		if (option->letter)
			pw_strbuf_printf(&tables->shorts, "%c%s", option->letter,
					 option->argument ? ":" : "");
	}
	pw_grow(&tables->longs, &capacity, tables->count + 2, sizeof(*tables->longs));
	tables->longs[tables->count] = (struct option){ .name = "help", .val = HELP_VALUE };
	tables->longs[tables->count + 1] = (struct option){ 0 };
}

static void take(const struct pw_cli_option *option, const char *argument)
{
	if (option->on)
		*option->on = true;
	else if (option->text)
		*option->text = argument;
	else
		pw_strv_push(option->list, argument);
}

static const struct pw_cli_option *find_option(const struct pw_usage *usage, int value)
{
	const struct pw_cli_option *option = usage->options;

	if (value >= FIRST_LONG)
		return option + (value - FIRST_LONG);
	while (option->name && option->letter != value)
		option++;
	return option;
}

static int unknown_option(const struct pw_command *command, const struct pw_usage *usage,
			  const char *word)
{
	const char **names = NULL;
	size_t count = 0, capacity = 0;
	pw_auto_free char *bare =
		pw_strndup(word + strspn(word, "-"), strcspn(word + strspn(word, "-"), "="));
	const char *nearest;
	int code;

	for (const struct pw_cli_option *option = usage->options; option->name; option++)
		PW_PUSH(names, count, capacity, option->name);
	nearest = count ? pw_nearest(bare, names, count) : NULL;
	if (nearest)
		code = pw_cli_usage_error("%s: unknown option '%s' (did you mean \"--%s\"?)",
					  command->name, word, nearest);
	else
		code = pw_cli_usage_error("%s: unknown option '%s' (perfwatt %s --help lists them)",
					  command->name, word, command->name);
	free(names);
	return code;
}

static int check_words(const struct pw_command *command, const struct pw_usage *usage,
		       const struct pw_strv *words)
{
	if (words->count > usage->most)
		return pw_cli_usage_error("%s: unexpected '%s' (usage: perfwatt %s %s)",
					  command->name, words->items[usage->most], command->name,
					  usage->line);
	if (words->count < usage->least)
		return pw_cli_usage_error("%s: something is missing (usage: perfwatt %s %s)",
					  command->name, command->name, usage->line);
	return -1;
}

static int walk(const struct pw_command *command, const struct pw_usage *usage, int argc,
		char **argv, const struct tables *tables)
{
	optind = 0;
	opterr = 0;
	for (;;) {
		int value = getopt_long(argc, argv, pw_strbuf_text(&tables->shorts), tables->longs,
					NULL);

		if (value == -1)
			return -1;
		if (value == HELP_VALUE)
			return print_help(command, usage);
		if (value == ':')
			return pw_cli_usage_error("%s: %s needs a value", command->name,
						  argv[optind - 1]);
		if (value == '?')
			return unknown_option(command, usage, argv[optind - 1]);
		take(find_option(usage, value), optarg);
	}
}

int pw_cli_parse(const struct pw_command *command, const struct pw_usage *usage, int argc,
		 char **argv, struct pw_strv *words)
{
	struct tables tables = { .longs = NULL, .shorts = PW_STRBUF_INIT };
	int code;

	build_tables(usage, &tables);
	code = walk(command, usage, argc, argv, &tables);
	free(tables.longs);
	pw_strbuf_done(&tables.shorts);
	if (code >= 0)
		return code;
	for (int i = optind; i < argc; i++)
		pw_strv_push(words, argv[i]);
	return check_words(command, usage, words);
}
