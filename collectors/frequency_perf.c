/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Delivered frequency from the kernel's msr events: TSC, APERF and MPERF of every CPU, the three of
 * one CPU in one group, so that one interrupt on that CPU reads them together. Formulas as in
 * turbostat(8), summed before they are divided (CPUs weigh by their busy cycles; the mean of MHz
 * over CPUs would weigh an idle one like a busy one):
 *
 *   busy_mhz = sum dAPERF / sum dMPERF * base
 *   busy_pct = 100 * sum dMPERF / sum dTSC
 *   avg_mhz  = sum dAPERF / (CPUs * elapsed)
 *
 * base is base_frequency of the cpufreq policies where they agree, else the rate of the TSC, sum
 * dTSC / (CPUs * elapsed), which is what MPERF counts at (SDM vol. 3 15.2). Where the two differ
 * (clients: base 3600, TSC 3612 MHz) busy_pct is off by their ratio, which is not known here.
 *
 * Virtual machines hide APERF and MPERF, or give zeros: then there is no frequency, never 0 MHz.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collectors/common/stamp.h"
#include "lib/base/mem.h"
#include "lib/platform/counter.h"
#include "lib/platform/perf.h"
#include "lib/platform/topology.h"

#define PMU "msr"
/* Faster than any of the three counts on any CPU. */
#define MAX_HZ 2e10

enum { TSC, APERF, MPERF, COUNTERS };

static const char *const names[COUNTERS] = { "tsc", "aperf", "mperf" };

struct cpu {
	unsigned number;
	int handle;
	struct pw_counter counters[COUNTERS];
};

struct sums {
	uint64_t of[COUNTERS];
};

struct reader {
	const struct pw_perf *perf;
	pw_clock_fn clock;
	struct cpu *cpus;
	size_t count;
	double base_mhz; /* 0: the rate of the TSC */
	/* this run */
	bool running;
	struct pw_stamp first, last, sampled;
	struct sums since; /* at the last sample */
	struct pw_err failure;
};

struct frequency {
	double busy_mhz, busy_pct, avg_mhz;
};

static int describe(const struct pw_collect *collect, struct pw_perf_event *events,
		    struct pw_err *err)
{
	for (size_t i = 0; i < COUNTERS; i++) {
		int r = pw_perf_describe(collect->root, PMU, names[i], &events[i], err);

		if (r == -PW_EUNSUPPORTED && i != TSC)
			(void)pw_fail(err, PW_EUNSUPPORTED,
				      "the PMU '" PMU "' has no event '%s' here (virtual machines "
				      "hide APERF and MPERF)",
				      names[i]);
		if (r < 0)
			return r;
	}
	if (collect->cpu_count == 0)
		return pw_fail(err, PW_EUNSUPPORTED, "no online CPUs are known");
	return 0;
}

static int as_reason(int r, struct pw_err *err)
{
	if (r >= 0 || r == -PW_EDENIED)
		return r;
	err->code = PW_EUNSUPPORTED;
	return -PW_EUNSUPPORTED;
}

static int probe(const struct pw_collect *collect, struct pw_err *err)
{
	struct pw_perf_event events[COUNTERS];
	int handle, r = as_reason(describe(collect, events, err), err);

	if (r < 0)
		return r;
	handle = collect->perf->ops->open(collect->perf, events, COUNTERS, collect->cpus[0], err);
	if (handle < 0)
		return as_reason(handle, err);
	collect->perf->ops->close(collect->perf, handle);
	return 0;
}

/* MHz if all policies that have a base frequency have the same one, else 0 (none, or hybrid). */
static double common_base_mhz(const struct pw_root *root)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	struct pw_err ignored;
	uint64_t base_khz = 0;

	if (pw_policies(root, &policies, &ignored) < 0)
		return 0.0;
	for (size_t i = 0; i < policies.count; i++) {
		pw_auto_free char *path =
			pw_sprintf(PW_CPUFREQ_DIR "/%s/base_frequency", policies.items[i]);
		uint64_t khz;

		if (pw_attr_read_u64(root, path, &khz, &ignored) < 0)
			continue;
		if (base_khz && khz != base_khz)
			return 0.0;
		base_khz = khz;
	}
	return (double)base_khz / 1000.0;
}

