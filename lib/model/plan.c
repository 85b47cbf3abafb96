/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/model/plan.h"

#include <inttypes.h>

#include "lib/base/clock.h"
#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/base/pitfall.h"
#include "lib/stats/rng.h"

/*
 * What a step costs beside its settling and its run: starting processes, opening counters, writing
 * the record. An allowance for the estimate, not a measurement.
 */
#define STEP_OVERHEAD_NS (100 * PW_NS_PER_MS)

struct planner {
	const struct pw_config *config;
	struct pw_plan *plan;
	uint64_t seed;
	unsigned cpus;
	size_t *usable; /* configurations, in declared order */
	size_t usable_count;
	size_t *order; /* scratch: the permutation of one cell, one place per usable configuration
			*/
	bool recreates;
};

static const struct pw_value *value_of(const struct pw_configuration *configuration,
				       const struct pw_knob *knob)
{
	for (size_t i = 0; i < configuration->setting_count; i++) {
		if (configuration->settings[i].knob == knob)
			return &configuration->settings[i].value;
	}
	return NULL;
}

static bool differ_in_recreating(const struct pw_configuration *a, const struct pw_configuration *b)
{
	for (size_t i = 0; i < a->setting_count; i++) {
		const struct pw_setting *setting = &a->settings[i];
		const struct pw_value *other;

		if (!(setting->knob->flags & PW_KNOB_RECREATES))
			continue;
		other = value_of(b, setting->knob);
		if (!other || !pw_value_equal(&setting->value, other))
			return true;
	}
	return false;
}

/*
 * A switch of such a knob builds the kernel's policies anew and takes long; neighbours would pay
 * for it at every cell.
 */
static bool any_recreates(const struct planner *planner)
{
	const struct pw_configuration *configs = planner->config->configs;

	for (size_t i = 0; i < planner->usable_count; i++) {
		for (size_t j = 0; j < planner->usable_count; j++) {
			if (differ_in_recreating(&configs[planner->usable[i]],
						 &configs[planner->usable[j]]))
				return true;
		}
	}
	return false;
}

static struct pw_rng stream(const struct planner *planner, unsigned block, const char *label,
			    const char *point)
{
	pw_auto_free char *name = pw_sprintf("block/%u/%s/%s", block, label, point);

	return pw_rng_seeded(planner->seed ^ pw_fnv1a64_text(name));
}

/* The configurations of one cell (or, with point "", of one workload) in one block. */
static void draw_order(struct planner *planner, unsigned block, const char *label,
		       const char *point)
{
	struct pw_rng rng;

	for (size_t i = 0; i < planner->usable_count; i++)
		planner->order[i] = planner->usable[i];
	if (planner->config->repeat.order == PW_ORDER_DECLARED || pw_pitfall("order-as-declared"))
		return;
	if (planner->usable_count != 2) {
		rng = stream(planner, block, label, point);
		pw_rng_shuffle(&rng, planner->order, planner->usable_count);
		return;
	}
	/* Two: AB and BA take turns, so that over the blocks each comes first equally often. */
	rng = stream(planner, 0, label, point);
	if ((pw_rng_below(&rng, 2) + block) % 2 == 0) {
		planner->order[0] = planner->usable[1];
		planner->order[1] = planner->usable[0];
	}
}

static void push(struct planner *planner, struct pw_step step)
{
	PW_PUSH(planner->plan->steps, planner->plan->count, planner->plan->capacity, step);
}

static void add_time(struct pw_plan *plan, int64_t ns)
{
	if (__builtin_add_overflow(plan->duration_ns, ns, &plan->duration_ns))
		plan->duration_ns = INT64_MAX;
}

static void account_command(struct planner *planner, const struct pw_entry *entry,
			    const struct pw_point *point)
{
	pw_auto_value struct pw_value options = pw_entry_options(entry, point);
	struct pw_work work = { .options = &options, .cpus = planner->cpus, .seed = planner->seed };
	int64_t ns = entry->workload->duration ? entry->workload->duration(&work) : 0;

	if (ns <= 0)
		planner->plan->duration_known = false;
	else
		add_time(planner->plan, ns);
	add_time(planner->plan, planner->config->repeat.settle_ns);
	add_time(planner->plan, STEP_OVERHEAD_NS);
}

