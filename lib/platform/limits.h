/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scaling_min_freq and scaling_max_freq of every policy: what the knobs min-freq and max-freq
 * share. Since Linux 5.3 a write is a request that never fails for its order: the files show the
 * effective limit of all requests (thermal and firmware caps too), clamped into the hardware's
 * range and rounded to the driver's table, and show it a little later.
 */
#ifndef PW_PLATFORM_LIMITS_H
#define PW_PLATFORM_LIMITS_H

#include "lib/plugin/knob.h"

enum pw_limit { PW_LIMIT_UNSET, PW_LIMIT_MIN, PW_LIMIT_MAX };

/*
 * How far a shown limit may lie from the one asked: one step of 100 MHz, the bus clock that Intel's
 * ratios count in (kernel Documentation/admin-guide/pm/intel_pstate.rst), in kHz.
 */
#define PW_LIMIT_STEP_KHZ 100000

/*
 * "No limit of ours", which is what was there where a limit equals the hardware's: kernel
 * include/linux/pm_qos.h, FREQ_QOS_MAX_DEFAULT_VALUE and FREQ_QOS_MIN_DEFAULT_VALUE.
 */
#define PW_LIMIT_NO_MAX "2147483647"
#define PW_LIMIT_NO_MIN "0"

int pw_limit_probe(const struct pw_knob_env *env, enum pw_limit limit, struct pw_err *err)
	pw_must_check;
/* Refuses what lies outside a policy's cpuinfo_min_freq to cpuinfo_max_freq. */
int pw_limit_check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
	pw_must_check;
/* Both limits of every policy: either knob may have to move the other limit out of its way. */
int pw_limit_save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
	pw_must_check;
int pw_limit_apply(const struct pw_knob_env *env, enum pw_limit limit, const struct pw_value *value,
		   struct pw_err *err) pw_must_check;
int pw_limit_verify(const struct pw_knob_env *env, enum pw_limit limit,
		    const struct pw_value *value, struct pw_err *err) pw_must_check;
int pw_limit_read(const struct pw_knob_env *env, enum pw_limit limit, struct pw_value *ret,
		  struct pw_err *err) pw_must_check;
int pw_limit_restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		     struct pw_err *err) pw_must_check;

#endif
