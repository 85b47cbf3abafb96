/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/clock.h"

#include <time.h>

static int64_t read_clock(clockid_t clock)
{
	struct timespec now = { 0 };

	(void)clock_gettime(clock, &now);
	return now.tv_sec * PW_NS_PER_S + now.tv_nsec;
}

int64_t pw_clock_monotonic(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t pw_clock_boottime(void)
{
	return read_clock(CLOCK_BOOTTIME);
}

int64_t pw_clock_realtime(void)
{
	return read_clock(CLOCK_REALTIME);
}

int64_t pw_clock_process_cpu(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void pw_clock_sleep_until(int64_t monotonic_ns)
{
	struct timespec until = { .tv_sec = monotonic_ns / PW_NS_PER_S,
				  .tv_nsec = monotonic_ns % PW_NS_PER_S };

	(void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

void pw_utc_text(int64_t realtime_ns, char text[PW_UTC_SIZE])
{
	time_t seconds = (time_t)(realtime_ns / PW_NS_PER_S);
	struct tm utc = { 0 };

	(void)gmtime_r(&seconds, &utc);
	if (strftime(text, PW_UTC_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
		text[0] = '\0';
}
