/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/progress.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/model/record.h"
#include "lib/model/store.h"

void pw_progress_init(struct pw_progress *progress, const struct pw_prepared *prepared)
{
	*progress = (struct pw_progress){ .done = pw_new(prepared->plan.count, sizeof(bool)) };
}

void pw_progress_done(struct pw_progress *progress)
{
	free(progress->done);
	*progress = (struct pw_progress){ 0 };
}

void pw_progress_mark(struct pw_progress *progress, const struct pw_plan *plan, size_t step)
{
	if (progress->done[step])
		return;
	progress->done[step] = true;
	progress->finished += plan->steps[step].kind == PW_STEP_RUN;
}

struct loading {
	struct pw_progress *progress;
	const struct pw_prepared *prepared;
};

static bool is_step(const struct pw_config *config, const struct pw_step *step,
		    const struct pw_value *record)
{
	const struct pw_entry *entry = &config->entries[step->entry];
	const struct pw_value *point = pw_value_get(record, "point");

	if (strcmp(config->configs[step->config].name, pw_value_get_text(record, "config", "")) !=
		    0 ||
	    pw_value_get_int(record, "block", -1) != step->block)
		return false;
	if (step->kind == PW_STEP_IDLE)
		return strcmp(pw_value_get_text(record, "workload", ""), "idle") == 0;
	return step->kind == PW_STEP_RUN && point &&
	       strcmp(entry->name, pw_value_get_text(record, "name", "")) == 0 &&
	       pw_value_equal(point, &entry->points[step->point].value);
}

static int take_record(void *context, struct pw_value *record, struct pw_err *err)
{
	struct loading *loading = context;
	const struct pw_plan *plan = &loading->prepared->plan;

	(void)err;
	loading->progress->records++;
	if (strcmp(pw_value_get_text(record, "status", ""), pw_status_text(PW_STATUS_OK)) != 0)
		return 0;
	for (size_t i = 0; i < plan->count; i++) {
		if (is_step(loading->prepared->config, &plan->steps[i], record))
			pw_progress_mark(loading->progress, plan, i);
	}
	return 0;
}

int pw_progress_load(struct pw_progress *progress, const struct pw_prepared *prepared,
		     const char *results, const struct pw_log *log, struct pw_err *err)
{
	struct loading loading = { .progress = progress, .prepared = prepared };

	return pw_store_each_run(results, log, take_record, &loading, err);
}
