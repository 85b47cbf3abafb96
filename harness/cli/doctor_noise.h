/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The area "noise" of doctor: what may disturb a measurement here. A finding has the state "ok",
 * or "warn" with the reason and what mends it; what cannot be read has no finding. No waiting: load
 * is the kernel's mean of a minute, stolen time that since boot.
 */
#ifndef PW_CLI_DOCTOR_NOISE_H
#define PW_CLI_DOCTOR_NOISE_H

#include "lib/base/fs.h"
#include "lib/plugin/value.h"

/* Adds findings to a list. cpus: online ones. */
void pw_doctor_noise(const struct pw_root *root, size_t cpus, struct pw_value *findings);

#endif
