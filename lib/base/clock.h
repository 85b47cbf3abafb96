/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time. MONOTONIC for intervals, REALTIME for stamps only, BOOTTIME to notice a suspend.
 * All values are nanoseconds.
 */
#ifndef PW_BASE_CLOCK_H
#define PW_BASE_CLOCK_H

#include <stdint.h>

#define PW_NS_PER_S  INT64_C(1000000000)
#define PW_NS_PER_MS INT64_C(1000000)
#define PW_NS_PER_US INT64_C(1000)

int64_t pw_clock_monotonic(void);
int64_t pw_clock_boottime(void);
int64_t pw_clock_realtime(void);
/* CPU time of this process, all threads. */
int64_t pw_clock_process_cpu(void);
/* Sleeps until a moment of CLOCK_MONOTONIC; returns early on a signal. */
void pw_clock_sleep_until(int64_t monotonic_ns);

#define PW_UTC_SIZE 24
/* "2026-11-30T20:44:55Z" into a buffer of PW_UTC_SIZE bytes. */
void pw_utc_text(int64_t realtime_ns, char text[PW_UTC_SIZE]);

#endif
