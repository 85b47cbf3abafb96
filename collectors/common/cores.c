/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/cores.h"

#include <stdio.h>
#include <string.h>

#include "collectors/common/packages.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/pitfall.h"
#include "lib/platform/topology.h"

#define PMU   "power_core"
#define EVENT "energy-core"
/* More than one core draws: several times the highest of today. */
#define CORE_MAX_W 200.0
/* As for the package: AMD counts in 2^-16 J, and 2^32 of them may be lost at once. */
#define ALIAS_J 65536.0
#define STEP_J	(1.0 / 65536.0)

void pw_cores_init(struct pw_cores *cores, const struct pw_collect *collect)
{
	*cores = (struct pw_cores){ .perf = collect->perf, .clock = pw_stamp_clock(collect) };
}

void pw_cores_done(struct pw_cores *cores)
{
	for (size_t i = 0; i < cores->count; i++)
		cores->perf->ops->close(cores->perf, cores->items[i].handle);
	free(cores->items);
	*cores = (struct pw_cores){ 0 };
}

/* The lowest CPU of the core that this one belongs to; itself where that is not told. */
static unsigned first_sibling(const struct pw_root *root, unsigned cpu)
{
	pw_auto_free unsigned *siblings = NULL;
	char path[128], text[256];
	struct pw_err ignored;
	size_t count;

	(void)snprintf(path, sizeof(path), PW_CPU_DIR "/cpu%u/topology/core_cpus_list", cpu);
	if (pw_pitfall("siblings-twice") || !pw_attr_get(root, path, text, sizeof(text)) ||
	    pw_parse_cpulist(text, &siblings, &count, &ignored) < 0 || count == 0)
		return cpu;
	return siblings[0];
}

static bool core_is_read(const struct pw_cores *cores, const struct pw_root *root, unsigned cpu)
{
	unsigned first = first_sibling(root, cpu);

	for (size_t i = 0; i < cores->count; i++) {
		if (first_sibling(root, cores->items[i].cpu) == first)
			return true;
	}
	return false;
}

/* The domain of a package's cores, new if there is none. */
static size_t domain_of(struct pw_energy *energy, int package, double joules)
{
	struct pw_energy_domain *domain;
	char suffix[16];

	for (size_t i = 0; i < energy->count; i++) {
		if (energy->domains[i].kind == PW_ENERGY_CORES &&
		    energy->domains[i].package == package)
			return i;
	}
	(void)snprintf(suffix, sizeof(suffix), "-%d", package);
	domain = pw_energy_add(energy, PW_ENERGY_CORES, package, suffix);
	domain->joules = joules;
	domain->counter.max_per_s = PW_ENERGY_MAX_W / joules;
	return energy->count - 1;
}

static int open_core(struct pw_cores *cores, const struct pw_collect *collect,
		     const struct pw_perf_event *event, unsigned cpu, struct pw_energy *energy,
		     struct pw_err *err)
{
	int package = pw_topology_number(collect->root, cpu, "physical_package_id");
	struct pw_core core = { .cpu = cpu };

	core.handle = collect->perf->ops->open(collect->perf, event, 1, cpu, err);
	if (core.handle < 0)
		return core.handle;
	core.domain = domain_of(energy, package < 0 ? 0 : package, event->scale);
	core.counter.alias = (uint64_t)(ALIAS_J / event->scale);
	core.counter.max_per_s = CORE_MAX_W / event->scale;
	energy->domains[core.domain].step_j += STEP_J;
	PW_PUSH(cores->items, cores->count, cores->capacity, core);
	return 0;
}

static int open_all(struct pw_cores *cores, const struct pw_collect *collect,
		    struct pw_energy *energy, struct pw_err *err)
{
	pw_auto_free unsigned *cpus = NULL;
	struct pw_perf_event event;
	size_t count = 0;
	int r = pw_perf_describe(collect->root, PMU, EVENT, &event, err);

	if (r < 0)
		return r;
	if (strcmp(event.unit, "Joules") != 0 || !(event.scale < 1.0 && event.scale > 1e-12))
		return pw_fail(err, PW_EUNSUPPORTED, "'%s' with scale %g is no energy", event.unit,
			       event.scale);
	r = pw_perf_cpumask(collect->root, PMU, &cpus, &count, err);
	for (size_t i = 0; r >= 0 && i < count; i++) {
		if (core_is_read(cores, collect->root, cpus[i]))
			continue;
		if (cores->count && pw_pitfall("first-core-only"))
			break;
		r = open_core(cores, collect, &event, cpus[i], energy, err);
	}
	return r;
}

/* A domain "cores" of another source is there already: one is enough. */
static bool has_cores(const struct pw_energy *energy)
{
	for (size_t i = 0; i < energy->count; i++) {
		if (energy->domains[i].kind == PW_ENERGY_CORES)
			return true;
	}
	return false;
}

void pw_cores_open(struct pw_cores *cores, const struct pw_collect *collect,
		   struct pw_energy *energy)
{
	size_t before = energy->count;
	struct pw_err err = PW_ERR_INIT;

	if (!pw_root_exists(collect->root, "/sys/bus/event_source/devices/" PMU "/type"))
		return;
	if (has_cores(energy)) {
		pw_energy_leave_out(energy, PMU, PW_ENERGY_CORES, "the PMU power has the cores");
		return;
	}
	if (open_all(cores, collect, energy, &err) >= 0)
		return;
	/* The cores of a part of the machine would be no sum of a package. */
	energy->count = before;
	pw_cores_done(cores);
	pw_cores_init(cores, collect);
	pw_energy_leave_out(energy, PMU, PW_ENERGY_CORES, err.text);
}

static int read_core(struct pw_cores *cores, struct pw_core *core, struct pw_err *err)
{
	enum pw_counter_fault fault;
	struct pw_perf_reading reading;
	int r = cores->perf->ops->read(cores->perf, core->handle, &reading, err);

	if (r < 0)
		return pw_err_prefix(err, "cpu%u", core->cpu);
	if (reading.running_ns < reading.enabled_ns)
		return pw_fail(err, PW_EIO, "cpu%u: counted only part of the time", core->cpu);
	if (cores->starting) {
		pw_counter_start(&core->counter, reading.values[0], cores->clock());
		return 0;
	}
	fault = pw_counter_update(&core->counter, reading.values[0], cores->clock());
	if (fault != PW_COUNTER_OK)
		return pw_fail(err, PW_EIO, "cpu%u: the counter %s", core->cpu,
			       pw_counter_fault_text(fault));
	return 0;
}

int pw_cores_read(struct pw_cores *cores, size_t domain, uint64_t *ret, struct pw_err *err)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < cores->count; i++) {
		int r;

		if (cores->items[i].domain != domain)
			continue;
		r = read_core(cores, &cores->items[i], err);
		if (r < 0)
			return r;
		sum += cores->items[i].counter.total;
	}
	*ret = sum;
	return 0;
}
