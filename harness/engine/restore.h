/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Putting the machine back from a journal: the one way, for every way out. */
#ifndef PW_ENGINE_RESTORE_H
#define PW_ENGINE_RESTORE_H

#include "harness/engine/journal.h"
#include "lib/base/log.h"
#include "lib/plugin/catalog.h"

struct pw_restore_report {
	struct pw_strv mended; /* "/sys/...: 'performance' -> 'schedutil'" */
	struct pw_strv failed; /* "/sys/...: is '..', should be '..': reason" */
	struct pw_strv left;   /* work folders that could not be removed, with the reason */
	bool nothing;	       /* it had been restored already, or the machine was rebooted since */
	char *note;	       /* why nothing was to do, or what else is to be told; or NULL */
};

#define PW_RESTORE_REPORT_INIT ((struct pw_restore_report){ 0 })
void pw_restore_report_done(struct pw_restore_report *report);

/*
 * Runs the programs that are not yet undone, the latest first; writes every saved value that is not
 * there, in ascending knob order, reads all back, releases what knobs made, starts services again,
 * removes work folders, and notes "restored" when all is as it was. After a reboot only programs
 * are run and folders removed: settings and stopped services went with it. `by` goes into the
 * journal. Failures to restore are in the report; the return is an error only if the
 * journal cannot be read or believed, or its root not opened.
 *
 * A journal is a file, and files can be forged. So on the machine itself only what known settings
 * own is written (below /sys and /proc/sys, and /dev/cpu_dma_latency), only folders named as our
 * work folders are removed, root believes no journal that another user could have changed, and
 * nobody one that names programs.
 */
int pw_restore(const char *journal_path, const struct pw_catalog *catalog, const char *by,
	       struct pw_restore_report *report, struct pw_err *err) pw_must_check;
/* The same from an open journal, whose folder may have been moved or removed meanwhile. */
int pw_restore_open(struct pw_journal *journal, const struct pw_catalog *catalog, const char *by,
		    struct pw_restore_report *report, struct pw_err *err) pw_must_check;

/*
 * The heart of both, on a root that is open already: values, and what knobs made; neither folders
 * nor the journal itself.
 */
void pw_restore_machine(const struct pw_root *root, const struct pw_catalog *catalog,
			const struct pw_journal_state *state, struct pw_restore_report *report);

/*
 * Puts saved items back whose content differs (items of one knob, present knob order is the
 * caller's). Differences mended and failures go into the report.
 */
void pw_restore_items(const struct pw_knob_env *env, const struct pw_knob *knob,
		      const struct pw_saved *saved, struct pw_restore_report *report);

#endif
