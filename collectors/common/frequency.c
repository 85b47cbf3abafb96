/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/frequency.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/pitfall.h"
#include "lib/platform/topology.h"

#define ONLINE	    PW_CPU_DIR "/online"
#define ONLINE_SIZE 4096
/* Coarse busy time says something of a frequency from so many steps a CPU on: within 20 %. */
#define STEPS_NEEDED 5.0

int pw_frequency_reason(int r, struct pw_err *err)
{
	if (r >= 0 || r == -PW_EDENIED)
		return r;
	err->code = PW_EUNSUPPORTED;
	return -PW_EUNSUPPORTED;
}

static int open_cpu(struct pw_frequency *frequency, size_t index, struct pw_err *err)
{
	struct pw_frequency_cpu *cpu = &frequency->cpus[index];

	for (size_t k = 0; k < PW_FREQUENCY_COUNTS; k++)
		cpu->counters[k].max_per_s = PW_FREQUENCY_MAX_HZ;
	if (frequency->source->open(frequency, index, err) < 0)
		return pw_err_prefix(err, "frequency of cpu%u",
				     frequency->groups.places[index].cpu);
	cpu->fresh = true;
	return 0;
}

int pw_frequency_init(struct pw_frequency *frequency, const struct pw_frequency_source *source,
		      const struct pw_collect *collect, struct pw_err *err)
{
	int r = 0;

	frequency->source = source;
	frequency->root = collect->root;
	frequency->clock = pw_stamp_clock(collect);
	frequency->unit = 1.0;
	frequency->online = pw_new(ONLINE_SIZE, 1);
	frequency->online_fd = -1;
	if (collect->root->real && collect->root->ops == &pw_fs_real) {
		frequency->online_fd = pw_root_open_file(collect->root, ONLINE, O_RDONLY, err);
		if (frequency->online_fd < 0)
			return frequency->online_fd;
	}
	pw_cpu_groups_read(collect, &frequency->groups);
	frequency->cpus = pw_new(frequency->groups.count, sizeof(*frequency->cpus));
	if (collect->cpu_count == 0)
		return pw_fail(err, PW_EUNSUPPORTED, "no online CPUs are known");
	for (size_t i = 0; r == 0 && i < frequency->groups.count; i++) {
		frequency->cpus[i].counted = frequency->groups.places[i].online;
		if (frequency->cpus[i].counted)
			r = open_cpu(frequency, i, err);
	}
	return r;
}

void pw_frequency_done(struct pw_frequency *frequency)
{
	pw_cpu_groups_done(&frequency->groups);
	pw_floors_done(&frequency->floors);
	if (frequency->online && frequency->online_fd >= 0)
		close(frequency->online_fd);
	free(frequency->cpus);
	free(frequency->online);
	frequency->cpus = NULL;
	frequency->online = NULL;
}

/* One CPU: all counts, or why not. */
static int read_cpu(struct pw_frequency *frequency, size_t index, bool start, struct pw_err *err)
{
	const struct pw_frequency_source *source = frequency->source;
	struct pw_frequency_cpu *cpu = &frequency->cpus[index];
	unsigned number = frequency->groups.places[index].cpu;
	uint64_t counts[PW_FREQUENCY_COUNTS] = { 0 };
	int64_t before_ns = frequency->clock(), now_ns;
	int r = source->read(frequency, index, counts, err);

	/* A CPU that was away may have taken what was open along. */
	if (r == -PW_EGONE && start && open_cpu(frequency, index, err) == 0)
		r = source->read(frequency, index, counts, err);
	if (r < 0)
		return pw_err_prefix(err, "frequency of cpu%u", number);
	now_ns = before_ns + (frequency->clock() - before_ns) / 2;
	for (size_t k = 0; k < PW_FREQUENCY_COUNTS; k++) {
		enum pw_counter_fault fault = PW_COUNTER_OK;

		if (start)
			pw_counter_start(&cpu->counters[k], counts[k], now_ns);
		else
			fault = pw_counter_update(&cpu->counters[k], counts[k], now_ns);
		if (fault != PW_COUNTER_OK)
			return pw_fail(err, PW_EIO, "frequency of cpu%u: %s %s", number,
				       source->counts[k], pw_counter_fault_text(fault));
	}
	return 0;
}

