/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The account of energy that every source of RAPL counters keeps: domains, which of them count for
 * the scope, deltas, mirrored dies, faults, uncertainty, and the section of the record
 *
 *   { "source": "perf", "scope": "package", "counted": ["package-0"], "total_uj": INT,
 *     "uncertainty_uj": INT, "peak_w": REAL, "peak_over_s": REAL,
 *     "domains": { "package-0": INT, "dram-0": INT } }
 *
 * Domain algebra: packages contain cores and gpu, never dram; psys contains everything. Scope
 * "package" counts the packages, "package+dram" the packages and their memory; no sum ever holds
 * overlapping domains. Scope "platform" is refused: psys depends on the board. A part that reads
 * more than its whole (psys below its packages, cores above their package) is no measurement.
 *
 * Uncertainty (about a bound, not a standard deviation):
 *
 *   sum over counted domains of (one counter step + total * rounding of the unit)
 *   + P * (2 * 1 ms + width of the first pass + width of the last pass)
 *
 * where 1 ms is the update period of the counters (Intel SDM vol. 3 15.10.1; AMD the same: kernel
 * Documentation/hwmon/amd_energy.rst), once for each end; a pass's width is the time between the
 * stamps before and after the counters that count; and P is the mean power of the run, or the
 * highest mean between two reads at least 100 ms apart if that is more (the edges of a run may be
 * its busiest part). What a counter has not shown yet at an end is at most 1 ms of the power just
 * then, and of the two ends one adds and one takes away: the sum holds wherever that power is below
 * twice P.
 *
 * Life: add domains, then { begin, sample*, end, report } for each run. Nothing is allocated from
 * begin to end.
 */
#ifndef PW_COLLECTORS_ENERGY_H
#define PW_COLLECTORS_ENERGY_H

#include "collectors/common/peak.h"
#include "collectors/common/stamp.h"
#include "lib/base/err.h"
#include "lib/platform/counter.h"
#include "lib/plugin/collector.h"
#include "lib/plugin/value.h"

/* More than a package or its memory draws: twice the largest sockets' peak. */
#define PW_ENERGY_MAX_W 4000.0

enum pw_energy_kind {
	PW_ENERGY_UNSET,
	PW_ENERGY_PACKAGE,
	PW_ENERGY_DRAM,
	PW_ENERGY_PSYS,
	PW_ENERGY_CORES,
	PW_ENERGY_GPU,
	PW_ENERGY_ZONE, /* of a firmware that says itself what it covers (SCMI) */
};

struct pw_energy_domain {
	char name[48]; /* "package-0", "package-0-die-1", "dram-0", "psys", "cores-0", "gpu-0" */
	enum pw_energy_kind kind;
	int package;		   /* physical package id, -1 = unknown */
	struct pw_counter counter; /* limits are the source's to set */
	double joules;		   /* joules per counter unit */
	double step_j;		   /* resolution */
	double rounding;	   /* relative error of the unit itself */
	const char *fall;	   /* what a fall means for this source; NULL: the counter's text */
	bool counted;
	int within;	/* the domain it lies in, where the source says so; -1: by its kind */
	int twin;	/* an earlier die of the package that this one may mirror, -1 = none */
	bool diverged;	/* this run: it grew differently from its twin */
	uint64_t value; /* of the last pass */
	uint64_t since; /* counter total at the last sample */
	bool failed;	/* this run */
	bool still;	/* it did not move: absent rather than broken */
	char why[160];
};

/* What is there and is not read: for the tree. */
struct pw_energy_left {
	char name[64]; /* "intel-rapl-mmio:0" */
	enum pw_energy_kind kind;
	char why[160];
};

struct pw_energy {
	const char *source; /* "perf" */
	const char *scope;
	pw_clock_fn clock;
	pw_clock_fn boottime; /* NULL: suspends are not looked for */
	/* Reads one domain's counter; the index is that of the domain. */
	int (*read)(void *context, size_t index, uint64_t *ret, struct pw_err *err);
	void *context;
	struct pw_energy_domain *domains;
	size_t count, capacity;
	struct pw_energy_left *left;
	size_t left_count, left_capacity;
	struct pw_strv notes; /* of the source, said with the tree */

	/* this run */
	bool running;
	struct pw_stamp first, last, sampled;
	int64_t asleep_ns; /* of the machine, at the begin */
	double joules;	   /* of what counts, since the begin */
	double busiest_w;  /* the highest mean between two reads at least 100 ms apart */
	struct pw_peak peak;
	struct pw_err failure; /* why the whole section is unavailable; code PW_OK = it is not */
};

/* UNSUPPORTED unless RAPL serves this scope (NULL = "package"). */
int pw_energy_check_scope(const char *scope, struct pw_err *err) pw_must_check;
/* Does this kind of domain count for the scope. */
bool pw_energy_counts(const char *scope, enum pw_energy_kind kind);

void pw_energy_init(struct pw_energy *energy, const char *source, const struct pw_collect *collect);
void pw_energy_done(struct pw_energy *energy);
/* A new domain "<prefix><suffix>"; the pointer is good until the next one is added. */
struct pw_energy_domain *pw_energy_add(struct pw_energy *energy, enum pw_energy_kind kind,
				       int package, const char *suffix);
/* "package", "dram", ... */
const char *pw_energy_prefix(enum pw_energy_kind kind);
/* Something that is there and is not read; the texts are copied. */
void pw_energy_leave_out(struct pw_energy *energy, const char *name, enum pw_energy_kind kind,
			 const char *why);
const struct pw_energy_domain *pw_energy_find(const struct pw_energy *energy, const char *name);
/*
 * Links dies of one package that may mirror one socket counter (AMD Zen 1 and 2; on Intel dies are
 * separate): nothing is linked where /proc/cpuinfo says GenuineIntel.
 */
void pw_energy_link_twins(struct pw_energy *energy, const struct pw_root *root);

int pw_energy_begin(struct pw_energy *energy, struct pw_err *err) pw_must_check;
/* power_w: mean power of the counted domains since the last sample, NAN without a value. */
int pw_energy_sample(struct pw_energy *energy, double *power_w, struct pw_err *err) pw_must_check;
int pw_energy_end(struct pw_energy *energy, struct pw_err *err) pw_must_check;
int pw_energy_report(struct pw_energy *energy, struct pw_value *section, struct pw_strv *warnings,
		     struct pw_err *err) pw_must_check;

/* Does it add to the total of this run: it counts, and is no second view of another die. */
bool pw_energy_adds_up(const struct pw_energy_domain *domain);
/* Marks a domain as failed in this run, and with it the energy, if it counts. */
void pw_energy_fail_domain(struct pw_energy *energy, struct pw_energy_domain *domain,
			   const char *why, enum pw_code code);
/* Both ends of the window, as far as their place in time is uncertain, ns. */
int64_t pw_energy_edges_ns(const struct pw_energy *energy);
/* Joules of a domain since the begin of the run. */
double pw_energy_grown_j(const struct pw_energy_domain *domain);

/* The shortest of the domains' limits, ns; 0 = none. */
int64_t pw_energy_max_period_ns(const struct pw_energy *energy);
/* Counter units to microjoules: exact where a unit is a power of two or a microjoule. Pure. */
uint64_t pw_energy_uj(uint64_t units, double joules_per_unit);

#endif
