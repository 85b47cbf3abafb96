/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Means and spreads of a cell (definitions: docs/statistics.md). Every value must be finite; the
 * harmonic and geometric means want positive ones. Pure; sums are compensated (Neumaier).
 */
#ifndef PW_STATS_SUMMARY_H
#define PW_STATS_SUMMARY_H

#include <stddef.h>

enum pw_mean { PW_MEAN_UNSET, PW_MEAN_HARMONIC, PW_MEAN_ARITHMETIC, PW_MEAN_GEOMETRIC };

double pw_sum(const double *x, size_t n);
/* The mean of the kind; NAN for n = 0. */
double pw_mean_of(enum pw_mean kind, const double *x, size_t n);
/*
 * The standard deviation that belongs to the mean, divisor n - 1: around the harmonic mean by the
 * delta method H^2 * sqrt(sum((1/x - 1/H)^2) / (n - 1)), around the geometric one G * sd(ln x).
 * NAN for n < 2.
 */
double pw_sd_of(enum pw_mean kind, const double *x, size_t n);
/* sd / mean as a fraction; NAN for n < 2. */
double pw_cv_of(enum pw_mean kind, const double *x, size_t n);
/* exp of the mean of ln x. */
double pw_geometric_mean(const double *x, size_t n);

#endif
