/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Energy from the kernel's RAPL events (PMU "power"): the kernel knows units and dies and counts
 * in 64 bits of 2^-32 J. What it does not do is keep up when nobody reads: it adds the 32-bit
 * hardware delta sign-extended, so more than 2^31 hardware units between two updates are lost or
 * become negative (K6.1 arch/x86/events/rapl.c). At the finest unit in use, 2^-16 J, that is 32.8
 * kJ: 65 s at 500 W. Reading every 10 s is always safe; a longer gap that could hide a multiple of
 * 2^32 units, and any fall, make the energy of the run unavailable.
 *
 * Events are opened once for each CPU of the PMU's cpumask: on every CPU they would count the same
 * silicon again. Where libpfm4 encodes an event otherwise than sysfs describes it, sysfs is used
 * and the difference is said.
 */
#include <stdio.h>
#include <string.h>

#include "collectors/common/cores.h"
#include "collectors/common/energy.h"
#include "collectors/common/energy_filter.h"
#include "collectors/common/energy_tree.h"
#include "collectors/common/packages.h"
#include "collectors/common/zones.h"
#include "lib/base/mem.h"
#include "lib/base/pitfall.h"
#include "lib/platform/perf.h"
#include "lib/platform/pfm.h"

#define PMU "power"
/* Half of the half range at 2^-16 J and 1.6 kW; reference: the header comment. */
#define MAX_PERIOD_NS (10 * PW_NS_PER_S)
/* 2^32 hardware units of the finest kind in use, 2^-16 J (Intel servers' DRAM, AMD). */
#define ALIAS_J 65536.0
/* The coarsest common hardware unit, 2^-14 J (most Intel packages). */
#define STEP_J (1.0 / 16384.0)

static const struct {
	enum pw_energy_kind kind;
	const char *event;
} events[] = {
	{ PW_ENERGY_PACKAGE, "energy-pkg" }, { PW_ENERGY_DRAM, "energy-ram" },
	{ PW_ENERGY_PSYS, "energy-psys" },   { PW_ENERGY_CORES, "energy-cores" },
	{ PW_ENERGY_GPU, "energy-gpu" },
};

struct reader {
	struct pw_energy energy;
	const struct pw_perf *perf;
	int *handles; /* one a domain, up to those of the cores */
	size_t handle_count, handle_capacity;
	struct pw_cores cores;
	struct pw_strv differences; /* between libpfm4 and sysfs */
};

/* A CPU of the cpumask and what its counters are named after. */
struct place {
	unsigned cpu;
	int package, die; /* -1 = not given */
	bool several_dies;
};

static int event_missing(const struct pw_collect *collect, const char *event, const char *what,
			 struct pw_err *err)
{
	struct pw_perf_event ignored;
	struct pw_err psys = PW_ERR_INIT;
	int r = pw_perf_describe(collect->root, PMU, event, &ignored, err);

	if (r == 0 || r == -PW_EDENIED)
		return r;
	if (pw_perf_describe(collect->root, PMU, "energy-psys", &ignored, &psys) < 0)
		return r;
	return pw_fail(err, PW_EUNSUPPORTED,
		       "the PMU '" PMU "' has no %s here, so %s cannot be measured (it has "
		       "energy-psys, as some virtual machines do)",
		       event, what);
}

static int open_one(const struct pw_collect *collect, const char *event, unsigned cpu,
		    struct pw_perf_event *ret_event, struct pw_err *err)
{
	int r = pw_perf_describe(collect->root, PMU, event, ret_event, err);

	if (r < 0)
		return r;
	/* Outside of these scales 64 bits hold neither a run nor the alias below. */
	if (strcmp(ret_event->unit, "Joules") != 0 ||
	    !(ret_event->scale < 1.0 && ret_event->scale > 1e-12))
		return pw_fail(err, PW_EUNSUPPORTED,
			       "event %s/%s/: '%s' with scale %g is no energy", PMU, event,
			       ret_event->unit, ret_event->scale);
	return collect->perf->ops->open(collect->perf, ret_event, 1, cpu, err);
}

/* Reasons for skipping are UNSUPPORTED; only permission is told apart, as it can be mended. */
static int as_reason(int r, struct pw_err *err)
{
	if (r >= 0 || r == -PW_EDENIED)
		return r;
	err->code = PW_EUNSUPPORTED;
	return -PW_EUNSUPPORTED;
}

static int check_events(const struct pw_collect *collect, struct pw_err *err)
{
	int r = event_missing(collect, "energy-pkg", "a package", err);

	if (r < 0 || !pw_energy_counts(collect->scope, PW_ENERGY_DRAM))
		return r;
	return event_missing(collect, "energy-ram", "dram", err);
}

