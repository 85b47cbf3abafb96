/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/restore.h"

#include <string.h>
#include <unistd.h>

#include "harness/engine/restore_programs.h"
#include "harness/engine/surroundings.h"
#include "lib/base/clock.h"
#include "lib/base/fault.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/platform/sysinfo.h"
#include "lib/platform/topology.h"

/* Attributes are small; the largest one saved is a list of CPU numbers or frequencies. */
#define ATTR_SIZE 4096
/* The kernel applies limits in a work queue; a new driver takes a moment to build its policies. */
#define READ_BACK_LIMIT_NS (500 * PW_NS_PER_MS)

void pw_restore_report_done(struct pw_restore_report *report)
{
	pw_strv_done(&report->mended);
	pw_strv_done(&report->failed);
	pw_strv_done(&report->left);
	free(report->note);
	*report = PW_RESTORE_REPORT_INIT;
}

/* `now` gets what is there, as far as it is text. */
static bool is_there(const struct pw_knob_env *env, const struct pw_knob *knob,
		     const struct pw_saved_item *item, char *now)
{
	bool same =
		pw_attr_get(env->root, item->path, now, ATTR_SIZE) && strcmp(now, item->value) == 0;

	return knob && knob->is_back ? knob->is_back(env, item) : same;
}

static int write_item(const struct pw_knob_env *env, const struct pw_knob *knob,
		      const struct pw_saved_item *item, struct pw_err *err)
{
	int64_t until = pw_clock_monotonic() + READ_BACK_LIMIT_NS;
	int r;

	pw_fault_point("restore");
	do {
		if (knob && knob->restore)
			r = knob->restore(env, item, err);
		else
			r = pw_attr_write(env->root, item->path,
					  item->restore ? item->restore : item->value, err);
		if (r != -PW_ENOTFOUND && r != -PW_EGONE && r != -PW_EBUSY && r != -PW_EAGAIN)
			break;
		pw_clock_sleep_until(pw_clock_monotonic() + 10 * PW_NS_PER_MS);
	} while (pw_clock_monotonic() < until);
	return r;
}

/* One item's way through a restore. */
struct item_state {
	const struct pw_knob *knob;
	const struct pw_saved_item *item;
	char *before; /* what was there; NULL: it was as saved */
	char *problem;
};

static void write_if_different(const struct pw_knob_env *env, struct item_state *state)
{
	char now[ATTR_SIZE] = "";
	struct pw_err err;

	if (is_there(env, state->knob, state->item, now))
		return;
	if (!state->before)
		state->before = pw_strdup(now);
	if (write_item(env, state->knob, state->item, &err) < 0) {
		free(state->problem);
		state->problem = pw_strdup(err.text);
	}
}

static void judge(const struct pw_knob_env *env, struct item_state *state, int64_t until,
		  struct pw_restore_report *report)
{
	char now[ATTR_SIZE] = "";

	if (!state->before)
		return;
	while (!is_there(env, state->knob, state->item, now)) {
		if (pw_clock_monotonic() >= until) {
			pw_strv_pushf(&report->failed, "%s: is '%s', should be '%s'%s%s",
				      state->item->path, now, state->item->value,
				      state->problem ? ": " : "",
				      state->problem ? state->problem : "");
			return;
		}
		pw_clock_sleep_until(pw_clock_monotonic() + PW_NS_PER_MS);
	}
	pw_strv_pushf(&report->mended, "%s: '%s' -> '%s'", state->item->path, state->before,
		      state->item->value);
}

/* Two passes of writing (a limit may hang on one written after it), then the read-back. */
static void put_back(const struct pw_knob_env *env, struct item_state *states, size_t count,
		     struct pw_restore_report *report)
{
	int64_t until;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < count; i++)
			write_if_different(env, &states[i]);
	}
	until = pw_clock_monotonic() + READ_BACK_LIMIT_NS;
	for (size_t i = 0; i < count; i++)
		judge(env, &states[i], until, report);
	for (size_t i = 0; i < count; i++) {
		free(states[i].before);
		free(states[i].problem);
	}
}

