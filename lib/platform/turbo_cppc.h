/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The levels of CPUs with CPPC: acpi_cppc in sysfs (kernel Documentation/admin-guide/acpi/
 * cppc_sysfs.rst), or AMD's registers where firmware gives no nominal frequency there.
 */
#ifndef PW_PLATFORM_TURBO_CPPC_H
#define PW_PLATFORM_TURBO_CPPC_H

#include "lib/platform/topology.h"
#include "lib/platform/turbo.h"

struct pw_turbo_cppc {
	struct pw_turbo turbo;
	const char *source; /* "acpi-cppc" or "msr" */
	const char *note;   /* NULL = none */
};

/*
 * Of CPUs of one type; what they share is read on the first. `family`: of AMD's processors, or -1.
 * False if there are no levels, then err says why registers could not be read, if they were tried.
 */
bool pw_turbo_cppc_read(const struct pw_root *root, const struct pw_cpuset *cpus, int64_t family,
			struct pw_turbo_cppc *ret, struct pw_err *err);

#endif
