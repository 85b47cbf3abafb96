/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/model/runs.h"

#include <errno.h>
#include <inttypes.h>

#include "lib/model/json.h"
#include "lib/model/record.h"

struct reader {
	FILE *file;
	const char *name;
	char *line;
	size_t room;
	size_t length; /* of the line, its newline included */
	size_t number; /* from 1 */
	bool last;
	bool newline;
};

static void reader_done(struct reader *reader)
{
	free(reader->line);
}

/* 1: a line is there; 0: end of file. */
static int next_line(struct reader *reader, struct pw_err *err)
{
	ssize_t n;
	int ahead;

	errno = 0;
	n = getline(&reader->line, &reader->room, reader->file);
	if (n < 0 && ferror(reader->file))
		return pw_fail_errno(err, errno ? errno : EIO, "read %s", reader->name);
	if (n <= 0)
		return 0;
	reader->number++;
	reader->length = (size_t)n;
	reader->newline = reader->line[n - 1] == '\n';
	if (reader->length > PW_RUN_LINE_LIMIT)
		return pw_fail(err, PW_EINVAL, "%s:%zu: longer than %u bytes", reader->name,
			       reader->number, PW_RUN_LINE_LIMIT);
	ahead = getc(reader->file);
	reader->last = ahead == EOF;
	if (ahead != EOF)
		(void)ungetc(ahead, reader->file);
	return 1;
}

static int parse_line(const struct reader *reader, struct pw_value *ret, struct pw_err *err)
{
	pw_auto_value struct pw_value value = PW_VALUE_INIT;
	int r;

	if (!reader->newline)
		return pw_fail(err, PW_EINVAL, "no newline at the end");
	r = pw_json_parse(reader->line, reader->length - 1, &value, err);
	if (r < 0)
		return r;
	if (value.type != PW_VALUE_OBJECT)
		return pw_fail(err, PW_EINVAL, "expected an object, found %s",
			       pw_value_type_name(value.type));
	*ret = value;
	value = PW_VALUE_INIT;
	return 0;
}

int pw_schema_check(const struct pw_value *object, const char *what, struct pw_err *err)
{
	const struct pw_value *schema = pw_value_get(object, "schema");

	if (!schema)
		return pw_fail(err, PW_EINVAL,
			       "%s: no schema number; this perfwatt reads schema %d", what,
			       PW_SCHEMA);
	if (schema->type != PW_VALUE_INT)
		return pw_fail(err, PW_EINVAL, "%s: schema is %s; this perfwatt reads schema %d",
			       what, pw_value_type_name(schema->type), PW_SCHEMA);
	if (schema->integer != PW_SCHEMA)
		return pw_fail(err, PW_EINVAL,
			       "%s: schema %" PRId64 ", but this perfwatt reads schema %d", what,
			       schema->integer, PW_SCHEMA);
	return 0;
}

static int hand_on(const struct reader *reader, struct pw_value *record,
		   int (*each)(void *context, struct pw_value *record, struct pw_err *err),
		   void *context, struct pw_err *err)
{
	int r = pw_schema_check(record, "record", err);

	if (r < 0)
		return pw_err_prefix(err, "%s:%zu", reader->name, reader->number);
	return each(context, record, err);
}

int pw_runs_each(FILE *file, const char *name, const struct pw_log *log,
		 int (*each)(void *context, struct pw_value *record, struct pw_err *err),
		 void *context, struct pw_err *err)
{
	pw_auto(reader_done) struct reader reader = { .file = file, .name = name };
	int r;

	while ((r = next_line(&reader, err)) > 0) {
		pw_auto_value struct pw_value record = PW_VALUE_INIT;

		if (parse_line(&reader, &record, err) < 0) {
			if (!reader.last)
				return pw_err_prefix(err, "%s:%zu", name, reader.number);
			pw_log(log, PW_LOG_WARNING, "%s:%zu: torn last line left out (%s)", name,
			       reader.number, err->text);
			pw_err_clear(err);
			return 0;
		}
		r = hand_on(&reader, &record, each, context, err);
		if (r < 0)
			return r;
	}
	return r;
}

int pw_runs_whole(FILE *file, const char *name, long long *ret_length, struct pw_err *err)
{
	pw_auto(reader_done) struct reader reader = { .file = file, .name = name };
	long long whole = 0;
	int r;

	rewind(file);
	while ((r = next_line(&reader, err)) > 0) {
		pw_auto_value struct pw_value record = PW_VALUE_INIT;

		if (parse_line(&reader, &record, err) < 0) {
			if (!reader.last)
				return pw_err_prefix(err, "%s:%zu", name, reader.number);
			pw_err_clear(err);
			break;
		}
		if (pw_schema_check(&record, "record", err) < 0)
			return pw_err_prefix(err, "%s:%zu", name, reader.number);
		whole += (long long)reader.length;
	}
	if (r < 0)
		return r;
	*ret_length = whole;
	return 0;
}
