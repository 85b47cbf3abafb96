/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an account of frequency says of a run: what it doubts, the section, the warnings. */
#include <math.h>
#include <string.h>

#include "collectors/common/frequency.h"
#include "lib/base/mem.h"
#include "lib/base/pitfall.h"
#include "lib/platform/topology.h"

/* A CPU that was busy for this share of the time has counts of both kinds. */
#define BUSY_SHARE 0.01
/* TSCs of one machine run alike; those that stop with their CPU do not. */
#define TSC_UNEVEN 0.02
/* A frequency above the highest that the CPU states: what it states is wrong. */
#define BEYOND_MAX 1.1

static const struct pw_frequency_group machine = { .package = -1, .type = -1 };

static struct pw_frequency_group only(const unsigned *cpus, size_t count)
{
	return (struct pw_frequency_group){
		.package = -1, .type = -1, .cpus = cpus, .cpu_count = count
	};
}

static uint64_t sum(const struct pw_frequency *frequency, enum pw_frequency_count count)
{
	uint64_t total = 0;

	for (size_t i = 0; i < frequency->groups.count; i++) {
		if (frequency->cpus[i].counted)
			total += frequency->cpus[i].counters[count].total;
	}
	return total;
}

/* Virtual machines give zeros for counters that they do not have. */
static int check_movement(const struct pw_frequency *frequency, struct pw_err *err)
{
	static const enum pw_frequency_count order[] = { PW_TOTAL, PW_REFERENCE, PW_DELIVERED };

	for (size_t i = 0; i < PW_LENGTH(order); i++) {
		const char *name = frequency->source->counts[order[i]];
		bool coarse = order[i] == PW_REFERENCE && frequency->step_s > 0.0;

		if (name && !coarse && sum(frequency, order[i]) == 0 &&
		    !pw_pitfall("zeros-as-frequency"))
			return pw_fail(err, PW_EUNSUPPORTED,
				       "frequency: %s did not move (a virtual machine's zeros?)",
				       name);
	}
	return 0;
}

static int check_cpu(const struct pw_frequency *frequency, size_t index,
		     const struct pw_frequency_values *all, struct pw_err *err)
{
	const struct pw_frequency_cpu *cpu = &frequency->cpus[index];
	const char *const *names = frequency->source->counts;
	const unsigned number = frequency->groups.places[index].cpu;
	struct pw_frequency_group group = only(&number, 1);
	struct pw_frequency_values values = pw_frequency_of(frequency, &group, false);
	double mean = (double)sum(frequency, PW_TOTAL) / (double)all->cpus;

	if (values.busy_pct > 100.0 * BUSY_SHARE && cpu->counters[PW_DELIVERED].total == 0)
		return pw_fail(err, PW_EUNSUPPORTED,
			       "frequency of cpu%u: %s stood still, %s did not", number,
			       names[PW_DELIVERED], names[PW_REFERENCE]);
	if (!(frequency->step_s > 0.0) && cpu->counters[PW_REFERENCE].total == 0 &&
	    values.avg_mhz > BUSY_SHARE * pw_frequency_nominal_mhz(frequency, index))
		return pw_fail(err, PW_EUNSUPPORTED,
			       "frequency of cpu%u: %s stood still, %s did not", number,
			       names[PW_REFERENCE], names[PW_DELIVERED]);
	if (names[PW_TOTAL] &&
	    (double)cpu->counters[PW_TOTAL].total <
		    (1.0 - TSC_UNEVEN) * mean - (double)PW_COUNTER_SLACK_NS / 1e9 *
							pw_frequency_nominal_mhz(frequency, index) *
							1e6)
		return pw_fail(err, PW_EUNSUPPORTED,
			       "frequency of cpu%u: %s runs slower than on other CPUs (it stops in "
			       "idle states?)",
			       number, names[PW_TOTAL]);
	return 0;
}

static int check_run(const struct pw_frequency *frequency, struct pw_err *err)
{
	struct pw_frequency_values all = pw_frequency_of(frequency, &machine, false);
	int r;

	if (frequency->failure.code != PW_OK) {
		*err = frequency->failure;
		return -(int)err->code;
	}
	r = check_movement(frequency, err);
	if (r == 0 && all.cpus == 0)
		r = pw_fail(err, PW_EUNSUPPORTED, "frequency: no CPU was counted");
	for (size_t i = 0; r == 0 && i < frequency->groups.count; i++) {
		if (frequency->cpus[i].counted)
			r = check_cpu(frequency, i, &all, err);
	}
	return r;
}

static double rounded(double x, double steps)
{
	return round(x * steps) / steps;
}

static struct pw_value number_or_null(double x)
{
	return isfinite(x) ? pw_value_real(x) : (struct pw_value){ .type = PW_VALUE_NULL };
}

