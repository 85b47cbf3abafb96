/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counter deltas and wraps, in one place (rules and public faults: docs/pitfalls.md; Intel SDM vol.
 * 3 15.10 RAPL; kernel Documentation/power/powercap). Pure.
 *
 * A counter of range R counts 0..R and then starts again: on a fall the delta is
 * now + (R + one step) - before. `step` is the unit that makes "R + step" the exact modulus (0 if
 * R is the modulus itself).
 *
 * `alias` is for counters that do not fall back but lose whole multiples of a number when they are
 * read too rarely (perf's RAPL events: the kernel sign-extends the 32-bit delta, K6.1 arch/x86/
 * events/rapl.c). A delta that could be one alias more within max_per_s is a gap.
 */
#ifndef PW_PLATFORM_COUNTER_H
#define PW_PLATFORM_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

enum pw_counter_fault {
	PW_COUNTER_OK,
	PW_COUNTER_NO_RANGE,	/* it fell and its range is unknown */
	PW_COUNTER_IMPLAUSIBLE, /* more than max_per_s allows, even as a wrap: glitch or reset */
	PW_COUNTER_GAP,		/* so long since the last read that two wraps were possible */
};

struct pw_counter {
	uint64_t range; /* largest value, 0 = unknown */
	uint64_t step;
	uint64_t alias;	  /* deltas are known only up to multiples of this; 0 = exactly */
	double max_per_s; /* units per second that the hardware cannot exceed; 0 = unknown */
	/* state */
	bool started;
	uint64_t last;
	int64_t last_ns;
	uint64_t total; /* sum of the deltas since the start */
	unsigned wraps;
	enum pw_counter_fault fault; /* the first one; the total is then invalid */
};

/*
 * How far a delta may run ahead of max_per_s times the time between the stamps: hardware counters
 * are updated about once a millisecond with jitter (SDM 15.10.1), and a reader may lose the CPU
 * between its stamp and its read.
 */
#define PW_COUNTER_SLACK_NS INT64_C(20000000)

void pw_counter_start(struct pw_counter *counter, uint64_t value, int64_t now_ns);
/* Adds the delta since the last reading. Returns the fault state; a faulty counter stays as it is
 * until it is started again. */
enum pw_counter_fault pw_counter_update(struct pw_counter *counter, uint64_t value, int64_t now_ns);
/* Half the time in which the counter can wrap (sosy-lab/cpu-energy-meter#12), ns; 0 = no limit
 * known. */
int64_t pw_counter_max_period_ns(const struct pw_counter *counter);
const char *pw_counter_fault_text(enum pw_counter_fault fault);

#endif
