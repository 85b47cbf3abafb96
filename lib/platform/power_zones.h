/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packages whose long-term power limit can be set: the top-level zones package-* of the control
 * types intel-rapl (register or TPMI) and intel-rapl-mmio below /sys/class/powercap (kernel
 * Documentation/power/powercap/powercap.rst). Both control types limit one package, and the lower
 * limit wins: a setting has to be written to either.
 *
 * The index of a constraint differs between zones, its name does not. A zone that is not enabled
 * limits nothing: it is left out where an enabled one of its name limits the package.
 */
#ifndef PW_PLATFORM_POWER_ZONES_H
#define PW_PLATFORM_POWER_ZONES_H

#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/fs.h"

#define PW_ZONES_DIR	   "/sys/class/powercap"
#define PW_POWER_PATH_SIZE 160

struct pw_power_zone {
	char zone[64];			/* "intel-rapl:0" */
	char package[64];		/* "package-0" */
	char limit[PW_POWER_PATH_SIZE]; /* path of constraint_N_power_limit_uw */
	uint64_t now_uw;		/* what it holds; 0 = unknown */
	uint64_t most_uw;		/* constraint_N_max_power_uw; 0 = unknown */
	bool enabled;
};

struct pw_power_zones {
	struct pw_power_zone *items;
	size_t count, capacity;
};

#define PW_POWER_ZONES_INIT ((struct pw_power_zones){ 0 })
#define pw_auto_power_zones pw_auto(pw_power_zones_done)

void pw_power_zones_done(struct pw_power_zones *zones);
/* At least one; UNSUPPORTED with the reason where there is none, or one is switched off. */
int pw_power_zones_find(const struct pw_root *root, struct pw_power_zones *ret, struct pw_err *err)
	pw_must_check;

#endif
