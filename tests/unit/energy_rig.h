/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of energy put into the bench of collector_rig.h. */
#ifndef PW_TEST_ENERGY_RIG_H
#define PW_TEST_ENERGY_RIG_H

#include "collector_rig_faults.h"
#include "lib/base/strbuf.h"

#define DEVICES	 "/sys/bus/event_source/devices/"
#define POWERCAP "/sys/class/powercap/"
#define J	 UINT64_C(1000000)
#define ESU14	 UINT64_C(262143328850)

extern const struct pw_collector pw_collector_energy_perf;
extern const struct pw_collector pw_collector_energy_powercap;
extern const struct pw_collector pw_collector_energy_scmi;

/* Joules in the kernel's unit. */
static inline uint64_t units(double joules)
{
	return (uint64_t)(joules * 0x1p32);
}

static inline void energy_event(struct rig *rig, const char *pmu, const char *name, unsigned number)
{
	char path[128], text[32];

	(void)snprintf(path, sizeof(path), DEVICES "%s/events/%s", pmu, name);
	(void)snprintf(text, sizeof(text), "event=0x%02x", number);
	rig_file(rig, path, text);
	(void)snprintf(path, sizeof(path), DEVICES "%s/events/%s.scale", pmu, name);
	rig_file(rig, path, "2.3283064365386962890625e-10");
	(void)snprintf(path, sizeof(path), DEVICES "%s/events/%s.unit", pmu, name);
	rig_file(rig, path, "Joules");
}

static inline void energy_pmu(struct rig *rig, const char *pmu, const char *type, const char *mask)
{
	char path[128];

	(void)snprintf(path, sizeof(path), DEVICES "%s/type", pmu);
	rig_file(rig, path, type);
	(void)snprintf(path, sizeof(path), DEVICES "%s/format/event", pmu);
	rig_file(rig, path, "config:0-7");
	(void)snprintf(path, sizeof(path), DEVICES "%s/cpumask", pmu);
	if (mask)
		rig_file(rig, path, mask);
}

static inline void energy_topology(struct rig *rig, unsigned cpu, unsigned package,
				   const char *siblings)
{
	char path[128];

	(void)snprintf(path, sizeof(path),
		       "/sys/devices/system/cpu/cpu%u/topology/physical_package_id", cpu);
	rig_number(rig, path, package);
	(void)snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/core_cpus_list",
		       cpu);
	rig_file(rig, path, siblings);
}

/* A zone with a counter; its folder in the flat class. */
static inline void energy_zone(struct rig *rig, const char *entry, const char *name, uint64_t uj)
{
	char path[128];

	(void)snprintf(path, sizeof(path), POWERCAP "%s/name", entry);
	rig_file(rig, path, name);
	(void)snprintf(path, sizeof(path), POWERCAP "%s/energy_uj", entry);
	rig_number(rig, path, uj);
	(void)snprintf(path, sizeof(path), POWERCAP "%s/max_energy_range_uj", entry);
	rig_number(rig, path, ESU14);
}

static inline void energy_vendor(struct rig *rig, const char *vendor, const char *flags)
{
	char text[160];

	(void)snprintf(text, sizeof(text), "processor\t: 0\nvendor_id\t: %s\nflags\t\t: %s", vendor,
		       flags);
	rig_file(rig, "/proc/cpuinfo", text);
}

/* Some warning must hold this text. */
static inline void rig_warned(const struct rig *rig, const char *text)
{
	for (size_t i = 0; i < rig->warnings.count; i++) {
		if (strstr(rig->warnings.items[i], text))
			return;
	}
	print_error("no warning holds '%s'\n", text);
	fail();
}

/* The tree as one text: "name kind <parent +why; " with + where it counts. */
static inline char *rig_tree(struct rig *rig)
{
	pw_auto_value struct pw_value described = pw_value_object();
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	const struct pw_value *tree;

	rig->collector->describe(rig->state, &described);
	tree = pw_value_get(&described, "tree");
	for (size_t i = 0; i < tree->count; i++) {
		const struct pw_value *node = &tree->items[i];

		pw_strbuf_printf(&text, "%s %s <%s %c%s; ", pw_value_get_text(node, "name", "?"),
				 pw_value_get_text(node, "kind", "?"),
				 pw_value_get_text(node, "parent", ""),
				 pw_value_get_bool(node, "counted", false) ? '+' : '-',
				 pw_value_get_text(node, "why", "?"));
	}
	return pw_strbuf_take(&text);
}

static inline void rig_tree_has(struct rig *rig, const char *text)
{
	pw_auto_free char *tree = rig_tree(rig);

	if (!strstr(tree, text))
		print_error("'%s' is not in: %s\n", text, tree);
	assert_non_null(strstr(tree, text));
}

#endif
