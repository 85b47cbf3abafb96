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

/* A record's place in the plan, looked up once: it is compared with every step. */
struct place {
	int64_t block;
	const char *config, *name, *workload;
	const struct pw_value *point;
};

static bool is_step(const struct pw_config *config, const struct pw_step *step,
		    const struct place *place)
{
	const struct pw_entry *entry = &config->entries[step->entry];

	if (place->block != step->block ||
	    strcmp(config->configs[step->config].name, place->config) != 0)
		return false;
	if (step->kind == PW_STEP_IDLE)
		return strcmp(place->workload, "idle") == 0;
	return step->kind == PW_STEP_RUN && place->point && strcmp(entry->name, place->name) == 0 &&
	       pw_value_equal(place->point, &entry->points[step->point].value);
}

static int take_record(void *context, struct pw_value *record, struct pw_err *err)
{
	struct loading *loading = context;
	const struct pw_plan *plan = &loading->prepared->plan;
	const struct place place = { .block = pw_value_get_int(record, "block", -1),
				     .config = pw_value_get_text(record, "config", ""),
				     .name = pw_value_get_text(record, "name", ""),
				     .workload = pw_value_get_text(record, "workload", ""),
				     .point = pw_value_get(record, "point") };

	(void)err;
	loading->progress->records++;
	if (strcmp(pw_value_get_text(record, "status", ""), pw_status_text(PW_STATUS_OK)) != 0)
		return 0;
	for (size_t i = 0; i < plan->count; i++) {
		if (is_step(loading->prepared->config, &plan->steps[i], &place))
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
