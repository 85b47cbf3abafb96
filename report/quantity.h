/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run's numbers are asked for: its metric, and what its energy makes of it. */
#ifndef PW_REPORT_QUANTITY_H
#define PW_REPORT_QUANTITY_H

#include "report/results.h"

enum pw_quantity {
	PW_QUANTITY_PERFORMANCE, /* the primary metric, mean of its own kind */
	PW_QUANTITY_POWER,	 /* W in the window, arithmetic mean */
	PW_QUANTITY_PPW,	 /* per run, by the kind of run: 1/J or work/J; harmonic mean */
	PW_QUANTITY_ENERGY,	 /* J per run (fixed work) or per unit of work; arithmetic mean */
	PW_QUANTITY_COUNT,
};

/* Of one valid run; 0 and the reason (the caller's) if it has no such value. */
double pw_run_quantity(const struct pw_run *run, enum pw_quantity quantity, char **ret_why);

#endif
