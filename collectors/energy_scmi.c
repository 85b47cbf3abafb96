/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Energy from zones that have power and no counter: powercap's control type arm-scmi (kernel
 * drivers/powercap/arm_scmi_powercap.c), whose power_uw the system's firmware measures. The power
 * is read at least every half second and integrated by trapezoids over CLOCK_MONOTONIC. The zones
 * at the top are counted, those below them lie within: what each covers is the firmware's word, so
 * they keep its names and the record says which were counted.
 *
 * A zone whose firmware does not monitor it gives EINVAL. The control type dtpm has power_uw as
 * well, but that is the kernel's energy model times the load and nothing measured: never read.
 *
 * Uncertainty, beside that of the edges: over each interval half of its length times the change of
 * power (right where the power moves one way in it), and the longest interval times half of the
 * range of power (a peak between two reads).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collectors/common/energy_tree.h"
#include "collectors/common/gauge.h"
#include "collectors/common/zones.h"
#include "lib/base/mem.h"
#include "lib/base/pitfall.h"

#define SCMI	      "arm-scmi"
#define DTPM	      "dtpm"
#define MAX_PERIOD_NS (PW_NS_PER_S / 2)
#define NJ_IN_J	      1e9
#define UW_IN_W	      1e6
/* power_uw of a firmware that does not know: 0xffffffff. */
#define NO_POWER_UW UINT64_C(0xffffffff)

struct gauge {
	char entry[64]; /* "arm-scmi:0:1" */
	struct pw_gauge file;
	/* this run */
	int64_t last_ns, longest_ns;
	double last_w, least_w, most_w;
	double joules, doubt_j;
	uint64_t samples;
};

struct reader {
	struct pw_energy energy;
	struct gauge *gauges; /* one a domain */
	size_t count, capacity;
	bool starting; /* the next reading begins a run */
};

static int open_gauge(const struct pw_root *root, const char *zone, struct gauge *gauge,
		      struct pw_err *err)
{
	pw_auto_free char *path = pw_sprintf("%s/power_uw", zone);
	int r = pw_gauge_open(&gauge->file, root, path, err);

	if (r == 0 || r == -PW_EDENIED)
		return r;
	if (r == -PW_EINVAL)
		return pw_fail(err, PW_EUNSUPPORTED, "%s: the firmware does not monitor its power",
			       path);
	err->code = PW_EUNSUPPORTED;
	return -PW_EUNSUPPORTED;
}

/* "zone-<name>", or with the entry where that is taken or there is none. */
static void suffix_of(const struct reader *reader, const struct pw_root *root, const char *path,
		      const char *entry, char *suffix, size_t size)
{
	pw_auto_free char *file = pw_sprintf("%s/name", path);
	char name[32], whole[48];

	(void)snprintf(suffix, size, "-%.38s", entry);
	if (!pw_attr_get(root, file, name, sizeof(name)) || !*name)
		return;
	(void)snprintf(whole, sizeof(whole), "%s-%s", pw_energy_prefix(PW_ENERGY_ZONE), name);
	if (!pw_energy_find(&reader->energy, whole))
		(void)snprintf(suffix, size, "-%s", name);
}

/* The domain that the zone lies in: of the longest entry that its own begins with; -1: none. */
static int parent_of(const struct reader *reader, const char *entry)
{
	size_t longest = 0;
	int found = -1;

	for (size_t i = 0; i < reader->count; i++) {
		size_t length = strlen(reader->gauges[i].entry);

		if (length > longest && strncmp(entry, reader->gauges[i].entry, length) == 0 &&
		    entry[length] == ':') {
			longest = length;
			found = (int)i;
		}
	}
	return found;
}

/* What lies below the top only stands beside the total and may be closed. */
static int add_zone(struct reader *reader, const struct pw_root *root, const char *entry,
		    const char *path, bool top, struct pw_err *err)
{
	struct pw_energy_domain *domain;
	struct gauge gauge = { .last_ns = 0 };
	char suffix[48];
	int r = open_gauge(root, path, &gauge, err);

	if (r < 0 && !top) {
		pw_energy_leave_out(&reader->energy, entry, PW_ENERGY_ZONE, err->text);
		return 0;
	}
	if (r < 0)
		return r;
	(void)snprintf(gauge.entry, sizeof(gauge.entry), "%.63s", entry);
	suffix_of(reader, root, path, entry, suffix, sizeof(suffix));
	domain = pw_energy_add(&reader->energy, PW_ENERGY_ZONE, -1, suffix);
	domain->counted = top;
	domain->within = top ? -1 : parent_of(reader, entry);
	domain->joules = 1.0 / NJ_IN_J;
	domain->counter.max_per_s = PW_ENERGY_MAX_W * NJ_IN_J;
	PW_PUSH(reader->gauges, reader->count, reader->capacity, gauge);
	return 0;
}

