// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Powercap zones as intel_rapl makes them: packages with core and dram, psys, and the packages once
 * more under intel-rapl-mmio. energy_uj is what a 32-bit register of hardware units would give.
 */
#include <linux/math64.h>
#include <linux/powercap.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "govlab.h"

#define LIMIT_UW      165000000ULL
#define TURBO_UW      198000000ULL
#define LIMIT_US      999424ULL
#define TURBO_US      7808ULL
#define MAX_POWER_UW  165000000ULL
#define REGISTER_MAX  0xffffffffULL
#define ZONES_A_PLACE (LAB_DOMAINS + 1) /* one more by mmio */

struct lab_zone {
	struct powercap_zone zone;
	int package; /* -1: the platform */
	enum lab_domain domain;
	u64 limit_uw[2], window_us[2];
	bool enabled;
};

static struct lab_zone zones[LAB_PACKAGES * ZONES_A_PLACE + 1];
static int zone_count;
static struct powercap_control_type *rapl, *mmio;

static struct lab_zone *zone_of(struct powercap_zone *zone)
{
	return container_of(zone, struct lab_zone, zone);
}

static int get_range(struct powercap_zone *zone, u64 *uj)
{
	*uj = lab.range_uj;
	return 0;
}

static int get_energy(struct powercap_zone *zone, u64 *uj)
{
	const struct lab_zone *one = zone_of(zone);
	u64 unit_nj = max(1ULL, div64_u64((u64)lab.range_uj * 1000, REGISTER_MAX));
	u64 units = div64_u64((u64)lab.range_uj * 1000, unit_nj) + 1, nj, raw;

	if (lab_fault.energy_errno)
		return -(int)lab_fault.energy_errno;
	lab_update();
	nj = one->package < 0 ? lab_platform_nj() : lab_energy_nj(one->package, one->domain);
	div64_u64_rem(div64_u64(nj, unit_nj), units, &raw);
	*uj = div_u64(raw * unit_nj, 1000);
	return 0;
}

static int set_enable(struct powercap_zone *zone, bool on)
{
	zone_of(zone)->enabled = on;
	return 0;
}

static int get_enable(struct powercap_zone *zone, bool *on)
{
	*on = zone_of(zone)->enabled;
	return 0;
}

static int release(struct powercap_zone *zone)
{
	return 0;
}

static const struct powercap_zone_ops zone_ops = {
	.get_max_energy_range_uj = get_range,
	.get_energy_uj = get_energy,
	.set_enable = set_enable,
	.get_enable = get_enable,
	.release = release,
};

static int set_limit(struct powercap_zone *zone, int id, u64 uw)
{
	zone_of(zone)->limit_uw[id & 1] = uw;
	return 0;
}

static int get_limit(struct powercap_zone *zone, int id, u64 *uw)
{
	*uw = zone_of(zone)->limit_uw[id & 1];
	return 0;
}

static int set_window(struct powercap_zone *zone, int id, u64 us)
{
	zone_of(zone)->window_us[id & 1] = us;
	return 0;
}

static int get_window(struct powercap_zone *zone, int id, u64 *us)
{
	*us = zone_of(zone)->window_us[id & 1];
	return 0;
}

static int get_max_power(struct powercap_zone *zone, int id, u64 *uw)
{
	*uw = MAX_POWER_UW;
	return 0;
}

static const char *get_name(struct powercap_zone *zone, int id)
{
	return id ? "short_term" : "long_term";
}

/* Without constraint operations powercap refuses a zone, even one without constraints. */
static const struct powercap_zone_constraint_ops constraint_ops = {
	.set_power_limit_uw = set_limit,
	.get_power_limit_uw = get_limit,
	.set_time_window_us = set_window,
	.get_time_window_us = get_window,
	.get_max_power_uw = get_max_power,
	.get_name = get_name,
};

/* The zone for the next ones to be below, or NULL. */
static struct powercap_zone *add(struct powercap_control_type *type, const char *name,
				 struct powercap_zone *parent, int package, enum lab_domain domain)
{
	struct lab_zone *one = &zones[zone_count];
	int constraints = domain == LAB_PACKAGE && package >= 0 ? 2 : 0;

	*one = (struct lab_zone){ .package = package,
				  .domain = domain,
				  .limit_uw = { LIMIT_UW, TURBO_UW },
				  .window_us = { LIMIT_US, TURBO_US },
				  .enabled = true };
	if (IS_ERR(powercap_register_zone(&one->zone, type, name, parent, &zone_ops, constraints,
					  &constraint_ops)))
		return NULL;
	zone_count++;
	return &one->zone;
}

static void add_package(struct powercap_control_type *type, int package, bool whole)
{
	struct powercap_zone *top;
	char name[16];

	snprintf(name, sizeof(name), "package-%d", package);
	top = add(type, name, NULL, package, LAB_PACKAGE);
	if (!top || !whole)
		return;
	add(type, "core", top, package, LAB_CORES);
	if (lab.with_dram)
		add(type, "dram", top, package, LAB_DRAM);
}

int lab_powercap_init(void)
{
	rapl = powercap_register_control_type(NULL, "intel-rapl", NULL);
	if (IS_ERR(rapl)) {
		pr_err("govlab: no control type intel-rapl: %ld\n", PTR_ERR(rapl));
		return PTR_ERR(rapl);
	}
	for (int i = 0; i < lab_package_count; i++)
		add_package(rapl, i, true);
	if (lab.with_psys)
		add(rapl, "psys", NULL, -1, LAB_PACKAGE);
	if (!lab.with_mmio)
		return 0;
	mmio = powercap_register_control_type(NULL, "intel-rapl-mmio", NULL);
	for (int i = 0; !IS_ERR(mmio) && i < lab_package_count; i++)
		add_package(mmio, i, false);
	return PTR_ERR_OR_ZERO(mmio);
}

void lab_powercap_exit(void)
{
	if (IS_ERR_OR_NULL(rapl))
		return;
	while (zone_count > 0) { /* children stand behind their parents */
		struct lab_zone *one = &zones[--zone_count];

		powercap_unregister_zone(one->zone.control_type_inst, &one->zone);
	}
	if (!IS_ERR_OR_NULL(mmio))
		powercap_unregister_control_type(mmio);
	powercap_unregister_control_type(rapl);
}
