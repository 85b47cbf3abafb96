/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fault points for the kill tests: with -DPW_FAULTS a process that reaches the n-th pass of the
 * point named in PERFWATT_FAULT=<point>:<n> kills itself with SIGKILL. Otherwise nothing.
 */
#ifndef PW_BASE_FAULT_H
#define PW_BASE_FAULT_H

#ifdef PW_FAULTS
void pw_fault_point(const char *name);
#else
static inline void pw_fault_point(const char *name)
{
	(void)name;
}
#endif

#endif
