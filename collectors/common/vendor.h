/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose CPU: RAPL domains mean different things on Intel and AMD. */
#ifndef PW_COLLECTORS_VENDOR_H
#define PW_COLLECTORS_VENDOR_H

#include "lib/base/fs.h"

enum pw_vendor { PW_VENDOR_UNKNOWN, PW_VENDOR_INTEL, PW_VENDOR_AMD };

/* From vendor_id in /proc/cpuinfo (GenuineIntel; AuthenticAMD, HygonGenuine). */
enum pw_vendor pw_vendor(const struct pw_root *root);

#endif
