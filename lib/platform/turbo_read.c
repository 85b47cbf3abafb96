/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/turbo_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/platform/turbo_cppc.h"
#include "lib/platform/turbo_words.h"

#define KHZ_IN_MHZ 1000
#define STEP_MHZ   100 /* of a ratio: less is rounding */

/* CPUs of one package and one type. */
struct corner {
	int package, type; /* -1: not given, all alike */
	unsigned cpu;	   /* the first of them */
};

/* Packages of one ladder, in the order of their first CPUs. */
struct sharers {
	unsigned *items;
	size_t count, capacity;
};

struct reading {
	const struct pw_root *root;
	const struct pw_layout *layout;
	const struct pw_policy_facts *facts;
	bool intel;
	int64_t model, amd_family; /* -1: not of AMD */
	enum pw_turbo_kind kind;
	struct pw_value ladders;
	struct sharers *packages; /* parallel to the ladders' items */
	size_t package_capacity;
	uint64_t first_max_khz; /* of the first type */
	struct pw_err err;	/* why the registers were not read */
};

static void add_note(struct pw_value *ladder, const char *text)
{
	struct pw_value *notes = pw_value_find(ladder, "notes");

	if (!notes) {
		pw_value_set(ladder, "notes", pw_value_list());
		notes = pw_value_find(ladder, "notes");
	}
	pw_value_push(notes, pw_value_text(text));
}

static struct pw_value row_value(const struct pw_turbo_row *row)
{
	struct pw_value value = pw_value_object();

	pw_value_set(&value, "name", pw_value_text(row->name));
	pw_value_set(&value, "mhz", pw_value_int(row->mhz));
	if (row->cores)
		pw_value_set(&value, "cores", pw_value_int(row->cores));
	if (row->highest_mhz)
		pw_value_set(&value, "highest_mhz", pw_value_int(row->highest_mhz));
	return value;
}

static struct pw_value ladder_value(const char *source, const struct pw_turbo *turbo)
{
	struct pw_value ladder = pw_value_object(), rows = pw_value_list();

	for (size_t i = 0; i < turbo->count; i++)
		pw_value_push(&rows, row_value(&turbo->rows[i]));
	pw_value_set(&ladder, "source", pw_value_text(source));
	pw_value_set(&ladder, "rows", rows);
	return ladder;
}

/* The hardware's range over the corner's policies. */
static struct pw_policy_range range_of(const struct reading *reading, const struct corner *corner)
{
	struct pw_policy_range range = { .cpu = corner->cpu };

	for (size_t i = 0; i < reading->facts->count; i++) {
		const struct pw_policy_range *policy = &reading->facts->ranges[i];

		if (pw_layout_type(reading->layout, policy->cpu) != corner->type ||
		    pw_layout_package(reading->layout, policy->cpu) != corner->package)
			continue;
		if (range.min_khz == 0 || (policy->min_khz && policy->min_khz < range.min_khz))
			range.min_khz = policy->min_khz;
		if (range.base_khz == 0)
			range.base_khz = policy->base_khz;
		if (policy->max_khz > range.max_khz)
			range.max_khz = policy->max_khz;
	}
	return range;
}

static void set_tdp(struct pw_value *ladder, const struct pw_turbo_words *words)
{
	struct pw_value value;
	struct pw_turbo_tdp tdp;
	pw_auto_free char *note = NULL;

	if (!pw_turbo_tdp(words, &tdp))
		return;
	value = pw_value_object();
	pw_value_set(&value, "level", pw_value_int(tdp.level));
	pw_value_set(&value, "nominal_mhz", pw_value_int(tdp.nominal_mhz));
	pw_value_set(&value, "level_mhz", pw_value_int(tdp.level_mhz));
	if (tdp.activation_mhz)
		pw_value_set(&value, "activation_mhz", pw_value_int(tdp.activation_mhz));
	pw_value_set(ladder, "tdp", value);
	if (tdp.level == 0 || tdp.level_mhz == tdp.nominal_mhz)
		return;
	note = pw_sprintf("configurable TDP: level %u is in force, the base is %u MHz", tdp.level,
			  tdp.level_mhz);
	add_note(ladder, note);
}

