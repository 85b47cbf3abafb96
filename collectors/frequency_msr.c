/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Delivered frequency from the registers APERF, MPERF and TSC of every CPU: for machines whose
 * kernel has no PMU "msr", or keeps it from its users. Only where the config allows it
 * ("collectors": { "msr": true }).
 *
 * A read runs on the CPU that it is of, one interrupt each, so the three are not of one moment. The
 * TSC before and after tells how far apart they are; a CPU that was slow to answer (it woke up, or
 * something kept it) is read again, and the closest three are taken, as turbostat(8) does.
 */
#include "collectors/common/frequency.h"
#include "collectors/common/vendor.h"
#include "lib/base/mem.h"
#include "lib/platform/msr.h"

#define TRIES 4
/* Close enough: some 50 us, 5e-5 of the shortest window that is of use (1 s). */
#define CLOSE_COUNTS 150000U

struct reader {
	struct pw_frequency frequency;
	struct pw_msr *cpus; /* one each of the account's; fd -1 and no root: not open */
	size_t count;
};

static int open_cpu(void *context, size_t index, struct pw_err *err)
{
	struct reader *reader = context;
	struct pw_msr *msr;

	if (!reader->cpus) {
		reader->count = reader->frequency.groups.count;
		reader->cpus = pw_new(reader->count, sizeof(*reader->cpus));
		for (size_t i = 0; i < reader->count; i++)
			reader->cpus[i].fd = -1;
	}
	msr = &reader->cpus[index];
	pw_msr_close(msr);
	return pw_msr_open(msr, reader->frequency.root, reader->frequency.groups.places[index].cpu,
			   err);
}

/* TSC, APERF, MPERF, TSC; the middle of the two TSCs belongs to the other two. */
static int read_once(const struct pw_msr *msr, uint64_t counts[PW_FREQUENCY_COUNTS],
		     uint64_t *ret_width, struct pw_err *err)
{
	uint64_t before, after;

	if (pw_msr_read(msr, PW_MSR_TSC, &before, err) < 0 ||
	    pw_msr_read(msr, PW_MSR_APERF, &counts[PW_DELIVERED], err) < 0 ||
	    pw_msr_read(msr, PW_MSR_MPERF, &counts[PW_REFERENCE], err) < 0 ||
	    pw_msr_read(msr, PW_MSR_TSC, &after, err) < 0)
		return -(int)err->code;
	*ret_width = after > before ? after - before : 0;
	counts[PW_TOTAL] = before + *ret_width / 2;
	return 0;
}

static int read_cpu(void *context, size_t index, uint64_t counts[PW_FREQUENCY_COUNTS],
		    struct pw_err *err)
{
	const struct reader *reader = context;
	uint64_t width = UINT64_MAX;

	for (int i = 0; i < TRIES && width > CLOSE_COUNTS; i++) {
		uint64_t again[PW_FREQUENCY_COUNTS], again_width = UINT64_MAX;

		if (read_once(&reader->cpus[index], again, &again_width, err) < 0)
			return -(int)err->code;
		if (again_width >= width)
			continue;
		width = again_width;
		for (size_t k = 0; k < PW_FREQUENCY_COUNTS; k++)
			counts[k] = again[k];
	}
	return 0;
}

static const struct pw_frequency_source source = {
	.name = "msr",
	.counts = { "APERF", "MPERF", "TSC" },
	.open = open_cpu,
	.read = read_cpu,
};

static void frequency_close(void *state)
{
	struct reader *reader = state;

	for (size_t i = 0; i < reader->count; i++)
		pw_msr_close(&reader->cpus[i]);
	free(reader->cpus);
	pw_frequency_done(&reader->frequency);
	free(reader);
}

/* Every CPU is read once: permission, lockdown and missing registers show only then. */
static int try_all(struct reader *reader, struct pw_err *err)
{
	for (size_t i = 0; i < reader->count; i++) {
		uint64_t counts[PW_FREQUENCY_COUNTS];

		if (reader->frequency.cpus[i].fresh && read_cpu(reader, i, counts, err) < 0)
			return -(int)err->code;
	}
	return 0;
}

static int frequency_open(const struct pw_collect *collect, void **ret_state, struct pw_err *err)
{
	struct reader *reader = pw_new(1, sizeof(*reader));
	int r = pw_frequency_init(&reader->frequency, &source, collect, err);

	if (r == 0)
		r = try_all(reader, err);
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
	void *state;
	int r = frequency_open(collect, &state, err);

	if (r < 0)
		return r;
	frequency_close(state);
	return 0;
}

const struct pw_collector pw_collector_frequency_msr = {
	.name = "frequency-msr",
	.summary = "delivered frequency from the registers APERF, MPERF and TSC (/dev/cpu/N/msr)",
	.section = "frequency",
	.rank = 20,
	.needs_msr = true,
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
