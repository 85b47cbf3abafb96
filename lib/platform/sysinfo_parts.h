/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of lib/platform/sysinfo.h that have files of their own. Each sets keys in `machine`. */
#ifndef PW_PLATFORM_SYSINFO_PARTS_H
#define PW_PLATFORM_SYSINFO_PARTS_H

#include "lib/platform/layout.h"
#include "lib/plugin/value.h"

/* cpus, usable, sockets, cores, threads, types, numa_nodes */
void pw_sysinfo_topology(const struct pw_root *root, const struct pw_layout *layout,
			 struct pw_value *machine);
/* idle_driver, idle_governor, idle_states; layout may be empty */
void pw_sysinfo_idle(const struct pw_root *root, const struct pw_layout *layout,
		     struct pw_value *machine);
/* architecture, kernel, kernel_version, cmdline, boot, preemption, tick_hz, tick */
void pw_sysinfo_kernel(const struct pw_root *root, struct pw_value *machine);
/* mitigations */
void pw_sysinfo_mitigations(const struct pw_root *root, struct pw_value *machine);

#endif
