/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal: what must be put back, on disk before anything is changed. journal.jsonl in the
 * results folder, one JSON object a line; sections begin with "begin" (one per start of a session)
 * and end with "restored". The same format serves perfwatt's own end, the guard, and `restore`.
 *
 *   {"type":"begin","session":ID,"root":DIR,"boot":BOOT_ID,"tag":WORD}
 *   {"type":"saved","knob":NAME,"path":PATH,"value":TEXT[,"restore":TEXT]}
 *   {"type":"release","knob":NAME}     the knob may have made something under the session's tag
 *   {"type":"folder","path":PATH}      a work folder to be removed
 *   {"type":"undo","config":NAME,"argv":[...],"program":PATH,"directory":DIR,"env":[...]}
 *                                      what takes back a configuration's program; before that runs
 *   {"type":"undone","config":NAME}
 *   {"type":"service","name":NAME,"init":WORD}     it was active; before it is stopped
 *   {"type":"started","name":NAME}
 *   {"type":"restored","by":"perfwatt"|"guard"|"restore"}
 */
#ifndef PW_ENGINE_JOURNAL_H
#define PW_ENGINE_JOURNAL_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/plugin/knob.h"

/*
 * An open journal. Everything goes through the descriptor, so that a session's settings go back
 * also when its results folder was renamed or removed meanwhile.
 */
struct pw_journal {
	int fd;
	char *path;   /* for messages */
	bool foreign; /* found, not made, and under the control of another user than the present one
		       */
};

#define PW_JOURNAL_NAME "journal.jsonl"
#define PW_JOURNAL_INIT ((struct pw_journal){ .fd = -1 })

/* A program that takes back what another did. All owned. */
struct pw_journal_undo {
	char *config;	     /* whose */
	char *program;	     /* the file to execute: PATH may be another one when it is restored */
	struct pw_strv argv; /* as the config has it */
	struct pw_strv env;  /* "NAME=value" of the configuration */
	char *directory;     /* where it is started */
};

void pw_journal_undo_done(struct pw_journal_undo *undo);

/* For a session: creates it (0644) if need be; a torn last line of an earlier death is cut. */
int pw_journal_open(const char *path, struct pw_journal *ret, struct pw_err *err) pw_must_check;
/* For restoring: an existing one, also on a read-only file system (then nothing can be added). */
int pw_journal_find(const char *path, struct pw_journal *ret, struct pw_err *err) pw_must_check;
void pw_journal_close(struct pw_journal *journal);
/* Each appends its lines; nothing is certain to be on disk before pw_journal_sync(). */
int pw_journal_begin(struct pw_journal *journal, const char *session, const char *root,
		     const char *boot, const char *tag, struct pw_err *err) pw_must_check;
int pw_journal_saved(struct pw_journal *journal, const char *knob, const struct pw_saved *saved,
		     struct pw_err *err) pw_must_check;
int pw_journal_release(struct pw_journal *journal, const char *knob, struct pw_err *err)
	pw_must_check;
int pw_journal_folder(struct pw_journal *journal, const char *folder, struct pw_err *err)
	pw_must_check;
int pw_journal_undo(struct pw_journal *journal, const struct pw_journal_undo *undo,
		    struct pw_err *err) pw_must_check;
int pw_journal_undone(struct pw_journal *journal, const char *config, struct pw_err *err)
	pw_must_check;
int pw_journal_service(struct pw_journal *journal, const char *name, const char *init,
		       struct pw_err *err) pw_must_check;
int pw_journal_started(struct pw_journal *journal, const char *name, struct pw_err *err)
	pw_must_check;
int pw_journal_restored(struct pw_journal *journal, const char *by, struct pw_err *err)
	pw_must_check;
int pw_journal_sync(struct pw_journal *journal, struct pw_err *err) pw_must_check;

/* The last section of a journal. */
struct pw_journal_entry {
	char *knob;
	struct pw_saved_item item;
};

struct pw_journal_service {
	char *name, *init; /* the init as pw_services_find() names it */
};

struct pw_journal_state {
	bool begun, restored;
	char *session, *root, *boot, *tag;
	struct pw_journal_entry *entries;
	size_t count, capacity;
	struct pw_journal_undo *undos; /* not yet undone, in the order of the lines */
	size_t undo_count, undo_capacity;
	struct pw_journal_service *services; /* not yet started again, in the order of the lines */
	size_t service_count, service_capacity;
	struct pw_strv releases; /* knob names, unique */
	struct pw_strv folders;
	struct pw_strv unreadable; /* lines of this section that say nothing: "line 3: why" */
};

#define PW_JOURNAL_STATE_INIT ((struct pw_journal_state){ 0 })

/*
 * A torn last line is left out (what it announced had not been done yet); a damaged one before it
 * costs no other line.
 */
int pw_journal_read(const char *path, struct pw_journal_state *ret, struct pw_err *err)
	pw_must_check;
/* The same of an open one, wherever its file has gone since. */
int pw_journal_reread(const struct pw_journal *journal, struct pw_journal_state *ret,
		      struct pw_err *err) pw_must_check;
void pw_journal_state_done(struct pw_journal_state *state);

#endif
