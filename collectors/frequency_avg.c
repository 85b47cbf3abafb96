/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Delivered frequency from cpuinfo_avg_freq of the cpufreq policies (kernel 6.15 on; Documentation/
 * admin-guide/pm/cpufreq.rst): what the kernel itself makes of the counters, averaged over a few
 * milliseconds before the read. It is a sample and no count, so the record says "sampled": a CPU's
 * frequency at each read is weighed by the time that it was busy since the read before
 * (/proc/stat).
 *
 * EAGAIN means that the CPU has been idle and has no fresh value: its busy time since then waits
 * for the next value, or takes the last one at the end of the run. A share of busy time without a
 * value of its own is in the record; a CPU that was busy and never had one makes the section
 * unavailable. Reads come at least once a second, with or without a timeline.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collectors/common/cpu_time.h"
#include "collectors/common/frequency.h"
#include "collectors/common/gauge.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/cpufreq.h"

#define MAX_PERIOD_NS PW_NS_PER_S
/* Busy time below this share may stay without any value: an interrupt or two. */
#define UNKNOWN_SHARE 0.01

struct policy {
	struct pw_gauge gauge;
	double khz; /* the last value of this run; 0: none yet */
	bool fresh; /* read in this pass */
};

struct cpu {
	int policy;		     /* index, -1 = none */
	int64_t busy_ns, waiting_ns; /* taken into account; busy without a value yet */
	double cycles, known_ns;     /* cycles in the time that a value is known for */
};

struct reader {
	struct pw_frequency frequency;
	struct pw_cpu_time time;
	struct policy *policies;
	size_t policy_count, policy_capacity;
	struct cpu *cpus; /* one each of the account's */
	enum pw_frequency_pass pass;
	int64_t late_ns; /* busy time that took a value of another interval */
};

static void close_policies(struct reader *reader)
{
	for (size_t i = 0; i < reader->policy_count; i++)
		pw_gauge_close(&reader->policies[i].gauge);
	reader->policy_count = 0;
}

static void assign(struct reader *reader, const char *policy, int index)
{
	const struct pw_cpu_groups *groups = &reader->frequency.groups;
	pw_auto_free unsigned *cpus = NULL;
	char text[4096];
	size_t count = 0;
	struct pw_err ignored;

	if (pw_policy_read(reader->frequency.root, policy, "affected_cpus", text, sizeof(text),
			   &ignored) < 0 ||
	    pw_parse_cpulist(text, &cpus, &count, &ignored) < 0)
		return;
	for (size_t i = 0; i < groups->count * count; i++) {
		if (groups->places[i / count].cpu == cpus[i % count])
			reader->cpus[i / count].policy = index;
	}
}

/* A switch of the driver makes all policies anew: they are looked up for every run. */
static int open_policies(struct reader *reader, struct pw_err *err)
{
	const struct pw_root *root = reader->frequency.root;
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;
	int r = pw_policies_needed(root, &names, err);

	close_policies(reader);
	for (size_t i = 0; i < reader->frequency.groups.count; i++)
		reader->cpus[i] = (struct cpu){ .policy = -1 };
	for (size_t i = 0; r == 0 && i < names.count; i++) {
		struct policy policy = { 0 };
		char path[PW_POLICY_PATH_SIZE];

		pw_policy_path(path, names.items[i], "cpuinfo_avg_freq");
		r = pw_gauge_open(&policy.gauge, root, path, err);
		if (r < 0)
			break;
		PW_PUSH(reader->policies, reader->policy_count, reader->policy_capacity, policy);
		assign(reader, names.items[i], (int)i);
	}
	return r;
}

/* EINVAL is what the kernel makes of a frequency of 0 (show_cpuinfo_avg_freq()). */
static int read_policy(struct policy *policy, struct pw_err *err)
{
	uint64_t khz = 0;
	int r = pw_gauge_read(&policy->gauge, &khz, err);

	policy->fresh = r == 0 && khz > 0;
	if (policy->fresh)
		policy->khz = (double)khz;
	return r == -PW_EAGAIN || (r < 0 && err->sys == EINVAL) ? 0 : r;
}

/* The end of a run gives what waits the last value that there was. */
static void weigh(struct reader *reader, struct cpu *cpu, int64_t busy_ns)
{
	const struct policy *policy = cpu->policy >= 0 ? &reader->policies[cpu->policy] : NULL;
	int64_t interval_ns = busy_ns - cpu->busy_ns;

	cpu->busy_ns = busy_ns;
	cpu->waiting_ns += interval_ns;
	if (!policy || !(policy->khz > 0.0) || (!policy->fresh && reader->pass != PW_PASS_END))
		return;
	reader->late_ns += policy->fresh ? cpu->waiting_ns - interval_ns : cpu->waiting_ns;
	cpu->cycles += policy->khz * 1e3 * (double)cpu->waiting_ns / (double)PW_NS_PER_S;
	cpu->known_ns += (double)cpu->waiting_ns;
	cpu->waiting_ns = 0;
}

