/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the online CPUs of a machine belong: package, core, core type. Each file is read once: a
 * large server has many.
 *
 * Types are told apart by the kernel's PMUs of hybrid processors, /sys/devices/cpu_core/cpus and
 * cpu_atom/cpus (kernel arch/x86/events/intel/core.c): "core", "atom", "lowpower"; else by
 * cpu<N>/cpu_capacity of Arm and RISC-V: "capacity-1024", "capacity-446".
 */
#ifndef PW_PLATFORM_LAYOUT_H
#define PW_PLATFORM_LAYOUT_H

#include "lib/platform/topology.h"

#define PW_LAYOUT_TYPES 8

struct pw_core_type {
	char name[32];
	struct pw_cpuset cpus; /* online ones */
	size_t cores;	       /* 0: not given */
};

struct pw_layout {
	struct pw_cpuset online;
	int *packages;	       /* parallel to online.cpus; -1 = not given */
	size_t sockets, cores; /* 0: not given for every CPU */
	struct pw_core_type types[PW_LAYOUT_TYPES];
	size_t type_count; /* 0: all are of one type */
};

#define pw_auto_layout pw_auto(pw_layout_done)

void pw_layout_done(struct pw_layout *layout);
/* False if not even the online CPUs are known; then `ret` is empty. */
bool pw_layout_read(const struct pw_root *root, struct pw_layout *ret);
/* Index of the CPU's type; -1: all are of one type, or it is not online. */
int pw_layout_type(const struct pw_layout *layout, unsigned cpu);
/* Of an online CPU; -1 if not given or not online. */
int pw_layout_package(const struct pw_layout *layout, unsigned cpu);

#endif
