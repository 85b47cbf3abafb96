/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frequency levels of a processor: most efficient, base, and the highest for each number of
 * busy cores. Pure: from words that were read elsewhere (turbo_read.h) to rows.
 *
 * Layout of the registers: Intel SDM vol. 4, MSR_PLATFORM_INFO and MSR_TURBO_RATIO_LIMIT of each
 * family; which model has which: kernel tools/power/x86/turbostat.
 */
#ifndef PW_PLATFORM_TURBO_H
#define PW_PLATFORM_TURBO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PW_MSR_PLATFORM_INFO	  0xceU
#define PW_MSR_FSB_FREQ		  0xcdU
#define PW_MSR_TURBO_RATIOS_1	  0x1aeU /* group sizes, or the ratios of 9 to 16 cores */
#define PW_MSR_TURBO_RATIOS_2	  0x1afU
#define PW_MSR_CONFIG_TDP_NOMINAL 0x648U
#define PW_MSR_CONFIG_TDP_LEVEL_1 0x649U
#define PW_MSR_CONFIG_TDP_LEVEL_2 0x64aU
#define PW_MSR_CONFIG_TDP_CONTROL 0x64bU
#define PW_MSR_TURBO_ACTIVATION	  0x64cU
#define PW_MSR_SECONDARY_RATIOS	  0x650U
#define PW_MSR_ATOM_RATIOS	  0x66aU
#define PW_MSR_ATOM_TURBO_RATIOS  0x66cU
#define PW_MSR_AMD_PSTATE_0	  0xc0010064U

/* How a model states its levels. */
enum pw_turbo_kind {
	PW_TURBO_UNKNOWN,    /* none that is known here */
	PW_TURBO_NEHALEM,    /* one byte for each of 1 to 8 cores; bus clock of 133.33 MHz */
	PW_TURBO_NEHALEM_EX, /* 133.33 MHz, without turbo ratios */
	PW_TURBO_PLAIN,	     /* one byte for each of 1 to 8 cores */
	PW_TURBO_IVB_X,	     /* and 9 to 16 cores */
	PW_TURBO_HSX,	     /* and 17 and 18 cores */
	PW_TURBO_GROUPS,     /* eight groups, their sizes in 0x1ae */
	PW_TURBO_KNL,	     /* one group, and six differences to it */
	PW_TURBO_SILVERMONT, /* ratios of its own, and a bus clock of its own */
	PW_TURBO_AVOTON,     /* one byte for each of 1 to 8 cores; Silvermont's bus clock */
};

/* What the registers hold; 0 = absent (virtual machines give 0 for what they do not have). */
struct pw_turbo_words {
	uint64_t info;	       /* 0xce */
	uint64_t limit[3];     /* 0x1ad, 0x1ae, 0x1af; a core of the second type: 0x650 first */
	uint64_t bus;	       /* 0xcd */
	uint64_t atom;	       /* 0x66a */
	uint64_t atom_turbo;   /* 0x66c */
	uint64_t tdp_nominal;  /* 0x648 */
	uint64_t tdp_level[2]; /* 0x649, 0x64a */
	uint64_t tdp_control;  /* 0x64b */
	uint64_t activation;   /* 0x64c */
	uint64_t hwp_caps;     /* 0x771 */
};

#define PW_TURBO_ROWS 24

struct pw_turbo_row {
	char name[20];	      /* "EFFIC", "BASE", "24C", "LOWEST" ... */
	unsigned cores;	      /* busy cores of this row, 0 = the row is not about them */
	unsigned mhz;	      /* rounded */
	unsigned highest_mhz; /* where cores differ: `mhz` is of the worst, this of the best; else 0
			       */
};

/* In the order of the chart: low levels first, then from many cores to few. */
struct pw_turbo {
	struct pw_turbo_row rows[PW_TURBO_ROWS];
	size_t count;
	double bus_mhz; /* of one step of a ratio; 0 = not from ratios */
};

/* By "cpu family" and "model" of Intel's /proc/cpuinfo. */
enum pw_turbo_kind pw_turbo_kind(int64_t family, int64_t model);
/*
 * False if the words tell nothing (all absent), or if they are of no known form; then `ret` is left
 * alone. A ratio of 0 is an unused place and has no row.
 */
bool pw_turbo_decode(enum pw_turbo_kind kind, const struct pw_turbo_words *words,
		     struct pw_turbo *ret);
/*
 * What the kernel takes for 100 % when it scales utilisation by frequency, in MHz: of 4 cores, or
 * of one (kernel arch/x86/kernel/cpu/aperfmperf.c). 0 if it has no such figure.
 */
unsigned pw_turbo_scheduler_mhz(enum pw_turbo_kind kind, int64_t model,
				const struct pw_turbo_words *words);

/* Configurable TDP: another base than the nominal one. */
struct pw_turbo_tdp {
	unsigned level; /* in force: 0 = nominal, 1, 2 */
	unsigned nominal_mhz;
	unsigned level_mhz;	 /* of the level in force */
	unsigned activation_mhz; /* above this the processor takes a request for turbo; 0 = unset */
};

/* False where the processor has none (or only the nominal ratio of 0). */
bool pw_turbo_tdp(const struct pw_turbo_words *words, struct pw_turbo_tdp *ret);

/* Abstract performance of ACPI's CPPC and the frequency of its nominal level. */
struct pw_cppc_levels {
	uint64_t lowest, nonlinear, nominal;
	uint64_t highest_min, highest_max; /* over the cores: they differ with preferred cores */
	uint64_t nominal_mhz;
};

/* AMD's CPPC_CAP1 (PPR family 19h) of one CPU, and its base frequency. */
struct pw_cppc_levels pw_cppc_of_register(uint64_t word, uint64_t base_mhz);
/*
 * The frequency of P-state 0, which is the nominal one (PPR family 17h to 1Ah, Core::X86::Msr::
 * PStateDef). 0: not in force, or another family.
 */
uint64_t pw_turbo_amd_base_mhz(int64_t family, uint64_t word);
/* LOWEST, LOWEST-NONLINEAR, NOMINAL, HIGHEST. False without a nominal level and its frequency. */
bool pw_turbo_from_cppc(const struct pw_cppc_levels *levels, struct pw_turbo *ret);
/* MIN, BASE, MAX in kHz; those of 0 are left out. False if all are. */
bool pw_turbo_from_limits(uint64_t min_khz, uint64_t base_khz, uint64_t max_khz,
			  struct pw_turbo *ret);

#endif
