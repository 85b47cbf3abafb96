/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thermal throttling as the kernel's thermal interrupt counts it, in cpu<N>/thermal_throttle/
 * (K6.1 drivers/thermal/intel/therm_throt.c; Intel only): how often, and for how long, a core or a
 * package was held below the frequency it was asked for. The section "limited":
 *
 *   { "source": "thermal-throttle", "events": 3, "thermal_pct": 2.5 }
 *
 * A package's counter stands below each of its CPUs and a core's below each of its threads, so
 * counters are not added: both values are those of the one that grew most. thermal_pct is absent
 * where the kernel counts no time (before 5.6). Throttling is part of a result, never a reason to
 * exclude it: the run carries a warning.
 */
#include <stdio.h>

#include "collectors/common/gauge.h"
#include "collectors/common/stamp.h"
#include "lib/base/mem.h"
#include "lib/plugin/collector.h"

#define FOLDER	"/sys/devices/system/cpu/cpu%u/thermal_throttle/"
#define MS_IN_S 1000.0

enum kind { EVENTS, TIME };

struct counter {
	struct pw_gauge gauge;
	enum kind kind;
	uint64_t first, last; /* of this run */
};

struct reader {
	struct counter *counters;
	size_t count, capacity;
	pw_clock_fn clock;
	struct pw_stamp begun, ended;
	bool has_time;
	struct pw_err failure; /* of this run */
};

static const struct {
	const char *file;
	enum kind kind;
} files[] = {
	{ "core_throttle_count", EVENTS },
	{ "package_throttle_count", EVENTS },
	{ "core_throttle_total_time_ms", TIME },
	{ "package_throttle_total_time_ms", TIME },
};

static void throttle_close(void *state)
{
	struct reader *reader = state;

	for (size_t i = 0; i < reader->count; i++)
		pw_gauge_close(&reader->counters[i].gauge);
	free(reader->counters);
	free(reader);
}

/* Which of the files there are depends on CPU and kernel. */
static void open_cpu(struct reader *reader, const struct pw_root *root, unsigned cpu)
{
	for (size_t i = 0; i < PW_LENGTH(files); i++) {
		pw_auto_free char *path = pw_sprintf(FOLDER "%s", cpu, files[i].file);
		struct counter counter = { .kind = files[i].kind };
		struct pw_err ignored;

		if (pw_gauge_open(&counter.gauge, root, path, &ignored) < 0)
			continue;
		reader->has_time |= counter.kind == TIME;
		PW_PUSH(reader->counters, reader->count, reader->capacity, counter);
	}
}

static int throttle_open(const struct pw_collect *collect, void **ret_state, struct pw_err *err)
{
	struct reader *reader = pw_new(1, sizeof(*reader));

	reader->clock = pw_stamp_clock(collect);
	for (size_t i = 0; i < collect->cpu_count; i++)
		open_cpu(reader, collect->root, collect->cpus[i]);
	if (reader->count == 0) {
		throttle_close(reader);
		return pw_fail(err, PW_EUNSUPPORTED,
			       "no CPU has thermal_throttle counters (Intel processors have, "
			       "virtual machines do not)");
	}
	*ret_state = reader;
	return 0;
}

static int probe(const struct pw_collect *collect, struct pw_err *err)
{
	void *state;
	int r = throttle_open(collect, &state, err);

	if (r < 0)
		return r;
	throttle_close(state);
	return 0;
}

static int read_all(struct reader *reader, struct pw_stamp *stamp, struct pw_err *err)
{
	stamp->before_ns = reader->clock();
	for (size_t i = 0; i < reader->count; i++) {
		struct counter *counter = &reader->counters[i];

		if (pw_gauge_read(&counter->gauge, &counter->last, err) < 0) {
			reader->failure = *err;
			return -(int)err->code;
		}
	}
	stamp->after_ns = reader->clock();
	return 0;
}

static int throttle_begin(void *state, int64_t now_ns, struct pw_err *err)
{
	struct reader *reader = state;
	int r;

	(void)now_ns;
	pw_err_clear(&reader->failure);
	r = read_all(reader, &reader->begun, err);
	for (size_t i = 0; i < reader->count; i++)
		reader->counters[i].first = reader->counters[i].last;
	return r;
}

/* Nothing wraps or is lost between two reads. */
static int throttle_sample(void *state, int64_t now_ns, double *columns, struct pw_err *err)
{
	(void)state;
	(void)now_ns;
	(void)columns;
	(void)err;
	return 0;
}

static int throttle_end(void *state, int64_t now_ns, struct pw_err *err)
{
	struct reader *reader = state;

	(void)now_ns;
	if (reader->failure.code != PW_OK)
		return 0; /* said when it happened */
	return read_all(reader, &reader->ended, err);
}

/* The growth of the counter that grew most; a counter that fell (its CPU was away) is none. */
static uint64_t most_grown(const struct reader *reader, enum kind kind)
{
	uint64_t most = 0;

	for (size_t i = 0; i < reader->count; i++) {
		const struct counter *counter = &reader->counters[i];

		if (counter->kind == kind && counter->last > counter->first &&
		    counter->last - counter->first > most)
			most = counter->last - counter->first;
	}
	return most;
}

static int throttle_report(void *state, struct pw_value *section, struct pw_strv *warnings,
			   struct pw_err *err)
{
	struct reader *reader = state;
	uint64_t events = most_grown(reader, EVENTS), time_ms = most_grown(reader, TIME);
	double window_s =
		(double)(pw_stamp_middle(&reader->ended) - pw_stamp_middle(&reader->begun)) /
		(double)PW_NS_PER_S;
	double share = window_s > 0.0 ? 100.0 * (double)time_ms / MS_IN_S / window_s : 0.0;

	if (reader->failure.code != PW_OK) {
		*err = reader->failure;
		return pw_err_prefix(err, "thermal throttling");
	}
	if (share > 100.0)
		share = 100.0; /* the counter's millisecond against ours */
	pw_value_set(section, "source", pw_value_text("thermal-throttle"));
	pw_value_set(section, "events", pw_value_int((int64_t)events));
	if (reader->has_time)
		pw_value_set(section, "thermal_pct", pw_value_real(share));
	if (events > 0 || time_ms > 0)
		pw_strv_pushf(warnings,
			      "thermal throttling: a CPU or package was held below the frequency "
			      "asked for (%llu events, %.1f %% of the window)",
			      (unsigned long long)events, share);
	return 0;
}

static size_t throttle_series(void *state, const struct pw_series **ret)
{
	(void)state;
	*ret = NULL;
	return 0;
}

static int64_t throttle_max_period_ns(void *state)
{
	(void)state;
	return 0;
}

const struct pw_collector pw_collector_throttle = {
	.name = "throttle",
	.summary = "thermal throttling from the kernel's counters (thermal_throttle)",
	.section = "limited",
	.rank = 10,
	.probe = probe,
	.open = throttle_open,
	.begin = throttle_begin,
	.sample = throttle_sample,
	.end = throttle_end,
	.report = throttle_report,
	.close = throttle_close,
	.series = throttle_series,
	.max_period_ns = throttle_max_period_ns,
};
