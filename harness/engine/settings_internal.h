/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the sources of the settings; nobody else's business. */
#ifndef PW_ENGINE_SETTINGS_INTERNAL_H
#define PW_ENGINE_SETTINGS_INTERNAL_H

#include "harness/engine/settings.h"

/*
 * Probes and checks one setting; the error names it. `settled`: nothing that the configuration sets
 * before it is still to come.
 */
int pw_setting_can_be(const struct pw_knob_env *env, const struct pw_setting *setting, bool settled,
		      struct pw_err *err) pw_must_check;

#endif
