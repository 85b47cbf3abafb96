/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/events.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/platform/counter.h"

void pw_events_init(struct pw_events *events, const struct pw_collect *collect)
{
	*events = (struct pw_events){ .perf = collect->perf, .clock = pw_stamp_clock(collect) };
}

static void close_cpu(struct pw_events *events, struct pw_events_cpu *cpu)
{
	if (cpu->handle >= 0)
		events->perf->ops->close(events->perf, cpu->handle);
	cpu->handle = -1;
}

void pw_events_done(struct pw_events *events)
{
	for (size_t i = 0; i < events->count; i++)
		close_cpu(events, &events->cpus[i]);
	free(events->cpus);
	*events = (struct pw_events){ 0 };
}

int pw_events_open(struct pw_events *events, size_t index, unsigned cpu,
		   const struct pw_perf_event *described, size_t count, struct pw_err *err)
{
	int handle;

	while (events->count <= index)
		PW_PUSH(events->cpus, events->count, events->capacity,
			((struct pw_events_cpu){ .handle = -1 }));
	close_cpu(events, &events->cpus[index]);
	handle = events->perf->ops->open(events->perf, described, count, cpu, err);
	if (handle < 0)
		return handle;
	events->cpus[index] = (struct pw_events_cpu){ .handle = handle };
	return 0;
}

/* `now_ns` is just before the read, so at least `passed_ns` lie between the two. */
static bool stopped(const struct pw_events_cpu *cpu, uint64_t enabled_ns, int64_t now_ns)
{
	int64_t passed_ns = now_ns - cpu->read_ns;
	int64_t slack_ns = PW_COUNTER_SLACK_NS + passed_ns / 100;

	return cpu->read_ns && enabled_ns &&
	       (int64_t)(enabled_ns - cpu->enabled_ns) < passed_ns - slack_ns;
}

int pw_events_read(struct pw_events *events, size_t index, uint64_t *values, size_t count,
		   struct pw_err *err)
{
	struct pw_events_cpu *cpu = &events->cpus[index];
	struct pw_perf_reading reading;
	int64_t now_ns;
	int r;

	if (index >= events->count || cpu->handle < 0)
		return pw_fail(err, PW_EGONE, "its events are not open");
	now_ns = events->clock();
	r = events->perf->ops->read(events->perf, cpu->handle, &reading, err);
	if (r < 0)
		return r;
	if (stopped(cpu, reading.enabled_ns, now_ns))
		return pw_fail(err, PW_EGONE, "its events stopped (was the CPU offline?)");
	if (!events->starting &&
	    reading.running_ns - cpu->running_ns < reading.enabled_ns - cpu->enabled_ns) {
		(void)pw_fail(err, PW_EIO, "counted only part of the time");
		return pw_err_hint(err, "something else uses the hardware counters: another perf, "
					"the NMI watchdog (sysctl kernel.nmi_watchdog=0)");
	}
	cpu->enabled_ns = reading.enabled_ns;
	cpu->running_ns = reading.running_ns;
	cpu->read_ns = events->clock();
	memcpy(values, reading.values, count * sizeof(*values));
	return 0;
}
