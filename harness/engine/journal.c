/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/journal_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/fault.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/strbuf.h"
#include "lib/model/json.h"

#define JOURNAL_LIMIT ((size_t)64 << 20)

/* Every line that was written whole; the caller's text. */
static int read_all(const struct pw_journal *journal, char **ret, size_t *ret_length,
		    struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	char chunk[16384];
	ssize_t n;

	while ((n = pread(journal->fd, chunk, sizeof(chunk), (off_t)text.length)) != 0) {
		if (n < 0 && errno != EINTR)
			return pw_fail_errno(err, errno, "read journal %s", journal->path);
		if (n > 0)
			pw_strbuf_add(&text, chunk, (size_t)n);
		if (text.length > JOURNAL_LIMIT)
			return pw_fail(err, PW_EINVAL, "journal %s is larger than %zu bytes",
				       journal->path, JOURNAL_LIMIT);
	}
	while (text.length && text.text[text.length - 1] != '\n')
		text.length--;
	*ret_length = text.length;
	*ret = pw_strbuf_take(&text);
	return 0;
}

/* O_NONBLOCK: a pipe in the journal's place must not hold anybody up. */
static int open_at(const char *path, int flags, struct pw_journal *ret, struct pw_err *err)
{
	pw_auto_close int fd =
		open(path, flags | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
	struct stat info;

	if (fd < 0 || fstat(fd, &info) < 0)
		return pw_fail_errno(err, errno, "open journal %s", path);
	if (!S_ISREG(info.st_mode))
		return pw_fail(err, PW_EINVAL, "journal %s is no ordinary file", path);
	*ret = (struct pw_journal){ .fd = pw_take_fd(&fd),
				    .path = pw_strdup(path),
				    .foreign = info.st_uid != geteuid() || (info.st_mode & 022) };
	return 0;
}

int pw_journal_open(const char *path, struct pw_journal *ret, struct pw_err *err)
{
	struct pw_journal journal;
	pw_auto_free char *text = NULL;
	size_t length;

	if (open_at(path, O_RDWR | O_CREAT, &journal, err) < 0)
		return -(int)err->code;
	if (read_all(&journal, &text, &length, err) < 0) {
		pw_journal_close(&journal);
		return -(int)err->code;
	}
	if (ftruncate(journal.fd, (off_t)length) < 0) {
		(void)pw_fail_errno(err, errno, "cut the torn last line of journal %s", path);
		pw_journal_close(&journal);
		return -(int)err->code;
	}
	*ret = journal;
	return 0;
}

int pw_journal_find(const char *path, struct pw_journal *ret, struct pw_err *err)
{
	int r = open_at(path, O_RDWR, ret, err);

	return r == -PW_EDENIED ? open_at(path, O_RDONLY, ret, err) : r;
}

void pw_journal_close(struct pw_journal *journal)
{
	if (journal->path) {
		close(journal->fd);
		free(journal->path);
	}
	*journal = PW_JOURNAL_INIT;
}

/* A line of text members, given as key, value pairs up to a NULL key; NULL values are left out. */
static void add_line(struct pw_strbuf *lines, const char *const *pairs)
{
	pw_auto_value struct pw_value object = pw_value_object();

	for (; *pairs; pairs += 2) {
		if (pairs[1])
			pw_value_set(&object, pairs[0], pw_value_text(pairs[1]));
	}
	pw_json_write(&object, PW_JSON_COMPACT, lines);
	pw_strbuf_putc(lines, '\n');
}

/* What a full disk took of the lines is cut off again: the next line would be glued to it. */
static int append(struct pw_journal *journal, const struct pw_strbuf *lines, struct pw_err *err)
{
	off_t before = lseek(journal->fd, 0, SEEK_END);

	if (pw_write_all(journal->fd, pw_strbuf_text(lines), lines->length, err) < 0) {
		if (before < 0 || ftruncate(journal->fd, before) < 0)
			(void)!write(journal->fd, "\n", 1);
		return pw_err_prefix(err, "journal %s", journal->path);
	}
	pw_fault_point("journal");
	return 0;
}

static int append_line(struct pw_journal *journal, const char *const *pairs, struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf line = PW_STRBUF_INIT;

	add_line(&line, pairs);
	return append(journal, &line, err);
}

int pw_journal_begin(struct pw_journal *journal, const char *session, const char *root,
		     const char *boot, const char *tag, struct pw_err *err)
{
	return append_line(journal,
			   (const char *const[]){ "type", "begin", "session", session, "root", root,
						  "boot", boot, "tag", tag, NULL },
			   err);
}

int pw_journal_saved(struct pw_journal *journal, const char *knob, const struct pw_saved *saved,
		     struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf lines = PW_STRBUF_INIT;

	for (size_t i = 0; i < saved->count; i++) {
		const struct pw_saved_item *item = &saved->items[i];

		add_line(&lines, (const char *const[]){ "type", "saved", "knob", knob, "path",
							item->path, "value", item->value, "restore",
							item->restore, NULL });
	}
	return append(journal, &lines, err);
}

int pw_journal_release(struct pw_journal *journal, const char *knob, struct pw_err *err)
{
	return append_line(journal, (const char *const[]){ "type", "release", "knob", knob, NULL },
			   err);
}

int pw_journal_folder(struct pw_journal *journal, const char *folder, struct pw_err *err)
{
	return append_line(journal, (const char *const[]){ "type", "folder", "path", folder, NULL },
			   err);
}

static struct pw_value list_of(const struct pw_strv *texts)
{
	struct pw_value list = pw_value_list();

	for (size_t i = 0; i < texts->count; i++)
		pw_value_push(&list, pw_value_text(texts->items[i]));
	return list;
}

int pw_journal_undo(struct pw_journal *journal, const struct pw_journal_undo *undo,
		    struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf line = PW_STRBUF_INIT;
	pw_auto_value struct pw_value object = pw_value_object();

	pw_value_set(&object, "type", pw_value_text("undo"));
	pw_value_set(&object, "config", pw_value_text(undo->config));
	pw_value_set(&object, "argv", list_of(&undo->argv));
	pw_value_set(&object, "program", pw_value_text(undo->program));
	pw_value_set(&object, "directory", pw_value_text(undo->directory));
	pw_value_set(&object, "env", list_of(&undo->env));
	pw_json_write(&object, PW_JSON_COMPACT, &line);
	pw_strbuf_putc(&line, '\n');
	return append(journal, &line, err);
}

int pw_journal_undone(struct pw_journal *journal, const char *config, struct pw_err *err)
{
	return append_line(journal,
			   (const char *const[]){ "type", "undone", "config", config, NULL }, err);
}

int pw_journal_service(struct pw_journal *journal, const char *name, const char *init,
		       struct pw_err *err)
{
	return append_line(
		journal,
		(const char *const[]){ "type", "service", "name", name, "init", init, NULL }, err);
}

int pw_journal_started(struct pw_journal *journal, const char *name, struct pw_err *err)
{
	return append_line(journal, (const char *const[]){ "type", "started", "name", name, NULL },
			   err);
}

int pw_journal_restored(struct pw_journal *journal, const char *by, struct pw_err *err)
{
	return append_line(journal, (const char *const[]){ "type", "restored", "by", by, NULL },
			   err);
}

int pw_journal_sync(struct pw_journal *journal, struct pw_err *err)
{
	if (fsync(journal->fd) < 0)
		return pw_fail_errno(err, errno, "sync journal %s", journal->path);
	pw_fault_point("journal-sync");
	return 0;
}

int pw_journal_reread(const struct pw_journal *journal, struct pw_journal_state *ret,
		      struct pw_err *err)
{
	struct pw_journal_state state = PW_JOURNAL_STATE_INIT;
	pw_auto_free char *text = NULL;
	size_t length, number = 0;

	if (read_all(journal, &text, &length, err) < 0)
		return -(int)err->code;
	for (char *line = text, *end; (end = memchr(line, '\n', (size_t)(text + length - line)));
	     line = end + 1)
		pw_journal_take(&state, line, (size_t)(end - line), ++number);
	if (!state.begun) {
		pw_journal_state_done(&state);
		return pw_fail(err, PW_EINVAL, "journal %s: no session begins in it",
			       journal->path);
	}
	*ret = state;
	return 0;
}

int pw_journal_read(const char *path, struct pw_journal_state *ret, struct pw_err *err)
{
	struct pw_journal journal = PW_JOURNAL_INIT;
	int r = pw_journal_find(path, &journal, err);

	if (r < 0)
		return r;
	r = pw_journal_reread(&journal, ret, err);
	pw_journal_close(&journal);
	return r;
}
