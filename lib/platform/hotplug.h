/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs that come and go: what the settings `smt` and `online` share (kernel
 * Documentation/core-api/cpu_hotplug.rst, Documentation/ABI/testing/sysfs-devices-system-cpu).
 */
#ifndef PW_PLATFORM_HOTPLUG_H
#define PW_PLATFORM_HOTPLUG_H

#include "lib/platform/attr.h"
#include "lib/platform/topology.h"

#define PW_SMT_CONTROL PW_CPU_DIR "/smt/control"
#define PW_SMT_ACTIVE  PW_CPU_DIR "/smt/active"

#define PW_ONLINE_PATH_SIZE 64
void pw_online_path(char path[PW_ONLINE_PATH_SIZE], unsigned cpu);
/* Can this CPU be switched: has it a file `online`. The boot CPU of x86 has none. */
bool pw_cpu_has_switch(const struct pw_root *root, unsigned cpu);
bool pw_cpuset_has(const struct pw_cpuset *set, unsigned cpu);

/* /sys/devices/system/cpu/present, or the online CPUs where that is not given; owned. */
int pw_cpus_present(const struct pw_root *root, struct pw_cpuset *ret, struct pw_err *err)
	pw_must_check;
/*
 * The present CPUs that are online by their own switches (a plain file `online` of all CPUs does
 * not follow them); owned.
 */
int pw_cpus_switched_on(const struct pw_root *root, struct pw_cpuset *ret, struct pw_err *err)
	pw_must_check;

/* Is SMT off or forced off: then the kernel refuses to bring a sibling online (EPERM). */
bool pw_smt_is_off(const struct pw_root *root);

/* Every cpuN/online that there is. */
int pw_hotplug_save(const struct pw_root *root, struct pw_saved *saved, struct pw_err *err)
	pw_must_check;
/* Writes 1 or 0 unless it stands already; the error tells what the kernel means. */
int pw_hotplug_write(const struct pw_root *root, unsigned cpu, bool online, struct pw_err *err)
	pw_must_check;
/* Puts one cpuN/online back. */
int pw_hotplug_restore(const struct pw_root *root, const struct pw_saved_item *item,
		       struct pw_err *err) pw_must_check;

#endif