static void set_hwp(struct pw_value *ladder, uint64_t caps)
{
	static const char *const fields[] = { "highest", "guaranteed", "efficient", "lowest" };
	struct pw_value value;

	if (caps == 0)
		return;
	value = pw_value_object();
	for (unsigned i = 0; i < PW_LENGTH(fields); i++)
		pw_value_set(&value, fields[i], pw_value_int((int64_t)(caps >> (8 * i) & 0xff)));
	pw_value_set(ladder, "hwp", value);
}

/* Firmware has been seen to give efficient cores the limits of the others. */
static void doubt_limits(const struct reading *reading, const struct corner *corner,
			 const struct pw_turbo *turbo, struct pw_value *ladder)
{
	uint64_t mhz = range_of(reading, corner).max_khz / KHZ_IN_MHZ, highest = 0;
	pw_auto_free char *note = NULL;

	for (size_t i = 0; i < turbo->count; i++)
		highest = turbo->rows[i].mhz > highest ? turbo->rows[i].mhz : highest;
	if (mhz < highest + STEP_MHZ || highest == 0)
		return;
	note = pw_sprintf("cpuinfo_max_freq says %" PRIu64 " MHz, the registers %" PRIu64
			  " MHz: firmware errs, or preferred cores reach higher",
			  mhz, highest);
	add_note(ladder, note);
}

static bool from_registers(struct reading *reading, const struct corner *corner,
			   struct pw_value *ret)
{
	/* types by PMU are those of Intel's hybrids: the first is the one of performance cores */
	bool second = reading->layout->type_count && corner->type > 0;
	struct pw_turbo_words words;
	struct pw_turbo turbo;
	unsigned mhz;

	if (reading->kind == PW_TURBO_UNKNOWN ||
	    pw_turbo_words_read(reading->root, corner->cpu, reading->kind, second, &words,
				&reading->err) < 0)
		return false;
	if (!pw_turbo_decode(reading->kind, &words, &turbo)) {
		(void)pw_fail(&reading->err, PW_EUNSUPPORTED,
			      "the registers of the levels are empty (usual in a virtual machine)");
		return false;
	}
	*ret = ladder_value("msr", &turbo);
	mhz = second ? 0 : pw_turbo_scheduler_mhz(reading->kind, reading->model, &words);
	if (mhz)
		pw_value_set(ret, "scheduler_mhz", pw_value_int(mhz));
	set_tdp(ret, &words);
	set_hwp(ret, words.hwp_caps);
	doubt_limits(reading, corner, &turbo, ret);
	return true;
}

/* What is read on the first CPU stands for all of the corner. */
static bool from_cppc(struct reading *reading, const struct corner *corner, struct pw_value *ret)
{
	const struct pw_layout *layout = reading->layout;
	pw_auto_free unsigned *numbers = pw_new(layout->online.count, sizeof(*numbers));
	struct pw_cpuset cpus = { .cpus = numbers };
	struct pw_turbo_cppc cppc;

	for (size_t i = 0; i < layout->online.count; i++) {
		unsigned cpu = layout->online.cpus[i];

		if (layout->packages[i] == corner->package &&
		    pw_layout_type(layout, cpu) == corner->type)
			numbers[cpus.count++] = cpu;
	}
	if (!pw_turbo_cppc_read(reading->root, &cpus, reading->amd_family, &cppc, &reading->err))
		return false;
	*ret = ladder_value(cppc.source, &cppc.turbo);
	if (cppc.note)
		add_note(ret, cppc.note);
	return true;
}

static bool from_cpufreq(struct reading *reading, const struct corner *corner, struct pw_value *ret)
{
	struct pw_policy_range range = range_of(reading, corner);
	struct pw_turbo turbo;

	if (!pw_turbo_from_limits(range.min_khz, range.base_khz, range.max_khz, &turbo))
		return false;
	*ret = ladder_value("cpufreq", &turbo);
	if (corner->type == 0)
		reading->first_max_khz = range.max_khz;
	else if (corner->type > 0 && reading->intel && reading->first_max_khz &&
		 range.max_khz >= reading->first_max_khz)
		add_note(ret, "the maximum is no less than that of the performance cores: firmware "
			      "is known to err here, only the registers tell");
	return true;
}

