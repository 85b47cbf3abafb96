/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The levels of this machine, read on one CPU of each package and core type: Intel's registers
 * where they may be read (no driver is loaded for it), ACPI's CPPC elsewhere (from AMD's registers
 * where firmware gives no frequency with it), else what cpufreq says. Reads only.
 *
 *   { "ladders": [ { "source": "msr"|"acpi-cppc"|"cpufreq", "packages": "0-1", "type": "core",
 *       "rows": [ { "name": "EFFIC", "mhz": n, "cores": n, "highest_mhz": n } ],
 *       "scheduler_mhz": n, "tdp": { "level", "nominal_mhz", "level_mhz", "activation_mhz" },
 *       "hwp": { "highest", "guaranteed", "efficient", "lowest" }, "notes": [ text ] } ],
 *     "why": why registers were not read though they were needed, "hint": what mends it }
 *
 * Packages with the same levels share one ladder. Keys are absent where their source is.
 */
#ifndef PW_PLATFORM_TURBO_READ_H
#define PW_PLATFORM_TURBO_READ_H

#include "lib/platform/layout.h"
#include "lib/platform/policy_facts.h"
#include "lib/plugin/value.h"

/* `machine`: its vendor, family and model. Unset if nothing is known. */
void pw_turbo_read(const struct pw_root *root, const struct pw_layout *layout,
		   const struct pw_policy_facts *facts, const struct pw_value *machine,
		   struct pw_value *ret);

#endif
