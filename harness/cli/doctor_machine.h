/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine block of doctor: what lib/platform/sysinfo.h tells, on one screen. */
#ifndef PW_CLI_DOCTOR_MACHINE_H
#define PW_CLI_DOCTOR_MACHINE_H

#include "lib/base/strbuf.h"
#include "lib/plugin/value.h"

/* One line a subject, then the chart of levels. What is not known has no line. */
void pw_doctor_machine_text(const struct pw_value *machine, struct pw_strbuf *text);

#endif
