/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The driver-wide files of intel_pstate (kernel Documentation/admin-guide/pm/intel_pstate.rst,
 * drivers/cpufreq/intel_pstate.c): is one there, and the shape that its switches share. While the
 * driver is off its files answer EAGAIN; some are there in one mode or on some models only.
 */
#ifndef PW_PLATFORM_INTEL_PSTATE_H
#define PW_PLATFORM_INTEL_PSTATE_H

#include "lib/platform/attr.h"
#include "lib/platform/topology.h"

#define PW_INTEL_DIR PW_CPU_DIR "/intel_pstate"

/* What an absent file means while the driver is at work. */
struct pw_intel_file {
	const char *path;
	const char *absent; /* why it may not be there */
	const char *hint;   /* what brings it; may be NULL */
};

/* Readable and writable: 0; else UNSUPPORTED with the reason, or EDENIED with a hint. */
int pw_intel_probe(const struct pw_root *root, const struct pw_intel_file *file, struct pw_err *err)
	pw_must_check;
/* Explains the error of a read or write at a moment when the probe had found the file. */
int pw_intel_explain(const struct pw_intel_file *file, struct pw_err *err);

/* For knobs of type SWITCH whose file shows 1 or 0. */
int pw_intel_switch_choices(struct pw_strv *values);
int pw_intel_switch_apply(const struct pw_root *root, const struct pw_intel_file *file,
			  const struct pw_value *value, struct pw_err *err) pw_must_check;
int pw_intel_switch_verify(const struct pw_root *root, const struct pw_intel_file *file,
			   const struct pw_value *value, struct pw_err *err) pw_must_check;
/* true or false */
int pw_intel_switch_read(const struct pw_root *root, const struct pw_intel_file *file,
			 struct pw_value *ret, struct pw_err *err) pw_must_check;

#endif