static int begin_pass(void *context, enum pw_frequency_pass pass, int64_t now_ns,
		      struct pw_err *err)
{
	struct reader *reader = context;
	int r = 0;

	reader->pass = pass;
	if (pass == PW_PASS_BEGIN) {
		reader->late_ns = 0;
		r = open_policies(reader, err);
	}
	/* A value at the begin is of the time before it. */
	for (size_t i = 0; r == 0 && pass != PW_PASS_BEGIN && i < reader->policy_count; i++)
		r = read_policy(&reader->policies[i], err);
	return r < 0 ? r : pw_cpu_time_read(&reader->time, pass == PW_PASS_BEGIN, now_ns, err);
}

static int read_cpu(void *context, size_t index, uint64_t counts[PW_FREQUENCY_COUNTS],
		    struct pw_err *err)
{
	struct reader *reader = context;
	struct cpu *cpu = &reader->cpus[index];
	int64_t busy_ns;

	if (pw_cpu_time_busy(&reader->time, reader->frequency.groups.places[index].cpu, &busy_ns,
			     err) < 0)
		return -(int)err->code;
	weigh(reader, cpu, busy_ns);
	if (reader->pass == PW_PASS_END && (double)cpu->waiting_ns * 1e-9 > reader->time.step_s &&
	    (double)cpu->waiting_ns > UNKNOWN_SHARE * (double)cpu->busy_ns)
		return pw_fail(err, PW_EAGAIN,
			       "it was busy for %.2f s, but cpuinfo_avg_freq never "
			       "had a fresh value",
			       (double)cpu->busy_ns * 1e-9);
	counts[PW_DELIVERED] = (uint64_t)cpu->cycles;
	counts[PW_REFERENCE] = (uint64_t)cpu->known_ns;
	return 0;
}

static int open_cpu(void *context, size_t index, struct pw_err *err)
{
	struct reader *reader = context;

	(void)err;
	/* No counters: busy time that waited comes in at once. Files are opened with the policy,
	 * when a run begins. */
	for (size_t k = 0; k < PW_FREQUENCY_COUNTS; k++)
		reader->frequency.cpus[index].counters[k].max_per_s = 0.0;
	return 0;
}

static void report(void *context, struct pw_value *section, struct pw_strv *warnings)
{
	const struct reader *reader = context;
	double busy_ns = 0.0;

	(void)warnings;
	for (size_t i = 0; i < reader->frequency.groups.count; i++) {
		if (reader->frequency.cpus[i].counted)
			busy_ns += (double)reader->cpus[i].busy_ns;
	}
	if (busy_ns > 0.0)
		pw_value_set(section, "unsampled_pct",
			     pw_value_real(round(1e4 * (double)reader->late_ns / busy_ns) / 100.0));
}

static const struct pw_frequency_source source = {
	.name = "cpuinfo-avg-freq",
	.counts = { "cpuinfo_avg_freq", "busy time", NULL },
	.pass = begin_pass,
	.open = open_cpu,
	.read = read_cpu,
	.report = report,
};

static void frequency_close(void *state)
{
	struct reader *reader = state;

	close_policies(reader);
	free(reader->policies);
	free(reader->cpus);
	pw_cpu_time_close(&reader->time);
	pw_frequency_done(&reader->frequency);
	free(reader);
}

static int open_all(struct reader *reader, const struct pw_collect *collect, struct pw_err *err)
{
	const struct pw_cpu_groups *groups = &reader->frequency.groups;
	int r = pw_frequency_init(&reader->frequency, &source, collect, err);

	if (r < 0)
		return r;
	reader->cpus = pw_new(groups->count, sizeof(*reader->cpus));
	/* Busy time is in ns. */
	for (size_t i = 0; i < groups->count; i++)
		reader->frequency.cpus[i].rate_hz = (double)PW_NS_PER_S;
	r = open_policies(reader, err);
	if (r < 0)
		return r;
	r = pw_cpu_time_open(&reader->time, collect->root, groups->places[groups->count - 1].cpu,
			     err);
	reader->frequency.step_s = reader->time.step_s;
	reader->frequency.gauge = true;
	return r;
}

static int frequency_open(const struct pw_collect *collect, void **ret_state, struct pw_err *err)
{
	struct reader *reader = pw_new(1, sizeof(*reader));
	int r;

	reader->time.fd = -1;
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

static int64_t max_period_ns(void *state)
{
	(void)state;
	return MAX_PERIOD_NS;
}

const struct pw_collector pw_collector_frequency_avg = {
	.name = "frequency-avg",
	.summary = "samples of the frequency that the kernel measured (cpuinfo_avg_freq)",
	.section = "frequency",
	.rank = 40,
	.probe = probe,
	.open = frequency_open,
	.begin = pw_frequency_begin,
	.sample = pw_frequency_sample,
	.end = pw_frequency_end,
	.report = pw_frequency_report,
	.close = frequency_close,
	.series = pw_frequency_series,
	.max_period_ns = max_period_ns,
};
