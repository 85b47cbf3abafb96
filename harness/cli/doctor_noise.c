/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/doctor_noise.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/platform/daemons.h"
#include "lib/platform/disturbance.h"
#include "lib/platform/procstat.h"

/* Shares that are worth a word here; a session has its own limits ("noise" in the config). */
#define LOAD_LIMIT  0.05 /* waiting and running tasks per CPU */
#define STEAL_LIMIT 0.01

/* why NULL: all is well. `value` is taken over; unset if there is none. */
static void add(struct pw_value *findings, const char *name, struct pw_value value, const char *why,
		const char *hint)
{
	struct pw_value finding = pw_value_object();

	pw_value_set(&finding, "area", pw_value_text("noise"));
	pw_value_set(&finding, "name", pw_value_text(name));
	pw_value_set(&finding, "state", pw_value_text(why ? "warn" : "ok"));
	if (value.type != PW_VALUE_UNSET)
		pw_value_set(&finding, "value", value);
	if (why)
		pw_value_set(&finding, "why", pw_value_text(why));
	if (why && hint)
		pw_value_set(&finding, "hint", pw_value_text(hint));
	pw_value_push(findings, finding);
}

static void add_daemons(const struct pw_root *root, struct pw_value *findings)
{
	struct pw_daemons daemons;

	pw_daemons_find(root, &daemons);
	for (size_t i = 0; i < daemons.count; i++) {
		const struct pw_daemon_found *found = &daemons.items[i];
		pw_auto_free char *text = pw_daemon_text(found);
		pw_auto_free char *hint = pw_daemon_hint(found->daemon);

		if (found->daemon->flags & PW_DAEMON_ONCE)
			add(findings, found->daemon->name, pw_value_text(text), NULL, NULL);
		else
			add(findings, found->daemon->name, PW_VALUE_INIT, text, hint);
	}
	if (daemons.count == 0 && pw_root_exists(root, "/proc/self"))
		add(findings, "daemons", pw_value_text("none known to change settings"), NULL,
		    NULL);
	pw_daemons_done(&daemons);
}

static void add_load(const struct pw_value *machine, size_t cpus, struct pw_value *findings)
{
	double load = pw_value_get_real(machine, "load", -1);
	pw_auto_free char *why = pw_sprintf("%.2f tasks ran or waited, mean of a minute", load);

	if (load < 0)
		return;
	if (load > LOAD_LIMIT * (double)cpus)
		add(findings, "load", PW_VALUE_INIT, why,
		    "end what is running; \"noise\" in a config says what a session accepts");
	else
		add(findings, "load", pw_value_real(load), NULL, NULL);
}

static void add_steal(const struct pw_root *root, struct pw_value *findings)
{
	struct pw_cpu_times times;
	pw_auto_free char *why = NULL, *little = NULL;
	double share;

	if (!pw_cpu_times_read(root, &times) || pw_cpu_times_total(&times) == 0)
		return;
	share = (double)times.steal / (double)pw_cpu_times_total(&times);
	why = pw_sprintf("the hypervisor took %.1f %% of the CPUs' time since boot", 100 * share);
	little = pw_sprintf("%.1f %% since boot", 100 * share);
	if (share > STEAL_LIMIT)
		add(findings, "stolen time", PW_VALUE_INIT, why,
		    "give the virtual machine CPUs of its own");
	else
		add(findings, "stolen time", pw_value_text(little), NULL, NULL);
}

static void add_supply(const struct pw_value *machine, struct pw_value *findings)
{
	const char *supply = pw_value_get_text(machine, "supply", NULL);

	if (supply && strcmp(supply, "battery") == 0)
		add(findings, "power supply", PW_VALUE_INIT,
		    "it runs from its battery: firmware and daemons may limit it",
		    "connect it to mains");
	else if (supply)
		add(findings, "power supply", pw_value_text(supply), NULL, NULL);
}

