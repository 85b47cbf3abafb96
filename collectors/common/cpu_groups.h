/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the CPUs of a machine belong: package, core type, and the base frequency of their cpufreq
 * policy. Read once when a collector is opened.
 *
 * Types are told apart by the first of these that does:
 *   the kernel's PMUs of hybrid processors, /sys/devices/cpu_core/cpus and cpu_atom/cpus (kernel
 *   arch/x86/events/intel/core.c): "core", "atom", "lowpower";
 *   cpu<N>/cpu_capacity, of Arm and RISC-V: "capacity-1024", "capacity-446";
 *   the policies' base_frequency: "base-2700".
 */
#ifndef PW_COLLECTORS_CPU_GROUPS_H
#define PW_COLLECTORS_CPU_GROUPS_H

#include "lib/plugin/collector.h"

struct pw_cpu_place {
	unsigned cpu;
	bool online;	 /* when this was read */
	int package;	 /* physical package id, -1 = not given */
	int type;	 /* index of types, -1 = all CPUs are of one type */
	double base_mhz; /* of its policy, or what all policies have in common; 0 = not given */
};

#define PW_CPU_TYPES 8

struct pw_cpu_groups {
	struct pw_cpu_place *places; /* every present CPU, ascending */
	size_t count;
	char types[PW_CPU_TYPES][32];
	size_t type_count; /* 0: all are of one type */
};

/* The CPUs present (those of `collect` where the machine does not say). */
void pw_cpu_groups_read(const struct pw_collect *collect, struct pw_cpu_groups *ret);
void pw_cpu_groups_done(struct pw_cpu_groups *groups);

#endif
