/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/doctor_machine.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/model/json.h"
#include "report/ladder.h"

#define KB_IN_GIB     (1024.0 * 1024)
#define KHZ_IN_MHZ    1000
#define CMDLINE_WIDTH 88 /* of a screen of 100 columns; --json has all of it */

/* "  Label       " begins a line; what follows is put together piece by piece. */
static void label(struct pw_strbuf *text, const char *name)
{
	pw_strbuf_puts(text, "  ");
	pw_text_pad(text, name, 12);
}

/* `before` and the value: text as it is, numbers as JSON; nothing if it is absent. */
static void piece(const struct pw_value *object, const char *key, const char *before,
		  struct pw_strbuf *text)
{
	const struct pw_value *value = pw_value_get(object, key);

	if (!value)
		return;
	pw_strbuf_puts(text, before);
	if (value->type == PW_VALUE_TEXT)
		pw_text_escape(text, value->text);
	else
		pw_json_write(value, PW_JSON_COMPACT, text);
}

static void count(const struct pw_value *object, const char *key, const char *before,
		  const char *one, const char *many, struct pw_strbuf *text)
{
	int64_t number = pw_value_get_int(object, key, 0);

	if (number > 0)
		pw_strbuf_printf(text, "%s%" PRId64 " %s", before, number,
				 number == 1 ? one : many);
}

static void print_cpu(const struct pw_value *machine, struct pw_strbuf *text)
{
	label(text, "CPU");
	pw_text_escape(text, pw_value_get_text(machine, "cpu", "unknown CPU"));
	piece(machine, "family", ", family ", text);
	piece(machine, "model", " model ", text);
	piece(machine, "stepping", " stepping ", text);
	piece(machine, "microcode", ", microcode ", text);
	piece(machine, "virtual", ", virtual machine: ", text);
	pw_strbuf_putc(text, '\n');
}

static void print_topology(const struct pw_value *machine, struct pw_strbuf *text)
{
	const struct pw_value *types = pw_value_get(machine, "types");

	label(text, "Topology");
	count(machine, "cpus", "", "CPU", "CPUs", text);
	if (pw_value_get_int(machine, "usable", 0) != pw_value_get_int(machine, "cpus", 0))
		count(machine, "usable", " (", "usable)", "usable)", text);
	count(machine, "sockets", ", ", "socket", "sockets", text);
	count(machine, "cores", ", ", "core", "cores", text);
	count(machine, "threads", ", ", "thread", "threads", text);
	count(machine, "numa_nodes", ", ", "NUMA node", "NUMA nodes", text);
	for (size_t i = 0; types && i < types->count; i++) {
		pw_strbuf_puts(text, "; ");
		pw_text_escape(text, types->keys[i]);
		count(&types->items[i], "cores", ": ", "core", "cores", text);
		piece(&types->items[i], "cpus", ", CPUs ", text);
	}
	pw_strbuf_putc(text, '\n');
}

static void print_disk(const struct pw_value *storage, const char *name, struct pw_strbuf *text)
{
	label(text, name);
	piece(storage, "file_system", "", text);
	piece(storage, "mount", " at ", text);
	piece(storage, "device", ", device ", text);
	piece(storage, "model", ", model ", text);
	if (pw_value_get(storage, "rotational"))
		pw_strbuf_puts(text, pw_value_get_bool(storage, "rotational", false)
					     ? ", rotates"
					     : ", does not rotate");
	piece(storage, "scheduler", ", scheduler ", text);
	pw_strbuf_putc(text, '\n');
}

/* The folder of the workloads has a line of its own only where it lies elsewhere. */
static void print_memory(const struct pw_value *machine, struct pw_strbuf *text)
{
	const struct pw_value *storage = pw_value_get(machine, "storage");
	const struct pw_value *work = pw_value_get(machine, "work_storage");
	int64_t kb = pw_value_get_int(machine, "memory_kb", 0);

	if (kb > 0) {
		label(text, "Memory");
		pw_strbuf_printf(text, "%.1f GiB\n", (double)kb / KB_IN_GIB);
	}
	if (storage)
		print_disk(storage, "Storage", text);
	if (work && !(storage && pw_value_equal(storage, work)))
		print_disk(work, "Workloads", text);
}

static void print_kernel(const struct pw_value *machine, struct pw_strbuf *text)
{
	pw_auto_strbuf struct pw_strbuf line = PW_STRBUF_INIT;

	label(text, "Kernel");
	pw_text_escape(text, pw_value_get_text(machine, "kernel", "unknown"));
	piece(machine, "kernel_version", ", ", text);
	piece(machine, "architecture", ", ", text);
	piece(machine, "preemption", ", preemption ", text);
	count(machine, "tick_hz", ", tick ", "Hz", "Hz", text);
	piece(machine, "tick", " ", text);
	pw_strbuf_putc(text, '\n');
	pw_text_escape(&line, pw_value_get_text(machine, "cmdline", ""));
	if (line.length == 0)
		return;
	label(text, "");
	if (line.length > CMDLINE_WIDTH) {
		pw_strbuf_add(text, pw_strbuf_text(&line), CMDLINE_WIDTH - 3);
		pw_strbuf_puts(text, "...");
	} else {
		pw_strbuf_puts(text, pw_strbuf_text(&line));
	}
	pw_strbuf_putc(text, '\n');
}

