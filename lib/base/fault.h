/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fault points for the kill tests: with -DPW_FAULTS a process that reaches the n-th pass of the
 * point named in PERFWATT_FAULT=<point>:<n> kills itself with SIGKILL. Otherwise nothing.
 *
 * A limit that a test cannot wait for can be set in the same way: pw_fault_number() is <n> if the
 * variable names it, else (and without -DPW_FAULTS always) `otherwise`.
 */
#ifndef PW_BASE_FAULT_H
#define PW_BASE_FAULT_H

#include <stdint.h>

#ifdef PW_FAULTS
void pw_fault_point(const char *name);
int64_t pw_fault_number(const char *name, int64_t otherwise);
#else
static inline int64_t pw_fault_number(const char *name, int64_t otherwise)
{
	(void)name;
	return otherwise;
}
static inline void pw_fault_point(const char *name)
{
	(void)name;
}
#endif

#endif
