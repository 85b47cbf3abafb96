/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/power_supply.h"

#include <string.h>

#define CLASS "/sys/class/power_supply"

/* Puts the path of a supply's file into the list; one that is too long is left out. */
static void add(const char *name, const char *file, char list[][112], size_t *count)
{
	int n;

	if (*count == PW_SUPPLIES)
		return;
	n = snprintf(list[*count], sizeof(*list), CLASS "/%s/%s", name, file);
	if (n > 0 && (size_t)n < sizeof(*list))
		(*count)++;
}

static bool get(const struct pw_root *root, const char *name, const char *file, char *text,
		size_t size)
{
	char path[160];
	int n = snprintf(path, sizeof(path), CLASS "/%s/%s", name, file);

	return n > 0 && (size_t)n < sizeof(path) && pw_attr_get(root, path, text, size);
}

static void look(const struct pw_root *root, const char *name, struct pw_supplies *ret)
{
	char type[32], scope[32];

	if (!get(root, name, "type", type, sizeof(type)))
		return;
	if (get(root, name, "scope", scope, sizeof(scope)) && strcmp(scope, "Device") == 0)
		return;
	if (strcmp(type, "Battery") == 0 || strcmp(type, "UPS") == 0)
		add(name, "status", ret->status, &ret->status_count);
	else if (strcmp(type, "Mains") == 0 || strcmp(type, "USB") == 0)
		add(name, "online", ret->online, &ret->online_count);
}

void pw_supplies_find(const struct pw_root *root, struct pw_supplies *ret)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;
	struct pw_err ignored;

	*ret = (struct pw_supplies){ 0 };
	if (pw_root_list(root, CLASS, &names, &ignored) < 0)
		return;
	for (size_t i = 0; i < names.count; i++)
		look(root, names.items[i], ret);
}

/* How many of the files hold this text, and how many could be read at all. */
static size_t holding(const struct pw_root *root, const char list[][112], size_t count,
		      const char *wanted, size_t *ret_read)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		char text[32];

		if (!pw_attr_get(root, list[i], text, sizeof(text)))
			continue;
		(*ret_read)++;
		found += strcmp(text, wanted) == 0;
	}
	return found;
}

enum pw_supply pw_supply_read(const struct pw_root *root, const struct pw_supplies *supplies)
{
	size_t batteries = 0, adapters = 0;
	size_t discharging =
		holding(root, supplies->status, supplies->status_count, "Discharging", &batteries);
	size_t online = holding(root, supplies->online, supplies->online_count, "1", &adapters);

	if (batteries == 0 && adapters == 0)
		return PW_SUPPLY_UNSET;
	if (discharging > 0)
		return PW_SUPPLY_BATTERY;
	return online > 0 || batteries == 0 || adapters == 0 ? PW_SUPPLY_MAINS : PW_SUPPLY_BATTERY;
}

const char *pw_supply_text(enum pw_supply supply)
{
	switch (supply) {
	case PW_SUPPLY_MAINS:
		return "mains";
	case PW_SUPPLY_BATTERY:
		return "battery";
	default:
		return NULL;
	}
}
