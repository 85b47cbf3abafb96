/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What dbench 4.0 does for every operation while it measures: take the text line apart, look the
 * operation up by name, turn the words into numbers, make the names the client's own.
 */
#include <string.h>

#include "workloads/engine/argument.h"
#include "workloads/engine/loadfile.h"

static void take_word(struct pw_reread *reread, enum pw_arg kind, const char *word, unsigned id)
{
	int64_t value = 0;

	if (kind == PW_ARG_PATH) {
		reread->path_length =
			(uint32_t)pw_name_for_client(word, id, reread->path, sizeof(reread->path));
		return;
	}
	if (kind == PW_ARG_PATH2) {
		reread->path2_length = (uint32_t)pw_name_for_client(word, id, reread->path2,
								    sizeof(reread->path2));
		return;
	}
	/* The line was checked when the file was loaded: it holds a number here. */
	(void)pw_number_parse(word, &value);
	pw_argument_store(&reread->op, kind, value);
}

void pw_load_reread(const struct pw_load *load, const struct pw_op *op, unsigned id,
		    struct pw_reread *reread)
{
	const char *line = load->text + op->text;
	char *words[PW_WORDS_MAX];
	const struct pw_op_syntax *syntax;
	int count, first = 0;

	memcpy(reread->line, line, strlen(line) + 1);
	count = pw_words_split(reread->line, words);
	if (words[0][0] >= '0' && words[0][0] <= '9')
		first = 1;
	reread->op = *op;
	reread->path_length = 0;
	reread->path2_length = 0;
	reread->op.code = (uint8_t)pw_op_find(words[first]);
	reread->op.expect = (uint8_t)pw_expected_parse(words[count - 1]);
	syntax = &pw_op_syntax[reread->op.code];
	for (int i = 0; syntax->args[i]; i++)
		take_word(reread, (enum pw_arg)syntax->args[i], words[first + 1 + i], id);
}
