/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/external/said.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/strv.h"
#include "lib/base/text.h"

#define BANNER	   "dbench version "
#define LAST_LINES 3
#define LINE_SHOWN 120

/* A message about a semaphore of the number 0, which is a right one: printed after a fresh boot. */
#define HARMLESS "failed to create barrier semaphore"

static const char *const faults[] = {
	"failed",	   "Failed",	    "ERROR",
	"FAILED TO START", "Unknown op",    "Badly formed",
	"lost sync",	   "error reading", "error writing",
	"error opening",   "not found",	    "unknown host",
	"unknown name",	   "wrote ",	    "you must be kidding.",
	"file table full", "Unknown back",  "Invalid option",
};

static bool has_word(const struct pw_strv *words, size_t at, const char *word)
{
	return at < words->count && strcmp(words->items[at], word) == 0;
}

static bool tells_fault(const char *line)
{
	if (strncmp(line, HARMLESS, strlen(HARMLESS)) == 0 &&
	    line[strlen(HARMLESS) + strspn(line + strlen(HARMLESS), " \r")] == '\0')
		return false;
	for (size_t i = 0; i < PW_LENGTH(faults); i++) {
		if (strstr(line, faults[i]))
			return true;
	}
	return false;
}

enum pw_said_kind pw_said(const char *line)
{
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;

	pw_strv_split(&words, line, " \t\r");
	if (has_word(&words, 0, "Throughput"))
		return PW_SAID_THROUGHPUT;
	if (has_word(&words, 1, "cleanup") && has_word(&words, 3, "sec"))
		return PW_SAID_CLEANUP;
	if (has_word(&words, 3, "MB/sec") && has_word(&words, 4, "execute"))
		return PW_SAID_EXECUTE;
	if (has_word(&words, 3, "MB/sec") && has_word(&words, 4, "warmup"))
		return PW_SAID_WARMUP;
	return tells_fault(line) ? PW_SAID_FAULT : PW_SAID_OTHER;
}

char *pw_said_version(const char *line)
{
	const char *start = line + strlen(BANNER);
	size_t length;

	if (strncmp(line, BANNER, strlen(BANNER)) != 0)
		return NULL;
	length = strspn(start, "0123456789.");
	return length && length < 16 ? pw_strndup(start, length) : NULL;
}

static int refuse(const char *line, const char *what, struct pw_err *err)
{
	return pw_fail(err, PW_EFAILED, "%s in the result line: '%.*s'", what, LINE_SHOWN, line);
}

/* The number before `unit`, or -1. */
static double number_before(const struct pw_strv *words, const char *unit)
{
	struct pw_err ignored;
	double value;

	for (size_t i = 1; i < words->count; i++) {
		if (strcmp(words->items[i], unit) == 0 &&
		    pw_parse_real(words->items[i - 1], &value, &ignored) == 0)
			return value;
	}
	return -1.0;
}

static double latency_of(const struct pw_strv *words)
{
	static const char start[] = "max_latency=";
	struct pw_err ignored;
	double value;

	for (size_t i = 0; i < words->count; i++) {
		if (strncmp(words->items[i], start, sizeof(start) - 1) == 0 &&
		    pw_parse_real(words->items[i] + sizeof(start) - 1, &value, &ignored) == 0)
			return value;
	}
	return -1.0;
}

int pw_said_throughput(const char *line, struct pw_throughput *ret, struct pw_err *err)
{
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	double clients;

	pw_strv_split(&words, line, " \t\r");
	clients = number_before(&words, "clients");
	ret->megabytes_per_s = has_word(&words, 2, "MB/sec") ? number_before(&words, "MB/sec") : -1;
	ret->max_latency_ms = latency_of(&words);
	if (!(ret->megabytes_per_s >= 0))
		return refuse(line, "no throughput", err);
	if (!(clients >= 0 && clients <= 1e6))
		return refuse(line, "no number of clients", err);
	if (!(ret->max_latency_ms >= 0))
		return refuse(line, "no max_latency", err);
	ret->clients = (unsigned)clients;
	return 0;
}

/* One line into the account; `results` counts result lines. */
static int take_line(const char *line, struct pw_said_run *run, unsigned *results,
		     struct pw_err *err)
{
	switch (pw_said(line)) {
	case PW_SAID_FAULT:
		return pw_fail(err, PW_EFAILED, "it said: '%.*s'", LINE_SHOWN, line);
	case PW_SAID_EXECUTE:
		run->executes++;
		return 0;
	case PW_SAID_THROUGHPUT:
		++*results;
		return pw_said_throughput(line, &run->throughput, err);
	default:
		return 0;
	}
}

static int check(const struct pw_said_run *run, unsigned results, struct pw_err *err)
{
	if (results == 0)
		return pw_fail(err, PW_EFAILED,
			       "no final Throughput line: it did not come to its "
			       "end");
	if (results > 1)
		return pw_fail(err, PW_EFAILED, "%u Throughput lines: which one?", results);
	if (run->executes == 0)
		return pw_fail(err, PW_EFAILED,
			       "nothing was measured: no progress line after the "
			       "warm-up");
	if (!(run->throughput.megabytes_per_s > 0))
		return pw_fail(err, PW_EFAILED, "throughput 0");
	return 0;
}

static void add_last_lines(const struct pw_strv *lines, struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	size_t from = lines->count > LAST_LINES ? lines->count - LAST_LINES : 0;

	for (size_t i = from; i < lines->count; i++)
		pw_strbuf_printf(&text, "%s%.*s", i > from ? " | " : "", LINE_SHOWN,
				 lines->items[i]);
	if (lines->count)
		(void)pw_err_hint(err, "its last lines: %s", pw_strbuf_text(&text));
}

int pw_said_parse(const char *text, size_t length, struct pw_said_run *ret, struct pw_err *err)
{
	pw_auto_strv struct pw_strv lines = PW_STRV_INIT;
	pw_auto_free char *copy = pw_strndup(text, length);
	unsigned results = 0;
	int r = 0;

	*ret = (struct pw_said_run){ .executes = 0 };
	pw_strv_split(&lines, copy, "\n");
	for (size_t i = 0; r == 0 && i < lines.count; i++)
		r = take_line(lines.items[i], ret, &results, err);
	if (r == 0)
		r = check(ret, results, err);
	if (r < 0)
		add_last_lines(&lines, err);
	return r;
}
