/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every cpufreq policy of a machine says, read in one walk, for the description of the machine
 * and for its levels. Values are texts where policies differ (lib/platform/mixed.h).
 */
#ifndef PW_PLATFORM_POLICY_FACTS_H
#define PW_PLATFORM_POLICY_FACTS_H

#include "lib/platform/topology.h"
#include "lib/plugin/value.h"

/* The hardware's range and base of one policy, kHz; 0 = not given. */
struct pw_policy_range {
	unsigned cpu; /* that the policy is named after */
	uint64_t min_khz, base_khz, max_khz;
};

struct pw_policy_facts {
	struct pw_policy_range *ranges;
	size_t count;
};

void pw_policy_facts_done(struct pw_policy_facts *facts);
/*
 * Sets "driver", "driver_mode", "governor", "epp", "boost", and "frequency": { "min_khz", "max_khz"
 * (the limits in force), "hardware_min_khz", "hardware_max_khz", "base_khz", "bios_khz" (what the
 * firmware allows at present) } in `machine`, each where it can be read.
 */
void pw_policy_facts_read(const struct pw_root *root, struct pw_value *machine,
			  struct pw_policy_facts *ret);

#endif
