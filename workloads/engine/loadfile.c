/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/loadfile.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "lib/base/clock.h"
#include "lib/base/file.h"
#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "workloads/engine/argument.h"
#include "workloads/engine/handles.h"

/* LOOP and REPEAT counts beyond this only run into PW_LOAD_OPS_LIMIT later. */
#define TIMES_LIMIT PW_LOAD_OPS_LIMIT

struct parser {
	struct pw_load load;
	struct pw_handles handles;
	uint32_t line; /* number of the present one */
	bool has_session;
	/* LOOP */
	uint32_t loop_line; /* 0 = outside */
	size_t loop_begin;
	int64_t loop_times;
	struct pw_handles loop_handles;
	/* REPEAT: how often the next operation stands */
	int64_t repeat;
	uint32_t repeat_line;
};

void pw_load_done(struct pw_load *load)
{
	free(load->text);
	free(load->ops);
	pw_names_done(&load->names);
	*load = (struct pw_load){ 0 };
}

static int use_handle(struct parser *parser, struct pw_op *op, int64_t handle, struct pw_err *err)
{
	if (op->code == PW_OP_CREATE) {
		/* An opening that has to fail leaves no handle, whatever number it names. */
		if (op->expect == PW_EXPECT_FAILURE)
			return 0;
		return pw_handles_open(&parser->handles, handle, parser->line, &op->slot, err);
	}
	if (op->code == PW_OP_CLOSE)
		return pw_handles_close(&parser->handles, handle, &op->slot, err);
	return pw_handles_find(&parser->handles, handle, &op->slot, err);
}

static int take_argument(struct parser *parser, struct pw_op *op, enum pw_arg kind,
			 const char *word, struct pw_err *err)
{
	int64_t value = 0;

	if (kind == PW_ARG_PATH || kind == PW_ARG_PATH2) {
		if (pw_argument_check_name(word, err) < 0)
			return -(int)err->code;
		if (kind == PW_ARG_PATH)
			op->path = pw_names_add(&parser->load.names, word);
		else
			op->path2 = pw_names_add(&parser->load.names, word);
		return 0;
	}
	if (pw_argument_number(kind, word, &value, err) < 0)
		return -(int)err->code;
	if (kind == PW_ARG_HANDLE)
		return use_handle(parser, op, value, err);
	pw_argument_store(op, kind, value);
	return 0;
}

static bool moves_handles(const struct pw_op *op)
{
	return op->code == PW_OP_CLOSE ||
	       (op->code == PW_OP_CREATE && op->expect != PW_EXPECT_FAILURE);
}

static int push(struct parser *parser, struct pw_op op, struct pw_err *err)
{
	struct pw_load *load = &parser->load;
	int64_t times = parser->repeat ? parser->repeat : 1;

	if (times > 1 && moves_handles(&op))
		return pw_fail(err, PW_EINVAL, "an operation that opens or closes is repeated");
	if (times > PW_LOAD_OPS_LIMIT - (int64_t)load->op_count)
		return pw_fail(err, PW_EINVAL, "more than %d operations", PW_LOAD_OPS_LIMIT);
	for (int64_t i = 0; i < times; i++)
		PW_PUSH(load->ops, load->op_count, load->op_capacity, op);
	parser->repeat = 0;
	return 0;
}

/* The seconds in front of an operation, of the time since the pass began. */
static int take_timestamp(const char *word, int64_t *ret_ns, struct pw_err *err)
{
	const double day_s = 86400;
	double seconds;

	if (pw_parse_real(word, &seconds, err) < 0)
		return pw_err_prefix(err, "timestamp");
	if (seconds < 0 || seconds > day_s)
		return pw_fail(err, PW_EINVAL, "timestamp '%.40s' is outside one day", word);
	*ret_ns = (int64_t)(seconds * (double)PW_NS_PER_S);
	return 0;
}

static int take_operation(struct parser *parser, char **words, int count, size_t text,
			  struct pw_err *err)
{
	struct pw_op op = { .line = parser->line, .text = (uint32_t)text, .when_ns = -1 };
	const struct pw_op_syntax *syntax;
	int wanted = 0;

