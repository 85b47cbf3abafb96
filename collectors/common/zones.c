/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/zones.h"

#include <stdio.h>
#include <string.h>

#include "collectors/common/vendor.h"
#include "lib/base/mem.h"
#include "lib/base/pitfall.h"

#define NAME_SIZE 64

/* Preferred first: what it has, the later one is not asked for. */
static const char *const control_types[] = { "intel-rapl", "intel-rapl-mmio" };

void pw_zones_done(struct pw_zones *zones)
{
	free(zones->items);
	free(zones->left);
	*zones = (struct pw_zones){ 0 };
}

/* Digits at the start of text, at most five; their number or -1. */
static int leading_number(const char **text)
{
	size_t digits = strspn(*text, "0123456789");
	int value = 0;

	if (pw_pitfall("one-digit"))
		digits = digits > 1 ? 1 : digits;
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

static enum pw_energy_kind classify_subzone(const char *name)
{
	if (strcmp(name, "dram") == 0)
		return PW_ENERGY_DRAM;
	if (strcmp(name, "core") == 0)
		return PW_ENERGY_CORES;
	if (strcmp(name, "uncore") == 0)
		return PW_ENERGY_GPU;
	return PW_ENERGY_UNSET;
}

static bool has_zone(const struct pw_zones *zones, const struct pw_zone *zone)
{
	for (size_t i = 0; i < zones->count; i++) {
		if (zones->items[i].kind == zone->kind &&
		    strcmp(zones->items[i].suffix, zone->suffix) == 0)
			return !pw_pitfall("mmio-twice");
	}
	return false;
}

void pw_zones_below(const struct pw_root *root, const char *folder, const char *parent,
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

/* Adds a zone to those that are used, or, with a reason, to the others. */
static void add_zone(struct pw_zones *zones, struct pw_zone *zone, const char *entry,
		     const char *path, const char *why)
{
	if (strlen(path) >= sizeof(zone->path) || strlen(entry) >= sizeof(zone->entry))
		return;
	(void)snprintf(zone->path, sizeof(zone->path), "%s", path);
	(void)snprintf(zone->entry, sizeof(zone->entry), "%s", entry);
	zone->why = why;
	if (why)
		PW_PUSH(zones->left, zones->left_count, zones->left_capacity, *zone);
	else
		PW_PUSH(zones->items, zones->count, zones->capacity, *zone);
}

/* Subzones stand beside their parent in the class folder, inside it, or both. */
static void add_subzones(const struct pw_root *root, const struct pw_zone *parent,
			 enum pw_vendor vendor, struct pw_zones *zones)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT, paths = PW_STRV_INIT;

	pw_zones_below(root, PW_POWERCAP_DIR, parent->entry, &names, &paths);
	pw_zones_below(root, parent->path, parent->entry, &names, &paths);
	for (size_t i = 0; i < paths.count; i++) {
		struct pw_zone zone = *parent;
		const char *why = NULL;
		char name[NAME_SIZE];

		if (!read_name(root, paths.items[i], name))
			continue;
		zone.kind = classify_subzone(name);
		if (pw_pitfall("dram-by-name") && zone.kind == PW_ENERGY_DRAM)
			zone.suffix[0] = '\0';
		if (zone.kind == PW_ENERGY_UNSET)
			continue;
		if (zone.kind == PW_ENERGY_CORES && vendor == PW_VENDOR_AMD &&
		    !pw_pitfall("one-core-as-cores"))
			why = "on AMD this is the counter of one core, not of the cores";
		else if (has_zone(zones, &zone))
			why = "a second zone of one name: the same counter";
		add_zone(zones, &zone, names.items[i], paths.items[i], why);
	}
}

static void add_control_type(const struct pw_root *root, const char *type, enum pw_vendor vendor,
			     struct pw_zones *zones)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT, paths = PW_STRV_INIT;
	pw_auto_free char *inside = pw_sprintf(PW_POWERCAP_DIR "/%s", type);

	pw_zones_below(root, PW_POWERCAP_DIR, type, &names, &paths);
	if (!pw_pitfall("flat-only"))
		pw_zones_below(root, inside, type, &names, &paths);
	for (size_t i = 0; i < paths.count; i++) {
		struct pw_zone zone;
		char name[NAME_SIZE];
		bool repeats;

		if (!read_name(root, paths.items[i], name) || !pw_zone_classify(name, &zone))
			continue;
		if (pw_pitfall("index-as-socket") && zone.kind == PW_ENERGY_PACKAGE)
			(void)snprintf(zone.suffix, sizeof(zone.suffix), "-%zu", i);
		repeats = has_zone(zones, &zone);
		add_zone(zones, &zone, names.items[i], paths.items[i],
			 repeats ? "the same counter once more" : NULL);
		if (zone.kind == PW_ENERGY_PACKAGE && !repeats)
			add_subzones(root, &zone, vendor, zones);
	}
}

void pw_zones_leave_out(const struct pw_zones *zones, const char *why, struct pw_energy *energy)
{
	for (size_t i = 0; why && i < zones->count; i++)
		pw_energy_leave_out(energy, zones->items[i].entry, zones->items[i].kind, why);
	for (size_t i = 0; i < zones->left_count; i++)
		pw_energy_leave_out(energy, zones->left[i].entry, zones->left[i].kind,
				    zones->left[i].why);
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
