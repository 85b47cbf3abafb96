/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/turbo.h"

#include <stdio.h>

#include "lib/base/cleanup.h"

#define NEHALEM_BUS_MHZ (400.0 / 3)
#define BUS_MHZ		100.0
#define BYTES		8 /* of a register */

/* Family 6, by model: kernel arch/x86/include/asm/intel-family.h. */
static const struct {
	unsigned char model;
	enum pw_turbo_kind kind;
} models[] = {
	{ 0x1a, PW_TURBO_NEHALEM },    /* Nehalem-EP */
	{ 0x1e, PW_TURBO_NEHALEM },    /* Nehalem */
	{ 0x1f, PW_TURBO_NEHALEM },    /* Nehalem with graphics */
	{ 0x25, PW_TURBO_NEHALEM },    /* Westmere */
	{ 0x2c, PW_TURBO_NEHALEM },    /* Westmere-EP */
	{ 0x2e, PW_TURBO_NEHALEM_EX }, /* Nehalem-EX */
	{ 0x2f, PW_TURBO_NEHALEM_EX }, /* Westmere-EX */
	{ 0x3e, PW_TURBO_IVB_X },      /* Ivy Bridge-EP */
	{ 0x3f, PW_TURBO_HSX },	       /* Haswell-EP */
	{ 0x37, PW_TURBO_SILVERMONT }, /* Silvermont */
	{ 0x4a, PW_TURBO_SILVERMONT }, /* Silvermont, mobile */
	{ 0x4c, PW_TURBO_SILVERMONT }, /* Airmont */
	{ 0x4d, PW_TURBO_AVOTON },     /* Silvermont, server */
	{ 0x5a, PW_TURBO_SILVERMONT }, /* Airmont, mobile */
	{ 0x57, PW_TURBO_KNL },	       /* Knights Landing */
	{ 0x85, PW_TURBO_KNL },	       /* Knights Mill */
	{ 0x5c, PW_TURBO_GROUPS },     /* Goldmont */
	{ 0x5f, PW_TURBO_GROUPS },     /* Goldmont, server */
	{ 0x86, PW_TURBO_GROUPS },     /* Tremont, server */
	{ 0x55, PW_TURBO_GROUPS },     /* Skylake-SP, Cascade Lake, Cooper Lake */
	{ 0x6a, PW_TURBO_GROUPS },     /* Ice Lake-SP */
	{ 0x6c, PW_TURBO_GROUPS },     /* Ice Lake-D */
	{ 0x8f, PW_TURBO_GROUPS },     /* Sapphire Rapids */
	{ 0xcf, PW_TURBO_GROUPS },     /* Emerald Rapids */
	{ 0xad, PW_TURBO_GROUPS },     /* Granite Rapids */
	{ 0xae, PW_TURBO_GROUPS },     /* Granite Rapids-D */
	{ 0xaf, PW_TURBO_GROUPS },     /* Sierra Forest */
	{ 0xb6, PW_TURBO_GROUPS },     /* Grand Ridge */
	{ 0xdd, PW_TURBO_GROUPS },     /* Clearwater Forest */
};

/* Family 6 before Sandy Bridge: no such registers. Atoms before Silvermont have none either. */
static const unsigned char without[] = { 0x1c, 0x26, 0x27, 0x35, 0x36 };

#define FIRST_MODEL   0x1a /* Nehalem-EP; Core 2 and older lie below */
#define DUNNINGTON    0x1d
#define SKYLAKE_X     0x55
#define GOLDMONT      0x5c
#define GOLDMONT_D    0x5f
#define GOLDMONT_PLUS 0x7a

enum pw_turbo_kind pw_turbo_kind(int64_t family, int64_t model)
{
	if (family != 6 || model < FIRST_MODEL || model == DUNNINGTON)
		return PW_TURBO_UNKNOWN;
	for (size_t i = 0; i < PW_LENGTH(without); i++) {
		if (without[i] == model)
			return PW_TURBO_UNKNOWN;
	}
	for (size_t i = 0; i < PW_LENGTH(models); i++) {
		if (models[i].model == model)
			return models[i].kind;
	}
	return PW_TURBO_PLAIN;
}

