/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/stats/summary.h"

#include <math.h>

struct total {
	double sum;
	double rest;
};

static void add(struct total *total, double x)
{
	double sum = total->sum + x;

	if (fabs(total->sum) >= fabs(x))
		total->rest += (total->sum - sum) + x;
	else
		total->rest += (x - sum) + total->sum;
	total->sum = sum;
}

static double value(const struct total *total)
{
	return total->sum + total->rest;
}

double pw_sum(const double *x, size_t n)
{
	struct total total = { 0 };

	for (size_t i = 0; i < n; i++)
		add(&total, x[i]);
	return value(&total);
}

/* The scale on which the mean is an arithmetic one. */
static double forward(enum pw_mean kind, double x)
{
	switch (kind) {
	case PW_MEAN_HARMONIC:
		return 1.0 / x;
	case PW_MEAN_GEOMETRIC:
		return log(x);
	default:
		return x;
	}
}

static double backward(enum pw_mean kind, double y)
{
	switch (kind) {
	case PW_MEAN_HARMONIC:
		return 1.0 / y;
	case PW_MEAN_GEOMETRIC:
		return exp(y);
	default:
		return y;
	}
}

static double inner_mean(enum pw_mean kind, const double *x, size_t n)
{
	struct total total = { 0 };

	for (size_t i = 0; i < n; i++)
		add(&total, forward(kind, x[i]));
	return value(&total) / (double)n;
}

double pw_mean_of(enum pw_mean kind, const double *x, size_t n)
{
	return n ? backward(kind, inner_mean(kind, x, n)) : (double)NAN;
}

double pw_sd_of(enum pw_mean kind, const double *x, size_t n)
{
	struct total squares = { 0 };
	double center, spread, mean;

	if (n < 2)
		return (double)NAN;
	center = inner_mean(kind, x, n);
	for (size_t i = 0; i < n; i++) {
		double d = forward(kind, x[i]) - center;

		add(&squares, d * d);
	}
	spread = sqrt(value(&squares) / (double)(n - 1));
	mean = backward(kind, center);
	switch (kind) {
	case PW_MEAN_HARMONIC:
		return mean * mean * spread;
	case PW_MEAN_GEOMETRIC:
		return mean * spread;
	default:
		return spread;
	}
}

double pw_cv_of(enum pw_mean kind, const double *x, size_t n)
{
	return pw_sd_of(kind, x, n) / pw_mean_of(kind, x, n);
}

double pw_geometric_mean(const double *x, size_t n)
{
	return pw_mean_of(PW_MEAN_GEOMETRIC, x, n);
}
