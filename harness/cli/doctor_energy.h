/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The domains of the energy source that a session would use here: { "source", "scope", "notes",
 * "tree": [ { "name", "kind", "parent", "counted", "why" } ] } (docs/results.md).
 */
#ifndef PW_CLI_DOCTOR_ENERGY_H
#define PW_CLI_DOCTOR_ENERGY_H

#include "lib/base/strbuf.h"
#include "lib/plugin/collector.h"

/* Unset if there is none. Opens its counters and closes them. */
struct pw_value pw_doctor_energy(const struct pw_collect *collect);
/* As lines, two blanks for each level. */
void pw_doctor_energy_text(const struct pw_value *tree, struct pw_strbuf *text);

#endif
