/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports: read results folders, analyse, render. Reads nothing but result files (the report never
 * links a workload or a collector).
 */
#ifndef PW_REPORT_REPORT_H
#define PW_REPORT_REPORT_H

#include "lib/base/err.h"
#include "lib/base/log.h"
#include "lib/base/strbuf.h"
#include "lib/base/strv.h"

struct pw_report_options {
	const char *const *folders; /* one or more results folders: one block per machine */
	size_t folder_count;
	const char *baseline; /* NULL: the session's own */
	const struct pw_log *log;
};

/* The text report into `text`. PW_EINVAL for what is no results folder or another schema. */
int pw_report_text(const struct pw_report_options *options, struct pw_strbuf *text,
		   struct pw_err *err) pw_must_check;

/* How complete a session is: declared cells (config x entry x point) with a valid primary metric.
 */
struct pw_coverage {
	size_t declared, measured, short_cells; /* short: fewer valid runs than declared blocks */
	struct pw_strv missing;			/* "tbench clients=8 (new)" */
};
int pw_report_coverage(const char *folder, struct pw_coverage *ret, struct pw_err *err)
	pw_must_check;
void pw_coverage_done(struct pw_coverage *coverage);

#endif