static void frequency_close(void *state)
{
	struct reader *reader = state;

	for (size_t i = 0; i < reader->count; i++)
		reader->perf->ops->close(reader->perf, reader->cpus[i].handle);
	free(reader->cpus);
	free(reader);
}

static int open_cpus(struct reader *reader, const struct pw_collect *collect, struct pw_err *err)
{
	struct pw_perf_event events[COUNTERS];
	int r = describe(collect, events, err);

	if (r < 0)
		return r;
	reader->cpus = pw_new(collect->cpu_count, sizeof(*reader->cpus));
	for (size_t i = 0; i < collect->cpu_count; i++) {
		struct cpu *cpu = &reader->cpus[i];

		cpu->number = collect->cpus[i];
		cpu->handle =
			collect->perf->ops->open(collect->perf, events, COUNTERS, cpu->number, err);
		if (cpu->handle < 0)
			return cpu->handle;
		reader->count++;
		for (size_t k = 0; k < COUNTERS; k++)
			cpu->counters[k].max_per_s = MAX_HZ;
	}
	return 0;
}

static int frequency_open(const struct pw_collect *collect, void **ret_state, struct pw_err *err)
{
	struct reader *reader = pw_new(1, sizeof(*reader));
	int r;

	reader->perf = collect->perf;
	reader->clock = pw_stamp_clock(collect);
	r = as_reason(open_cpus(reader, collect, err), err);
	if (r < 0) {
		frequency_close(reader);
		return r;
	}
	reader->base_mhz = common_base_mhz(collect->root);
	*ret_state = reader;
	return 0;
}

/* One CPU: all three, or why not. */
static int read_cpu(struct reader *reader, struct cpu *cpu, bool start, struct pw_err *err)
{
	int64_t before_ns = reader->clock();
	struct pw_perf_reading reading;
	int r = reader->perf->ops->read(reader->perf, cpu->handle, &reading, err);
	int64_t now_ns = before_ns + (reader->clock() - before_ns) / 2;

	if (r < 0)
		return pw_err_prefix(err, "frequency of cpu%u", cpu->number);
	if (reading.running_ns < reading.enabled_ns)
		return pw_fail(err, PW_EIO, "frequency of cpu%u: counted only part of the time",
			       cpu->number);
	for (size_t k = 0; k < COUNTERS; k++) {
		enum pw_counter_fault fault = PW_COUNTER_OK;

		if (start)
			pw_counter_start(&cpu->counters[k], reading.values[k], now_ns);
		else
			fault = pw_counter_update(&cpu->counters[k], reading.values[k], now_ns);
		if (fault != PW_COUNTER_OK)
			return pw_fail(err, PW_EIO, "frequency of cpu%u: %s %s", cpu->number,
				       names[k], pw_counter_fault_text(fault));
	}
	return 0;
}

/* All CPUs, or the first failure, which then stays for the run. */
static int read_all(struct reader *reader, bool start, struct pw_stamp *stamp, struct pw_err *err)
{
	int r = 0;

	stamp->before_ns = reader->clock();
	for (size_t i = 0; r >= 0 && i < reader->count; i++)
		r = read_cpu(reader, &reader->cpus[i], start, err);
	stamp->after_ns = reader->clock();
	if (r < 0)
		reader->failure = *err;
	return r;
}

static struct sums sum_cpus(const struct reader *reader)
{
	struct sums sums = { 0 };

	for (size_t i = 0; i < reader->count; i++) {
		for (size_t k = 0; k < COUNTERS; k++)
			sums.of[k] += reader->cpus[i].counters[k].total;
	}
	return sums;
}

/* False where nothing was counted. */
static bool compute(const struct reader *reader, const struct sums *from, const struct sums *to,
		    int64_t time_ns, struct frequency *ret)
{
	double tsc = (double)(to->of[TSC] - from->of[TSC]);
	double aperf = (double)(to->of[APERF] - from->of[APERF]);
	double mperf = (double)(to->of[MPERF] - from->of[MPERF]);
	double cpu_us = (double)time_ns / 1000.0 * (double)reader->count;
	double base_mhz = reader->base_mhz;

	if (time_ns <= 0 || !(tsc > 0.0) || !(aperf > 0.0) || !(mperf > 0.0))
		return false;
	if (!(base_mhz > 0.0))
		base_mhz = tsc / cpu_us;
	*ret = (struct frequency){
		.busy_mhz = aperf / mperf * base_mhz,
		.busy_pct = 100.0 * mperf / tsc,
		.avg_mhz = aperf / cpu_us,
	};
	return true;
}

