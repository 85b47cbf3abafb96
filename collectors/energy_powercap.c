/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Energy from the powercap class, energy_uj of the RAPL zones: for machines whose kernel has no
 * RAPL perf events for the CPU. Counters are the hardware's 32 bits in microjoules and wrap at
 * max_energy_range_uj, each zone by its own (60 to 260 kJ: minutes at full load); between two
 * reads no more than one wrap may be possible.
 *
 * The driver keeps its unit in whole nanojoules, cut off (61035 for 2^-14 J: -2.6 ppm, 15258 for
 * 2^-16 J: -52 ppm), which the uncertainty holds; memory of some servers counts 15300 nJ here and
 * 2^-16 J (0.27 % less) in perf, so the two sources must not meet in one comparison.
 */
#include <stdio.h>
#include <string.h>

#include "collectors/common/energy_filter.h"
#include "collectors/common/energy_tree.h"
#include "collectors/common/gauge.h"
#include "collectors/common/packages.h"
#include "collectors/common/zones.h"
#include "lib/base/mem.h"
#include "lib/base/pitfall.h"

/*
 * What a zone cannot exceed: four times the largest of its constraint_<n>_max_power_uw and
 * constraint_<n>_power_limit_uw. The maximum that the CPU states is its class (TDP) rather than a
 * bound, and turbo power stays below twice of it for more than milliseconds; limits that are set
 * higher than that by firmware show what the board feeds. Where nothing believable is stated, and
 * above it for limits ("unlimited" is 4095 W), PW_ENERGY_MAX_W.
 */
/* As energy-perf: read at least this often. */
#define MAX_PERIOD_NS (10 * PW_NS_PER_S)
#define BOUND_FACTOR  4.0
#define CONSTRAINTS   3

struct reader {
	struct pw_energy energy;
	struct pw_gauge *gauges; /* one a domain */
	size_t gauge_count, gauge_capacity;
};

static bool get_number(const struct pw_root *root, const char *folder, const char *file,
		       uint64_t *ret)
{
	pw_auto_free char *path = pw_sprintf("%s/%s", folder, file);
	struct pw_err ignored;

	return pw_attr_read_u64(root, path, ret, &ignored) == 0;
}

/* The largest believable one of constraint_<n>_<what>, watts; 0 = none. */
static double largest_w(const struct pw_root *root, const char *folder, const char *what)
{
	double largest = 0.0;

	for (int i = 0; i < CONSTRAINTS; i++) {
		char file[48];
		uint64_t uw;
		double watts;

		(void)snprintf(file, sizeof(file), "constraint_%d_%s", i, what);
		if (!get_number(root, folder, file, &uw))
			continue;
		watts = (double)uw * 1e-6;
		if (watts > largest && watts < 2 * PW_ENERGY_MAX_W)
			largest = watts;
	}
	return largest;
}

static double bound_w(const struct pw_root *root, const char *folder)
{
	double stated = BOUND_FACTOR * largest_w(root, folder, "max_power_uw");
	double limit = BOUND_FACTOR * largest_w(root, folder, "power_limit_uw");

	/* A limit alone says what was asked for, not what the CPU can do. */
	if (!(stated > 0.0))
		return PW_ENERGY_MAX_W;
	if (limit > PW_ENERGY_MAX_W)
		limit = PW_ENERGY_MAX_W;
	return stated > limit ? stated : limit;
}

/* Range, modulus and resolution: the whole range is 2^32 - 1 hardware units. */
static void set_limits(const struct pw_root *root, const char *folder,
		       struct pw_energy_domain *domain)
{
	uint64_t range = 0;
	double unit_uj = 0.0;

