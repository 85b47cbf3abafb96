/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intel_pstate/max_perf_pct and min_perf_pct: what the knobs max-perf-pct and min-perf-pct share.
 * Whole percents of the highest turbo P-state. The kernel clamps without an error (kernel
 * drivers/cpufreq/intel_pstate.c, store_max_perf_pct, store_min_perf_pct): the maximum to no less
 * than the minimum, the minimum to no more than the maximum and no less than the hardware's lowest
 * P-state. So the order of two writes matters, and either may have to make way for the other.
 */
#ifndef PW_PLATFORM_PERF_PCT_H
#define PW_PLATFORM_PERF_PCT_H

#include "lib/plugin/knob.h"

enum pw_perf_pct { PW_PERF_PCT_UNSET, PW_PERF_PCT_MIN, PW_PERF_PCT_MAX };

/* For the knob's form(): a whole number of percents, 1 to 100. */
int pw_perf_pct_form(struct pw_value *value, struct pw_err *err) pw_must_check;
int pw_perf_pct_probe(const struct pw_knob_env *env, enum pw_perf_pct which, struct pw_err *err)
	pw_must_check;
/* Refuses what lies below the hardware's lowest. */
int pw_perf_pct_check(const struct pw_knob_env *env, const struct pw_value *value,
		      struct pw_err *err) pw_must_check;
/* Both files, the maximum first. */
int pw_perf_pct_save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
	pw_must_check;
int pw_perf_pct_apply(const struct pw_knob_env *env, enum pw_perf_pct which,
		      const struct pw_value *value, struct pw_err *err) pw_must_check;
int pw_perf_pct_verify(const struct pw_knob_env *env, enum pw_perf_pct which,
		       const struct pw_value *value, struct pw_err *err) pw_must_check;
/* Whole percents, as the file shows them. */
int pw_perf_pct_read(const struct pw_knob_env *env, enum pw_perf_pct which, struct pw_value *ret,
		     struct pw_err *err) pw_must_check;
int pw_perf_pct_restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
			struct pw_err *err) pw_must_check;

#endif