static int fail_run(struct pw_frequency *frequency, const struct pw_err *err)
{
	frequency->failure = *err;
	/* Whatever it was: the next run opens everything anew. */
	for (size_t i = 0; i < frequency->groups.count; i++)
		frequency->cpus[i].fresh = false;
	return -(int)err->code;
}

/* All CPUs, or the first failure, which then stays for the run. */
static int read_all(struct pw_frequency *frequency, enum pw_frequency_pass pass,
		    struct pw_stamp *stamp, struct pw_err *err)
{
	int r = 0;

	stamp->before_ns = frequency->clock();
	if (frequency->source->pass)
		r = frequency->source->pass(frequency, pass, stamp->before_ns, err);
	for (size_t i = 0; r >= 0 && i < frequency->groups.count; i++) {
		if (frequency->cpus[i].counted)
			r = read_cpu(frequency, i, pass == PW_PASS_BEGIN, err);
	}
	stamp->after_ns = frequency->clock();
	return r < 0 ? fail_run(frequency, err) : 0;
}

/* The kernel's list of online CPUs; false if there is none. Opens nothing on the machine itself. */
static bool read_online(const struct pw_frequency *frequency, char text[ONLINE_SIZE])
{
	ssize_t n;

	if (frequency->online_fd < 0)
		return pw_attr_get(frequency->root, ONLINE, text, ONLINE_SIZE);
	n = pread(frequency->online_fd, text, ONLINE_SIZE - 1, 0);
	if (n < 0)
		return false;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return true;
}

/* Since the run began. Where the kernel gives no list nothing can be told. */
static int check_online(struct pw_frequency *frequency, struct pw_err *err)
{
	char text[ONLINE_SIZE];

	if (!frequency->online[0] || !read_online(frequency, text) ||
	    strcmp(text, frequency->online) == 0)
		return 0;
	(void)pw_fail(err, PW_EGONE,
		      "frequency: the online CPUs changed in mid-run (%.200s, and %.200s when it "
		      "began)",
		      text, frequency->online);
	return fail_run(frequency, err);
}

/* Which CPUs this run counts, by the kernel's list; where there is none, those of the opening. */
static int take_online(struct pw_frequency *frequency, struct pw_err *err)
{
	pw_auto_free unsigned *cpus = NULL;
	struct pw_cpu_groups groups;
	struct pw_collect now = { .root = frequency->root };
	char text[ONLINE_SIZE] = "";

	if (!read_online(frequency, text) || strcmp(text, frequency->online) == 0)
		return 0;
	frequency->online[0] = '\0'; /* what fails below is tried again by the next run */
	if (pw_parse_cpulist(text, &cpus, &now.cpu_count, err) < 0)
		return pw_err_prefix(err, "read %s", ONLINE);
	now.cpus = cpus;
	pw_cpu_groups_read(&now, &groups);
	if (groups.count != frequency->groups.count) {
		pw_cpu_groups_done(&groups);
		return pw_fail(err, PW_EIO,
			       "frequency: CPUs were added to the machine or taken "
			       "away");
	}
	pw_cpu_groups_done(&frequency->groups);
	frequency->groups = groups;
	memcpy(frequency->online, text, sizeof(text));
	for (size_t i = 0; i < groups.count; i++) {
		frequency->cpus[i].counted = groups.places[i].online;
		frequency->cpus[i].fresh &= groups.places[i].online;
	}
	return 0;
}

static int prepare(struct pw_frequency *frequency, struct pw_err *err)
{
	int r = take_online(frequency, err);

	for (size_t i = 0; r == 0 && i < frequency->groups.count; i++) {
		if (frequency->cpus[i].counted && !frequency->cpus[i].fresh)
			r = open_cpu(frequency, i, err);
	}
	pw_floors_done(&frequency->floors);
	pw_floors_read(frequency->root, &frequency->floors);
	return r;
}

