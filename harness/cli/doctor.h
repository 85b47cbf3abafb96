/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be measured and set here. Findings:
 *   { "comparison": bool, "energy": bool, "frequency": bool, "machine": {sysinfo},
 *     "findings": [ { "area": "machine"|"noise"|"settings"|"energy"|"frequency"|"workloads",
 *       "name", "state": "ok"|"warn"|"absent"|"denied", "value", "why", "hint" } ],
 *     "energy_domains": see doctor_energy.h; absent without a source }
 * Reads only.
 */
#ifndef PW_CLI_DOCTOR_H
#define PW_CLI_DOCTOR_H

#include "lib/base/fs.h"
#include "lib/base/strbuf.h"
#include "lib/plugin/value.h"

int pw_doctor(const struct pw_root *root, struct pw_value *ret, struct pw_err *err) pw_must_check;
void pw_doctor_text(const struct pw_value *findings, struct pw_strbuf *text);

#endif
