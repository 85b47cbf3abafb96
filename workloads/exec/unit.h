/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Units that a pattern captures beside a number: converted inside their family into the declared
 * one, or refused. Families: time, data (bytes, bits), frequency, power, energy; each also per
 * second ("MB/s"). Prefixes are the SI's (k = 1000); KiB, MiB, GiB, TiB are the IEC's (powers of
 * 1024); "KB" and "K" are neither and refused. Any other word is a count of things, which may carry
 * k, M or G before it ("kops/s" into "ops/s"), or consist of that prefix alone.
 */
#ifndef PW_WORKLOADS_EXEC_UNIT_H
#define PW_WORKLOADS_EXEC_UNIT_H

#include <stdbool.h>

#include "lib/base/err.h"

/* Converts *value; -PW_EFAILED names both units. `from` may be "" (then only counts accept it). */
int pw_exec_unit_convert(const char *from, const char *to, double *value, struct pw_err *err)
	pw_must_check;

/*
 * What amount of work a metric with this unit stands for: "MB/s" is a rate of "MB" (rate true),
 * "MB" is the amount itself. -PW_EINVAL for a time or a rate that is not per second. *ret_unit is
 * the caller's.
 */
int pw_exec_unit_work(const char *unit, char **ret_unit, bool *ret_rate, struct pw_err *err)
	pw_must_check;

#endif
