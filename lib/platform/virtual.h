/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is this a virtual machine, and whose: from what the firmware and the kernel tell below a root. */
#ifndef PW_PLATFORM_VIRTUAL_H
#define PW_PLATFORM_VIRTUAL_H

#include "lib/base/fs.h"

/* "kvm", "xen", "vmware", ...; "unknown" for a hypervisor without a name; NULL for none seen. */
const char *pw_virtual(const struct pw_root *root, const char *cpuinfo);

#endif
