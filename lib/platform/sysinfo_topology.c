/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/parse.h"
#include "lib/platform/sysinfo_parts.h"

#define NODES "/sys/devices/system/node/online"

static void set_count(struct pw_value *machine, const char *key, size_t count)
{
	if (count)
		pw_value_set(machine, key, pw_value_int((int64_t)count));
}

static void set_types(const struct pw_layout *layout, struct pw_value *machine)
{
	struct pw_value types = pw_value_object();

	for (size_t i = 0; i < layout->type_count; i++) {
		const struct pw_core_type *type = &layout->types[i];
		struct pw_value value = pw_value_object();
		char *cpus = pw_cpuset_text(&type->cpus);

		set_count(&value, "cores", type->cores);
		set_count(&value, "threads", type->cpus.count);
		pw_value_set(&value, "cpus", pw_value_text(cpus));
		free(cpus);
		pw_value_set(&types, type->name, value);
	}
	pw_value_set(machine, "types", types);
}

static void set_nodes(const struct pw_root *root, struct pw_value *machine)
{
	pw_auto_free unsigned *nodes = NULL;
	struct pw_err ignored;
	size_t count;
	char text[1024];

	if (pw_attr_get(root, NODES, text, sizeof(text)) &&
	    pw_parse_cpulist(text, &nodes, &count, &ignored) == 0)
		set_count(machine, "numa_nodes", count);
}

void pw_sysinfo_topology(const struct pw_root *root, const struct pw_layout *layout,
			 struct pw_value *machine)
{
	struct pw_cpuset usable = { 0 };
	struct pw_err ignored;

	set_count(machine, "cpus", layout->online.count);
	if (pw_cpus_usable(root, &usable, &ignored) == 0)
		set_count(machine, "usable", usable.count);
	pw_cpuset_done(&usable);
	set_count(machine, "sockets", layout->sockets);
	set_count(machine, "cores", layout->cores);
	if (layout->cores)
		set_count(machine, "threads", layout->online.count);
	if (layout->type_count)
		set_types(layout, machine);
	set_nodes(root, machine);
}