int pw_frequency_begin(void *state, int64_t now_ns, struct pw_err *err)
{
	struct pw_frequency *frequency = state;

	(void)now_ns;
	pw_err_clear(&frequency->failure);
	frequency->running = true;
	for (size_t i = 0; i < frequency->groups.count; i++)
		memset(frequency->cpus[i].since, 0, sizeof(frequency->cpus[i].since));
	if (prepare(frequency, err) < 0)
		return fail_run(frequency, err);
	if (read_all(frequency, PW_PASS_BEGIN, &frequency->first, err) < 0)
		return -(int)err->code;
	frequency->last = frequency->sampled = frequency->first;
	return 0;
}

static int advance(struct pw_frequency *frequency, enum pw_frequency_pass pass, struct pw_err *err)
{
	if (!frequency->running)
		return pw_fail(err, PW_EINVAL, "frequency is read outside of a run");
	/* Said when it happened. */
	if (frequency->failure.code != PW_OK)
		return 0;
	if (read_all(frequency, pass, &frequency->last, err) < 0)
		return -(int)err->code;
	return check_online(frequency, err);
}

static void remember_sample(struct pw_frequency *frequency)
{
	for (size_t i = 0; i < frequency->groups.count; i++) {
		struct pw_frequency_cpu *cpu = &frequency->cpus[i];

		for (size_t k = 0; k < PW_FREQUENCY_COUNTS; k++)
			cpu->since[k] = cpu->counters[k].total;
	}
	frequency->sampled = frequency->last;
}

int pw_frequency_sample(void *state, int64_t now_ns, double *columns, struct pw_err *err)
{
	static const struct pw_frequency_group machine = { .package = -1, .type = -1 };
	struct pw_frequency *frequency = state;
	int r;

	(void)now_ns;
	columns[0] = NAN;
	r = advance(frequency, PW_PASS_SAMPLE, err);
	if (r < 0 || frequency->failure.code != PW_OK)
		return r;
	columns[0] = pw_frequency_of(frequency, &machine, true).busy_mhz;
	remember_sample(frequency);
	return 0;
}

int pw_frequency_end(void *state, int64_t now_ns, struct pw_err *err)
{
	struct pw_frequency *frequency = state;
	int r = advance(frequency, PW_PASS_END, err);

	(void)now_ns;
	frequency->running = false;
	return r;
}

size_t pw_frequency_series(void *state, const struct pw_series **ret)
{
	static const struct pw_series series[] = { { "busy-mhz", "MHz" } };

	(void)state;
	*ret = series;
	return PW_LENGTH(series);
}

int64_t pw_frequency_max_period_ns(void *state)
{
	const struct pw_frequency *frequency = state;
	int64_t shortest = 0;

	for (size_t i = 0; i < frequency->groups.count * PW_FREQUENCY_COUNTS; i++) {
		int64_t period =
			pw_counter_max_period_ns(&frequency->cpus[i / PW_FREQUENCY_COUNTS]
							  .counters[i % PW_FREQUENCY_COUNTS]);

		if (period > 0 && (shortest == 0 || period < shortest))
			shortest = period;
	}
	return shortest;
}

static double seconds(int64_t ns)
{
	return (double)ns / (double)PW_NS_PER_S;
}

static double run_s(const struct pw_frequency *frequency)
{
	return seconds(pw_stamp_middle(&frequency->last) - pw_stamp_middle(&frequency->first));
}

/* Of all CPUs over the whole run so far: the longer, the less the stamps' jitter matters. */
static double tsc_hz(const struct pw_frequency *frequency)
{
	double time_s = run_s(frequency), total = 0.0;
	size_t cpus = 0;

	for (size_t i = 0; i < frequency->groups.count; i++) {
		if (!frequency->cpus[i].counted)
			continue;
		total += (double)frequency->cpus[i].counters[PW_TOTAL].total;
		cpus++;
	}
	return time_s > 0.0 && cpus ? total / (time_s * (double)cpus) : 0.0;
}