static void add_watchdog(const struct pw_value *machine, struct pw_value *findings)
{
	if (!pw_value_get(machine, "nmi_watchdog"))
		return;
	if (pw_value_get_bool(machine, "nmi_watchdog", false))
		add(findings, "NMI watchdog", PW_VALUE_INIT,
		    "it takes a hardware counter and interrupts every CPU",
		    "sysctl kernel.nmi_watchdog=0");
	else
		add(findings, "NMI watchdog", pw_value_text("off"), NULL, NULL);
}

static void add_throttling(const struct pw_value *machine, struct pw_value *findings)
{
	int64_t events = pw_value_get_int(machine, "throttled", -1);
	pw_auto_free char *why = pw_sprintf("a CPU or package was throttled %lld times since boot",
					    (long long)events);

	if (events > 0)
		add(findings, "thermal throttling", PW_VALUE_INIT, why,
		    "see to its cooling; each run tells whether it was throttled");
	else if (events == 0)
		add(findings, "thermal throttling", pw_value_text("none since boot"), NULL, NULL);
}

static void add_clock(const struct pw_value *machine, struct pw_value *findings)
{
	const char *source = pw_value_get_text(machine, "clocksource", NULL);
	pw_auto_free char *why = NULL;

	if (!source)
		return;
	if (strcmp(source, "hpet") != 0 && strcmp(source, "acpi_pm") != 0 &&
	    strcmp(source, "jiffies") != 0) {
		add(findings, "clock source", pw_value_text(source), NULL, NULL);
		return;
	}
	why = pw_sprintf("%s is slow to read: workloads that ask for the time pay for it", source);
	add(findings, "clock source", PW_VALUE_INIT, why,
	    "the kernel log says why it gave up the TSC (dmesg | grep -i clocksource)");
}

static void add_isolation(const struct pw_value *machine, const char *key, const char *why,
			  struct pw_value *findings)
{
	const char *cpus = pw_value_get_text(machine, key, NULL);
	pw_auto_free char *text = pw_sprintf("%s: %s", cpus ? cpus : "", why);

	if (cpus)
		add(findings, key, PW_VALUE_INIT, text,
		    "boot without it, unless it is part of the comparison");
}

static void add_virtual(const struct pw_value *machine, struct pw_value *findings)
{
	const char *name = pw_value_get_text(machine, "virtual", NULL);
	pw_auto_free char *text = NULL;

	if (!name)
		return;
	text = pw_sprintf("this is one (%s): others share its hardware, and settings may not "
			  "reach it",
			  name);
	add(findings, "virtual machine", PW_VALUE_INIT, text, "measure on the machine itself");
}

static void add_held(const struct pw_value *machine, struct pw_value *findings)
{
	const char *scheduler = pw_value_get_text(machine, "sched_ext", NULL);
	int64_t latency = pw_value_get_int(machine, "latency_us", -1);
	pw_auto_free char *text = NULL;

	if (latency >= 0) {
		text = pw_sprintf("a process holds it at %lld us: deep idle states are not used",
				  (long long)latency);
		add(findings, "latency limit", PW_VALUE_INIT, text,
		    "end that process (fuser /dev/cpu_dma_latency)");
	}
	if (scheduler)
		add(findings, "scheduler", pw_value_text(scheduler),
		    "loaded with sched_ext: it places the tasks instead of the kernel's own",
		    "end its program, unless it is part of the comparison");
}

void pw_doctor_noise(const struct pw_root *root, size_t cpus, struct pw_value *findings)
{
	pw_auto_value struct pw_value machine = PW_VALUE_INIT;

	pw_disturbances(root, &machine);
	add_daemons(root, findings);
	add_load(&machine, cpus, findings);
	add_steal(root, findings);
	add_supply(&machine, findings);
	add_throttling(&machine, findings);
	add_watchdog(&machine, findings);
	add_clock(&machine, findings);
	add_isolation(&machine, "isolated", "the scheduler puts no work there by itself", findings);
	add_isolation(&machine, "nohz_full", "frequencies and times read there may be stale",
		      findings);
	add_virtual(&machine, findings);
	add_held(&machine, findings);
	if (pw_value_get(&machine, "perf_event_paranoid"))
		add(findings, "perf_event_paranoid",
		    pw_value_copy(pw_value_get(&machine, "perf_event_paranoid")), NULL, NULL);
}
