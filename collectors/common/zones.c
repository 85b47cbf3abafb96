/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/zones.h"

#include <stdio.h>
#include <string.h>

#include "collectors/common/vendor.h"
#include "lib/base/mem.h"

#define NAME_SIZE 64

/* Preferred first: what it has, the later one is not asked for. */
static const char *const control_types[] = { "intel-rapl", "intel-rapl-mmio" };

void pw_zones_done(struct pw_zones *zones)
{
	free(zones->items);
	*zones = (struct pw_zones){ 0 };
}

/* Digits at the start of text, at most five; their number or -1. */
static int leading_number(const char **text)
{
	size_t digits = strspn(*text, "0123456789");
	int value = 0;

	if (digits == 0 || digits > 5)
		return -1;
	for (size_t i = 0; i < digits; i++)
		value = value * 10 + ((*text)[i] - '0');
	*text += digits;
	return value;
}

/* After a prefix: the text behind it, or NULL. */
static const char *behind(const char *text, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static bool classify_package(const char *number, struct pw_zone *zone)
{
	const char *rest = number, *die;

	zone->kind = PW_ENERGY_PACKAGE;
	zone->package = leading_number(&rest);
	if (zone->package < 0)
		return false;
	die = behind(rest, "-die-");
	if (!die) {
		(void)snprintf(zone->suffix, sizeof(zone->suffix), "-%d", zone->package);
		return *rest == '\0';
	}
	int index = leading_number(&die);

	(void)snprintf(zone->suffix, sizeof(zone->suffix), "-%d-die-%d", zone->package, index);
	return index >= 0 && *die == '\0';
}

bool pw_zone_classify(const char *name, struct pw_zone *ret)
{
	struct pw_zone zone = { .package = -1 };
	const char *rest = behind(name, "package-");
	bool known;

	if (rest) {
		known = classify_package(rest, &zone);
	} else {
		rest = behind(name, "psys");
		zone.kind = PW_ENERGY_PSYS;
		known = rest && (*rest == '\0' || *rest == '-');
		if (known && *rest == '-') {
			const char *number = rest + 1;
			int index = leading_number(&number);

			known = index >= 0 && *number == '\0';
			(void)snprintf(zone.suffix, sizeof(zone.suffix), "-%d", index);
		}
	}
	if (known)
		*ret = zone;
	return known;
}

static enum pw_energy_kind classify_subzone(const char *name, enum pw_vendor vendor)
{
	if (strcmp(name, "dram") == 0)
		return PW_ENERGY_DRAM;
	if (strcmp(name, "core") == 0)
		return vendor == PW_VENDOR_AMD ? PW_ENERGY_UNSET : PW_ENERGY_CORES;
	if (strcmp(name, "uncore") == 0)
		return PW_ENERGY_GPU;
	return PW_ENERGY_UNSET;
}

static bool has_zone(const struct pw_zones *zones, const struct pw_zone *zone)
{
	for (size_t i = 0; i < zones->count; i++) {
		if (zones->items[i].kind == zone->kind &&
		    strcmp(zones->items[i].suffix, zone->suffix) == 0)
			return true;
	}
	return false;
}

/* Entries "<parent>:<digits>" of a folder, full paths, in natural order. A missing folder: none. */
static void list_below(const struct pw_root *root, const char *folder, const char *parent,
		       struct pw_strv *names, struct pw_strv *paths)
{
	pw_auto_strv struct pw_strv entries = PW_STRV_INIT;
	struct pw_err ignored;

	if (pw_root_list(root, folder, &entries, &ignored) < 0)
		return;
	for (size_t i = 0; i < entries.count; i++) {
		const char *entry = entries.items[i];
		const char *rest = behind(entry, parent);
		size_t digits;

		if (!rest || *rest != ':')
			continue;
		digits = strspn(rest + 1, "0123456789");
		if (digits == 0 || digits > 5 || rest[1 + digits] || pw_strv_has(names, entry))
			continue;
		pw_strv_push(names, entry);
		pw_strv_pushf(paths, "%s/%s", folder, entry);
	}
}

static bool read_name(const struct pw_root *root, const char *path, char name[NAME_SIZE])
{
	pw_auto_free char *file = pw_sprintf("%s/name", path);

	return pw_attr_get(root, file, name, NAME_SIZE);
}

static bool set_path(struct pw_zone *zone, const char *path)
{
	if (strlen(path) >= sizeof(zone->path))
		return false;
	(void)snprintf(zone->path, sizeof(zone->path), "%s", path);
	return true;
}

/* Subzones stand beside their parent in the class folder, inside it, or both. */
static void add_subzones(const struct pw_root *root, const struct pw_zone *parent,
			 const char *parent_name, enum pw_vendor vendor, struct pw_zones *zones)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT, paths = PW_STRV_INIT;

	list_below(root, PW_POWERCAP_DIR, parent_name, &names, &paths);
	list_below(root, parent->path, parent_name, &names, &paths);
	for (size_t i = 0; i < paths.count; i++) {
		struct pw_zone zone = *parent;
		char name[NAME_SIZE];

		if (!read_name(root, paths.items[i], name))
			continue;
		zone.kind = classify_subzone(name, vendor);
		if (zone.kind == PW_ENERGY_UNSET || has_zone(zones, &zone) ||
		    !set_path(&zone, paths.items[i]))
			continue;
		PW_PUSH(zones->items, zones->count, zones->capacity, zone);
	}
}

static void add_control_type(const struct pw_root *root, const char *type, enum pw_vendor vendor,
			     struct pw_zones *zones)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT, paths = PW_STRV_INIT;
	pw_auto_free char *inside = pw_sprintf(PW_POWERCAP_DIR "/%s", type);

	list_below(root, PW_POWERCAP_DIR, type, &names, &paths);
	list_below(root, inside, type, &names, &paths);
	for (size_t i = 0; i < paths.count; i++) {
		struct pw_zone zone;
		char name[NAME_SIZE];

		if (!read_name(root, paths.items[i], name) || !pw_zone_classify(name, &zone) ||
		    has_zone(zones, &zone) || !set_path(&zone, paths.items[i]))
			continue;
		PW_PUSH(zones->items, zones->count, zones->capacity, zone);
		if (zone.kind == PW_ENERGY_PACKAGE)
			add_subzones(root, &zone, names.items[i], vendor, zones);
	}
}

int pw_zones_find(const struct pw_root *root, struct pw_zones *ret, struct pw_err *err)
{
	enum pw_vendor vendor = pw_vendor(root);
	struct pw_zones zones = { 0 };

	for (size_t i = 0; i < PW_LENGTH(control_types); i++)
		add_control_type(root, control_types[i], vendor, &zones);
	if (zones.count == 0) {
		pw_zones_done(&zones);
		(void)pw_fail(err, PW_EUNSUPPORTED, "no RAPL zones in %s", PW_POWERCAP_DIR);
		return pw_err_hint(err, "load the driver: modprobe intel_rapl_msr (also serves AMD "
					"from Zen on); virtual machines have none");
	}
	*ret = zones;
	return 0;
}