/* A frequency that could not be told is left out, never 0. */
static void set_values(struct pw_value *object, const struct pw_frequency_values *values)
{
	if (isfinite(values->busy_mhz))
		pw_value_set(object, "busy_mhz", pw_value_real(values->busy_mhz));
	pw_value_set(object, "busy_pct", pw_value_real(values->busy_pct));
	pw_value_set(object, "avg_mhz", pw_value_real(values->avg_mhz));
}

/* Adds one group under its name, once. */
static void set_group(const struct pw_frequency *frequency, struct pw_value *object,
		      const char *name, const struct pw_frequency_group *group)
{
	struct pw_frequency_values values;
	struct pw_value item;

	if (pw_value_get(object, name))
		return;
	values = pw_frequency_of(frequency, group, false);
	if (values.cpus == 0)
		return;
	item = pw_value_object();
	set_values(&item, &values);
	pw_value_set(object, name, item);
}

static void set_packages(const struct pw_frequency *frequency, struct pw_value *section)
{
	struct pw_value packages = pw_value_object();

	for (size_t i = 0; i < frequency->groups.count; i++) {
		int package = frequency->groups.places[i].package;
		struct pw_frequency_group group = { .package = package, .type = -1 };
		pw_auto_free char *name = pw_sprintf("%d", package);

		if (package >= 0)
			set_group(frequency, &packages, name, &group);
	}
	if (packages.count)
		pw_value_set(section, "packages", packages);
	else
		pw_value_done(&packages);
}

static void set_types(const struct pw_frequency *frequency, struct pw_value *section)
{
	struct pw_value types;

	if (frequency->groups.type_count < 2)
		return;
	types = pw_value_object();
	for (size_t i = 0; i < frequency->groups.type_count; i++) {
		struct pw_frequency_group group = { .package = -1, .type = (int)i };

		set_group(frequency, &types, frequency->groups.types[i], &group);
	}
	pw_value_set(section, "types", types);
}

/* Lists in the order of "list", rounded to a tenth of a MHz and a hundredth of a per cent. */
static void set_cpus(const struct pw_frequency *frequency, struct pw_value *section)
{
	struct pw_value object = pw_value_object(), busy_mhz = pw_value_list(),
			busy_pct = pw_value_list(), avg_mhz = pw_value_list();
	struct pw_cpuset set = { .cpus = pw_new(frequency->groups.count, sizeof(*set.cpus)) };
	pw_auto_free char *list = NULL;

	for (size_t i = 0; i < frequency->groups.count; i++) {
		const unsigned number = frequency->groups.places[i].cpu;
		struct pw_frequency_group group = only(&number, 1);
		struct pw_frequency_values values;

		if (!frequency->cpus[i].counted)
			continue;
		values = pw_frequency_of(frequency, &group, false);
		set.cpus[set.count++] = number;
		pw_value_push(&busy_mhz, number_or_null(rounded(values.busy_mhz, 10)));
		pw_value_push(&busy_pct, pw_value_real(rounded(values.busy_pct, 100)));
		pw_value_push(&avg_mhz, pw_value_real(rounded(values.avg_mhz, 10)));
	}
	list = pw_cpuset_text(&set);
	pw_cpuset_done(&set);
	pw_value_set(&object, "list", pw_value_text(list));
	pw_value_set(&object, "busy_mhz", busy_mhz);
	pw_value_set(&object, "busy_pct", busy_pct);
	pw_value_set(&object, "avg_mhz", avg_mhz);
	pw_value_set(section, "cpus", object);
}

/* How far busy time in whole steps may be off, as a share of it. */
static double coarseness(const struct pw_frequency *frequency,
			 const struct pw_frequency_values *values)
{
	return values->busy_s > 0.0 ? frequency->step_s * (double)values->cpus / values->busy_s
				    : 0.0;
}

static void set_coarseness(const struct pw_frequency *frequency, struct pw_value *section,
			   struct pw_strv *warnings)
{
	struct pw_frequency_values all = pw_frequency_of(frequency, &machine, false);

	if (!(frequency->step_s > 0.0))
		return;
	if (frequency->gauge)
		pw_value_set(section, "sampled", pw_value_bool(true));
	pw_value_set(section, "busy_step_ms", pw_value_real(frequency->step_s * 1e3));
	if (isfinite(all.busy_mhz) && !frequency->gauge)
		pw_value_set(section, "busy_uncertainty_pct",
			     pw_value_real(rounded(100.0 * coarseness(frequency, &all), 100)));
	if (!isfinite(all.busy_mhz))
		pw_strv_pushf(warnings,
			      "busy_mhz cannot be told: the CPUs were busy for too short a "
			      "time for steps of %.0f ms",
			      frequency->step_s * 1e3);
}

/* Policies with one floor that were held below it, for one line. */
struct shortfall {
	double floor_mhz;
	unsigned *cpus;
	size_t count, capacity;
};

struct shortfalls {
	struct shortfall *items;
	size_t count, capacity;
};

