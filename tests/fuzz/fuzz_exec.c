/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec's reading of an output, with foreign patterns: the first line is a regex, or, after '@', a
 * JSON pointer; the second a unit; the rest is the output.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/mem.h"
#include "workloads/exec/extract.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Longer outputs find no further faults, only longer searches. */
#define OUTPUT_LIMIT 512

static char *take_line(const char **text, size_t *length)
{
	const char *newline = memchr(*text, '\n', *length);
	size_t size = newline ? (size_t)(newline - *text) : *length;
	char *line = pw_strndup(*text, size);

	size += newline != NULL;
	*text += size;
	*length -= size;
	return line;
}

static void try_metric(const char *line, const char *unit, const char *text, size_t length,
		       enum pw_exec_pick pick)
{
	struct pw_exec_metric metric = {
		.desc = { .name = "m", .unit = unit, .mean = PW_MEAN_HARMONIC },
		.regex = line[0] == '@' ? NULL : line,
		.pointer = line[0] == '@' ? line + 1 : NULL,
		.from = "stdout",
		.pick = pick,
	};
	struct pw_work work = { .options = NULL };
	struct pw_output output = { .out = text, .out_length = length, .err = "" };
	struct pw_err err = PW_ERR_INIT;
	double value = 0;
	int r = pw_exec_extract(&metric, &work, &output, &value, &err);

	/* A value is finite and fits its mean, or there is an error with a text; never both. */
	if (r == 0 ? !(isfinite(value) && value > 0) : (value != 0 || err.text[0] == '\0'))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	pw_auto_free char *line = take_line(&text, &size);
	pw_auto_free char *unit = take_line(&text, &size);
	pw_auto_free char *output = NULL;

	if (size > OUTPUT_LIMIT)
		return 0;
	/* A copy, NUL-terminated as the contract says. */
	output = pw_new(1, size + 1);
	memcpy(output, text, size);
	for (int pick = PW_EXEC_PICK_LAST; pick <= PW_EXEC_PICK_SUM; pick++)
		try_metric(line, unit, output, size, (enum pw_exec_pick)pick);
	return 0;
}
