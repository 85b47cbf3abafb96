/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The performance that software asked each CPU for, from its request register, at the begin, at
 * every sample and at the end of a run; only where the config allows it ("collectors": { "msr":
 * true }). The register is the one in force:
 *
 *   perf-ctl      IA32_PERF_CTL 0x199 [15:8], a ratio of 100 MHz (Intel SDM vol. 4)
 *   hwp-request   IA32_HWP_REQUEST 0x774: min [7:0], max [15:8], desired [23:16] (0: the hardware
 *                 chooses), EPP [31:24]; where IA32_PM_ENABLE 0x770 says that HWP is on
 *   cppc-request  AMD CPPC_REQ 0xC00102B3: max [7:0], min [15:8], desired [23:16], EPP [31:24]
 *
 * The section "requested":
 *
 *   { "source": "msr", "register": "perf-ctl", "cpus": "0-3", "samples": 62, "highest": 36,
 *     "at_highest_pct": 93.1, "ratio": { "min": 8, "max": 36, "last": [36, 36, 8, 36] } }
 *
 * with one object a field. "highest" is what the processor states it can do; "at_highest_pct" is
 * the share of all readings of all CPUs that asked for no less.
 */
#include <math.h>
#include <string.h>

#include "collectors/common/vendor.h"
#include "lib/base/mem.h"
#include "lib/platform/msr.h"
#include "lib/platform/topology.h"
#include "lib/plugin/collector.h"

#define FIELDS 4

struct field {
	const char *name;
	unsigned shift;
};

/* The field that is held against the highest: `wanted` unless it is 0, then `limit`. */
struct kind {
	const char *name;
	uint32_t number;
	struct field fields[FIELDS + 1]; /* ends with a NULL name */
	size_t wanted, limit;
	uint32_t highest_number;
	unsigned highest_shift;
};

static const struct kind kinds[] = {
	{ "hwp-request",
	  PW_MSR_HWP_REQUEST,
	  { { "min", 0 }, { "max", 8 }, { "desired", 16 }, { "epp", 24 } },
	  2,
	  1,
	  PW_MSR_HWP_CAPS,
	  0 },
	{ "perf-ctl", PW_MSR_PERF_CTL, { { "ratio", 8 } }, 0, 0, PW_MSR_TURBO_RATIOS, 0 },
	{ "cppc-request",
	  PW_MSR_CPPC_REQUEST,
	  { { "max", 0 }, { "min", 8 }, { "desired", 16 }, { "epp", 24 } },
	  2,
	  0,
	  PW_MSR_CPPC_CAP1,
	  24 },
};

enum { HWP, PERF_CTL, CPPC };

struct cpu {
	unsigned number;
	struct pw_msr msr;
	unsigned highest; /* 0: not stated */
	unsigned last[FIELDS];
};

struct reader {
	const struct kind *kind;
	struct cpu *cpus;
	size_t count;
	/* this run */
	unsigned least[FIELDS], most[FIELDS];
	uint64_t passes, at_highest;
	struct pw_err failure;
};

static unsigned byte_of(uint64_t value, unsigned shift)
{
	return (unsigned)(value >> shift & 0xff);
}

static void requested_close(void *state)
{
	struct reader *reader = state;

	for (size_t i = 0; i < reader->count; i++)
		pw_msr_close(&reader->cpus[i].msr);
	free(reader->cpus);
	free(reader);
}

/* The register in force on the first CPU; the others are of one machine. */
static int choose(const struct pw_root *root, const struct pw_msr *msr, const struct kind **ret,
		  struct pw_err *err)
{
	enum pw_vendor vendor = pw_vendor(root);
	struct pw_err ignored;
	uint64_t enabled = 0;

	if (vendor == PW_VENDOR_AMD)
		*ret = &kinds[CPPC];
	else if (vendor == PW_VENDOR_INTEL &&
		 pw_msr_read(msr, PW_MSR_PM_ENABLE, &enabled, &ignored) == 0 && (enabled & 1))
		*ret = &kinds[HWP];
	else if (vendor == PW_VENDOR_INTEL)
		*ret = &kinds[PERF_CTL];
	else
		return pw_fail(err, PW_EUNSUPPORTED,
			       "no request register is known for this processor");
	return 0;
}

