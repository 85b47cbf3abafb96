/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bench of collector_rig.h: a perf backend whose counters are a table. */
#ifndef PW_TEST_COLLECTOR_RIG_PERF_H
#define PW_TEST_COLLECTOR_RIG_PERF_H

#include "collector_rig_base.h"

static inline struct rig_counter *rig_find(struct rig *rig, const char *event, unsigned cpu)
{
	for (size_t i = 0; i < rig->counter_count; i++) {
		if (rig->counters[i].cpu == cpu && strcmp(rig->counters[i].event, event) == 0)
			return &rig->counters[i];
	}
	return NULL;
}

static inline void rig_count(struct rig *rig, const char *event, unsigned cpu, uint64_t value)
{
	struct rig_counter *counter = rig_find(rig, event, cpu);

	if (!counter) {
		assert_true(rig->counter_count < RIG_COUNTERS);
		counter = &rig->counters[rig->counter_count++];
		(void)snprintf(counter->event, sizeof(counter->event), "%s", event);
		counter->cpu = cpu;
	}
	counter->value = value;
}

static inline int rig_perf_open(const struct pw_perf *perf, const struct pw_perf_event *events,
				size_t count, unsigned cpu, struct pw_err *err)
{
	struct rig *rig = perf->context;
	struct rig_group *group = &rig->groups[rig->group_count];

	if (rig->open_fails)
		return pw_fail(err, rig->open_fails, "scripted failure of open");
	assert_true(rig->group_count < RIG_COUNTERS);
	for (size_t i = 0; i < count; i++) {
		if (!rig_find(rig, events[i].name, cpu))
			return pw_fail(err, PW_EUNSUPPORTED, "%s is not counted", events[i].name);
		(void)snprintf(group->events[i], sizeof(group->events[i]), "%s", events[i].name);
	}
	group->count = count;
	group->cpu = cpu;
	rig->open_now++;
	return (int)rig->group_count++;
}

static inline int rig_perf_read(const struct pw_perf *perf, int handle, struct pw_perf_reading *ret,
				struct pw_err *err)
{
	struct rig *rig = perf->context;
	const struct rig_group *group = &rig->groups[handle];

	if (rig->read_fails)
		return pw_fail(err, rig->read_fails, "scripted failure of read");
	*ret = (struct pw_perf_reading){ .enabled_ns = rig->enabled_ns,
					 .running_ns = rig->running_ns };
	for (size_t i = 0; i < group->count; i++) {
		const struct rig_counter *counter = rig_find(rig, group->events[i], group->cpu);

		if (!counter)
			return pw_fail(err, PW_EGONE, "%s is gone", group->events[i]);
		ret->values[i] = counter->value;
	}
	return 0;
}

static inline void rig_perf_close(const struct pw_perf *perf, int handle)
{
	(void)handle;
	((struct rig *)perf->context)->open_now--;
}

static const struct pw_perf_ops rig_perf_ops = {
	.open = rig_perf_open,
	.read = rig_perf_read,
	.close = rig_perf_close,
};

#endif
