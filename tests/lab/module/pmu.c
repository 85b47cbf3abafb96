// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMUs "power" (energy, one reader a package, units of 2^-32 J) and "msr" (TSC, APERF, MPERF).
 * With half_range, power counts as the kernel's own does (K6.1 arch/x86/events/rapl.c): the 32-bit
 * difference of the registers is added sign-extended, without its refresh timer.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/string.h>
#include <linux/version.h>

#include "govlab.h"

#define SCALE "2.3283064365386962890625e-10"

enum { CORES = 1, PACKAGE = 2, DRAM = 3, PSYS = 5 };
enum { TSC, APERF, MPERF };

static struct pmu power_pmu, msr_pmu;

static u64 power_nj(const struct perf_event *event)
{
	int package = per_cpu(lab_cpus, max(event->cpu, 0)).package;

	switch (event->attr.config) {
	case CORES:
		return lab_energy_nj(package, LAB_CORES);
	case PACKAGE:
		return lab_energy_nj(package, LAB_PACKAGE);
	case DRAM:
		return lab_energy_nj(package, LAB_DRAM);
	default:
		return lab_platform_nj();
	}
}

/* What the hardware's register holds, or the exact count. */
static u64 power_now(const struct perf_event *event)
{
	lab_update();
	if (lab.half_range)
		return (u32)(lab.msr_start + lab_energy_units(power_nj(event), lab.esu));
	return lab_energy_units(power_nj(event), 32);
}

static s64 power_delta(u64 now, u64 before)
{
	if (!lab.half_range)
		return now - before;
	return (s64)(s32)(u32)(now - before) * (1LL << (32 - lab.esu));
}

static u64 msr_now(const struct perf_event *event)
{
	int cpu = raw_smp_processor_id();
	const struct lab_cpu *one = &per_cpu(lab_cpus, cpu);

	lab_update_cpu(cpu);
	switch (event->attr.config) {
	case APERF:
		return one->aperf;
	case MPERF:
		return one->mperf;
	default:
		return lab_tsc();
	}
}

static u64 value_now(const struct perf_event *event)
{
	return event->pmu == &power_pmu ? power_now(event) : msr_now(event);
}

static void event_read(struct perf_event *event)
{
	u64 now = value_now(event), before = local64_xchg(&event->hw.prev_count, now);

	local64_add(event->pmu == &power_pmu ? power_delta(now, before) : now - before,
		    &event->count);
}

static void event_start(struct perf_event *event, int flags)
{
	local64_set(&event->hw.prev_count, value_now(event));
	event->hw.state = 0;
}