/* kHz as MHz; the text of policies that differ as it is. */
static void frequency(const struct pw_value *object, const char *key, const char *before,
		      struct pw_strbuf *text)
{
	const struct pw_value *value = pw_value_get(object, key);

	if (!value || value->type != PW_VALUE_INT)
		piece(object, key, before, text);
	else
		pw_strbuf_printf(text, "%s%" PRId64 " MHz", before, value->integer / KHZ_IN_MHZ);
}

static void print_frequency(const struct pw_value *machine, struct pw_strbuf *text)
{
	const struct pw_value *range = pw_value_get(machine, "frequency");
	const struct pw_value *boost = pw_value_get(machine, "boost");

	label(text, "Frequency");
	pw_strbuf_puts(text, "driver ");
	pw_text_escape(text, pw_value_get_text(machine, "driver_mode",
					       pw_value_get_text(machine, "driver", "none")));
	piece(machine, "governor", ", governor ", text);
	piece(machine, "epp", ", EPP ", text);
	if (boost && boost->type == PW_VALUE_BOOL)
		pw_strbuf_puts(text, boost->boolean ? ", boost on" : ", boost off");
	else
		piece(machine, "boost", ", boost ", text);
	pw_strbuf_putc(text, '\n');
	if (!range)
		return;
	label(text, "Limits");
	frequency(range, "min_khz", "", text);
	frequency(range, "max_khz", " to ", text);
	frequency(range, "hardware_min_khz", ", of the hardware ", text);
	frequency(range, "hardware_max_khz", " to ", text);
	frequency(range, "base_khz", ", base ", text);
	frequency(range, "bios_khz", ", of the firmware ", text);
	pw_strbuf_putc(text, '\n');
}

static void print_states(const struct pw_value *states, struct pw_strbuf *text)
{
	for (size_t i = 0; i < states->count; i++) {
		const struct pw_value *state = &states->items[i];

		piece(state, "name", i ? ", " : " ", text);
		piece(state, "latency_us", " ", text);
		if (pw_value_get_bool(state, "disabled", false))
			pw_strbuf_puts(text, " (disabled)");
	}
}

static void print_idle(const struct pw_value *machine, struct pw_strbuf *text)
{
	const struct pw_value *types = pw_value_get(machine, "idle_states");

	if (!pw_value_get(machine, "idle_driver") && !types)
		return;
	label(text, "Idle");
	pw_strbuf_puts(text, "driver ");
	pw_text_escape(text, pw_value_get_text(machine, "idle_driver", "unknown"));
	piece(machine, "idle_governor", ", governor ", text);
	for (size_t i = 0; types && i < types->count; i++) {
		pw_strbuf_puts(text, "; us to wake");
		if (types->count > 1) {
			pw_strbuf_puts(text, ", ");
			pw_text_escape(text, types->keys[i]);
		}
		pw_strbuf_putc(text, ':');
		print_states(&types->items[i], text);
	}
	pw_strbuf_putc(text, '\n');
}

/* "Not affected", "Mitigation: ...", "Vulnerable...", also behind a prefix ("KVM: "). */
static bool says(const struct pw_value *value, const char *word)
{
	return value->type == PW_VALUE_TEXT && strstr(value->text, word);
}

static bool is_mitigated(const struct pw_value *value)
{
	return says(value, "Mitigation") && !says(value, "Vulnerable");
}

static void print_mitigations(const struct pw_value *machine, struct pw_strbuf *text)
{
	const struct pw_value *holes = pw_value_get(machine, "mitigations");
	size_t unaffected = 0, mitigated = 0;
	bool begun = false;

	if (!holes)
		return;
	for (size_t i = 0; i < holes->count; i++) {
		unaffected += says(&holes->items[i], "Not affected");
		mitigated += is_mitigated(&holes->items[i]);
	}
	label(text, "Mitigations");
	pw_strbuf_printf(text, "%zu on, %zu not needed", mitigated, unaffected);
	for (size_t i = 0; i < holes->count; i++) {
		if (says(&holes->items[i], "Not affected") || is_mitigated(&holes->items[i]))
			continue;
		pw_strbuf_puts(text, begun ? ", " : "; open or unknown: ");
		pw_text_escape(text, holes->keys[i]);
		begun = true;
	}
	pw_strbuf_putc(text, '\n');
}

static void print_levels(const struct pw_value *machine, struct pw_strbuf *text)
{
	const struct pw_value *turbo = pw_value_get(machine, "turbo");

	pw_ladder_text(turbo, text);
	if (!turbo || !pw_value_get(turbo, "why") || pw_value_get(machine, "virtual"))
		return;
	piece(turbo, "why", "levels by registers: ", text);
	piece(turbo, "hint", "\n  hint: ", text);
	pw_strbuf_putc(text, '\n');
}

void pw_doctor_machine_text(const struct pw_value *machine, struct pw_strbuf *text)
{
	pw_strbuf_puts(text, "machine");
	piece(machine, "name", " ", text);
	pw_strbuf_putc(text, '\n');
	print_cpu(machine, text);
	print_topology(machine, text);
	print_memory(machine, text);
	print_kernel(machine, text);
	print_frequency(machine, text);
	print_idle(machine, text);
	print_mitigations(machine, text);
	print_levels(machine, text);
}