static void note_shortfall(struct shortfalls *list, const struct pw_floor *floor, double floor_mhz)
{
	size_t at = 0;

	while (at < list->count && fabs(list->items[at].floor_mhz - floor_mhz) > 0.5)
		at++;
	if (at == list->count)
		PW_PUSH(list->items, list->count, list->capacity,
			((struct shortfall){ .floor_mhz = floor_mhz }));
	for (size_t i = 0; i < floor->cpu_count; i++)
		PW_PUSH(list->items[at].cpus, list->items[at].count, list->items[at].capacity,
			floor->cpus[i]);
}

static double nominal_of(const struct pw_frequency *frequency, const struct pw_floor *floor)
{
	for (size_t i = 0; i < frequency->groups.count; i++) {
		if (floor->cpu_count && frequency->groups.places[i].cpu == floor->cpus[0])
			return pw_frequency_nominal_mhz(frequency, i);
	}
	return 0.0;
}

static bool fell_short(const struct pw_frequency *frequency, const struct pw_floor *floor,
		       double floor_mhz)
{
	struct pw_frequency_group group = only(floor->cpus, floor->cpu_count);
	struct pw_frequency_values values = pw_frequency_of(frequency, &group, false);
	double margin = coarseness(frequency, &values);

	if (margin < PW_FLOOR_SHORTFALL)
		margin = PW_FLOOR_SHORTFALL;
	return isfinite(values.busy_mhz) && values.busy_pct > PW_FLOOR_BUSY_PCT &&
	       !pw_pitfall("throttling-unnoticed") && values.busy_mhz < floor_mhz * (1.0 - margin);
}

static int by_number(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

static void say_shortfall(const struct pw_frequency *frequency, struct shortfall *shortfall,
			  struct pw_strv *warnings)
{
	struct pw_cpuset set = { .cpus = shortfall->cpus, .count = shortfall->count };
	struct pw_frequency_group group = only(shortfall->cpus, shortfall->count);
	struct pw_frequency_values values = pw_frequency_of(frequency, &group, false);
	pw_auto_free char *list = NULL;

	qsort(set.cpus, set.count, sizeof(*set.cpus), by_number);
	list = pw_cpuset_text(&set);
	pw_strv_pushf(warnings,
		      "delivered %.0f MHz on cpu%s, below the lowest frequency asked for, %.0f MHz",
		      values.busy_mhz, list, shortfall->floor_mhz);
}

static void warn_of_shortfalls(const struct pw_frequency *frequency, struct pw_strv *warnings)
{
	struct shortfalls list = { 0 };
	struct pw_floors now;

	pw_floors_read(frequency->root, &now);
	for (size_t i = 0; i < now.count; i++) {
		const struct pw_floor *floor = &now.items[i];
		double floor_mhz =
			pw_floor_mhz(&frequency->floors, floor, nominal_of(frequency, floor));

		if (fell_short(frequency, floor, floor_mhz))
			note_shortfall(&list, floor, floor_mhz);
	}
	for (size_t i = 0; i < list.count; i++) {
		say_shortfall(frequency, &list.items[i], warnings);
		free(list.items[i].cpus);
	}
	free(list.items);
	pw_floors_done(&now);
}

/* Firmware that states a wrong scale shows frequencies that nobody can buy (intel/pepc#10). */
static void warn_of_the_impossible(const struct pw_frequency *frequency, struct pw_strv *warnings)
{
	for (size_t i = 0; i < frequency->groups.count; i++) {
		const unsigned number = frequency->groups.places[i].cpu;
		struct pw_frequency_group group = only(&number, 1);
		double busy_mhz = pw_frequency_of(frequency, &group, false).busy_mhz;
		double max_mhz = frequency->cpus[i].max_mhz;

		if (!(max_mhz > 0.0) || !(busy_mhz > BEYOND_MAX * max_mhz))
			continue;
		pw_strv_pushf(warnings,
			      "%.0f MHz on cpu%u lies above the highest frequency that it states, "
			      "%.0f MHz: its scale is suspicious",
			      busy_mhz, number, max_mhz);
		return;
	}
}

int pw_frequency_report(void *state, struct pw_value *section, struct pw_strv *warnings,
			struct pw_err *err)
{
	struct pw_frequency *frequency = state;
	struct pw_frequency_values all;
	int r = check_run(frequency, err);

	if (r < 0)
		return r;
	all = pw_frequency_of(frequency, &machine, false);
	pw_value_set(section, "source", pw_value_text(frequency->source->name));
	set_values(section, &all);
	set_coarseness(frequency, section, warnings);
	set_packages(frequency, section);
	set_types(frequency, section);
	set_cpus(frequency, section);
	if (frequency->source->report)
		frequency->source->report(frequency, section, warnings);
	warn_of_shortfalls(frequency, warnings);
	warn_of_the_impossible(frequency, warnings);
	return 0;
}