static void leave_models_out(struct reader *reader, const struct pw_root *root)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT, paths = PW_STRV_INIT;

	pw_zones_below(root, PW_POWERCAP_DIR, DTPM, &names, &paths);
	for (size_t i = 0; i < names.count; i++)
		pw_energy_leave_out(&reader->energy, names.items[i], PW_ENERGY_ZONE,
				    "the kernel's model times the load, not measured");
}

static int add_zones(struct reader *reader, const struct pw_root *root, struct pw_err *err)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT, paths = PW_STRV_INIT;
	size_t top;
	int r = 0;

	pw_zones_below(root, PW_POWERCAP_DIR, SCMI, &names, &paths);
	pw_zones_below(root, PW_POWERCAP_DIR "/" SCMI, SCMI, &names, &paths);
	top = names.count;
	/* The lists grow by what lies below. */
	for (size_t i = 0; r == 0 && i < names.count; i++) {
		const char *entry = names.items[i], *path = paths.items[i];

		r = add_zone(reader, root, entry, path, i < top, err);
		pw_zones_below(root, PW_POWERCAP_DIR, entry, &names, &paths);
		pw_zones_below(root, path, entry, &names, &paths);
	}
	leave_models_out(reader, root);
	if (r < 0 || top > 0)
		return r;
	return pw_fail(err, PW_EUNSUPPORTED, "no zones of " SCMI " in " PW_POWERCAP_DIR "%s",
		       reader->energy.left_count ? " (power_uw of " DTPM
						   " is a model, not measured)"
						 : "");
}

static void start(struct gauge *gauge, int64_t now_ns, double watts)
{
	gauge->last_ns = now_ns;
	gauge->longest_ns = 0;
	gauge->last_w = gauge->least_w = gauge->most_w = watts;
	gauge->joules = gauge->doubt_j = 0.0;
	gauge->samples = 1;
}

static void integrate(struct gauge *gauge, int64_t now_ns, double watts)
{
	int64_t gap_ns = now_ns - gauge->last_ns;
	double gap_s = (double)gap_ns / (double)PW_NS_PER_S;

	if (gap_ns <= 0)
		return;
	gauge->joules += gap_s * (gauge->last_w + watts) / 2.0;
	gauge->doubt_j += gap_s * fabs(watts - gauge->last_w) / 2.0;
	gauge->least_w = fmin(gauge->least_w, watts);
	gauge->most_w = fmax(gauge->most_w, watts);
	gauge->longest_ns = gap_ns > gauge->longest_ns ? gap_ns : gauge->longest_ns;
	gauge->last_ns = now_ns;
	gauge->last_w = watts;
	gauge->samples++;
}

/* Reads the power; what the account sees is the energy since the run began, nJ. */
static int read_zone(void *context, size_t index, uint64_t *ret, struct pw_err *err)
{
	struct reader *reader = context;
	struct gauge *gauge = &reader->gauges[index];
	struct pw_stamp stamp = { .before_ns = reader->energy.clock() };
	uint64_t uw = 0;
	int r = pw_gauge_read(&gauge->file, &uw, err);

	stamp.after_ns = reader->energy.clock();
	if (r < 0 && pw_pitfall("no-power-is-0"))
		r = 0;
	if (r < 0) {
		err->code = PW_EIO;
		return -PW_EIO;
	}
	if (uw == NO_POWER_UW || (double)uw > PW_ENERGY_MAX_W * UW_IN_W)
		return pw_fail(err, PW_EIO, "%s: %.0f W is no power", gauge->file.path,
			       (double)uw / UW_IN_W);
	if (reader->starting)
		start(gauge, pw_stamp_middle(&stamp), (double)uw / UW_IN_W);
	else
		integrate(gauge, pw_stamp_middle(&stamp), (double)uw / UW_IN_W);
	*ret = (uint64_t)llround(gauge->joules * NJ_IN_J);
	return 0;
}