/* Takes the ladder over. */
static void add_ladder(struct reading *reading, const struct corner *corner, struct pw_value ladder)
{
	struct sharers *packages;
	size_t at = 0;

	if (corner->type >= 0)
		pw_value_set(&ladder, "type",
			     pw_value_text(reading->layout->types[corner->type].name));
	while (at < reading->ladders.count && !pw_value_equal(&reading->ladders.items[at], &ladder))
		at++;
	if (at < reading->ladders.count) {
		pw_value_done(&ladder);
	} else {
		pw_grow(&reading->packages, &reading->package_capacity, at + 1,
			sizeof(*reading->packages));
		reading->packages[at] = (struct sharers){ 0 };
		pw_value_push(&reading->ladders, ladder);
	}
	if (corner->package < 0)
		return;
	packages = &reading->packages[at];
	PW_PUSH(packages->items, packages->count, packages->capacity, (unsigned)corner->package);
}

static void read_corner(struct reading *reading, const struct corner *corner)
{
	struct pw_value ladder = PW_VALUE_INIT;

	if ((reading->intel && from_registers(reading, corner, &ladder)) ||
	    (!reading->intel && from_cppc(reading, corner, &ladder)) ||
	    from_cpufreq(reading, corner, &ladder))
		add_ladder(reading, corner, ladder);
}

static bool is_seen(const struct corner *corners, size_t count, const struct corner *corner)
{
	for (size_t i = 0; i < count; i++) {
		if (corners[i].package == corner->package && corners[i].type == corner->type)
			return true;
	}
	return false;
}

static void read_corners(struct reading *reading)
{
	const struct pw_layout *layout = reading->layout;
	struct corner *corners = NULL;
	size_t count = 0, capacity = 0;

	for (size_t i = 0; i < layout->online.count; i++) {
		unsigned cpu = layout->online.cpus[i];
		struct corner corner = { .package = layout->packages[i],
					 .type = pw_layout_type(layout, cpu),
					 .cpu = cpu };

		if (is_seen(corners, count, &corner))
			continue;
		PW_PUSH(corners, count, capacity, corner);
		read_corner(reading, &corner);
	}
	free(corners);
}

/* Package numbers follow their CPUs' on every machine known: no sorting. */
static void name_packages(struct pw_value *ladder, struct sharers *packages)
{
	const struct pw_cpuset set = { .cpus = packages->items, .count = packages->count };
	pw_auto_free char *text = pw_cpuset_text(&set);

	if (packages->count)
		pw_value_set(ladder, "packages", pw_value_text(text));
	free(packages->items);
}

static void finish(struct reading *reading, struct pw_value *ret)
{
	for (size_t i = 0; i < reading->ladders.count; i++)
		name_packages(&reading->ladders.items[i], &reading->packages[i]);
	free(reading->packages);
	*ret = PW_VALUE_INIT;
	if (reading->ladders.count == 0 && reading->err.code == PW_OK) {
		pw_value_done(&reading->ladders);
		return;
	}
	*ret = pw_value_object();
	pw_value_set(ret, "ladders", reading->ladders);
	if (reading->err.code != PW_OK)
		pw_value_set(ret, "why", pw_value_text(reading->err.text));
	if (reading->err.code != PW_OK && reading->err.hint[0])
		pw_value_set(ret, "hint", pw_value_text(reading->err.hint));
}

void pw_turbo_read(const struct pw_root *root, const struct pw_layout *layout,
		   const struct pw_policy_facts *facts, const struct pw_value *machine,
		   struct pw_value *ret)
{
	const char *vendor = pw_value_get_text(machine, "vendor", "");
	struct reading reading = { .root = root,
				   .layout = layout,
				   .facts = facts,
				   .ladders = pw_value_list(),
				   .err = PW_ERR_INIT };

	reading.intel = strcmp(vendor, "GenuineIntel") == 0;
	reading.amd_family =
		strcmp(vendor, "AuthenticAMD") == 0 || strcmp(vendor, "HygonGenuine") == 0
			? pw_value_get_int(machine, "family", -1)
			: -1;
	reading.model = pw_value_get_int(machine, "model", -1);
	reading.kind = pw_turbo_kind(pw_value_get_int(machine, "family", -1), reading.model);
	read_corners(&reading);
	finish(&reading, ret);
}
