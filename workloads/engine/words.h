/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of one line of a load file, by the rules of dbench 4.0. Pure, without allocation. */
#ifndef PW_WORKLOADS_ENGINE_WORDS_H
#define PW_WORKLOADS_ENGINE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PW_WORDS_MAX 19	  /* words of a line, as in dbench 4.0 */
#define PW_LINE_SIZE 1024 /* bytes of a line with its end, as in dbench 4.0 */

enum { PW_WORDS_TOO_MANY = -1, PW_WORDS_OPEN_QUOTE = -2 };

/*
 * Splits a line (without its newline) in place: backslashes become slashes, a slash that follows a
 * blank is dropped (a quoted path keeps its own), blanks separate, double quotes hold a word
 * together. Returns the number of words or one of the negative values.
 */
int pw_words_split(char *line, char *words[PW_WORDS_MAX]);

/* A whole number in decimal, 0x... or 0... (octal), with an optional minus. */
bool pw_number_parse(const char *text, int64_t *ret);

/* The status at the end of a line; an enum pw_op_expect, UNSET if it is none. */
int pw_expected_parse(const char *text);

/*
 * A name with every "client1" in it turned into "client<id>", a "." (the work directory) put in
 * front. Returns its length, or 0 when `size` is too small.
 */
size_t pw_name_for_client(const char *name, unsigned id, char *buffer, size_t size);

#endif
