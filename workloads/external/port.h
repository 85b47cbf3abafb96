/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one TCP port that tbench_srv knows. */
#ifndef PW_WORKLOADS_EXTERNAL_PORT_H
#define PW_WORKLOADS_EXTERNAL_PORT_H

#include <stdbool.h>

#include "lib/base/err.h"

/* dbench 4.0 and 5.x, dbench.h: TCP_PORT; no option changes it. */
#define PW_TBENCH_PORT 7003

/*
 * Does anything listen there? Asked by binding to it, without a connection: the server would start
 * a process for one.
 */
int pw_port_taken(unsigned short port, bool *ret, struct pw_err *err) pw_must_check;

#endif