	if (get_number(root, folder, "max_energy_range_uj", &range))
		unit_uj = (double)range / (double)UINT32_MAX;
	if (range == 0 && pw_pitfall("range-u64"))
		range = UINT64_MAX;
	domain->joules = 1e-6;
	domain->counter.range = range;
	domain->counter.step = (uint64_t)(unit_uj + 0.5);
	domain->counter.max_per_s = bound_w(root, folder) * 1e6;
	domain->step_j = (unit_uj > 1.0 ? unit_uj + 1.0 : 2.0) * 1e-6;
	domain->rounding = unit_uj >= 1.0 ? 1e-3 / unit_uj : 0.0;
}

/* A zone's counter, opened. */
static int open_gauge(const struct pw_root *root, const struct pw_zone *zone,
		      struct pw_gauge *gauge, struct pw_err *err)
{
	pw_auto_free char *path = pw_sprintf("%s/energy_uj", zone->path);
	int r = pw_gauge_open(gauge, root, path, err);

	if (r == -PW_EDENIED && !pw_pitfall("closed-in-silence"))
		return pw_err_hint(err,
				   "run as root, or let a group read the counters with a udev "
				   "rule: SUBSYSTEM==\"powercap\", KERNEL==\"intel-rapl*\", "
				   "RUN+=\"/bin/chgrp power /sys/%%p/energy_uj\", "
				   "RUN+=\"/bin/chmod g+r /sys/%%p/energy_uj\" (0400 since the "
				   "PLATYPUS fix, CVE-2020-8694)");
	if (r < 0)
		err->code = PW_EUNSUPPORTED;
	return r < 0 ? -PW_EUNSUPPORTED : 0;
}

static const struct pw_zone *find_zone(const struct pw_zones *zones, enum pw_energy_kind kind,
				       const char *suffix)
{
	for (size_t i = 0; i < zones->count; i++) {
		const struct pw_zone *zone = &zones->items[i];

		if (zone->kind == kind && (!suffix || strcmp(zone->suffix, suffix) == 0))
			return zone;
	}
	return NULL;
}

/* Is there all that the scope sums up. */
static int check_zones(const struct pw_zones *zones, const char *scope, struct pw_err *err)
{
	if (!find_zone(zones, PW_ENERGY_PACKAGE, NULL))
		return pw_fail(err, PW_EUNSUPPORTED,
			       "the RAPL zones of this machine have no "
			       "package");
	for (size_t i = 0; i < zones->count; i++) {
		const struct pw_zone *zone = &zones->items[i];

		if (zone->kind == PW_ENERGY_PACKAGE && pw_energy_counts(scope, PW_ENERGY_DRAM) &&
		    !find_zone(zones, PW_ENERGY_DRAM, zone->suffix))
			return pw_fail(err, PW_EUNSUPPORTED,
				       "package%s has no dram zone, which scope '%s' needs",
				       zone->suffix, scope);
	}
	return 0;
}

static int find_zones(const struct pw_collect *collect, struct pw_zones *ret, struct pw_err *err)
{
	int r = pw_energy_check_scope(collect->scope, err);

	if (r < 0)
		return r;
	r = pw_zones_find(collect->root, ret, err);
	return r < 0 ? r : check_zones(ret, collect->scope, err);
}

static int add_zone(struct reader *reader, const struct pw_collect *collect,
		    const struct pw_zone *zone, struct pw_err *err)
{
	struct pw_energy_domain *domain;
	struct pw_gauge gauge;
	int r = open_gauge(collect->root, zone, &gauge, err);

	/* What only stands beside the total may be unreadable. */
	if (r < 0 && !pw_energy_counts(collect->scope, zone->kind)) {
		pw_energy_leave_out(&reader->energy, zone->entry, zone->kind, err->text);
		return 0;
	}
	if (r < 0)
		return r;
	domain = pw_energy_add(&reader->energy, zone->kind, zone->package, zone->suffix);
	set_limits(collect->root, zone->path, domain);
	if (pw_pitfall("range-of-package"))
		domain->counter.range = reader->energy.domains[0].counter.range;
	PW_PUSH(reader->gauges, reader->gauge_count, reader->gauge_capacity, gauge);
	return 0;
}