/* What the CPU states it can do; the turbo ratios' byte for one active core is the highest. */
static unsigned read_highest(const struct kind *kind, const struct pw_msr *msr)
{
	struct pw_err ignored;
	uint64_t value;

	if (pw_msr_read(msr, kind->highest_number, &value, &ignored) < 0)
		return 0;
	return byte_of(value, kind->highest_shift);
}

static int open_cpus(struct reader *reader, const struct pw_collect *collect, struct pw_err *err)
{
	uint64_t value;

	reader->cpus = pw_new(collect->cpu_count, sizeof(*reader->cpus));
	for (size_t i = 0; i < collect->cpu_count; i++) {
		struct cpu *cpu = &reader->cpus[i];

		cpu->number = collect->cpus[i];
		if (pw_msr_open(&cpu->msr, collect->root, cpu->number, err) < 0)
			return -(int)err->code;
		reader->count++;
		if (i == 0 && choose(collect->root, &cpu->msr, &reader->kind, err) < 0)
			return -(int)err->code;
		if (pw_msr_read(&cpu->msr, reader->kind->number, &value, err) < 0)
			return -(int)err->code;
		cpu->highest = read_highest(reader->kind, &cpu->msr);
	}
	return reader->count ? 0 : pw_fail(err, PW_EUNSUPPORTED, "no online CPUs are known");
}

static int requested_open(const struct pw_collect *collect, void **ret_state, struct pw_err *err)
{
	struct reader *reader = pw_new(1, sizeof(*reader));

	if (open_cpus(reader, collect, err) < 0) {
		requested_close(reader);
		if (err->code != PW_EDENIED)
			err->code = PW_EUNSUPPORTED;
		return -(int)err->code;
	}
	*ret_state = reader;
	return 0;
}

static int probe(const struct pw_collect *collect, struct pw_err *err)
{
	void *state;
	int r = requested_open(collect, &state, err);

	if (r < 0)
		return r;
	requested_close(state);
	return 0;
}

/* What the CPU is asked for, to be held against the highest. */
static unsigned asked(const struct reader *reader, const struct cpu *cpu)
{
	unsigned wanted = cpu->last[reader->kind->wanted];

	return wanted ? wanted : cpu->last[reader->kind->limit];
}

static int read_cpu(struct reader *reader, struct cpu *cpu, struct pw_err *err)
{
	const struct field *fields = reader->kind->fields;
	uint64_t value;

	if (pw_msr_read(&cpu->msr, reader->kind->number, &value, err) < 0)
		return pw_err_prefix(err, "requested");
	for (size_t f = 0; fields[f].name; f++) {
		unsigned now = byte_of(value, fields[f].shift);

		cpu->last[f] = now;
		if (now < reader->least[f])
			reader->least[f] = now;
		if (now > reader->most[f])
			reader->most[f] = now;
	}
	if (cpu->highest && asked(reader, cpu) >= cpu->highest)
		reader->at_highest++;
	return 0;
}

static int read_all(struct reader *reader, struct pw_err *err)
{
	if (reader->failure.code != PW_OK)
		return 0; /* said when it happened */
	for (size_t i = 0; i < reader->count; i++) {
		if (read_cpu(reader, &reader->cpus[i], err) < 0) {
			reader->failure = *err;
			return -(int)err->code;
		}
	}
	reader->passes++;
	return 0;
}

static int requested_begin(void *state, int64_t now_ns, struct pw_err *err)
{
	struct reader *reader = state;

	(void)now_ns;
	pw_err_clear(&reader->failure);
	reader->passes = reader->at_highest = 0;
	for (size_t f = 0; f < FIELDS; f++) {
		reader->least[f] = UINT32_MAX;
		reader->most[f] = 0;
	}
	return read_all(reader, err);
}

