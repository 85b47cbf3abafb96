/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/journal.h"

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

void pw_journal_state_done(struct pw_journal_state *state)
{
	for (size_t i = 0; i < state->count; i++) {
		free(state->entries[i].knob);
		free(state->entries[i].item.path);
		free(state->entries[i].item.value);
		free(state->entries[i].item.restore);
	}
	free(state->entries);
	free(state->session);
	free(state->root);
	free(state->boot);
	free(state->tag);
	pw_strv_done(&state->releases);
	pw_strv_done(&state->folders);
	pw_strv_done(&state->unreadable);
	*state = PW_JOURNAL_STATE_INIT;
}

static char *copy_of(const struct pw_value *line, const char *key)
{
	const char *text = pw_value_get_text(line, key, NULL);

	return text ? pw_strdup(text) : NULL;
}

static void begin_section(struct pw_journal_state *state, const struct pw_value *line)
{
	pw_journal_state_done(state);
	state->begun = true;
	state->session = copy_of(line, "session");
	state->root = copy_of(line, "root");
	state->boot = copy_of(line, "boot");
	state->tag = copy_of(line, "tag");
}

static int add_saved(struct pw_journal_state *state, const struct pw_value *line,
		     struct pw_err *err)
{
	struct pw_journal_entry entry = {
		.knob = copy_of(line, "knob"),
		.item = { .path = copy_of(line, "path"),
			  .value = copy_of(line, "value"),
			  .restore = copy_of(line, "restore") },
	};

	/* behind "restored" it belongs to a section whose beginning was lost */
	if (entry.knob && entry.item.path && entry.item.value && !state->restored) {
		PW_PUSH(state->entries, state->count, state->capacity, entry);
		return 0;
	}
	free(entry.knob);
	free(entry.item.path);
	free(entry.item.value);
	free(entry.item.restore);
	return pw_fail(err, PW_EINVAL, "a saved value without knob, path, value or session");
}

static void add_unique(struct pw_strv *list, const char *text)
{
	if (text && !pw_strv_has(list, text))
		pw_strv_push(list, text);
}

static int take_line(struct pw_journal_state *state, const struct pw_value *line,
		     struct pw_err *err)
{
	const char *type = pw_value_get_text(line, "type", "");

	if (strcmp(type, "begin") == 0)
		begin_section(state, line);
	else if (strcmp(type, "saved") == 0)
		return add_saved(state, line, err);
	else if (strcmp(type, "release") == 0)
		add_unique(&state->releases, pw_value_get_text(line, "knob", NULL));
	else if (strcmp(type, "folder") == 0 && pw_value_get_text(line, "path", NULL))
		pw_strv_push(&state->folders, pw_value_get_text(line, "path", NULL));
	else if (strcmp(type, "restored") == 0)
		state->restored = true;
	return 0;
}

static void read_line(struct pw_journal_state *state, const char *line, size_t length,
		      size_t number)
{
	pw_auto_value struct pw_value value = PW_VALUE_INIT;
	struct pw_err err;

	if (pw_json_parse(line, length, &value, &err) < 0 || take_line(state, &value, &err) < 0)
		pw_strv_pushf(&state->unreadable, "line %zu: %s", number, err.text);
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
		read_line(&state, line, (size_t)(end - line), ++number);
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
