/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Delivered frequency from the hardware's cycles counter and the time that the CPUs were not idle:
 * the last resort, of every processor whose kernel counts cycles. Cycles count only while the CPU
 * runs, so avg_mhz is exact. busy_mhz divides by the busy time of /proc/stat, which comes in steps
 * of 10 ms: "busy_uncertainty_pct" says how much that may be.
 *
 * The event is that of the PMU which counts on the CPU: "cpu" on most, cpu_core and cpu_atom on
 * hybrids (one event of the generic kind counts on one of the two only), armv8_* a cluster on Arm.
 */
#include <stdio.h>
#include <string.h>

#include "collectors/common/cpu_time.h"
#include "collectors/common/events.h"
#include "collectors/common/frequency.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"

#define PMUS "/sys/bus/event_source/devices"

struct pmu {
	struct pw_perf_event event;
	unsigned *cpus; /* NULL: all */
	size_t count;
};

struct reader {
	struct pw_frequency frequency;
	struct pw_events events;
	struct pw_cpu_time time;
	struct pmu *pmus;
	size_t pmu_count, pmu_capacity;
};

/* The file "cpus" of a PMU that counts on some only; without it, all. */
static void read_cpus(const struct pw_root *root, const char *name, struct pmu *pmu)
{
	pw_auto_free char *path = pw_sprintf(PMUS "/%s/cpus", name);
	char text[4096];
	struct pw_err ignored;

	if (!pw_attr_get(root, path, text, sizeof(text)) ||
	    pw_parse_cpulist(text, &pmu->cpus, &pmu->count, &ignored) < 0)
		pmu->cpus = NULL;
}

/* Every PMU that has cycles of a CPU; x86 and Arm write the name differently. */
static void find_pmus(struct reader *reader, const struct pw_root *root)
{
	static const char *const events[] = { "cpu-cycles", "cpu_cycles" };
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;
	struct pw_err ignored;

	if (pw_root_list(root, PMUS, &names, &ignored) < 0)
		return;
	for (size_t i = 0; i < names.count * PW_LENGTH(events); i++) {
		const char *name = names.items[i / PW_LENGTH(events)];
		struct pmu pmu = { 0 };

		if (pw_perf_describe(root, name, events[i % PW_LENGTH(events)], &pmu.event,
				     &ignored) < 0)
			continue;
		read_cpus(root, name, &pmu);
		PW_PUSH(reader->pmus, reader->pmu_count, reader->pmu_capacity, pmu);
	}
}

static bool counts_on(const struct pmu *pmu, unsigned cpu)
{
	for (size_t i = 0; i < pmu->count; i++) {
		if (pmu->cpus[i] == cpu)
			return true;
	}
	return !pmu->cpus;
}

static int open_cpu(void *context, size_t index, struct pw_err *err)
{
	struct reader *reader = context;
	unsigned cpu = reader->frequency.groups.places[index].cpu;

	for (size_t i = 0; i < reader->pmu_count; i++) {
		if (counts_on(&reader->pmus[i], cpu))
			return pw_events_open(&reader->events, index, cpu, &reader->pmus[i].event,
					      1, err);
	}
	return pw_fail(err, PW_EUNSUPPORTED, "no PMU counts its cycles");
}

static int begin_pass(void *context, enum pw_frequency_pass pass, int64_t now_ns,
		      struct pw_err *err)
{
	struct reader *reader = context;

	reader->events.starting = pass == PW_PASS_BEGIN;
	return pw_cpu_time_read(&reader->time, pass == PW_PASS_BEGIN, now_ns, err);
}

static int read_cpu(void *context, size_t index, uint64_t counts[PW_FREQUENCY_COUNTS],
		    struct pw_err *err)
{
	struct reader *reader = context;
	int64_t busy_ns;

	if (pw_events_read(&reader->events, index, &counts[PW_DELIVERED], 1, err) < 0 ||
	    pw_cpu_time_busy(&reader->time, reader->frequency.groups.places[index].cpu, &busy_ns,
			     err) < 0)
		return -(int)err->code;
	counts[PW_REFERENCE] = (uint64_t)busy_ns;
	return 0;
}

static const struct pw_frequency_source source = {
	.name = "cycles",
	.counts = { "cycles", "busy time", NULL },
	.pass = begin_pass,
	.open = open_cpu,
	.read = read_cpu,
};

static void frequency_close(void *state)
{
	struct reader *reader = state;

	pw_events_done(&reader->events);
	pw_cpu_time_close(&reader->time);
	for (size_t i = 0; i < reader->pmu_count; i++)
		free(reader->pmus[i].cpus);
	free(reader->pmus);
	pw_frequency_done(&reader->frequency);
	free(reader);
}

static int open_all(struct reader *reader, const struct pw_collect *collect, struct pw_err *err)
{
	const struct pw_cpu_groups *groups = &reader->frequency.groups;
	int r;

	find_pmus(reader, collect->root);
	if (reader->pmu_count == 0)
		return pw_fail(err, PW_EUNSUPPORTED,
			       "no PMU counts cycles (no event cpu-cycles below " PMUS
			       "; usual in a virtual machine)");
	r = pw_frequency_init(&reader->frequency, &source, collect, err);
	if (r < 0)
		return r;
	/* Busy time is in ns. */
	for (size_t i = 0; i < groups->count; i++)
		reader->frequency.cpus[i].rate_hz = (double)PW_NS_PER_S;
	r = pw_cpu_time_open(&reader->time, collect->root, groups->places[groups->count - 1].cpu,
			     err);
	reader->frequency.step_s = reader->time.step_s;
	return r;
}

static int frequency_open(const struct pw_collect *collect, void **ret_state, struct pw_err *err)
{
	struct reader *reader = pw_new(1, sizeof(*reader));
	int r;

	reader->time.fd = -1;
	pw_events_init(&reader->events, collect);
	r = open_all(reader, collect, err);
	if (r < 0) {
		frequency_close(reader);
		return pw_frequency_reason(r, err);
	}
	*ret_state = reader;
	return 0;
}

static int probe(const struct pw_collect *collect, struct pw_err *err)
{
	void *state;
	int r = frequency_open(collect, &state, err);

	if (r < 0)
		return r;
	frequency_close(state);
	return 0;
}

const struct pw_collector pw_collector_frequency_cycles = {
	.name = "frequency-cycles",
	.summary = "cycles per time from the hardware's counter, busy time from /proc/stat",
	.section = "frequency",
	.rank = 50,
	.probe = probe,
	.open = frequency_open,
	.begin = pw_frequency_begin,
	.sample = pw_frequency_sample,
	.end = pw_frequency_end,
	.report = pw_frequency_report,
	.close = frequency_close,
	.series = pw_frequency_series,
	.max_period_ns = pw_frequency_max_period_ns,
};
