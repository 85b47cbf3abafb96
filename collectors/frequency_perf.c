/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Delivered frequency from the kernel's msr events: TSC, APERF and MPERF of every CPU, the three of
 * one CPU in one group, so that one interrupt on that CPU reads them together. What is made of them
 * is in common/frequency.h, with formulas as in turbostat(8).
 *
 * The kernel counts in 64 bits and adds the differences of 64-bit registers: nothing wraps.
 * Virtual machines hide APERF and MPERF, or give zeros: then there is no frequency, never 0 MHz.
 */
#include "collectors/common/events.h"
#include "collectors/common/frequency.h"
#include "collectors/common/vendor.h"
#include "lib/base/mem.h"

#define PMU "msr"

struct reader {
	struct pw_frequency frequency;
	struct pw_events events;
	struct pw_perf_event described[PW_FREQUENCY_COUNTS];
};

static const char *const names[PW_FREQUENCY_COUNTS] = { "aperf", "mperf", "tsc" };

static int describe(const struct pw_collect *collect, struct pw_perf_event *events,
		    struct pw_err *err)
{
	/* The TSC is there wherever the PMU is. */
	static const size_t order[] = { PW_TOTAL, PW_DELIVERED, PW_REFERENCE };

	for (size_t k = 0; k < PW_LENGTH(order); k++) {
		size_t i = order[k];
		int r = pw_perf_describe(collect->root, PMU, names[i], &events[i], err);

		if (r == -PW_EUNSUPPORTED && i != PW_TOTAL)
			(void)pw_fail(err, PW_EUNSUPPORTED,
				      "the PMU '" PMU "' has no event '%s' here (virtual machines "
				      "hide APERF and MPERF)",
				      names[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

static int open_cpu(void *context, size_t index, struct pw_err *err)
{
	struct reader *reader = context;

	return pw_events_open(&reader->events, index, reader->frequency.groups.places[index].cpu,
			      reader->described, PW_FREQUENCY_COUNTS, err);
}

static int read_cpu(void *context, size_t index, uint64_t counts[PW_FREQUENCY_COUNTS],
		    struct pw_err *err)
{
	struct reader *reader = context;

	return pw_events_read(&reader->events, index, counts, PW_FREQUENCY_COUNTS, err);
}

static int begin_pass(void *context, enum pw_frequency_pass pass, int64_t now_ns,
		      struct pw_err *err)
{
	(void)now_ns;
	(void)err;
	((struct reader *)context)->events.starting = pass == PW_PASS_BEGIN;
	return 0;
}

static const struct pw_frequency_source source = {
	.name = "perf-msr",
	.counts = { "APERF", "MPERF", "TSC" },
	.pass = begin_pass,
	.open = open_cpu,
	.read = read_cpu,
};

static void frequency_close(void *state)
{
	struct reader *reader = state;

	pw_events_done(&reader->events);
	pw_frequency_done(&reader->frequency);
	free(reader);
}

static int frequency_open(const struct pw_collect *collect, void **ret_state, struct pw_err *err)
{
	struct reader *reader = pw_new(1, sizeof(*reader));
	int r = describe(collect, reader->described, err);

	pw_events_init(&reader->events, collect);
	if (r == 0)
		r = pw_frequency_init(&reader->frequency, &source, collect, err);
	if (r < 0) {
		frequency_close(reader);
		return pw_frequency_reason(r, err);
	}
	reader->frequency.unit = pw_aperf_unit(collect->root);
	*ret_state = reader;
	return 0;
}

static int probe(const struct pw_collect *collect, struct pw_err *err)
{
	struct pw_perf_event events[PW_FREQUENCY_COUNTS];
	int handle, r = describe(collect, events, err);

	if (r == 0 && collect->cpu_count == 0)
		r = pw_fail(err, PW_EUNSUPPORTED, "no online CPUs are known");
	if (r < 0)
		return pw_frequency_reason(r, err);
	handle = collect->perf->ops->open(collect->perf, events, PW_FREQUENCY_COUNTS,
					  collect->cpus[0], err);
	if (handle < 0)
		return pw_frequency_reason(handle, err);
	collect->perf->ops->close(collect->perf, handle);
	return 0;
}

const struct pw_collector pw_collector_frequency_perf = {
	.name = "frequency-perf",
	.summary = "delivered frequency from the kernel's perf events (PMU msr: APERF, MPERF, TSC)",
	.section = "frequency",
	.rank = 10,
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
