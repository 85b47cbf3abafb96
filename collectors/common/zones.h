/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RAPL zones of the powercap class: /sys/class/powercap/intel-rapl:0, its subzones intel-rapl:0:0,
 * ... (kernel: Documentation/power/powercap). Zones overlap and repeat, and their index is the
 * order of registration, not the socket: so they are found by their parent's prefix and known by
 * `name`.
 *
 * Left out, with the reason: the control type intel-rapl-mmio where intel-rapl has a zone of that
 * name (the same counter seen twice), a second zone of one name, subzones of anything but a
 * package, and on AMD the zone "core", which there is one core and not the cores.
 */
#ifndef PW_COLLECTORS_ZONES_H
#define PW_COLLECTORS_ZONES_H

#include "collectors/common/energy.h"
#include "lib/base/fs.h"

#define PW_POWERCAP_DIR "/sys/class/powercap"

struct pw_zone {
	enum pw_energy_kind kind;
	int package;	 /* -1 = none (psys) */
	char suffix[32]; /* of the domain's name: "-0", "-0-die-1", "" for psys */
	char path[160];	 /* of the zone's folder */
	char entry[48];	 /* "intel-rapl:0" */
	const char *why; /* it is left out; NULL: it is used */
};

struct pw_zones {
	struct pw_zone *items;
	size_t count, capacity;
	struct pw_zone *left; /* what is there and repeats another, or is no such domain */
	size_t left_count, left_capacity;
};

/* UNSUPPORTED if the machine has none. Packages come before their subzones; owned list. */
int pw_zones_find(const struct pw_root *root, struct pw_zones *ret, struct pw_err *err)
	pw_must_check;
void pw_zones_done(struct pw_zones *zones);
/* Tells an account of the zones that are left out; with `why`, of those that are used as well. */
void pw_zones_leave_out(const struct pw_zones *zones, const char *why, struct pw_energy *energy);

/*
 * Entries "<parent>:<digits>" of a folder that are not yet in `names`: their names and full paths,
 * in natural order. A missing folder has none.
 */
void pw_zones_below(const struct pw_root *root, const char *folder, const char *parent,
		    struct pw_strv *names, struct pw_strv *paths);
/* "package-0-die-1" to kind, package and suffix; false if the name is none of a top-level zone. */
bool pw_zone_classify(const char *name, struct pw_zone *ret);

#endif
