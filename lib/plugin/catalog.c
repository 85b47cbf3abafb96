/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/plugin/catalog.h"

#include <string.h>

#define FIND(table, wanted)                                                                        \
	do {                                                                                       \
		for (; *(table); (table)++) {                                                      \
			if (strcmp((*(table))->name, (wanted)) == 0)                               \
				return *(table);                                                   \
		}                                                                                  \
		return NULL;                                                                       \
	} while (0)

const struct pw_workload *pw_catalog_workload(const struct pw_catalog *catalog, const char *name)
{
	const struct pw_workload *const *at = catalog->workloads;

	FIND(at, name);
}

const struct pw_collector *pw_catalog_collector(const struct pw_catalog *catalog, const char *name)
{
	const struct pw_collector *const *at = catalog->collectors;

	FIND(at, name);
}

const struct pw_knob *pw_catalog_knob(const struct pw_catalog *catalog, const char *name)
{
	const struct pw_knob *const *at = catalog->knobs;

	FIND(at, name);
}