/* The column: the highest request of all CPUs. */
static int requested_sample(void *state, int64_t now_ns, double *columns, struct pw_err *err)
{
	struct reader *reader = state;
	unsigned highest = 0;
	int r = read_all(reader, err);

	(void)now_ns;
	columns[0] = NAN;
	if (r < 0 || reader->failure.code != PW_OK)
		return r;
	for (size_t i = 0; i < reader->count; i++) {
		unsigned now = asked(reader, &reader->cpus[i]);

		if (now > highest)
			highest = now;
	}
	columns[0] = (double)highest;
	return 0;
}

static int requested_end(void *state, int64_t now_ns, struct pw_err *err)
{
	(void)now_ns;
	return read_all(state, err);
}

static void set_field(const struct reader *reader, size_t f, struct pw_value *section)
{
	struct pw_value object = pw_value_object(), last = pw_value_list();

	for (size_t i = 0; i < reader->count; i++)
		pw_value_push(&last, pw_value_int(reader->cpus[i].last[f]));
	pw_value_set(&object, "min", pw_value_int(reader->least[f]));
	pw_value_set(&object, "max", pw_value_int(reader->most[f]));
	pw_value_set(&object, "last", last);
	pw_value_set(section, reader->kind->fields[f].name, object);
}

static char *cpu_list(const struct reader *reader)
{
	struct pw_cpuset set = { .cpus = pw_new(reader->count, sizeof(*set.cpus)),
				 .count = reader->count };
	char *text;

	for (size_t i = 0; i < reader->count; i++)
		set.cpus[i] = reader->cpus[i].number;
	text = pw_cpuset_text(&set);
	pw_cpuset_done(&set);
	return text;
}

/* The highest that any CPU states; 0 unless all of them do. */
static unsigned stated_highest(const struct reader *reader)
{
	unsigned highest = 0;

	for (size_t i = 0; i < reader->count; i++) {
		if (reader->cpus[i].highest == 0)
			return 0;
		if (reader->cpus[i].highest > highest)
			highest = reader->cpus[i].highest;
	}
	return highest;
}

static int requested_report(void *state, struct pw_value *section, struct pw_strv *warnings,
			    struct pw_err *err)
{
	struct reader *reader = state;
	pw_auto_free char *cpus = NULL;
	unsigned highest = stated_highest(reader);
	double readings = (double)reader->passes * (double)reader->count;

	(void)warnings;
	if (reader->failure.code != PW_OK) {
		*err = reader->failure;
		return -(int)err->code;
	}
	cpus = cpu_list(reader);
	pw_value_set(section, "source", pw_value_text("msr"));
	pw_value_set(section, "register", pw_value_text(reader->kind->name));
	pw_value_set(section, "cpus", pw_value_text(cpus));
	pw_value_set(section, "samples", pw_value_int((int64_t)reader->passes));
	if (highest) {
		pw_value_set(section, "highest", pw_value_int(highest));
		pw_value_set(
			section, "at_highest_pct",
			pw_value_real(round(1e4 * (double)reader->at_highest / readings) / 100.0));
	}
	for (size_t f = 0; reader->kind->fields[f].name; f++)
		set_field(reader, f, section);
	return 0;
}

static size_t requested_series(void *state, const struct pw_series **ret)
{
	static const struct pw_series series[] = { { "requested", "ratio" } };

	(void)state;
	*ret = series;
	return PW_LENGTH(series);
}

static int64_t max_period_ns(void *state)
{
	(void)state;
	return 0; /* nothing is counted */
}

const struct pw_collector pw_collector_requested_msr = {
	.name = "requested-msr",
	.summary = "the performance asked for (PERF_CTL, HWP_REQUEST or AMD's CPPC request)",
	.section = "requested",
	.rank = 10,
	.needs_msr = true,
	.probe = probe,
	.open = requested_open,
	.begin = requested_begin,
	.sample = requested_sample,
	.end = requested_end,
	.report = requested_report,
	.close = requested_close,
	.series = requested_series,
	.max_period_ns = max_period_ns,
};
