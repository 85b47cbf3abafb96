/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of all sources of frequency share: machines, policies, and looks at a section. */
#ifndef PW_TEST_FREQUENCY_RIG_H
#define PW_TEST_FREQUENCY_RIG_H

#include "collector_rig_faults.h"

#define CPU_DIR "/sys/devices/system/cpu"
#define DEVICES "/sys/bus/event_source/devices"

/* Not every test uses all of these. */
static inline void near(double found, double wanted, double within)
{
	if (!(fabs(found - wanted) <= within))
		print_error("found %.6f, wanted %.6f\n", found, wanted);
	assert_true(fabs(found - wanted) <= within);
}

static inline double real(struct rig *rig, const char *key)
{
	return pw_value_get_real(&rig->section, key, -1.0);
}

/* A value of a group: of("packages", "0", "busy_mhz"). */
static inline double of(struct rig *rig, const char *groups, const char *group, const char *key)
{
	return pw_value_get_real(pw_value_get(pw_value_get(&rig->section, groups), group), key,
				 -1.0);
}

/* One CPU's value in a list of "cpus"; -1 for null. */
static inline double at(struct rig *rig, const char *key, size_t index)
{
	const struct pw_value *list = pw_value_get(pw_value_get(&rig->section, "cpus"), key);

	assert_non_null(list);
	assert_true(index < list->count);
	return list->items[index].type == PW_VALUE_REAL ? list->items[index].real : -1.0;
}

static inline void cpu_file(struct rig *rig, unsigned cpu, const char *file, const char *text)
{
	pw_auto_free char *path = pw_sprintf(CPU_DIR "/cpu%u/%s", cpu, file);

	rig_file(rig, path, text);
}

static inline void policy_file(struct rig *rig, unsigned policy, const char *file, const char *text)
{
	pw_auto_free char *path = pw_sprintf(CPU_DIR "/cpufreq/policy%u/%s", policy, file);

	rig_file(rig, path, text);
}

static inline void policy(struct rig *rig, unsigned number, const char *cpus, const char *governor,
			  const char *min_khz, const char *max_khz)
{
	policy_file(rig, number, "affected_cpus", cpus);
	policy_file(rig, number, "scaling_governor", governor);
	policy_file(rig, number, "scaling_min_freq", min_khz);
	policy_file(rig, number, "scaling_max_freq", max_khz);
}

/* So many CPUs, all online. */
static inline void machine(struct rig *rig, unsigned *cpus, unsigned count)
{
	pw_auto_free char *list = pw_sprintf("0-%u", count - 1);

	for (unsigned i = 0; i < count; i++)
		cpus[i] = i;
	rig->collect.cpus = cpus;
	rig->collect.cpu_count = count;
	rig_file(rig, CPU_DIR "/present", list);
	rig_file(rig, CPU_DIR "/online", list);
}

static inline void msr_pmu(struct rig *rig)
{
	rig_file(rig, DEVICES "/msr/type", "10");
	rig_file(rig, DEVICES "/msr/format/event", "config:0-63");
	rig_file(rig, DEVICES "/msr/events/tsc", "event=0x00");
	rig_file(rig, DEVICES "/msr/events/aperf", "event=0x01");
	rig_file(rig, DEVICES "/msr/events/mperf", "event=0x02");
}

/* Megacycles of the three counters of one CPU. */
static inline void cycles(struct rig *rig, unsigned cpu, uint64_t tsc, uint64_t aperf,
			  uint64_t mperf)
{
	rig_count(rig, "tsc", cpu, tsc * 1000000);
	rig_count(rig, "aperf", cpu, aperf * 1000000);
	rig_count(rig, "mperf", cpu, mperf * 1000000);
}

static inline void need_warning(struct rig *rig, const char *text)
{
	for (size_t i = 0; i < rig->warnings.count; i++) {
		if (strcmp(rig->warnings.items[i], text) == 0)
			return;
		print_error("warned: %s\n", rig->warnings.items[i]);
	}
	fail_msg("nothing said of: %s", text);
}

#endif
