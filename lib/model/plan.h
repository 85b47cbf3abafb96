/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan: which run comes when. Same config, same seed, same CPUs: same plan. Pure.
 * Order rules: docs/config.md (repeat.order); a block holds every cell once.
 */
#ifndef PW_MODEL_PLAN_H
#define PW_MODEL_PLAN_H

#include "lib/model/config.h"

enum pw_step_kind {
	PW_STEP_UNSET,
	PW_STEP_IDLE,	/* power of doing nothing, once per configuration, outside the blocks */
	PW_STEP_WARMUP, /* unrecorded, once per workload and session */
	PW_STEP_RUN,
};

struct pw_step {
	enum pw_step_kind kind;
	size_t config, entry, point; /* indexes; entry and point unused for IDLE */
	unsigned block;		     /* from 1; 0 for IDLE and WARMUP */
	unsigned position; /* place among the configurations of this cell in this block, from 1 */
	unsigned order; /* running number of recorded runs in the session, from 1; 0 for others */
};

struct pw_plan {
	struct pw_step *steps;
	size_t count, capacity;
	size_t runs;	     /* RUN steps */
	int64_t duration_ns; /* estimate of the whole: settle + runs + idle + overhead */
	bool duration_known; /* false if a workload does not know its duration: then a lower bound
			      */
};

/*
 * usable[i] false leaves configuration i out (with its reason shown elsewhere). A change of a knob
 * with PW_KNOB_RECREATES between two configurations permutes them once per workload instead.
 */
void pw_plan_make(const struct pw_config *config, const bool *usable, uint64_t seed, unsigned cpus,
		  struct pw_plan *ret);
void pw_plan_done(struct pw_plan *plan);

#endif
