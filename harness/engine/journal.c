/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "lib/base/fault.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/strbuf.h"
#include "lib/model/json.h"

#define JOURNAL_LIMIT ((size_t)64 << 20)

int pw_journal_open(const char *path, struct pw_journal *ret, struct pw_err *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644);

	if (fd < 0)
		return pw_fail_errno(err, errno, "open journal %s", path);
	*ret = (struct pw_journal){ .fd = fd, .path = pw_strdup(path) };
	return 0;
}

void pw_journal_close(struct pw_journal *journal)
{
	if (journal->path) {
		close(journal->fd);
		free(journal->path);
	}
	*journal = (struct pw_journal){ .fd = -1 };
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

static int append(struct pw_journal *journal, const struct pw_strbuf *lines, struct pw_err *err)
{
	if (pw_write_all(journal->fd, pw_strbuf_text(lines), lines->length, err) < 0)
		return pw_err_prefix(err, "journal %s", journal->path);
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
	*state = (struct pw_journal_state)PW_JOURNAL_STATE_INIT;
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

	PW_PUSH(state->entries, state->count, state->capacity, entry);
	if (!entry.knob || !entry.item.path || !entry.item.value || entry.item.path[0] != '/' ||
	    strstr(entry.item.path, "/../"))
		return pw_fail(err, PW_EINVAL, "a saved value without knob, path or value");
	return 0;
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
	else if (strcmp(type, "folder") == 0)
		add_unique(&state->folders, pw_value_get_text(line, "path", NULL));
	else if (strcmp(type, "restored") == 0)
		state->restored = true;
	return 0;
}

static int parse(const char *path, char *text, size_t length, struct pw_journal_state *ret,
		 struct pw_err *err)
{
	struct pw_journal_state state = PW_JOURNAL_STATE_INIT;
	size_t number = 0;

	for (char *line = text, *end; (end = memchr(line, '\n', (size_t)(text + length - line)));
	     line = end + 1) {
		pw_auto_value struct pw_value value = PW_VALUE_INIT;

		number++;
		if (pw_json_parse(line, (size_t)(end - line), &value, err) < 0 ||
		    take_line(&state, &value, err) < 0) {
			pw_journal_state_done(&state);
			return pw_err_prefix(err, "journal %s, line %zu", path, number);
		}
	}
	if (!state.begun) {
		pw_journal_state_done(&state);
		return pw_fail(err, PW_EINVAL, "journal %s: no session begins in it", path);
	}
	*ret = state;
	return 0;
}

int pw_journal_read(const char *path, struct pw_journal_state *ret, struct pw_err *err)
{
	pw_auto_free char *text = NULL;
	size_t length;

	if (pw_read_path(path, JOURNAL_LIMIT, &text, &length, err) < 0)
		return -(int)err->code;
	return parse(path, text, length, ret, err);
}

int pw_journal_reread(const struct pw_journal *journal, struct pw_journal_state *ret,
		      struct pw_err *err)
{
	pw_auto_free char *text = NULL;
	size_t length;

	/* Appending does not mind where the descriptor stands. */
	if (lseek(journal->fd, 0, SEEK_SET) < 0)
		return pw_fail_errno(err, errno, "journal %s", journal->path);
	if (pw_read_fd(journal->fd, JOURNAL_LIMIT, &text, &length, err) < 0)
		return pw_err_prefix(err, "journal %s", journal->path);
	return parse(journal->path, text, length, ret, err);
}