void pw_restore_items(const struct pw_knob_env *env, const struct pw_knob *knob,
		      const struct pw_saved *saved, struct pw_restore_report *report)
{
	pw_auto_free struct item_state *states = pw_new(saved->count, sizeof(*states));

	for (size_t i = 0; i < saved->count; i++) {
		states[i].knob = knob;
		states[i].item = &saved->items[i];
	}
	put_back(env, states, saved->count, report);
}

static int by_order(const void *a, const void *b)
{
	const struct item_state *x = a, *y = b;
	int order_x = x->knob ? x->knob->order : 0, order_y = y->knob ? y->knob->order : 0;

	if (order_x != order_y)
		return order_x - order_y;
	return x->item < y->item ? -1 : x->item > y->item;
}

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* NULL: the item may be written; else why not. */
static const char *refusal(const struct pw_root *root, const struct pw_knob *knob, const char *path)
{
	if (!pw_path_plain(path))
		return "is no plain path";
	if (!root->real)
		return NULL;
	if (!knob)
		return "belongs to a setting that this perfwatt does not know";
	if (starts_with(path, "/sys/") || starts_with(path, "/proc/sys/") ||
	    (knob->scope == PW_KNOB_HELD && strcmp(path, "/dev/cpu_dma_latency") == 0))
		return NULL;
	return "is no file of a setting";
}

static void put_back_all(const struct pw_knob_env *env, const struct pw_catalog *catalog,
			 const struct pw_journal_state *state, struct pw_restore_report *report)
{
	pw_auto_free struct item_state *states = pw_new(state->count, sizeof(*states));
	size_t count = 0;

	for (size_t i = 0; i < state->count; i++) {
		const struct pw_journal_entry *entry = &state->entries[i];
		const struct pw_knob *knob = pw_catalog_knob(catalog, entry->knob);
		const char *why = refusal(env->root, knob, entry->item.path);

		if (why) {
			pw_strv_pushf(&report->failed, "%s (%s): %s", entry->item.path, entry->knob,
				      why);
			continue;
		}
		states[count].knob = knob;
		states[count++].item = &entry->item;
	}
	if (count)
		qsort(states, count, sizeof(*states), by_order);
	put_back(env, states, count, report);
}

static void release_all(const struct pw_knob_env *env, const struct pw_catalog *catalog,
			const struct pw_journal_state *state, struct pw_restore_report *report)
{
	for (size_t i = 0; i < state->releases.count; i++) {
		const struct pw_knob *knob = pw_catalog_knob(catalog, state->releases.items[i]);
		struct pw_err err;

		if (knob && knob->release && knob->release(env, &err) < 0)
			pw_strv_pushf(&report->failed, "%s: %s", knob->name, err.text);
	}
}

static void remove_folders(const struct pw_journal_state *state, struct pw_restore_report *report)
{
	for (size_t i = 0; i < state->folders.count; i++) {
		const char *folder = state->folders.items[i];
		struct pw_err err;

		if (!pw_is_work_folder(folder))
			pw_strv_pushf(&report->left, "%s: is no work folder of ours", folder);
		else if (pw_remove_tree(folder, &err) < 0)
			pw_strv_push(&report->left, err.text);
	}
}

static bool booted_since(const struct pw_root *root, const struct pw_journal_state *state)
{
	char boot[128];

	return state->boot &&
	       pw_attr_get(root, "/proc/sys/kernel/random/boot_id", boot, sizeof(boot)) &&
	       strcmp(boot, state->boot) != 0;
}

