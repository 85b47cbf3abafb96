/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plug-ins as the model sees them: names and tables, handed down by the harness. */
#ifndef PW_PLUGIN_CATALOG_H
#define PW_PLUGIN_CATALOG_H

#include "lib/plugin/collector.h"
#include "lib/plugin/knob.h"
#include "lib/plugin/workload.h"

struct pw_catalog {
	const struct pw_workload *const *workloads; /* each NULL-terminated */
	const struct pw_collector *const *collectors;
	const struct pw_knob *const *knobs;
};

/* NULL if unknown. */
const struct pw_workload *pw_catalog_workload(const struct pw_catalog *catalog, const char *name);
const struct pw_collector *pw_catalog_collector(const struct pw_catalog *catalog, const char *name);
const struct pw_knob *pw_catalog_knob(const struct pw_catalog *catalog, const char *name);

#endif
