/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The idle driver (kernel Documentation/admin-guide/pm/cpuidle.rst). */
#ifndef PW_PLATFORM_CPUIDLE_H
#define PW_PLATFORM_CPUIDLE_H

#include "lib/base/err.h"
#include "lib/base/fs.h"
#include "lib/platform/topology.h"

#define PW_CPUIDLE_DIR PW_CPU_DIR "/cpuidle"

/* current_driver; false if it cannot be read. "none" is the kernel's word for no driver. */
bool pw_cpuidle_driver(const struct pw_root *root, char *driver, size_t size);
/*
 * 0 if a driver with idle states is at work. Without one the governor and the latency limit can
 * still be written and read back, but act on nothing: UNSUPPORTED says so.
 */
int pw_cpuidle_needed(const struct pw_root *root, struct pw_err *err) pw_must_check;

#endif