static unsigned bits(uint64_t word, unsigned shift, unsigned count)
{
	return (unsigned)(word >> shift & ((UINT64_C(1) << count) - 1));
}

static unsigned byte_of(uint64_t word, unsigned index)
{
	return bits(word, 8 * index, 8);
}

static unsigned rounded(double mhz)
{
	return (unsigned)(mhz + 0.5);
}

static struct pw_turbo_row *add_row(struct pw_turbo *turbo, const char *name, double mhz)
{
	struct pw_turbo_row *row = &turbo->rows[turbo->count];

	if (turbo->count == PW_TURBO_ROWS || mhz <= 0)
		return NULL;
	*row = (struct pw_turbo_row){ .mhz = rounded(mhz) };
	(void)snprintf(row->name, sizeof(row->name), "%s", name);
	turbo->count++;
	return row;
}

static void add_cores(struct pw_turbo *turbo, unsigned cores, unsigned ratio)
{
	struct pw_turbo_row *row;
	char name[20];

	if (cores == 0)
		return;
	(void)snprintf(name, sizeof(name), "%uC", cores);
	row = add_row(turbo, name, ratio * turbo->bus_mhz);
	if (row)
		row->cores = cores;
}

/* One byte a number of cores; the byte 0 is for `first` cores. */
static void add_counted(struct pw_turbo *turbo, uint64_t ratios, unsigned first, unsigned count)
{
	for (unsigned i = count; i > 0; i--)
		add_cores(turbo, first + i - 1, byte_of(ratios, i - 1));
}

static void add_groups(struct pw_turbo *turbo, uint64_t ratios, uint64_t sizes)
{
	for (unsigned i = BYTES; i > 0; i--)
		add_cores(turbo, byte_of(sizes, i - 1), byte_of(ratios, i - 1));
}

/*
 * Bits 7:1 are the cores of the first group, 15:8 its ratio; each byte behind adds bits 4:0 cores
 * and takes bits 7:5 from the ratio. Groups that do not change the ratio are one.
 */
static void add_knights_landing(struct pw_turbo *turbo, uint64_t word)
{
	unsigned cores[BYTES - 1], ratio[BYTES - 1];
	size_t last = 0;

	cores[0] = bits(word, 1, 7);
	ratio[0] = byte_of(word, 1);
	for (unsigned i = 2; i < BYTES; i++) {
		unsigned more = bits(word, 8 * i, 5), less = bits(word, 8 * i + 5, 3);

		if (more == 0 || less > ratio[last])
			continue;
		if (less) {
			ratio[last + 1] = ratio[last] - less;
			cores[last + 1] = cores[last];
			last++;
		}
		cores[last] += more;
	}
	for (size_t i = last + 1; i > 0; i--)
		add_cores(turbo, cores[i - 1], ratio[i - 1]);
}

/*
 * Bit 63 of Ivy Bridge-EP's second register says that the table is in force (Intel SDM vol. 4,
 * MSR_TURBO_RATIO_LIMIT1 of 06_3EH); no ratio reaches that high.
 */
#define IVB_X_IN_FORCE (UINT64_C(1) << 63)