static int read_zone(void *context, size_t index, uint64_t *ret, struct pw_err *err)
{
	const struct reader *reader = context;
	int r = pw_gauge_read(&reader->gauges[index], ret, err);

	/* The class gives EINVAL for any failure of the driver: no bad call of ours. */
	if (r == -PW_EINVAL) {
		err->code = PW_EIO;
		return -PW_EIO;
	}
	return r;
}

static void powercap_close(void *state)
{
	struct reader *reader = state;

	for (size_t i = 0; i < reader->gauge_count; i++)
		pw_gauge_close(&reader->gauges[i]);
	free(reader->gauges);
	pw_energy_done(&reader->energy);
	free(reader);
}

static int powercap_open(const struct pw_collect *collect, void **ret_state, struct pw_err *err)
{
	pw_auto(pw_zones_done) struct pw_zones zones = { 0 };
	struct reader *reader;
	int r = find_zones(collect, &zones, err);

	if (r < 0)
		return r;
	reader = pw_new(1, sizeof(*reader));
	pw_energy_init(&reader->energy, "powercap", collect);
	reader->energy.read = read_zone;
	reader->energy.context = reader;
	for (size_t i = 0; r >= 0 && i < zones.count; i++)
		r = add_zone(reader, collect, &zones.items[i], err);
	if (r >= 0)
		r = pw_packages_check(&reader->energy, collect, err);
	if (r < 0) {
		powercap_close(reader);
		return r;
	}
	pw_zones_leave_out(&zones, NULL, &reader->energy);
	pw_energy_link_twins(&reader->energy, collect->root);
	pw_energy_note_filter(&reader->energy, collect);
	*ret_state = reader;
	return 0;
}

static int probe(const struct pw_collect *collect, struct pw_err *err)
{
	void *state;
	int r = powercap_open(collect, &state, err);

	if (r < 0)
		return r;
	powercap_close(state);
	return 0;
}

static int powercap_begin(void *state, int64_t now_ns, struct pw_err *err)
{
	(void)now_ns;
	return pw_energy_begin(&((struct reader *)state)->energy, err);
}

static int powercap_sample(void *state, int64_t now_ns, double *columns, struct pw_err *err)
{
	(void)now_ns;
	return pw_energy_sample(&((struct reader *)state)->energy, &columns[0], err);
}

static int powercap_end(void *state, int64_t now_ns, struct pw_err *err)
{
	(void)now_ns;
	return pw_energy_end(&((struct reader *)state)->energy, err);
}

static int powercap_report(void *state, struct pw_value *section, struct pw_strv *warnings,
			   struct pw_err *err)
{
	return pw_energy_report(&((struct reader *)state)->energy, section, warnings, err);
}

static void powercap_describe(void *state, struct pw_value *ret)
{
	pw_energy_tree(&((struct reader *)state)->energy, ret);
}

static size_t powercap_series(void *state, const struct pw_series **ret)
{
	static const struct pw_series series[] = { { "power-w", "W" } };

	(void)state;
	*ret = series;
	return PW_LENGTH(series);
}

/* Also where the range would allow more: a counter that starts anew must not pass for a wrap. */
static int64_t powercap_max_period_ns(void *state)
{
	int64_t limit_ns = pw_energy_max_period_ns(&((struct reader *)state)->energy);

	return limit_ns > 0 && limit_ns < MAX_PERIOD_NS ? limit_ns : MAX_PERIOD_NS;
}

const struct pw_collector pw_collector_energy_powercap = {
	.name = "energy-powercap",
	.summary = "RAPL energy from sysfs (/sys/class/powercap)",
	.section = "energy",
	.rank = 20,
	.probe = probe,
	.open = powercap_open,
	.begin = powercap_begin,
	.sample = powercap_sample,
	.end = powercap_end,
	.report = powercap_report,
	.close = powercap_close,
	.series = powercap_series,
	.max_period_ns = powercap_max_period_ns,
	.describe = powercap_describe,
};
