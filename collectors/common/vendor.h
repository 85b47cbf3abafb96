/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose CPU: RAPL domains mean different things on Intel and AMD. */
#ifndef PW_COLLECTORS_VENDOR_H
#define PW_COLLECTORS_VENDOR_H

#include "lib/base/fs.h"

enum pw_vendor { PW_VENDOR_UNKNOWN, PW_VENDOR_INTEL, PW_VENDOR_AMD };

/* From vendor_id in /proc/cpuinfo (GenuineIntel; AuthenticAMD, HygonGenuine). */
enum pw_vendor pw_vendor(const struct pw_root *root);
/*
 * Cycles for each count of APERF and MPERF: 1, but 1024 on Xeon Phi (Intel family 6, models 0x57
 * and 0x85; K6.1 tools/power/x86/turbostat/turbostat.c, aperf_mperf_multiplier).
 */
double pw_aperf_unit(const struct pw_root *root);

#endif