void pw_restore_machine(const struct pw_root *root, const struct pw_catalog *catalog,
			const struct pw_journal_state *state, struct pw_restore_report *report)
{
	struct pw_cpuset usable = { 0 };
	struct pw_err err;
	struct pw_knob_env env = { .root = root, .tag = state->tag };

	if (pw_cpus_usable(root, &usable, &err) == 0) {
		env.usable = usable.cpus;
		env.usable_count = usable.count;
	}
	put_back_all(&env, catalog, state, report);
	release_all(&env, catalog, state, report);
	pw_cpuset_done(&usable);
}

static void note_restored(struct pw_journal *journal, const char *by,
			  struct pw_restore_report *report)
{
	struct pw_err err;

	if (pw_journal_restored(journal, by, &err) < 0 || pw_journal_sync(journal, &err) < 0) {
		free(report->note);
		report->note = pw_sprintf("the settings are back, but that could not be noted: %s",
					  err.text);
	}
}

/* Programs from a journal are executed, whatever the root, with the rights of whoever restores. */
static int check_trust(const struct pw_journal *journal, const struct pw_journal_state *state,
		       const struct pw_root *root, struct pw_err *err)
{
	if (!journal->foreign)
		return 0;
	if (pw_restore_has_programs(state)) {
		(void)pw_fail(err, PW_EDENIED,
			      "journal %s names programs to run, and could have been changed by "
			      "another user",
			      journal->path);
		return pw_err_hint(
			err, "look at it; if it is right: make it your own (chown) and chmod 644");
	}
	if (!root->real || geteuid() != 0)
		return 0;
	(void)pw_fail(err, PW_EDENIED, "journal %s could have been changed by another user",
		      journal->path);
	return pw_err_hint(err, "look at it; if it is right: chown root and chmod 644, then again");
}

/* What a journal that says anything is to be done says. */
static int follow(struct pw_journal *journal, const struct pw_journal_state *state,
		  const struct pw_catalog *catalog, const char *by,
		  struct pw_restore_report *report, struct pw_err *err)
{
	struct pw_root root;
	int r;

	if (!state->root)
		return pw_fail(err, PW_EINVAL, "journal %s names no root", journal->path);
	r = pw_root_open(state->root, &root, err);
	if (r < 0)
		return r;
	r = check_trust(journal, state, &root, err);
	if (r < 0) {
		pw_root_close(&root);
		return r;
	}
	/* What a program did may outlast a reboot (a profile in /etc): undone all the same. */
	pw_restore_undo(journal, state, report);
	if (booted_since(&root, state)) {
		report->nothing = state->undo_count == 0;
		report->note =
			pw_strdup("the machine was started anew since: its settings went with it");
	} else {
		pw_restore_machine(&root, catalog, state, report);
		pw_restore_services(&root, journal, state, report);
	}
	remove_folders(state, report);
	if (report->failed.count == 0)
		note_restored(journal, by, report);
	pw_root_close(&root);
	return 0;
}

int pw_restore_open(struct pw_journal *journal, const struct pw_catalog *catalog, const char *by,
		    struct pw_restore_report *report, struct pw_err *err)
{
	struct pw_journal_state state = PW_JOURNAL_STATE_INIT;
	int r = pw_journal_reread(journal, &state, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < state.unreadable.count; i++)
		pw_strv_pushf(&report->failed, "journal %s, %s", journal->path,
			      state.unreadable.items[i]);
	if (state.restored) {
		report->nothing = true;
		report->note = pw_strdup("the machine was put back already");
	} else {
		r = follow(journal, &state, catalog, by, report, err);
	}
	pw_journal_state_done(&state);
	return r;
}

int pw_restore(const char *journal_path, const struct pw_catalog *catalog, const char *by,
	       struct pw_restore_report *report, struct pw_err *err)
{
	struct pw_journal journal = PW_JOURNAL_INIT;
	int r = pw_journal_find(journal_path, &journal, err);

	if (r < 0)
		return r;
	r = pw_restore_open(&journal, catalog, by, report, err);
	pw_journal_close(&journal);
	return r;
}