/* Where the CPUs of the mask are; places is an array of `count`. */
static int locate(const struct pw_root *root, const unsigned *cpus, size_t count,
		  struct place *places, struct pw_err *err)
{
	for (size_t i = 0; i < count; i++) {
		places[i] = (struct place){
			.cpu = cpus[i],
			.package = pw_topology_number(root, cpus[i], "physical_package_id"),
			.die = pw_topology_number(root, cpus[i], "die_id"),
		};
		if (places[i].package < 0 && count > 1)
			return pw_fail(err, PW_EUNSUPPORTED,
				       "cpu%u has no physical_package_id: packages cannot be told "
				       "apart",
				       cpus[i]);
		if (places[i].package < 0)
			places[i].package = 0;
	}
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < count; k++) {
			if (k != i && places[k].package == places[i].package)
				places[i].several_dies = true;
		}
	}
	return 0;
}

static void suffix_of(const struct place *place, enum pw_energy_kind kind, char *text, size_t size)
{
	/* The platform's is "psys", as powercap names it; further packages have their own. */
	if (kind == PW_ENERGY_PSYS && place->package == 0 && !place->several_dies)
		text[0] = '\0';
	else if (place->several_dies)
		(void)snprintf(text, size, "-%d-die-%d", place->package, place->die);
	else
		(void)snprintf(text, size, "-%d", place->package);
}

static int add_domain(struct reader *reader, const struct pw_collect *collect,
		      enum pw_energy_kind kind, const char *event, const struct place *place,
		      struct pw_err *err)
{
	struct pw_perf_event described;
	struct pw_energy_domain *domain;
	char suffix[48];
	int handle = open_one(collect, event, place->cpu, &described, err);

	if (handle < 0)
		return handle;
	suffix_of(place, kind, suffix, sizeof(suffix));
	domain = pw_energy_add(&reader->energy, kind, place->package, suffix);
	domain->joules = described.scale;
	domain->step_j = STEP_J;
	domain->counter.alias =
		pw_pitfall("half-range") ? 0 : (uint64_t)(ALIAS_J / described.scale);
	domain->counter.max_per_s = PW_ENERGY_MAX_W / described.scale;
	domain->fall = "the counter fell: more than 2^31 hardware units between two reads, or a "
		       "reset";
	PW_PUSH(reader->handles, reader->handle_count, reader->handle_capacity, handle);
	return 0;
}

/* An event that is listed and cannot be opened (AMD before 5.17 lists five and counts one). */
static void leave_out(struct reader *reader, const struct pw_collect *collect,
		      enum pw_energy_kind kind, const char *event, const struct place *place,
		      const struct pw_err *why)
{
	struct pw_perf_event ignored;
	struct pw_err err;
	char suffix[48], name[64];

	if (pw_perf_describe(collect->root, PMU, event, &ignored, &err) < 0)
		return;
	suffix_of(place, kind, suffix, sizeof(suffix));
	(void)snprintf(name, sizeof(name), "%s%.40s", pw_energy_prefix(kind), suffix);
	pw_energy_leave_out(&reader->energy, name, kind, why->text);
}

/* What only stands beside the total may be absent. */
static int add_event(struct reader *reader, const struct pw_collect *collect, size_t event,
		     const struct place *places, size_t count, struct pw_err *err)
{
	enum pw_energy_kind kind = events[event].kind;
	int r = 0;

	for (size_t i = 0; r >= 0 && i < count; i++) {
		r = add_domain(reader, collect, kind, events[event].event, &places[i], err);
		if (r < 0 && !pw_energy_counts(collect->scope, kind) &&
		    !pw_pitfall("listed-is-there")) {
			leave_out(reader, collect, kind, events[event].event, &places[i], err);
			r = 0;
		}
	}
	return r;
}

static int open_all(struct reader *reader, const struct pw_collect *collect, struct pw_err *err)
{
	pw_auto_free unsigned *cpus = NULL;
	pw_auto_free struct place *places = NULL;
	size_t count;
	int r = check_events(collect, err);

	if (r < 0)
		return r;
	r = pw_perf_cpumask(collect->root, PMU, &cpus, &count, err);
	if (r < 0)
		return r;
	places = pw_new(count, sizeof(*places));
	r = locate(collect->root, cpus, count, places, err);
	for (size_t e = 0; r >= 0 && e < PW_LENGTH(events); e++)
		r = add_event(reader, collect, e, places, count, err);
	if (r < 0)
		return r;
	pw_cores_open(&reader->cores, collect, &reader->energy);
	return pw_packages_check(&reader->energy, collect, err);
}

