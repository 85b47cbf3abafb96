/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what a run left behind to what its record says: ending, output, window, usage. */
#ifndef PW_ENGINE_JUDGE_H
#define PW_ENGINE_JUDGE_H

#include "harness/engine/tender.h"
#include "harness/engine/user.h"
#include "harness/engine/watch.h"
#include "lib/model/config.h"
#include "lib/model/record.h"

/* Files beside stdout and stderr that a workload wants parsed. */
struct pw_files {
	struct pw_strv paths; /* as the workload named them */
	char **texts;	      /* NULL where it could not be read */
	size_t *lengths;
};

/*
 * Reads each path, relative ones from `directory`, as far as the workload's user may. What is no
 * ordinary file, older than since_ns (CLOCK_REALTIME, the run's start) or larger than 64 MiB counts
 * as unreadable.
 */
void pw_files_read(struct pw_files *files, const char *directory, const struct pw_user *user,
		   int64_t since_ns);
void pw_files_done(struct pw_files *files);

struct pw_evidence {
	const struct pw_entry *entry;
	const struct pw_work *work;
	const struct pw_watch *watch;
	const struct pw_ending *ending;
	const struct pw_files *files;
	unsigned block;	      /* 0: outside the blocks, where an idle run may stay without power */
	int64_t suspended_ns; /* time the machine slept during the run */
	int64_t own_cpu_ns;   /* CPU time perfwatt itself used during the run */
};

/* Sets the status and the reason; the first reason stays. */
void pw_record_fail(struct pw_value *record, enum pw_status status, const char *reason);
/* Fills elapsed_ns, exit, kind, window, metrics, work, usage, warnings; and status, if it failed.
 */
void pw_judge(const struct pw_evidence *evidence, struct pw_value *record);
/*
 * The last word, after the collectors' sections are in the record: sections whose window is not the
 * workload's own are taken out with the reason, and an idle run gets its metric, the mean power.
 */
void pw_judge_sections(const struct pw_evidence *evidence, struct pw_value *record);

#endif
