/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a run's captured output to the value of one metric. Pure. */
#ifndef PW_WORKLOADS_EXEC_EXTRACT_H
#define PW_WORKLOADS_EXEC_EXTRACT_H

#include "lib/base/err.h"
#include "lib/plugin/workload.h"
#include "workloads/exec/metric.h"

/*
 * In the declared unit, finite. -PW_EFAILED where it is missing, is no number read strictly, has
 * another unit, or does not fit its kind of mean (harmonic and geometric want more than 0); the
 * text begins "metric 'NAME': ", and where nothing was found the hint shows the last lines.
 */
int pw_exec_extract(const struct pw_exec_metric *metric, const struct pw_work *work,
		    const struct pw_output *output, double *ret, struct pw_err *err) pw_must_check;

#endif
