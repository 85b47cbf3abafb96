/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which packages the machine has, so that a sum over "all packages" is one. */
#ifndef PW_COLLECTORS_PACKAGES_H
#define PW_COLLECTORS_PACKAGES_H

#include "collectors/common/energy.h"
#include "lib/base/fs.h"
#include "lib/plugin/collector.h"

/* A number of /sys/devices/system/cpu/cpu<N>/topology/, -1 if it is not given. */
int pw_topology_number(const struct pw_root *root, unsigned cpu, const char *file);
/*
 * UNSUPPORTED if online CPUs lie in more packages than have a domain (a domain that read zero when
 * its driver started is left out by the kernel). Passes where the topology is not given.
 */
int pw_packages_check(const struct pw_energy *energy, const struct pw_collect *collect,
		      struct pw_err *err) pw_must_check;

#endif
