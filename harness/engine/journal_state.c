/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the lines of a journal amount to: what is still to be put back. */
#include <string.h>

#include "harness/engine/journal_internal.h"
#include "lib/base/mem.h"
#include "lib/model/json.h"

void pw_journal_undo_done(struct pw_journal_undo *undo)
{
	free(undo->config);
	free(undo->program);
	free(undo->directory);
	pw_strv_done(&undo->argv);
	pw_strv_done(&undo->env);
	*undo = (struct pw_journal_undo){ 0 };
}

static void service_done(struct pw_journal_service *service)
{
	free(service->name);
	free(service->init);
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
	for (size_t i = 0; i < state->undo_count; i++)
		pw_journal_undo_done(&state->undos[i]);
	free(state->undos);
	for (size_t i = 0; i < state->service_count; i++)
		service_done(&state->services[i]);
	free(state->services);
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

/* A list of texts and nothing else. */
static bool copy_list(const struct pw_value *line, const char *key, struct pw_strv *ret)
{
	const struct pw_value *list = pw_value_get(line, key);

	if (!list || list->type != PW_VALUE_LIST)
		return false;
	pw_value_get_strv(line, key, ret);
	return ret->count == list->count;
}

static int add_undo(struct pw_journal_state *state, const struct pw_value *line, struct pw_err *err)
{
	struct pw_journal_undo undo = { .config = copy_of(line, "config"),
					.program = copy_of(line, "program"),
					.directory = copy_of(line, "directory") };
	bool lists = copy_list(line, "argv", &undo.argv) && copy_list(line, "env", &undo.env);

	if (undo.config && undo.program && undo.directory && lists && undo.argv.count &&
	    !state->restored) {
		PW_PUSH(state->undos, state->undo_count, state->undo_capacity, undo);
		return 0;
	}
	pw_journal_undo_done(&undo);
	return pw_fail(err, PW_EINVAL, "an undo without config, program, argv or session");
}

static void drop_undo(struct pw_journal_state *state, const char *config)
{
	for (size_t i = state->undo_count; i-- > 0;) {
		if (strcmp(state->undos[i].config, config) != 0)
			continue;
		pw_journal_undo_done(&state->undos[i]);
		memmove(&state->undos[i], &state->undos[i + 1],
			(--state->undo_count - i) * sizeof(*state->undos));
		return;
	}
}

static int add_service(struct pw_journal_state *state, const struct pw_value *line,
		       struct pw_err *err)
{
	struct pw_journal_service service = { .name = copy_of(line, "name"),
					      .init = copy_of(line, "init") };

	if (service.name && service.init && !state->restored) {
		PW_PUSH(state->services, state->service_count, state->service_capacity, service);
		return 0;
	}
	service_done(&service);
	return pw_fail(err, PW_EINVAL, "a service without name, init or session");
}

static void drop_service(struct pw_journal_state *state, const char *name)
{
	for (size_t i = state->service_count; i-- > 0;) {
		if (strcmp(state->services[i].name, name) != 0)
			continue;
		service_done(&state->services[i]);
		memmove(&state->services[i], &state->services[i + 1],
			(--state->service_count - i) * sizeof(*state->services));
		return;
	}
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
	else if (strcmp(type, "undo") == 0)
		return add_undo(state, line, err);
	else if (strcmp(type, "undone") == 0)
		drop_undo(state, pw_value_get_text(line, "config", ""));
	else if (strcmp(type, "service") == 0)
		return add_service(state, line, err);
	else if (strcmp(type, "started") == 0)
		drop_service(state, pw_value_get_text(line, "name", ""));
	else if (strcmp(type, "restored") == 0)
		state->restored = true;
	return 0;
}

void pw_journal_take(struct pw_journal_state *state, const char *line, size_t length, size_t number)
{
	pw_auto_value struct pw_value value = PW_VALUE_INIT;
	struct pw_err err;

	if (pw_json_parse(line, length, &value, &err) < 0 || take_line(state, &value, &err) < 0)
		pw_strv_pushf(&state->unreadable, "line %zu: %s", number, err.text);
}
