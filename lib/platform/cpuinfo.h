/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/cpuinfo, which every architecture fills in its own way. */
#ifndef PW_PLATFORM_CPUINFO_H
#define PW_PLATFORM_CPUINFO_H

#include "lib/base/fs.h"
#include "lib/plugin/value.h"

/* What the text says of the first CPU: cpu, vendor, family, model, stepping, microcode. Pure. */
void pw_cpuinfo_parse(const char *text, struct pw_value *ret);
/* A flag of the "flags" or "Features" line ("hypervisor"). Pure. */
bool pw_cpuinfo_flag(const char *text, const char *flag);
/* The value of the first line with this key; the caller's, or NULL. Pure. */
char *pw_cpuinfo_field(const char *text, const char *key);

#endif