	if (words[0][0] >= '0' && words[0][0] <= '9') {
		if (take_timestamp(words[0], &op.when_ns, err) < 0)
			return -(int)err->code;
		words++;
		count--;
	}
	if (count == 0)
		return pw_fail(err, PW_EINVAL, "a timestamp without an operation");
	if (strncasecmp(words[0], "SMB", 3) == 0)
		return pw_fail(err, PW_EINVAL, "'%.40s': load files of dbench 1 are another format",
			       words[0]);
	op.code = (uint8_t)pw_op_find(words[0]);
	if (!op.code)
		return pw_fail(err, PW_EINVAL, "unknown operation '%.80s'", words[0]);
	syntax = &pw_op_syntax[op.code];
	while (syntax->args[wanted])
		wanted++;
	if (count != wanted + 2)
		return pw_fail(err, PW_EINVAL, "%s wants %d arguments and a status, there are %d",
			       syntax->name, wanted, count - 1);
	op.expect = (uint8_t)pw_expected_parse(words[count - 1]);
	if (!op.expect)
		return pw_fail(err, PW_EINVAL, "'%.80s' is no status (NT_STATUS_... or 0x...)",
			       words[count - 1]);
	for (int i = 0; i < wanted; i++) {
		if (take_argument(parser, &op, (enum pw_arg)syntax->args[i], words[i + 1], err) < 0)
			return pw_err_prefix(err, "%s", syntax->name);
	}
	pw_op_wire_sizes(&op);
	return push(parser, op, err);
}

static int take_times(char **words, int count, int64_t *ret, struct pw_err *err)
{
	int64_t times;

	if (count != 2 || !pw_number_parse(words[1], &times) || times < 1 || times > TIMES_LIMIT)
		return pw_fail(err, PW_EINVAL, "%s wants one number from 1 to %d", words[0],
			       TIMES_LIMIT);
	*ret = times;
	return 0;
}

static int begin_loop(struct parser *parser, char **words, int count, struct pw_err *err)
{
	if (parser->loop_line)
		return pw_fail(err, PW_EINVAL, "LOOP inside the LOOP of line %u",
			       parser->loop_line);
	if (take_times(words, count, &parser->loop_times, err) < 0)
		return -(int)err->code;
	parser->loop_line = parser->line;
	parser->loop_begin = parser->load.op_count;
	parser->loop_handles = parser->handles;
	return 0;
}

static int end_loop(struct parser *parser, struct pw_err *err)
{
	struct pw_load *load = &parser->load;
	size_t body = load->op_count - parser->loop_begin;
	size_t more = (size_t)parser->loop_times - 1;

	if (!parser->loop_line)
		return pw_fail(err, PW_EINVAL, "ENDLOOP without LOOP");
	if (more && !pw_handles_same(&parser->handles, &parser->loop_handles))
		return pw_fail(err, PW_EINVAL,
			       "the LOOP of line %u ends with other handles open than it began",
			       parser->loop_line);
	if (body && more > (PW_LOAD_OPS_LIMIT - load->op_count) / body)
		return pw_fail(err, PW_EINVAL, "more than %d operations", PW_LOAD_OPS_LIMIT);
	pw_grow(&load->ops, &load->op_capacity, load->op_count + more * body, sizeof(*load->ops));
	for (size_t i = 0; body && i < more; i++) {
		memcpy(&load->ops[load->op_count], &load->ops[parser->loop_begin],
		       body * sizeof(*load->ops));
		load->op_count += body;
	}
	parser->loop_line = 0;
	return 0;
}

static int begin_session(struct parser *parser, struct pw_err *err)
{
	if (parser->has_session)
		return pw_fail(err, PW_EINVAL, "the session begins twice");
	if (parser->loop_line)
		return pw_fail(err, PW_EINVAL, "the session begins inside the LOOP of line %u",
			       parser->loop_line);
	parser->has_session = true;
	parser->load.session = parser->load.op_count;
	return pw_handles_all_closed(&parser->handles, "the beginning of the session", err);
}

