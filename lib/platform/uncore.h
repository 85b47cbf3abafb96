/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Uncore frequency limits of Intel's processors: what the knobs uncore-min and uncore-max share
 * (kernel Documentation/admin-guide/pm/intel_uncore_frequency_scaling.rst). Two layouts below
 * intel_uncore_frequency: package_XX_die_YY, or, with TPMI, uncoreNN for each cluster, beside which
 * the package folders are aggregates that write to all of theirs.
 *
 * The kernel cuts to 100 MHz and does not compare minimum and maximum; it answers ENXIO when the
 * CPU that a package is controlled from is gone.
 */
#ifndef PW_PLATFORM_UNCORE_H
#define PW_PLATFORM_UNCORE_H

#include "lib/plugin/knob.h"

#define PW_UNCORE_DIR "/sys/devices/system/cpu/intel_uncore_frequency"

/* One ratio step (the document above), in kHz. */
#define PW_UNCORE_STEP_KHZ 100000

enum pw_uncore { PW_UNCORE_UNSET, PW_UNCORE_MIN, PW_UNCORE_MAX };

/* The folders to set, by name; UNSUPPORTED with the reason where there are none. */
int pw_uncore_domains(const struct pw_root *root, struct pw_strv *ret, struct pw_err *err)
	pw_must_check;

int pw_uncore_probe(const struct pw_knob_env *env, enum pw_uncore which, struct pw_err *err)
	pw_must_check;
/* Refuses what lies outside a domain's initial_min_freq_khz to initial_max_freq_khz. */
int pw_uncore_check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
	pw_must_check;
/* Both limits of every domain, the maximum first: either may have to make way for the other. */
int pw_uncore_save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
	pw_must_check;
int pw_uncore_apply(const struct pw_knob_env *env, enum pw_uncore which,
		    const struct pw_value *value, struct pw_err *err) pw_must_check;
/* The frequency asked for, or its whole 100 MHz. */
int pw_uncore_verify(const struct pw_knob_env *env, enum pw_uncore which,
		     const struct pw_value *value, struct pw_err *err) pw_must_check;
/* kHz, or which domain holds what. */
int pw_uncore_read(const struct pw_knob_env *env, enum pw_uncore which, struct pw_value *ret,
		   struct pw_err *err) pw_must_check;
int pw_uncore_restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		      struct pw_err *err) pw_must_check;

#endif