/* The rate of one CPU's reference, given that of the TSC. */
static double rate_of(const struct pw_frequency *frequency, size_t index, double tsc)
{
	double base_hz = frequency->groups.places[index].base_mhz * 1e6, time_s = run_s(frequency);
	double width_s =
		seconds(pw_stamp_width(&frequency->first) + pw_stamp_width(&frequency->last));
	double tolerance = PW_TWEAK_MAX + (time_s > 0.0 ? width_s / time_s : 0.0);

	if (frequency->cpus[index].rate_hz > 0.0)
		return frequency->cpus[index].rate_hz;
	if (pw_pitfall("base-of-any-core") && base_hz > 0.0)
		return base_hz;
	return base_hz > 0.0 && tsc > 0.0 && fabs(base_hz / tsc - 1.0) <= tolerance ? base_hz : tsc;
}

double pw_frequency_nominal_mhz(const struct pw_frequency *frequency, size_t index)
{
	if (frequency->groups.places[index].base_mhz > 0.0)
		return frequency->groups.places[index].base_mhz;
	if (frequency->cpus[index].nominal_mhz > 0.0)
		return frequency->cpus[index].nominal_mhz;
	return tsc_hz(frequency) / 1e6;
}

static bool is_in(const struct pw_frequency *frequency, size_t index,
		  const struct pw_frequency_group *group)
{
	const struct pw_cpu_place *place = &frequency->groups.places[index];

	if (!frequency->cpus[index].counted || (pw_pitfall("one-cpu-for-all") && index > 0) ||
	    (group->package >= 0 && place->package != group->package))
		return false;
	if (group->type >= 0 && place->type != group->type)
		return false;
	for (size_t i = 0; i < group->cpu_count; i++) {
		if (group->cpus[i] == place->cpu)
			return true;
	}
	return !group->cpus;
}

struct pw_frequency_values pw_frequency_of(const struct pw_frequency *frequency,
					   const struct pw_frequency_group *group,
					   bool since_sample)
{
	struct pw_frequency_values values = { .busy_mhz = NAN };
	const struct pw_stamp *from = since_sample ? &frequency->sampled : &frequency->first;
	double time_s = seconds(pw_stamp_middle(&frequency->last) - pw_stamp_middle(from));
	double delivered = 0.0, all_s = 0.0, tsc = tsc_hz(frequency);

	for (size_t i = 0; i < frequency->groups.count; i++) {
		const struct pw_frequency_cpu *cpu = &frequency->cpus[i];
		double rate = rate_of(frequency, i, tsc), grown[PW_FREQUENCY_COUNTS];

		if (!is_in(frequency, i, group))
			continue;
		for (size_t k = 0; k < PW_FREQUENCY_COUNTS; k++)
			grown[k] = (double)(cpu->counters[k].total -
					    (since_sample ? cpu->since[k] : 0));
		/* Each CPU's MHz alike, however little it was busy. */
		if (pw_pitfall("mean-of-mhz") && grown[PW_REFERENCE] > 0.0) {
			grown[PW_DELIVERED] *= rate / grown[PW_REFERENCE];
			grown[PW_REFERENCE] = rate;
		}
		delivered += grown[PW_DELIVERED] * frequency->unit;
		if (rate > 0.0)
			values.busy_s += grown[PW_REFERENCE] * frequency->unit / rate;
		/* Read in one moment with the other two, where it is counted: no jitter of stamps.
		 */
		all_s += tsc > 0.0 ? grown[PW_TOTAL] / tsc : time_s;
		values.cpus++;
	}
	if (values.cpus == 0 || !(time_s > 0.0) || !(all_s > 0.0))
		return values;
	if (delivered > 0.0 && values.busy_s > 0.0 &&
	    values.busy_s >= STEPS_NEEDED * frequency->step_s * (double)values.cpus)
		values.busy_mhz = delivered / values.busy_s / 1e6;
	values.busy_pct = 100.0 * values.busy_s / all_s;
	values.avg_mhz = delivered / all_s / 1e6;
	return values;
}