static int take_line(struct parser *parser, const char *line, size_t text, struct pw_err *err)
{
	char copy[PW_LINE_SIZE], *words[PW_WORDS_MAX];
	size_t length = strlen(line);
	int count;

	if (strcmp(line, PW_LOAD_SESSION) == 0)
		return begin_session(parser, err);
	if (line[0] == '#')
		return 0;
	if (length >= sizeof(copy) - 1)
		return pw_fail(err, PW_EINVAL, "longer than %d bytes", PW_LINE_SIZE - 2);
	memcpy(copy, line, length + 1);
	count = pw_words_split(copy, words);
	if (count == PW_WORDS_TOO_MANY)
		return pw_fail(err, PW_EINVAL, "more than %d words", PW_WORDS_MAX);
	if (count == PW_WORDS_OPEN_QUOTE)
		return pw_fail(err, PW_EINVAL, "a quote is not closed");
	if (count == 0 || words[0][0] == '#')
		return 0;
	if (strcasecmp(words[0], "LOOP") == 0)
		return begin_loop(parser, words, count, err);
	if (strcasecmp(words[0], "ENDLOOP") == 0)
		return end_loop(parser, err);
	if (strcasecmp(words[0], "REPEAT") == 0) {
		parser->repeat_line = parser->line;
		return take_times(words, count, &parser->repeat, err);
	}
	return take_operation(parser, words, count, text, err);
}

/* What has to hold of the file as a whole. */
static int finish(struct parser *parser, struct pw_err *err)
{
	struct pw_load *load = &parser->load;

	if (parser->loop_line)
		return pw_fail(err, PW_EINVAL, "line %u: LOOP without ENDLOOP", parser->loop_line);
	if (parser->repeat)
		return pw_fail(err, PW_EINVAL, "line %u: REPEAT without an operation",
			       parser->repeat_line);
	if (pw_handles_all_closed(&parser->handles, "the end of the file", err) < 0)
		return -(int)err->code;
	for (size_t i = load->session; i < load->op_count; i++) {
		if (load->ops[i].code == PW_OP_READ)
			load->session_bytes += load->ops[i].expected;
		else if (load->ops[i].code == PW_OP_WRITE)
			load->session_bytes += load->ops[i].size;
	}
	if (load->session_bytes == 0)
		return pw_fail(err, PW_EINVAL, "the session reads and writes nothing");
	load->slots = parser->handles.most;
	return 0;
}

static int parse_lines(struct parser *parser, struct pw_err *err)
{
	struct pw_load *load = &parser->load;
	char *at = load->text, *end = load->text + load->text_length;

	while (at < end) {
		char *newline = memchr(at, '\n', (size_t)(end - at));

		parser->line++;
		if (!newline)
			return pw_fail(err, PW_EINVAL,
				       "line %u: the file ends inside this line (is it cut short?)",
				       parser->line);
		if (memchr(at, '\0', (size_t)(newline - at)))
			return pw_fail(err, PW_EINVAL, "line %u: holds a NUL byte", parser->line);
		*newline = '\0';
		if (take_line(parser, at, (size_t)(at - load->text), err) < 0)
			return pw_err_prefix(err, "line %u", parser->line);
		at = newline + 1;
	}
	return finish(parser, err);
}

int pw_load_parse(const char *text, size_t length, struct pw_load *ret, struct pw_err *err)
{
	struct parser *parser;
	int r;

	if (length > PW_LOAD_FILE_LIMIT)
		return pw_fail(err, PW_EINVAL, "larger than %u bytes", PW_LOAD_FILE_LIMIT);
	if (length >= 2 && memcmp(text, "\x1f\x8b", 2) == 0)
		return pw_fail(err, PW_EINVAL, "compressed with gzip: unpack it first");
	parser = pw_new(1, sizeof(*parser));
	pw_names_init(&parser->load.names);
	parser->load.text = pw_strndup("", 0);
	if (length) {
		free(parser->load.text);
		parser->load.text = pw_memdup(text, length);
	}
	parser->load.text_length = length;
	parser->load.hash = pw_fnv1a64(PW_FNV1A64_INIT, text, length);
	r = parse_lines(parser, err);
	if (r < 0)
		pw_load_done(&parser->load);
	else
		*ret = parser->load;
	free(parser);
	return r;
}

int pw_load_read(const char *path, struct pw_load *ret, struct pw_err *err)
{
	pw_auto_free char *text = NULL;
	size_t length = 0;

	if (pw_read_path(path, PW_LOAD_FILE_LIMIT, &text, &length, err) < 0)
		return pw_err_prefix(err, "load file");
	if (pw_load_parse(text, length, ret, err) < 0)
		return pw_err_prefix(err, "load file %s", path);
	return 0;
}