static void scmi_close(void *state)
{
	struct reader *reader = state;

	for (size_t i = 0; i < reader->count; i++)
		pw_gauge_close(&reader->gauges[i].file);
	free(reader->gauges);
	pw_energy_done(&reader->energy);
	free(reader);
}

static int check_scope(const char *scope, struct pw_err *err)
{
	int r = pw_energy_check_scope(scope, err);

	if (r == 0 && pw_energy_counts(scope, PW_ENERGY_DRAM))
		return pw_fail(err, PW_EUNSUPPORTED,
			       "zones of " SCMI " say themselves what they cover: scope '%s' "
			       "cannot be told from them",
			       scope);
	return r;
}

static int scmi_open(const struct pw_collect *collect, void **ret_state, struct pw_err *err)
{
	struct reader *reader;
	int r = check_scope(collect->scope, err);

	if (r < 0)
		return r;
	reader = pw_new(1, sizeof(*reader));
	pw_energy_init(&reader->energy, "powercap-power", collect);
	reader->energy.read = read_zone;
	reader->energy.context = reader;
	r = add_zones(reader, collect->root, err);
	if (r < 0) {
		scmi_close(reader);
		return r;
	}
	*ret_state = reader;
	return 0;
}

static int probe(const struct pw_collect *collect, struct pw_err *err)
{
	void *state;
	int r = scmi_open(collect, &state, err);

	if (r < 0)
		return r;
	scmi_close(state);
	return 0;
}

static int scmi_begin(void *state, int64_t now_ns, struct pw_err *err)
{
	struct reader *reader = state;
	int r;

	(void)now_ns;
	reader->starting = true;
	r = pw_energy_begin(&reader->energy, err);
	reader->starting = false;
	return r;
}

static int scmi_sample(void *state, int64_t now_ns, double *columns, struct pw_err *err)
{
	(void)now_ns;
	return pw_energy_sample(&((struct reader *)state)->energy, &columns[0], err);
}

static int scmi_end(void *state, int64_t now_ns, struct pw_err *err)
{
	(void)now_ns;
	return pw_energy_end(&((struct reader *)state)->energy, err);
}

/* What sampling may have missed: see the head of this file. */
static double doubt_j(const struct gauge *gauge)
{
	double longest_s = (double)gauge->longest_ns / (double)PW_NS_PER_S;

	return gauge->doubt_j + longest_s * (gauge->most_w - gauge->least_w) / 2.0;
}

static int scmi_report(void *state, struct pw_value *section, struct pw_strv *warnings,
		       struct pw_err *err)
{
	struct reader *reader = state;
	int64_t longest_ns = 0;
	int r;

	for (size_t i = 0; i < reader->count; i++) {
		const struct gauge *gauge = &reader->gauges[i];

		reader->energy.domains[i].step_j = doubt_j(gauge);
		longest_ns = gauge->longest_ns > longest_ns ? gauge->longest_ns : longest_ns;
	}
	r = pw_energy_report(&reader->energy, section, warnings, err);
	if (r < 0)
		return r;
	pw_value_set(section, "samples", pw_value_int((int64_t)reader->gauges[0].samples));
	pw_value_set(section, "largest_gap_ms",
		     pw_value_real(round((double)longest_ns / 1e3) / 1e3));
	return 0;
}

static size_t scmi_series(void *state, const struct pw_series **ret)
{
	static const struct pw_series series[] = { { "power-w", "W" } };

	(void)state;
	*ret = series;
	return PW_LENGTH(series);
}

static int64_t scmi_max_period_ns(void *state)
{
	(void)state;
	return MAX_PERIOD_NS;
}

static void scmi_describe(void *state, struct pw_value *ret)
{
	pw_energy_tree(&((struct reader *)state)->energy, ret);
}

const struct pw_collector pw_collector_energy_scmi = {
	.name = "energy-scmi",
	.summary = "energy from the power that Arm firmware measures (powercap arm-scmi)",
	.section = "energy",
	.rank = 30,
	.probe = probe,
	.open = scmi_open,
	.begin = scmi_begin,
	.sample = scmi_sample,
	.end = scmi_end,
	.report = scmi_report,
	.close = scmi_close,
	.series = scmi_series,
	.max_period_ns = scmi_max_period_ns,
	.describe = scmi_describe,
};
