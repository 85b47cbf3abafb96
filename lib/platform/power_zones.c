/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/power_zones.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/platform/attr.h"

/* Kernel drivers/powercap/powercap_sys.c, MAX_CONSTRAINTS_PER_ZONE. */
#define CONSTRAINTS 10
#define LONG_TERM   "long_term"

void pw_power_zones_done(struct pw_power_zones *zones)
{
	free(zones->items);
	*zones = PW_POWER_ZONES_INIT;
}

/* "intel-rapl:0", but not "intel-rapl:0:1". */
static bool is_top_level(const char *name)
{
	static const char *const types[] = { "intel-rapl:", "intel-rapl-mmio:" };

	for (size_t i = 0; i < PW_LENGTH(types); i++) {
		size_t length = strlen(types[i]);
		const char *number = name + length;

		if (strncmp(name, types[i], length) == 0)
			return *number && strspn(number, "0123456789") == strlen(number);
	}
	return false;
}

/* Of the constraint K of a zone: "constraint_0_name". */
static void path_of(char path[PW_POWER_PATH_SIZE], const char *zone, int constraint,
		    const char *file)
{
	(void)snprintf(path, PW_POWER_PATH_SIZE, PW_ZONES_DIR "/%.63s/constraint_%d_%s", zone,
		       constraint, file);
}

/* The number of the long-term constraint; -1: the zone has none. */
static int long_term_of(const struct pw_root *root, const char *zone)
{
	char path[PW_POWER_PATH_SIZE], name[64];

	for (int i = 0; i < CONSTRAINTS; i++) {
		path_of(path, zone, i, "name");
		if (pw_attr_get(root, path, name, sizeof(name)) && strcmp(name, LONG_TERM) == 0)
			return i;
	}
	return -1;
}

static uint64_t number_or_0(const struct pw_root *root, const char *path)
{
	struct pw_err ignored;
	uint64_t value;

	return pw_attr_read_u64(root, path, &value, &ignored) == 0 ? value : 0;
}

/* False: no package, or nothing that limits it in the long term. */
static bool read_zone(const struct pw_root *root, const char *name, struct pw_power_zone *zone)
{
	char path[PW_POWER_PATH_SIZE], enabled[16];
	int constraint;

	(void)snprintf(path, sizeof(path), PW_ZONES_DIR "/%.63s/name", name);
	if (!pw_attr_get(root, path, zone->package, sizeof(zone->package)) ||
	    strncmp(zone->package, "package-", 8) != 0)
		return false;
	constraint = long_term_of(root, name);
	if (constraint < 0)
		return false;
	(void)snprintf(zone->zone, sizeof(zone->zone), "%s", name);
	path_of(zone->limit, name, constraint, "power_limit_uw");
	zone->now_uw = number_or_0(root, zone->limit);
	path_of(path, name, constraint, "max_power_uw");
	zone->most_uw = number_or_0(root, path);
	(void)snprintf(path, sizeof(path), PW_ZONES_DIR "/%.63s/enabled", name);
	zone->enabled =
		pw_attr_get(root, path, enabled, sizeof(enabled)) && strcmp(enabled, "1") == 0;
	return true;
}

static bool is_limited(const struct pw_power_zones *zones, const char *package)
{
	for (size_t i = 0; i < zones->count; i++) {
		if (zones->items[i].enabled && strcmp(zones->items[i].package, package) == 0)
			return true;
	}
	return false;
}

/* Keeps what is enabled; a package that nothing limits is an error. */
static int keep_enabled(struct pw_power_zones *zones, struct pw_err *err)
{
	size_t kept = 0;

	for (size_t i = 0; i < zones->count; i++) {
		const struct pw_power_zone *zone = &zones->items[i];

		if (!is_limited(zones, zone->package)) {
			(void)pw_fail(err, PW_EUNSUPPORTED,
				      "%s (%s): its power limits are not enabled (" PW_ZONES_DIR
				      "/%s/enabled is not 1)",
				      zone->package, zone->zone, zone->zone);
			return pw_err_hint(err, "write 1 to that file, if the firmware lets it be "
						"written");
		}
	}
	for (size_t i = 0; i < zones->count; i++) {
		if (zones->items[i].enabled)
			zones->items[kept++] = zones->items[i];
	}
	zones->count = kept;
	return 0;
}

int pw_power_zones_find(const struct pw_root *root, struct pw_power_zones *ret, struct pw_err *err)
{
	pw_auto_power_zones struct pw_power_zones zones = PW_POWER_ZONES_INIT;
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;
	struct pw_err ignored;

	(void)!pw_root_list(root, PW_ZONES_DIR, &names, &ignored);
	for (size_t i = 0; i < names.count; i++) {
		struct pw_power_zone zone = { .now_uw = 0 };

		if (is_top_level(names.items[i]) && read_zone(root, names.items[i], &zone))
			PW_PUSH(zones.items, zones.count, zones.capacity, zone);
	}
	if (zones.count == 0) {
		(void)pw_fail(err, PW_EUNSUPPORTED,
			      "no package with a long-term power limit below " PW_ZONES_DIR
			      " (AMD's and virtual machines have none)");
		return pw_err_hint(err, "on Intel, modprobe intel_rapl_msr may bring it");
	}
	if (keep_enabled(&zones, err) < 0)
		return -(int)err->code;
	*ret = zones;
	zones = PW_POWER_ZONES_INIT;
	return 0;
}
