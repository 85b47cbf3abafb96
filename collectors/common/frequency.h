/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The account of frequency that every source shares. For each CPU a source gives three growing
 * counts: cycles delivered while busy, a reference that runs at a known rate while busy, and (where
 * it has one) a total that runs always. For any group of CPUs, with everything summed before it is
 * divided (the mean of MHz over CPUs would weigh an idle one like a busy one):
 *
 *   busy time = reference / its rate
 *   busy_mhz  = sum of delivered / sum of busy time
 *   busy_pct  = 100 * sum of busy time / (CPUs * elapsed)
 *   avg_mhz   = sum of delivered / (CPUs * elapsed)
 *
 * where CPUs * elapsed is sum of total / the TSC's rate if totals are counted.
 *
 * The rate of MPERF is that of the TSC or, where both differ a little (clients: base 3600, TSC 3612
 * MHz), the base frequency; turbostat(8) calls their ratio tsc_tweak. A base frequency that is off
 * the TSC by more than PW_TWEAK_MAX is another thing (efficient cores of hybrids, a lowered TDP):
 * MPERF counts at the TSC's rate there (SDM vol. 3 15.2; the kernel's arch_freq_get_on_cpu()).
 *
 * CPUs: every present one that is online when a run begins. One that goes or comes in mid-run makes
 * the section unavailable for the run.
 *
 * Life: init, then { begin, sample*, end, report } for each run. Nothing is allocated or opened
 * between begin and end. A source embeds the account as the first member of its state, so that the
 * functions below serve in the descriptor of its collector.
 */
#ifndef PW_COLLECTORS_FREQUENCY_H
#define PW_COLLECTORS_FREQUENCY_H

#include "collectors/common/cpu_groups.h"
#include "collectors/common/floor.h"
#include "collectors/common/stamp.h"
#include "lib/platform/counter.h"
#include "lib/plugin/collector.h"

#define PW_TWEAK_MAX 0.02
/* Faster than any of the counters on any CPU. */
#define PW_FREQUENCY_MAX_HZ 2e10

enum pw_frequency_count { PW_DELIVERED, PW_REFERENCE, PW_TOTAL, PW_FREQUENCY_COUNTS };
enum pw_frequency_pass { PW_PASS_BEGIN, PW_PASS_SAMPLE, PW_PASS_END };

struct pw_frequency_source {
	const char *name;			 /* "perf-msr" */
	const char *counts[PW_FREQUENCY_COUNTS]; /* names for messages; NULL: it has none */
	/* Before the reads of one pass. At PW_PASS_BEGIN it may allocate. May be NULL. */
	int (*pass)(void *context, enum pw_frequency_pass pass, int64_t now_ns, struct pw_err *err);
	/* Opens a CPU (the index is the account's) that has never been read or was lost. */
	int (*open)(void *context, size_t index, struct pw_err *err);
	int (*read)(void *context, size_t index, uint64_t counts[PW_FREQUENCY_COUNTS],
		    struct pw_err *err);
	/* What the source itself has to say; may be NULL. */
	void (*report)(void *context, struct pw_value *section, struct pw_strv *warnings);
};

struct pw_frequency_cpu {
	double rate_hz;	    /* of the reference; 0: the TSC's or the base (see above) */
	double nominal_mhz; /* what it can always do, if the source knows; 0: by rate or base */
	double max_mhz;	    /* more is not believed; 0: unknown */
	struct pw_counter counters[PW_FREQUENCY_COUNTS];
	uint64_t since[PW_FREQUENCY_COUNTS]; /* totals at the last sample */
	bool fresh;			     /* open, and not lost since */
	bool counted;			     /* in this run */
};

struct pw_frequency {
	const struct pw_frequency_source *source;
	const struct pw_root *root;
	pw_clock_fn clock;
	struct pw_cpu_groups groups;
	struct pw_frequency_cpu *cpus; /* parallel to groups.places */
	double unit;   /* cycles per count of delivered and reference; 1 unless the source knows */
	double step_s; /* the busy time of a CPU comes in such steps; 0: exact */
	bool gauge;    /* what is delivered was sampled, not counted */
	int online_fd; /* -1: by path */
	char *online;  /* the kernel's list when the run began; "" = not known */
	struct pw_floors floors;

	/* this run */
	bool running;
	struct pw_stamp first, last, sampled;
	struct pw_err failure;
};

struct pw_frequency_values {
	double busy_mhz; /* NAN: nothing was busy, or not long enough to tell */
	double busy_pct, avg_mhz;
	double busy_s; /* of all CPUs of the group */
	size_t cpus;
};

/* `*frequency` is zeroed, and the state of a collector (see above). Every online CPU is opened. */
int pw_frequency_init(struct pw_frequency *frequency, const struct pw_frequency_source *source,
		      const struct pw_collect *collect, struct pw_err *err) pw_must_check;
void pw_frequency_done(struct pw_frequency *frequency);

/* For the descriptor of a collector. */
int pw_frequency_begin(void *state, int64_t now_ns, struct pw_err *err) pw_must_check;
int pw_frequency_sample(void *state, int64_t now_ns, double *columns, struct pw_err *err)
	pw_must_check;
int pw_frequency_end(void *state, int64_t now_ns, struct pw_err *err) pw_must_check;
int pw_frequency_report(void *state, struct pw_value *section, struct pw_strv *warnings,
			struct pw_err *err) pw_must_check;
size_t pw_frequency_series(void *state, const struct pw_series **ret);
/* The shortest of the counters' limits, ns; 0 = none. */
int64_t pw_frequency_max_period_ns(void *state);

/* Which CPUs: of a package, of a type; a negative one stands for all. */
struct pw_frequency_group {
	int package, type;
	const unsigned *cpus; /* NULL: all, else only these */
	size_t cpu_count;
};

/* Over the run, or since the last sample. */
struct pw_frequency_values pw_frequency_of(const struct pw_frequency *frequency,
					   const struct pw_frequency_group *group,
					   bool since_sample);
/* What a CPU can always do, MHz; 0: unknown. */
double pw_frequency_nominal_mhz(const struct pw_frequency *frequency, size_t index);
/* UNSUPPORTED for every reason but permission. Returns r or the new code. */
int pw_frequency_reason(int r, struct pw_err *err);

#endif