static int frequency_begin(void *state, int64_t now_ns, struct pw_err *err)
{
	struct reader *reader = state;

	(void)now_ns;
	pw_err_clear(&reader->failure);
	reader->running = true;
	reader->since = (struct sums){ 0 };
	if (read_all(reader, true, &reader->first, err) < 0)
		return -(int)err->code;
	reader->last = reader->sampled = reader->first;
	return 0;
}

static int advance(struct reader *reader, struct pw_err *err)
{
	if (!reader->running)
		return pw_fail(err, PW_EINVAL, "frequency is read outside of a run");
	/* Said when it happened. */
	if (reader->failure.code != PW_OK)
		return 0;
	return read_all(reader, false, &reader->last, err);
}

static int frequency_sample(void *state, int64_t now_ns, double *columns, struct pw_err *err)
{
	struct reader *reader = state;
	struct frequency frequency;
	struct sums sums;
	int r;

	(void)now_ns;
	columns[0] = NAN;
	r = advance(reader, err);
	if (r < 0 || reader->failure.code != PW_OK)
		return r;
	sums = sum_cpus(reader);
	if (compute(reader, &reader->since, &sums,
		    pw_stamp_middle(&reader->last) - pw_stamp_middle(&reader->sampled), &frequency))
		columns[0] = frequency.busy_mhz;
	reader->since = sums;
	reader->sampled = reader->last;
	return 0;
}

static int frequency_end(void *state, int64_t now_ns, struct pw_err *err)
{
	struct reader *reader = state;
	int r = advance(reader, err);

	(void)now_ns;
	reader->running = false;
	return r;
}

static int frequency_report(void *state, struct pw_value *section, struct pw_strv *warnings,
			    struct pw_err *err)
{
	static const struct sums zero;
	struct reader *reader = state;
	struct frequency frequency;
	struct sums sums;

	(void)warnings;
	if (reader->failure.code != PW_OK) {
		*err = reader->failure;
		return -(int)err->code;
	}
	sums = sum_cpus(reader);
	if (!compute(reader, &zero, &sums,
		     pw_stamp_middle(&reader->last) - pw_stamp_middle(&reader->first), &frequency))
		return pw_fail(err, PW_EUNSUPPORTED,
			       "frequency: %s did not move (a virtual machine's zeros?)",
			       sums.of[TSC] == 0     ? "TSC"
			       : sums.of[MPERF] == 0 ? "MPERF"
						     : "APERF");
	pw_value_set(section, "source", pw_value_text("perf-msr"));
	pw_value_set(section, "busy_mhz", pw_value_real(frequency.busy_mhz));
	pw_value_set(section, "busy_pct", pw_value_real(frequency.busy_pct));
	pw_value_set(section, "avg_mhz", pw_value_real(frequency.avg_mhz));
	return 0;
}

static size_t frequency_series(void *state, const struct pw_series **ret)
{
	static const struct pw_series series[] = { { "busy-mhz", "MHz" } };

	(void)state;
	*ret = series;
	return PW_LENGTH(series);
}

/* The kernel counts in 64 bits and adds the differences of 64-bit registers: nothing wraps. */
static int64_t frequency_max_period_ns(void *state)
{
	(void)state;
	return 0;
}

const struct pw_collector pw_collector_frequency_perf = {
	.name = "frequency-perf",
	.summary = "delivered frequency from the kernel's perf events (PMU msr: APERF, MPERF, TSC)",
	.section = "frequency",
	.rank = 10,
	.probe = probe,
	.open = frequency_open,
	.begin = frequency_begin,
	.sample = frequency_sample,
	.end = frequency_end,
	.report = frequency_report,
	.close = frequency_close,
	.series = frequency_series,
	.max_period_ns = frequency_max_period_ns,
};
