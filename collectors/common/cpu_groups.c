/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/cpu_groups.h"

#include <stdio.h>
#include <string.h>

#include "collectors/common/packages.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/cpufreq.h"
#include "lib/platform/hotplug.h"

#define KHZ_IN_MHZ 1000.0

void pw_cpu_groups_done(struct pw_cpu_groups *groups)
{
	free(groups->places);
	*groups = (struct pw_cpu_groups){ 0 };
}

static struct pw_cpu_place *find(struct pw_cpu_groups *groups, unsigned cpu)
{
	for (size_t i = 0; i < groups->count; i++) {
		if (groups->places[i].cpu == cpu)
			return &groups->places[i];
	}
	return NULL;
}

static bool is_listed(const struct pw_collect *collect, unsigned cpu)
{
	for (size_t i = 0; i < collect->cpu_count; i++) {
		if (collect->cpus[i] == cpu)
			return true;
	}
	return false;
}

static void add_places(struct pw_cpu_groups *groups, const struct pw_collect *collect,
		       const unsigned *cpus, size_t count)
{
	groups->places = pw_new(count, sizeof(*groups->places));
	groups->count = count;
	for (size_t i = 0; i < count; i++) {
		groups->places[i] = (struct pw_cpu_place){
			.cpu = cpus[i],
			.online = is_listed(collect, cpus[i]),
			.package =
				pw_topology_number(collect->root, cpus[i], "physical_package_id"),
			.type = -1,
		};
	}
}

/* A CPU list of one file; NULL if there is none. */
static unsigned *read_list(const struct pw_root *root, const char *path, size_t *ret_count)
{
	char text[4096];
	unsigned *cpus;
	struct pw_err ignored;

	if (!pw_attr_get(root, path, text, sizeof(text)) ||
	    pw_parse_cpulist(text, &cpus, ret_count, &ignored) < 0)
		return NULL;
	return cpus;
}

/* False if there are more types than anybody builds: then they tell nothing. */
static bool set_type(struct pw_cpu_groups *groups, struct pw_cpu_place *place, const char *name)
{
	size_t at = 0;

	while (at < groups->type_count && strcmp(groups->types[at], name) != 0)
		at++;
	if (at == PW_CPU_TYPES)
		return false;
	if (at == groups->type_count) {
		(void)snprintf(groups->types[at], sizeof(groups->types[at]), "%s", name);
		groups->type_count++;
	}
	place->type = (int)at;
	return true;
}

/* One type is no type; nor is one that some CPUs lack. */
static bool settle_types(struct pw_cpu_groups *groups, bool good)
{
	for (size_t i = 0; i < groups->count; i++)
		good = good && (groups->places[i].type >= 0 || !groups->places[i].online);
	if (good && groups->type_count > 1)
		return true;
	for (size_t i = 0; i < groups->count; i++)
		groups->places[i].type = -1;
	groups->type_count = 0;
	return false;
}

static bool types_by_pmu(struct pw_cpu_groups *groups, const struct pw_root *root)
{
	static const char *const names[] = { "core", "atom", "lowpower" };
	bool good = true;

	for (size_t i = 0; i < PW_LENGTH(names); i++) {
		pw_auto_free char *path = pw_sprintf("/sys/devices/cpu_%s/cpus", names[i]);
		size_t count = 0;
		pw_auto_free unsigned *cpus = read_list(root, path, &count);

		for (size_t k = 0; k < count; k++) {
			struct pw_cpu_place *place = find(groups, cpus[k]);

			good = good && (!place || set_type(groups, place, names[i]));
		}
	}
	return settle_types(groups, good);
}

static bool types_by_capacity(struct pw_cpu_groups *groups, const struct pw_root *root)
{
	bool good = true;

	for (size_t i = 0; good && i < groups->count; i++) {
		pw_auto_free char *path =
			pw_sprintf(PW_CPU_DIR "/cpu%u/cpu_capacity", groups->places[i].cpu);
		char name[32];
		uint64_t capacity;
		struct pw_err ignored;

		if (pw_attr_read_u64(root, path, &capacity, &ignored) < 0)
			continue;
		(void)snprintf(name, sizeof(name), "capacity-%llu", (unsigned long long)capacity);
		good = set_type(groups, &groups->places[i], name);
	}
	return settle_types(groups, good);
}

static bool types_by_base(struct pw_cpu_groups *groups)
{
	bool good = true;

	for (size_t i = 0; good && i < groups->count; i++) {
		char name[32];

		if (!(groups->places[i].base_mhz > 0.0))
			continue;
		(void)snprintf(name, sizeof(name), "base-%.0f", groups->places[i].base_mhz);
		good = set_type(groups, &groups->places[i], name);
	}
	return settle_types(groups, good);
}

static void read_policy(struct pw_cpu_groups *groups, const struct pw_root *root,
			const char *policy)
{
	char path[PW_POLICY_PATH_SIZE];
	size_t count = 0;
	uint64_t khz;
	struct pw_err ignored;

	pw_policy_path(path, policy, "affected_cpus");
	if (pw_policy_read_u64(root, policy, "base_frequency", &khz, &ignored) < 0)
		return;
	pw_auto_free unsigned *cpus = read_list(root, path, &count);
	for (size_t i = 0; i < count; i++) {
		struct pw_cpu_place *place = find(groups, cpus[i]);

		if (place)
			place->base_mhz = (double)khz / KHZ_IN_MHZ;
	}
}

/* What all CPUs with a base have in common holds for those that are offline just now, too. */
static void spread_common_base(struct pw_cpu_groups *groups)
{
	double common = 0.0;

	for (size_t i = 0; i < groups->count; i++) {
		double base_mhz = groups->places[i].base_mhz;

		if (base_mhz > 0.0 && common > 0.0 && (base_mhz > common || base_mhz < common))
			return;
		if (base_mhz > 0.0)
			common = base_mhz;
	}
	for (size_t i = 0; i < groups->count; i++)
		groups->places[i].base_mhz = common;
}

static void read_bases(struct pw_cpu_groups *groups, const struct pw_root *root)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	struct pw_err ignored;

	if (pw_policies(root, &policies, &ignored) < 0)
		return;
	for (size_t i = 0; i < policies.count; i++)
		read_policy(groups, root, policies.items[i]);
	spread_common_base(groups);
}

void pw_cpu_groups_read(const struct pw_collect *collect, struct pw_cpu_groups *ret)
{
	struct pw_cpu_groups groups = { 0 };
	struct pw_cpuset present = { 0 };
	struct pw_err ignored;

	if (pw_cpus_present(collect->root, &present, &ignored) == 0)
		add_places(&groups, collect, present.cpus, present.count);
	else
		add_places(&groups, collect, collect->cpus, collect->cpu_count);
	pw_cpuset_done(&present);
	read_bases(&groups, collect->root);
	if (!types_by_pmu(&groups, collect->root) && !types_by_capacity(&groups, collect->root))
		(void)types_by_base(&groups);
	*ret = groups;
}
