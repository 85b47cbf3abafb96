/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mains or battery: /sys/class/power_supply (kernel Documentation/ABI/testing/sysfs-class-power).
 * Supplies of devices (a mouse's battery: scope "Device") are none of the machine's.
 */
#ifndef PW_PLATFORM_POWER_SUPPLY_H
#define PW_PLATFORM_POWER_SUPPLY_H

#include "lib/base/fs.h"

enum pw_supply {
	PW_SUPPLY_UNSET, /* nothing tells: a machine without battery, mostly */
	PW_SUPPLY_MAINS,
	PW_SUPPLY_BATTERY,
};

/* The files to read; more supplies than these are left out. */
#define PW_SUPPLIES 4
struct pw_supplies {
	char online[PW_SUPPLIES][112]; /* of mains and USB adapters */
	char status[PW_SUPPLIES][112]; /* of batteries and UPSes */
	size_t online_count, status_count;
};

/* Looks for them; none is fine. */
void pw_supplies_find(const struct pw_root *root, struct pw_supplies *ret);
/* Battery: one is discharging, or there is one and no adapter is online. Allocates nothing. */
enum pw_supply pw_supply_read(const struct pw_root *root, const struct pw_supplies *supplies);
/* "mains", "battery"; NULL if unset. */
const char *pw_supply_text(enum pw_supply supply);

#endif
