/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Peak power of a run: the highest mean over any 1 s. Windows of 1 s are placed anywhere: between
 * two reads the counter is taken to grow evenly (the highest such mean has a read at one of its
 * ends). Where reads lay further apart than a second, which a fast change between them would not
 * show in, it is the highest mean between two reads at least 1 s apart instead, and how long that
 * was is told. Nothing is allocated.
 */
#ifndef PW_COLLECTORS_PEAK_H
#define PW_COLLECTORS_PEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads closer than this to the one before are left out: what they counted comes with the next. */
#define PW_PEAK_STEP_NS INT64_C(20000000)
/* Enough for a second of such steps, the read before it and the one at the end. */
#define PW_PEAK_ROOM 56
/* A timer of 1 s is late by some of it now and then; such reads still are 1 s apart. */
#define PW_PEAK_GAP_NS INT64_C(1100000000)

struct pw_peak_point {
	int64_t at_ns;
	double joules; /* since the begin of the run */
};

struct pw_peak {
	struct pw_peak_point points[PW_PEAK_ROOM]; /* oldest first: the last second and one more */
	size_t count;
	int64_t longest_ns; /* between two reads */
	double second_w;    /* the highest mean over 1 s; 0: none yet */
	double interval_w;  /* the highest between two reads at least 1 s apart */
	int64_t interval_ns;
};

void pw_peak_begin(struct pw_peak *peak, int64_t now_ns);
/* `last`: the end of the run, which is never left out. Times must not go back. */
void pw_peak_add(struct pw_peak *peak, int64_t now_ns, double joules, bool last);
/* False: the run was shorter than 1 s. */
bool pw_peak_get(const struct pw_peak *peak, double *ret_w, double *ret_over_s);

#endif
