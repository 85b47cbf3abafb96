/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/turbo_cppc.h"

#include <stdio.h>
#include <string.h>

#include "lib/platform/cpufreq.h"
#include "lib/platform/msr.h"

#define KHZ_IN_MHZ 1000

static uint64_t cppc_number(const struct pw_root *root, unsigned cpu, const char *file)
{
	char path[96];
	struct pw_err ignored;
	uint64_t number;

	(void)snprintf(path, sizeof(path), PW_CPU_DIR "/cpu%u/acpi_cppc/%s", cpu, file);
	return pw_attr_read_u64(root, path, &number, &ignored) == 0 ? number : 0;
}

/* Only the highest level differs within a type, with preferred cores. */
static void note_highest(struct pw_cppc_levels *levels, uint64_t highest)
{
	if (highest > levels->highest_max)
		levels->highest_max = highest;
	if (highest && (levels->highest_min == 0 || highest < levels->highest_min))
		levels->highest_min = highest;
}

static bool levels_of_sysfs(const struct pw_root *root, const struct pw_cpuset *cpus,
			    struct pw_cppc_levels *ret)
{
	struct pw_cppc_levels levels = {
		.lowest = cppc_number(root, cpus->cpus[0], "lowest_perf"),
		.nonlinear = cppc_number(root, cpus->cpus[0], "lowest_nonlinear_perf"),
		.nominal = cppc_number(root, cpus->cpus[0], "nominal_perf"),
		.nominal_mhz = cppc_number(root, cpus->cpus[0], "nominal_freq"),
	};

	if (levels.nominal == 0 || levels.nominal_mhz == 0)
		return false;
	for (size_t i = 0; i < cpus->count; i++)
		note_highest(&levels, cppc_number(root, cpus->cpus[i], "highest_perf"));
	*ret = levels;
	return true;
}

static int read_register(const struct pw_root *root, unsigned cpu, uint32_t number, uint64_t *ret,
			 struct pw_err *err)
{
	struct pw_msr msr;
	int r;

	if (pw_msr_open(&msr, root, cpu, err) < 0)
		return -(int)err->code;
	r = pw_msr_read(&msr, number, ret, err);
	pw_msr_close(&msr);
	return r;
}

static bool levels_of_registers(const struct pw_root *root, const struct pw_cpuset *cpus,
				int64_t family, struct pw_cppc_levels *ret, struct pw_err *err)
{
	struct pw_cppc_levels levels;
	struct pw_err ignored;
	uint64_t word, state;

	if (read_register(root, cpus->cpus[0], PW_MSR_CPPC_CAP1, &word, err) < 0 ||
	    read_register(root, cpus->cpus[0], PW_MSR_AMD_PSTATE_0, &state, err) < 0)
		return false;
	levels = pw_cppc_of_register(word, pw_turbo_amd_base_mhz(family, state));
	if (levels.nominal == 0 || levels.nominal_mhz == 0) {
		(void)pw_fail(err, PW_EUNSUPPORTED,
			      "the registers of the levels are empty (usual in a virtual machine)");
		return false;
	}
	for (size_t i = 1; i < cpus->count; i++) {
		if (read_register(root, cpus->cpus[i], PW_MSR_CPPC_CAP1, &word, &ignored) == 0)
			note_highest(&levels, pw_cppc_of_register(word, 0).highest_max);
	}
	*ret = levels;
	return true;
}

/* What amd_pstate says of the policy that is named after the CPU; 0 = nothing. */
static unsigned driver_mhz(const struct pw_root *root, unsigned cpu)
{
	char path[96];
	struct pw_err ignored;
	uint64_t khz;

	(void)snprintf(path, sizeof(path), PW_CPUFREQ_DIR "/policy%u/amd_pstate_max_freq", cpu);
	if (pw_attr_read_u64(root, path, &khz, &ignored) < 0 || khz > UINT32_MAX)
		return 0;
	return (unsigned)(khz / KHZ_IN_MHZ);
}

/*
 * With preferred cores the firmware of some families gives a ranking as the highest level (up to
 * 255), which the driver does not turn into a frequency (kernel arch/x86/kernel/acpi/cppc.c,
 * amd_get_boost_ratio_numerator()). Then the driver's own maximum is the level.
 */
static void correct_highest(const struct pw_root *root, const struct pw_cpuset *cpus,
			    struct pw_turbo_cppc *cppc)
{
	struct pw_turbo_row *row = &cppc->turbo.rows[cppc->turbo.count - 1];
	unsigned first = driver_mhz(root, cpus->cpus[0]), least = first, most = first;
	unsigned highest = row->highest_mhz ? row->highest_mhz : row->mhz;

	if (strcmp(row->name, "HIGHEST") != 0 || first == 0 || row->mhz <= first + first / 20)
		return;
	for (size_t i = 1; i < cpus->count; i++) {
		unsigned mhz = driver_mhz(root, cpus->cpus[i]);

		least = mhz && mhz < least ? mhz : least;
		most = mhz > most ? mhz : most;
	}
	if (highest <= most + most / 20)
		return;
	row->mhz = least;
	row->highest_mhz = most > least ? most : 0;
	cppc->note = "CPPC's highest level is a ranking of preferred cores here: HIGHEST is the "
		     "driver's maximum";
}

bool pw_turbo_cppc_read(const struct pw_root *root, const struct pw_cpuset *cpus, int64_t family,
			struct pw_turbo_cppc *ret, struct pw_err *err)
{
	struct pw_turbo_cppc cppc = { .source = "acpi-cppc" };
	struct pw_cppc_levels levels;

	if (!levels_of_sysfs(root, cpus, &levels)) {
		cppc.source = "msr";
		if (family < 0 || !levels_of_registers(root, cpus, family, &levels, err))
			return false;
	}
	if (!pw_turbo_from_cppc(&levels, &cppc.turbo))
		return false;
	correct_highest(root, cpus, &cppc);
	*ret = cppc;
	return true;
}
