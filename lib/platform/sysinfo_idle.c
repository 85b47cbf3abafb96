/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "lib/platform/cpuidle.h"
#include "lib/platform/sysinfo_parts.h"

#define ALL "all" /* where there is one type of cores */

static bool read_state(const struct pw_root *root, unsigned cpu, unsigned state, const char *file,
		       char *text, size_t size)
{
	char path[96];

	(void)snprintf(path, sizeof(path), PW_CPU_DIR "/cpu%u/cpuidle/state%u/%s", cpu, state,
		       file);
	return pw_attr_get(root, path, text, size);
}

static void set_number(const struct pw_root *root, unsigned cpu, unsigned state, const char *file,
		       const char *key, struct pw_value *value)
{
	char path[96];
	struct pw_err ignored;
	uint64_t number;

	(void)snprintf(path, sizeof(path), PW_CPU_DIR "/cpu%u/cpuidle/state%u/%s", cpu, state,
		       file);
	if (pw_attr_read_u64(root, path, &number, &ignored) == 0 && number <= INT64_MAX)
		pw_value_set(value, key, pw_value_int((int64_t)number));
}

/* The first CPU of a type stands for it. */
static struct pw_value states_of(const struct pw_root *root, unsigned cpu)
{
	struct pw_value states = pw_value_list();
	char name[64], disabled[8];

	for (unsigned i = 0; read_state(root, cpu, i, "name", name, sizeof(name)); i++) {
		struct pw_value state = pw_value_object();

		pw_value_set(&state, "name", pw_value_text(name));
		set_number(root, cpu, i, "latency", "latency_us", &state);
		set_number(root, cpu, i, "residency", "residency_us", &state);
		if (read_state(root, cpu, i, "disable", disabled, sizeof(disabled)) &&
		    disabled[0] != '0')
			pw_value_set(&state, "disabled", pw_value_bool(true));
		pw_value_push(&states, state);
	}
	return states;
}

static void add_states(const struct pw_root *root, unsigned cpu, const char *type,
		       struct pw_value *all)
{
	struct pw_value states = states_of(root, cpu);

	if (states.count)
		pw_value_set(all, type, states);
	else
		pw_value_done(&states);
}

void pw_sysinfo_idle(const struct pw_root *root, const struct pw_layout *layout,
		     struct pw_value *machine)
{
	struct pw_value states = pw_value_object();
	char text[64];

	if (pw_cpuidle_driver(root, text, sizeof(text)) && text[0])
		pw_value_set(machine, "idle_driver", pw_value_text(text));
	if ((pw_attr_get(root, PW_CPUIDLE_DIR "/current_governor", text, sizeof(text)) ||
	     pw_attr_get(root, PW_CPUIDLE_DIR "/current_governor_ro", text, sizeof(text))) &&
	    text[0])
		pw_value_set(machine, "idle_governor", pw_value_text(text));
	for (size_t i = 0; i < layout->type_count; i++)
		add_states(root, layout->types[i].cpus.cpus[0], layout->types[i].name, &states);
	if (layout->type_count == 0 && layout->online.count)
		add_states(root, layout->online.cpus[0], ALL, &states);
	if (states.count)
		pw_value_set(machine, "idle_states", states);
	else
		pw_value_done(&states);
}
