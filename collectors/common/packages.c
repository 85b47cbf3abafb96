/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/packages.h"

#include <stdio.h>

#include "lib/base/mem.h"
#include "lib/base/pitfall.h"
#include "lib/platform/topology.h"

int pw_topology_number(const struct pw_root *root, unsigned cpu, const char *file)
{
	char path[128];
	uint64_t value;
	struct pw_err ignored;

	(void)snprintf(path, sizeof(path), PW_CPU_DIR "/cpu%u/topology/%s", cpu, file);
	if (pw_attr_read_u64(root, path, &value, &ignored) < 0 || value > INT32_MAX)
		return -1;
	return (int)value;
}

struct packages {
	int *ids;
	size_t count, capacity;
};

static void note(struct packages *packages, int id)
{
	for (size_t i = 0; i < packages->count; i++) {
		if (packages->ids[i] == id)
			return;
	}
	PW_PUSH(packages->ids, packages->count, packages->capacity, id);
}

int pw_packages_check(const struct pw_energy *energy, const struct pw_collect *collect,
		      struct pw_err *err)
{
	struct packages there = { 0 }, counted = { 0 };
	size_t there_count, counted_count;
	bool known = true;

	for (size_t i = 0; i < collect->cpu_count; i++) {
		int id = pw_topology_number(collect->root, collect->cpus[i], "physical_package_id");

		known = known && id >= 0;
		note(&there, id);
	}
	for (size_t i = 0; i < energy->count; i++) {
		if (energy->domains[i].kind == PW_ENERGY_PACKAGE)
			note(&counted, energy->domains[i].package);
	}
	there_count = there.count;
	counted_count = counted.count;
	free(there.ids);
	free(counted.ids);
	if (!known || counted_count >= there_count || pw_pitfall("first-socket-only"))
		return 0;
	return pw_fail(err, PW_EUNSUPPORTED,
		       "the CPUs lie in %zu packages, but only %zu of them have an energy counter",
		       there_count, counted_count);
}
