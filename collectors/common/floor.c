/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/floor.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/cpufreq.h"

#define KHZ_IN_MHZ   1000.0
#define MAX_PERF_PCT PW_CPU_DIR "/intel_pstate/max_perf_pct"

void pw_floors_done(struct pw_floors *floors)
{
	for (size_t i = 0; i < floors->count; i++)
		free(floors->items[i].cpus);
	free(floors->items);
	*floors = (struct pw_floors){ 0 };
}

static double read_mhz(const struct pw_root *root, const char *policy, const char *file)
{
	struct pw_err ignored;
	uint64_t khz;

	if (pw_policy_read_u64(root, policy, file, &khz, &ignored) < 0)
		return 0.0;
	return (double)khz / KHZ_IN_MHZ;
}

static double read_cap_mhz(const struct pw_root *root, const char *policy)
{
	struct pw_err ignored;
	uint64_t percent;

	if (pw_attr_read_u64(root, MAX_PERF_PCT, &percent, &ignored) < 0 || percent >= 100)
		return 0.0;
	return read_mhz(root, policy, "cpuinfo_max_freq") * (double)percent / 100.0;
}

static bool read_cpus(const struct pw_root *root, const char *policy, struct pw_floor *floor)
{
	char text[4096];
	struct pw_err ignored;

	return pw_policy_read(root, policy, "affected_cpus", text, sizeof(text), &ignored) == 0 &&
	       pw_parse_cpulist(text, &floor->cpus, &floor->cpu_count, &ignored) == 0;
}

void pw_floors_read(const struct pw_root *root, struct pw_floors *ret)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	struct pw_err ignored;

	*ret = (struct pw_floors){ 0 };
	if (pw_policies(root, &policies, &ignored) < 0)
		return;
	for (size_t i = 0; i < policies.count; i++) {
		const char *policy = policies.items[i];
		struct pw_floor floor = { 0 };
		char governor[32] = "";

		if (!read_cpus(root, policy, &floor))
			continue;
		(void)snprintf(floor.policy, sizeof(floor.policy), "%s", policy);
		(void)!pw_policy_read(root, policy, "scaling_governor", governor, sizeof(governor),
				      &ignored);
		floor.min_mhz = read_mhz(root, policy, "scaling_min_freq");
		if (strcmp(governor, "performance") == 0)
			floor.pinned_mhz = read_mhz(root, policy, "scaling_max_freq");
		floor.base_mhz = read_mhz(root, policy, "base_frequency");
		floor.cap_mhz = read_cap_mhz(root, policy);
		PW_PUSH(ret->items, ret->count, ret->capacity, floor);
	}
}

static double floor_of(const struct pw_floor *floor, double nominal_mhz)
{
	double base_mhz = floor->base_mhz > 0.0 ? floor->base_mhz : nominal_mhz;
	double pinned_mhz = floor->pinned_mhz < base_mhz ? floor->pinned_mhz : base_mhz;
	double mhz = pinned_mhz > floor->min_mhz ? pinned_mhz : floor->min_mhz;

	return floor->cap_mhz > 0.0 && floor->cap_mhz < mhz ? floor->cap_mhz : mhz;
}

double pw_floor_mhz(const struct pw_floors *then, const struct pw_floor *now, double nominal_mhz)
{
	double now_mhz = floor_of(now, nominal_mhz), then_mhz;

	for (size_t i = 0; i < then->count; i++) {
		if (strcmp(then->items[i].policy, now->policy) != 0)
			continue;
		then_mhz = floor_of(&then->items[i], nominal_mhz);
		return then_mhz < now_mhz ? then_mhz : now_mhz;
	}
	return 0.0; /* a policy that came in mid-run was asked for nothing until then */
}
