/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/layout.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"

#define NOT_ONLINE SIZE_MAX

void pw_layout_done(struct pw_layout *layout)
{
	pw_cpuset_done(&layout->online);
	free(layout->packages);
	for (size_t i = 0; i < layout->type_count; i++)
		pw_cpuset_done(&layout->types[i].cpus);
	*layout = (struct pw_layout){ .type_count = 0 };
}

/* The set is sorted. */
static size_t place_of(const struct pw_cpuset *set, unsigned cpu)
{
	size_t low = 0, high = set->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (set->cpus[middle] < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return low < set->count && set->cpus[low] == cpu ? low : NOT_ONLINE;
}

static int by_number(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b;

	return (left > right) - (left < right);
}

/* Different numbers among these; 0 if one is not given. */
static size_t count_different(const int *numbers, size_t count)
{
	pw_auto_free int *sorted = pw_memdup(numbers, count * sizeof(*numbers));
	size_t different = count ? 1 : 0;

	qsort(sorted, count, sizeof(*sorted), by_number);
	if (count && sorted[0] < 0)
		return 0;
	for (size_t i = 1; i < count; i++)
		different += sorted[i] != sorted[i - 1];
	return different;
}

static bool read_topology(const struct pw_root *root, unsigned cpu, const char *file, char *text,
			  size_t size)
{
	char path[96];

	(void)snprintf(path, sizeof(path), PW_CPU_DIR "/cpu%u/topology/%s", cpu, file);
	return pw_attr_get(root, path, text, size);
}

static int package_of(const struct pw_root *root, unsigned cpu)
{
	struct pw_err ignored;
	uint64_t number;
	char text[32];

	/* -1: the kernel does not know the package */
	if (!read_topology(root, cpu, "physical_package_id", text, sizeof(text)) ||
	    pw_parse_u64(text, &number, &ignored) < 0 || number > INT32_MAX)
		return -1;
	return (int)number;
}

/* The first CPU of the core stands for it. */
static int core_of(const struct pw_root *root, unsigned cpu)
{
	pw_auto_free unsigned *siblings = NULL;
	struct pw_err ignored;
	size_t count = 0;
	char text[4096];

	if (!read_topology(root, cpu, "thread_siblings_list", text, sizeof(text)) ||
	    pw_parse_cpulist(text, &siblings, &count, &ignored) < 0 || count == 0 ||
	    siblings[0] > INT32_MAX)
		return -1;
	return (int)siblings[0];
}

/* False for a CPU of two types, or more types than anybody builds: then they tell nothing. */
static bool add_to_type(struct pw_layout *layout, const char *name, unsigned cpu)
{
	struct pw_core_type *type = layout->types;

	while (type < layout->types + layout->type_count && strcmp(type->name, name) != 0)
		type++;
	if (type == layout->types + PW_LAYOUT_TYPES || pw_layout_type(layout, cpu) >= 0)
		return false;
	if (type == layout->types + layout->type_count) {
		*type = (struct pw_core_type){ .cores = 0 };
		(void)snprintf(type->name, sizeof(type->name), "%s", name);
		type->cpus.cpus = pw_new(layout->online.count, sizeof(*type->cpus.cpus));
		layout->type_count++;
	}
	type->cpus.cpus[type->cpus.count++] = cpu;
	return true;
}

/* One type is no type; nor are types that leave CPUs out. */
static bool settle_types(struct pw_layout *layout, bool good)
{
	size_t total = 0;

	for (size_t i = 0; i < layout->type_count; i++)
		total += layout->types[i].cpus.count;
	if (good && layout->type_count > 1 && total == layout->online.count)
		return true;
	for (size_t i = 0; i < layout->type_count; i++)
		pw_cpuset_done(&layout->types[i].cpus);
	layout->type_count = 0;
	return false;
}

static bool add_pmu(struct pw_layout *layout, const struct pw_root *root, const char *name)
{
	pw_auto_free unsigned *cpus = NULL;
	struct pw_err ignored;
	size_t count = 0;
	char path[64], text[4096];
	bool good = true;

	(void)snprintf(path, sizeof(path), "/sys/devices/cpu_%s/cpus", name);
	if (!pw_attr_get(root, path, text, sizeof(text)) ||
	    pw_parse_cpulist(text, &cpus, &count, &ignored) < 0)
		return true;
	for (size_t i = 0; good && i < count; i++)
		good = place_of(&layout->online, cpus[i]) == NOT_ONLINE ||
		       add_to_type(layout, name, cpus[i]);
	return good;
}

static bool types_by_pmu(struct pw_layout *layout, const struct pw_root *root)
{
	static const char *const names[] = { "core", "atom", "lowpower" };
	bool good = true;

	for (size_t i = 0; good && i < PW_LENGTH(names); i++)
		good = add_pmu(layout, root, names[i]);
	return settle_types(layout, good);
}

/* A machine whose first CPU has no capacity has none at all. */
static void types_by_capacity(struct pw_layout *layout, const struct pw_root *root)
{
	bool good = true;

	for (size_t i = 0; good && i < layout->online.count; i++) {
		char path[96], name[48], text[24];

		(void)snprintf(path, sizeof(path), PW_CPU_DIR "/cpu%u/cpu_capacity",
			       layout->online.cpus[i]);
		good = pw_attr_get(root, path, text, sizeof(text));
		(void)snprintf(name, sizeof(name), "capacity-%s", good ? text : "");
		good = good && add_to_type(layout, name, layout->online.cpus[i]);
	}
	(void)settle_types(layout, good);
}

static void count_type_cores(struct pw_layout *layout, const int *cores, struct pw_core_type *type)
{
	pw_auto_free int *own = pw_new(type->cpus.count, sizeof(*own));

	for (size_t i = 0; i < type->cpus.count; i++)
		own[i] = cores[place_of(&layout->online, type->cpus.cpus[i])];
	type->cores = count_different(own, type->cpus.count);
}

bool pw_layout_read(const struct pw_root *root, struct pw_layout *ret)
{
	struct pw_layout layout = { .type_count = 0 };
	pw_auto_free int *cores = NULL;
	struct pw_err ignored;

	*ret = layout;
	if (pw_cpus_online(root, &layout.online, &ignored) < 0)
		return false;
	layout.packages = pw_new(layout.online.count, sizeof(*layout.packages));
	cores = pw_new(layout.online.count, sizeof(*cores));
	for (size_t i = 0; i < layout.online.count; i++) {
		layout.packages[i] = package_of(root, layout.online.cpus[i]);
		cores[i] = core_of(root, layout.online.cpus[i]);
	}
	layout.sockets = count_different(layout.packages, layout.online.count);
	layout.cores = count_different(cores, layout.online.count);
	if (!types_by_pmu(&layout, root))
		types_by_capacity(&layout, root);
	for (size_t i = 0; i < layout.type_count; i++)
		count_type_cores(&layout, cores, &layout.types[i]);
	*ret = layout;
	return true;
}

int pw_layout_type(const struct pw_layout *layout, unsigned cpu)
{
	for (size_t i = 0; i < layout->type_count; i++) {
		if (place_of(&layout->types[i].cpus, cpu) != NOT_ONLINE)
			return (int)i;
	}
	return -1;
}

int pw_layout_package(const struct pw_layout *layout, unsigned cpu)
{
	size_t place = place_of(&layout->online, cpu);

	return place == NOT_ONLINE ? -1 : layout->packages[place];
}
