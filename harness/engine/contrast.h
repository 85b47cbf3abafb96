/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "configs": "contrast": the present setting twice (so that a reader sees the noise) beside the
 * most different ones that this machine can have. With a frequency driver that is another governor;
 * without one it is what acts everywhere: one CPU only, half the CPU time.
 */
#ifndef PW_ENGINE_CONTRAST_H
#define PW_ENGINE_CONTRAST_H

#include "lib/plugin/catalog.h"

/* A list of configurations as a config would hold it; the caller's. Reads the machine only. */
struct pw_value pw_contrast(const struct pw_catalog *catalog, const struct pw_knob_env *env);

#endif