static void decode_core(enum pw_turbo_kind kind, const struct pw_turbo_words *words,
			struct pw_turbo *turbo)
{
	add_row(turbo, "EFFIC", byte_of(words->info, 5) * turbo->bus_mhz);
	add_row(turbo, "BASE", byte_of(words->info, 1) * turbo->bus_mhz);
	switch (kind) {
	case PW_TURBO_GROUPS:
		add_groups(turbo, words->limit[0], words->limit[1]);
		break;
	case PW_TURBO_KNL:
		add_knights_landing(turbo, words->limit[0]);
		break;
	case PW_TURBO_HSX:
		add_counted(turbo, words->limit[2], 17, 2);
		add_counted(turbo, words->limit[1], 9, BYTES);
		add_counted(turbo, words->limit[0], 1, BYTES);
		break;
	case PW_TURBO_IVB_X:
		add_counted(turbo, words->limit[1] & ~IVB_X_IN_FORCE, 9, BYTES);
		add_counted(turbo, words->limit[0], 1, BYTES);
		break;
	case PW_TURBO_NEHALEM:
	case PW_TURBO_PLAIN:
	case PW_TURBO_AVOTON:
		add_counted(turbo, words->limit[0], 1, BYTES);
		break;
	case PW_TURBO_UNKNOWN:
	case PW_TURBO_NEHALEM_EX:
	case PW_TURBO_SILVERMONT:
		break;
	}
}

/*
 * Bits 3:0 of 0xcd (MSR_FSB_FREQ: kernel arch/x86/kernel/tsc_msr.c); 0 for other codes. Those from
 * 5 on are Airmont's.
 */
static double silvermont_bus(uint64_t word)
{
	static const double mhz[] = { 250.0 / 3, 100, NEHALEM_BUS_MHZ, 350.0 / 3, 80,
				      280.0 / 3, 90,  800.0 / 9,       87.5 };
	unsigned code = bits(word, 0, 4);

	return code < PW_LENGTH(mhz) ? mhz[code] : 0;
}

static void decode_silvermont(const struct pw_turbo_words *words, struct pw_turbo *turbo)
{
	add_row(turbo, "MIN", bits(words->atom, 0, 6) * turbo->bus_mhz);
	add_row(turbo, "EFFIC", bits(words->atom, 8, 6) * turbo->bus_mhz);
	add_row(turbo, "BASE", bits(words->atom, 16, 6) * turbo->bus_mhz);
	for (unsigned i = 4; i > 0; i--)
		add_cores(turbo, i, bits(words->atom_turbo, 8 * (i - 1), 6));
}

static double bus_of(enum pw_turbo_kind kind, const struct pw_turbo_words *words)
{
	if (kind == PW_TURBO_SILVERMONT || kind == PW_TURBO_AVOTON)
		return silvermont_bus(words->bus);
	return kind == PW_TURBO_NEHALEM || kind == PW_TURBO_NEHALEM_EX ? NEHALEM_BUS_MHZ : BUS_MHZ;
}

bool pw_turbo_decode(enum pw_turbo_kind kind, const struct pw_turbo_words *words,
		     struct pw_turbo *ret)
{
	struct pw_turbo turbo = { .bus_mhz = bus_of(kind, words) };

	if (kind == PW_TURBO_UNKNOWN)
		return false;
	if (kind == PW_TURBO_SILVERMONT)
		decode_silvermont(words, &turbo);
	else
		decode_core(kind, words, &turbo);
	if (turbo.count == 0)
		return false;
	*ret = turbo;
	return true;
}

/* The first group that holds at least this many cores. */
static unsigned ratio_of_group(const struct pw_turbo_words *words, unsigned cores)
{
	for (unsigned i = 0; i < BYTES; i++) {
		if (byte_of(words->limit[1], i) >= cores)
			return byte_of(words->limit[0], i);
	}
	return 0;
}

/* Goldmont: of one core; Skylake-SP: of a group of 4; others: of 4 cores, else of one. */
static unsigned scheduler_ratio(enum pw_turbo_kind kind, int64_t model,
				const struct pw_turbo_words *words)
{
	unsigned ratio = 0;

	if (kind == PW_TURBO_KNL || kind == PW_TURBO_NEHALEM_EX || kind == PW_TURBO_UNKNOWN)
		return 0;
	if (kind == PW_TURBO_SILVERMONT)
		return bits(words->atom_turbo, 0, 6);
	if (model == GOLDMONT_PLUS)
		return byte_of(words->limit[0], 0);
	if (model == GOLDMONT || model == GOLDMONT_D)
		ratio = ratio_of_group(words, 1);
	else if (model == SKYLAKE_X)
		ratio = ratio_of_group(words, 4);
	if (ratio == 0)
		ratio = byte_of(words->limit[0], 3);
	return ratio ? ratio : byte_of(words->limit[0], 0);
}