/* What libpfm4 says of the events that are used. It looks at the machine itself. */
static void cross_check(struct reader *reader, const struct pw_collect *collect)
{
	for (size_t i = 0; collect->root->real && i < PW_LENGTH(events); i++) {
		struct pw_perf_event event;
		char text[PW_PFM_TEXT_SIZE];
		struct pw_err ignored;

		if (pw_perf_describe(collect->root, PMU, events[i].event, &event, &ignored) < 0 ||
		    pw_pfm_check(&event, text) != PW_PFM_DIFFERS)
			continue;
		pw_strv_push(&reader->differences, text);
		pw_strv_push(&reader->energy.notes, text);
	}
}

/* The zones of powercap show the same silicon: they are there, and not read. */
static void leave_zones_out(struct reader *reader, const struct pw_root *root)
{
	pw_auto(pw_zones_done) struct pw_zones zones = { 0 };
	struct pw_err ignored;

	if (pw_zones_find(root, &zones, &ignored) == 0)
		pw_zones_leave_out(&zones, "the same silicon seen by powercap: perf is read",
				   &reader->energy);
}

static void perf_close(void *state)
{
	struct reader *reader = state;

	for (size_t i = 0; i < reader->handle_count; i++)
		reader->perf->ops->close(reader->perf, reader->handles[i]);
	free(reader->handles);
	pw_cores_done(&reader->cores);
	pw_strv_done(&reader->differences);
	pw_energy_done(&reader->energy);
	free(reader);
}

static int read_event(void *context, size_t index, uint64_t *ret, struct pw_err *err)
{
	struct reader *reader = context;
	struct pw_perf_reading reading;
	int r;

	if (index >= reader->handle_count)
		return pw_cores_read(&reader->cores, index, ret, err);
	r = reader->perf->ops->read(reader->perf, reader->handles[index], &reading, err);
	if (r < 0)
		return r;
	if (reading.running_ns < reading.enabled_ns)
		return pw_fail(err, PW_EIO, "the event counted only part of the time");
	*ret = reading.values[0];
	return 0;
}

static int perf_open(const struct pw_collect *collect, void **ret_state, struct pw_err *err)
{
	struct reader *reader;
	int r = pw_energy_check_scope(collect->scope, err);

	if (r < 0)
		return r;
	reader = pw_new(1, sizeof(*reader));
	pw_energy_init(&reader->energy, "perf", collect);
	reader->energy.read = read_event;
	reader->energy.context = reader;
	reader->perf = collect->perf;
	pw_cores_init(&reader->cores, collect);
	r = as_reason(open_all(reader, collect, err), err);
	if (r < 0) {
		perf_close(reader);
		return r;
	}
	pw_energy_link_twins(&reader->energy, collect->root);
	pw_energy_note_filter(&reader->energy, collect);
	leave_zones_out(reader, collect->root);
	cross_check(reader, collect);
	*ret_state = reader;
	return 0;
}

static int probe(const struct pw_collect *collect, struct pw_err *err)
{
	void *state;
	int r = perf_open(collect, &state, err);

	if (r < 0)
		return r;
	perf_close(state);
	return 0;
}

static int perf_begin(void *state, int64_t now_ns, struct pw_err *err)
{
	struct reader *reader = state;
	int r;

	(void)now_ns;
	reader->cores.starting = true;
	r = pw_energy_begin(&reader->energy, err);
	reader->cores.starting = false;
	return r;
}

static int perf_sample(void *state, int64_t now_ns, double *columns, struct pw_err *err)
{
	(void)now_ns;
	return pw_energy_sample(&((struct reader *)state)->energy, &columns[0], err);
}

static int perf_end(void *state, int64_t now_ns, struct pw_err *err)
{
	(void)now_ns;
	return pw_energy_end(&((struct reader *)state)->energy, err);
}

static int perf_report(void *state, struct pw_value *section, struct pw_strv *warnings,
		       struct pw_err *err)
{
	struct reader *reader = state;

	pw_strv_append(warnings, &reader->differences);
	return pw_energy_report(&reader->energy, section, warnings, err);
}

static void perf_describe(void *state, struct pw_value *ret)
{
	pw_energy_tree(&((struct reader *)state)->energy, ret);
}

static size_t perf_series(void *state, const struct pw_series **ret)
{
	static const struct pw_series series[] = { { "power-w", "W" } };

	(void)state;
	*ret = series;
	return PW_LENGTH(series);
}

static int64_t perf_max_period_ns(void *state)
{
	(void)state;
	return MAX_PERIOD_NS;
}

const struct pw_collector pw_collector_energy_perf = {
	.name = "energy-perf",
	.summary = "RAPL energy from the kernel's perf events (PMU power)",
	.section = "energy",
	.rank = 10,
	.probe = probe,
	.open = perf_open,
	.begin = perf_begin,
	.sample = perf_sample,
	.end = perf_end,
	.report = perf_report,
	.close = perf_close,
	.series = perf_series,
	.max_period_ns = perf_max_period_ns,
	.describe = perf_describe,
};