static void event_stop(struct perf_event *event, int flags)
{
	if (!(event->hw.state & PERF_HES_STOPPED))
		event_read(event);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int event_add(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		event_start(event, flags);
	return 0;
}

static void event_del(struct perf_event *event, int flags)
{
	event_stop(event, PERF_EF_UPDATE);
}

static bool has_power(u64 config)
{
	switch (config) {
	case CORES:
	case PACKAGE:
		return true;
	case DRAM:
		return lab.with_dram;
	default:
		return config == PSYS && lab.with_psys;
	}
}

static int event_init(struct perf_event *event)
{
	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (event->attr.sample_period)
		return -EINVAL;
	if (event->pmu == &msr_pmu)
		return event->attr.config > MPERF ? -EINVAL : 0;
	if (event->cpu < 0 || !has_power(event->attr.config))
		return -EINVAL;
	event->cpu = lab_packages[per_cpu(lab_cpus, event->cpu).package].first_cpu;
	return 0;
}

PMU_FORMAT_ATTR(event, "config:0-7");
static struct attribute *format_files[] = { &format_attr_event.attr, NULL };
static const struct attribute_group format_group = { .name = "format", .attrs = format_files };

#define EVENT_FILE(variable, file, text)                                                           \
	static struct perf_pmu_events_attr variable = {                                            \
		.attr = __ATTR(file, 0444, perf_event_sysfs_show, NULL), .event_str = text         \
	}
#define POWER_FILES(variable, file, text)                                                          \
	EVENT_FILE(variable, file, text);                                                          \
	EVENT_FILE(variable##_unit, file.unit, "Joules");                                          \
	EVENT_FILE(variable##_scale, file.scale, SCALE)

/* clang-format off */
POWER_FILES(cores, energy-cores, "event=0x01");
POWER_FILES(package, energy-pkg, "event=0x02");
POWER_FILES(dram, energy-ram, "event=0x03");
POWER_FILES(psys, energy-psys, "event=0x05");
/* clang-format on */
EVENT_FILE(tsc, tsc, "event=0x00");
EVENT_FILE(aperf, aperf, "event=0x01");
EVENT_FILE(mperf, mperf, "event=0x02");

#define THREE(variable) &variable.attr.attr, &variable##_unit.attr.attr, &variable##_scale.attr.attr

static struct attribute *power_files[] = { THREE(cores), THREE(package), THREE(dram), THREE(psys),
					   NULL };
static struct attribute *msr_files[] = { &tsc.attr.attr, &aperf.attr.attr, &mperf.attr.attr, NULL };

static umode_t power_visible(struct kobject *kobj, struct attribute *attribute, int index)
{
	static const u64 configs[] = { CORES, PACKAGE, DRAM, PSYS };

	return has_power(configs[index / 3]) ? attribute->mode : 0;
}

static const struct attribute_group power_events = { .name = "events",
						     .attrs = power_files,
						     .is_visible = power_visible };
static const struct attribute_group msr_events = { .name = "events", .attrs = msr_files };

static ssize_t cpumask_show(struct device *device, struct device_attribute *attribute, char *buffer)
{
	cpumask_var_t mask;
	ssize_t length;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	for (int i = 0; i < lab_package_count; i++)
		cpumask_set_cpu(lab_packages[i].first_cpu, mask);
	length = cpumap_print_to_pagebuf(true, buffer, mask);
	free_cpumask_var(mask);
	return length;
}
static DEVICE_ATTR_RO(cpumask);
static struct attribute *cpumask_files[] = { &dev_attr_cpumask.attr, NULL };
static const struct attribute_group cpumask_group = { .attrs = cpumask_files };
static const struct attribute_group *power_groups[] = { &format_group, &power_events,
							&cpumask_group, NULL };
static const struct attribute_group *msr_groups[] = { &format_group, &msr_events, NULL };

#define OPERATIONS                                                                                 \
	.module = THIS_MODULE, .event_init = event_init, .add = event_add, .del = event_del,       \
	.start = event_start, .stop = event_stop, .read = event_read,                              \
	.capabilities = PERF_PMU_CAP_NO_INTERRUPT | PERF_PMU_CAP_NO_EXCLUDE

static struct pmu power_pmu = { .task_ctx_nr = perf_invalid_context,
				.attr_groups = power_groups,
				OPERATIONS };
static struct pmu msr_pmu = { .task_ctx_nr = perf_sw_context,
			      .attr_groups = msr_groups,
			      OPERATIONS };
static bool has_power_pmu, has_msr_pmu;

/* perf_pmu_register() would leave half a PMU beside one of the same name. */
static bool is_free(const char *name)
{
	char path[64];
	struct file *file;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s", name);
	file = filp_open(path, O_RDONLY, 0);
	if (IS_ERR(file))
		return true;
	filp_close(file, NULL);
	pr_warn("govlab: there is a PMU '%s' (boot with initcall_blacklist=msr_init)\n", name);
	return false;
}

int lab_pmu_init(void)
{
	has_power_pmu = is_free("power") && !perf_pmu_register(&power_pmu, "power", -1);
	has_msr_pmu = is_free("msr") && !perf_pmu_register(&msr_pmu, "msr", -1);
	return 0;
}

void lab_pmu_exit(void)
{
	if (has_power_pmu)
		perf_pmu_unregister(&power_pmu);
	if (has_msr_pmu)
		perf_pmu_unregister(&msr_pmu);
}
