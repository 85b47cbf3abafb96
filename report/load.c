/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/results.h"

#include "lib/base/mem.h"
#include "lib/model/store.h"

static int each_record(void *context, struct pw_value *record, struct pw_err *err)
{
	(void)err;
	pw_results_add(context, record);
	return 0;
}

static int load(struct pw_results *results, const char *baseline, const struct pw_log *log,
		struct pw_err *err)
{
	int r = pw_store_read_session(results->folder, &results->session, err);

	if (r < 0)
		return r;
	r = pw_results_plan(results, baseline, err);
	if (r < 0)
		return pw_err_prefix(err, "%s", results->folder);
	r = pw_store_each_run(results->folder, log, each_record, results, err);
	if (r < 0)
		return r;
	/* A derived entry without a sweep and without records still has its one cell. */
	for (size_t i = 0; i < results->entry_count; i++) {
		if (results->entries[i].point_count == 0)
			(void)pw_res_point_add(&results->entries[i], NULL);
	}
	if (results->unplanned)
		pw_log(log, PW_LOG_WARNING, "%s: %zu records left out: not of this session's plan",
		       results->folder, results->unplanned);
	return 0;
}

int pw_results_load(const char *folder, const char *baseline, const struct pw_log *log,
		    struct pw_results *ret, struct pw_err *err)
{
	struct pw_results results = { .folder = pw_strdup(folder) };
	int r = load(&results, baseline, log, err);

	if (r < 0) {
		pw_results_done(&results);
		return r;
	}
	*ret = results;
	return 0;
}

void pw_results_done(struct pw_results *results)
{
	for (size_t i = 0; i < results->run_count; i++)
		pw_run_done(&results->runs[i]);
	free(results->runs);
	pw_identities_done(&results->identities);
	pw_strv_done(&results->boots);
	pw_results_plan_done(results);
	pw_value_done(&results->session);
	free(results->folder);
	*results = (struct pw_results){ 0 };
}
