/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs that are known to change settings, for daemons.c and its tests. */
#ifndef PW_PLATFORM_DAEMON_TABLE_H
#define PW_PLATFORM_DAEMON_TABLE_H

#include "lib/platform/daemons.h"

extern const struct pw_daemon pw_daemon_table[]; /* ends with a NULL name */

#endif