unsigned pw_turbo_scheduler_mhz(enum pw_turbo_kind kind, int64_t model,
				const struct pw_turbo_words *words)
{
	return rounded(scheduler_ratio(kind, model, words) * bus_of(kind, words));
}

bool pw_turbo_tdp(const struct pw_turbo_words *words, struct pw_turbo_tdp *ret)
{
	unsigned nominal = byte_of(words->tdp_nominal, 0);
	unsigned level = bits(words->tdp_control, 0, 2);
	unsigned ratio = nominal;

	if (nominal == 0 || level > PW_LENGTH(words->tdp_level))
		return false;
	if (level)
		ratio = byte_of(words->tdp_level[level - 1], 2);
	if (ratio == 0)
		return false;
	*ret = (struct pw_turbo_tdp){
		.level = level,
		.nominal_mhz = rounded(nominal * BUS_MHZ),
		.level_mhz = rounded(ratio * BUS_MHZ),
		.activation_mhz = rounded(byte_of(words->activation, 0) * BUS_MHZ),
	};
	return true;
}

struct pw_cppc_levels pw_cppc_of_register(uint64_t word, uint64_t base_mhz)
{
	return (struct pw_cppc_levels){
		.lowest = byte_of(word, 0),
		.nonlinear = byte_of(word, 1),
		.nominal = byte_of(word, 2),
		.highest_min = byte_of(word, 3),
		.highest_max = byte_of(word, 3),
		.nominal_mhz = base_mhz,
	};
}

#define PSTATE_IN_FORCE (UINT64_C(1) << 63)

uint64_t pw_turbo_amd_base_mhz(int64_t family, uint64_t word)
{
	unsigned divisor = bits(word, 8, 6);

	if (!(word & PSTATE_IN_FORCE))
		return 0;
	if (family == 0x1a)
		return 5U * bits(word, 0, 12);
	if (family < 0x17 || family > 0x19 || divisor == 0)
		return 0;
	return 200U * bits(word, 0, 8) / divisor;
}

bool pw_turbo_from_cppc(const struct pw_cppc_levels *levels, struct pw_turbo *ret)
{
	struct pw_turbo turbo = { .count = 0 };
	struct pw_turbo_row *row;
	double step;

	if (levels->nominal == 0 || levels->nominal_mhz == 0)
		return false;
	step = (double)levels->nominal_mhz / (double)levels->nominal;
	add_row(&turbo, "LOWEST", (double)levels->lowest * step);
	add_row(&turbo, "LOWEST-NONLINEAR", (double)levels->nonlinear * step);
	add_row(&turbo, "NOMINAL", (double)levels->nominal * step);
	row = add_row(&turbo, "HIGHEST", (double)levels->highest_min * step);
	if (row && levels->highest_max > levels->highest_min)
		row->highest_mhz = rounded((double)levels->highest_max * step);
	*ret = turbo;
	return true;
}

bool pw_turbo_from_limits(uint64_t min_khz, uint64_t base_khz, uint64_t max_khz,
			  struct pw_turbo *ret)
{
	struct pw_turbo turbo = { .count = 0 };

	add_row(&turbo, "MIN", (double)min_khz / 1000);
	add_row(&turbo, "BASE", (double)base_khz / 1000);
	add_row(&turbo, "MAX", (double)max_khz / 1000);
	if (turbo.count == 0)
		return false;
	*ret = turbo;
	return true;
}