static void add_idle(struct planner *planner)
{
	if (planner->config->idle_ns <= 0)
		return;
	for (size_t i = 0; i < planner->usable_count; i++) {
		push(planner, (struct pw_step){ .kind = PW_STEP_IDLE,
						.config = planner->usable[i],
						.position = (unsigned)i + 1 });
		add_time(planner->plan, planner->config->idle_ns);
		add_time(planner->plan, STEP_OVERHEAD_NS);
	}
}

static void add_warmup(struct planner *planner, size_t entry)
{
	for (unsigned i = 0; i < planner->config->repeat.warmup; i++) {
		push(planner, (struct pw_step){ .kind = PW_STEP_WARMUP,
						.config = planner->order[0],
						.entry = entry,
						.position = 1 });
		account_command(planner, &planner->config->entries[entry],
				&planner->config->entries[entry].points[0]);
	}
}

static void add_run(struct planner *planner, size_t entry, size_t point, unsigned block,
		    size_t place)
{
	push(planner, (struct pw_step){ .kind = PW_STEP_RUN,
					.config = planner->order[place],
					.entry = entry,
					.point = point,
					.block = block,
					.position = (unsigned)place + 1,
					.order = (unsigned)++planner->plan->runs });
	account_command(planner, &planner->config->entries[entry],
			&planner->config->entries[entry].points[point]);
}

/* All points of one configuration, then the next: one switch per configuration and block. */
static void add_entry_by_config(struct planner *planner, size_t index, unsigned block)
{
	const struct pw_entry *entry = &planner->config->entries[index];

	draw_order(planner, block, entry->name, "");
	if (block == 1)
		add_warmup(planner, index);
	for (size_t place = 0; place < planner->usable_count; place++) {
		for (size_t point = 0; point < entry->point_count; point++)
			add_run(planner, index, point, block, place);
	}
}

/* All configurations of one point next to each other: a pair is minutes apart. */
static void add_entry_by_point(struct planner *planner, size_t index, unsigned block)
{
	const struct pw_entry *entry = &planner->config->entries[index];

	for (size_t point = 0; point < entry->point_count; point++) {
		draw_order(planner, block, entry->name, entry->points[point].text);
		if (block == 1 && point == 0)
			add_warmup(planner, index);
		for (size_t place = 0; place < planner->usable_count; place++)
			add_run(planner, index, point, block, place);
	}
}

static void add_block(struct planner *planner, unsigned block)
{
	for (size_t entry = 0; entry < planner->config->entry_count; entry++) {
		if (planner->config->entries[entry].point_count == 0)
			continue;
		if (planner->recreates)
			add_entry_by_config(planner, entry, block);
		else
			add_entry_by_point(planner, entry, block);
	}
}

void pw_plan_make(const struct pw_config *config, const bool *usable, uint64_t seed, unsigned cpus,
		  struct pw_plan *ret)
{
	struct pw_plan plan = { .duration_known = true };
	pw_auto_free size_t *chosen = pw_new(config->config_count + 1, sizeof(*chosen));
	pw_auto_free size_t *order = pw_new(config->config_count + 1, sizeof(*order));
	struct planner planner = { .config = config,
				   .plan = &plan,
				   .seed = seed,
				   .cpus = cpus,
				   .usable = chosen,
				   .order = order };

	for (size_t i = 0; i < config->config_count; i++) {
		if (usable[i])
			chosen[planner.usable_count++] = i;
	}
	planner.recreates = any_recreates(&planner);
	if (planner.usable_count) {
		add_idle(&planner);
		for (unsigned block = 1; block <= config->repeat.blocks; block++)
			add_block(&planner, block);
	}
	*ret = plan;
}

void pw_plan_done(struct pw_plan *plan)
{
	free(plan->steps);
	*plan = (struct pw_plan){ 0 };
}
