/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A second opinion on the encoding of a perf event, from libpfm4 (perfmon2.sourceforge.net). It is
 * an opinion only: the kernel's own description in sysfs wins. libpfm4 knows CPUs by a list of its
 * own, which lacks newer ones, and where it was told to encode for a CPU that is not there
 * (LIBPFM_FORCE_PMU, LIBPFM_ENCODE_INACTIVE) it gives RAPL's events the type PERF_TYPE_RAW, which
 * is some event of the core: only what has the type of the PMU in sysfs is the same event.
 */
#ifndef PW_PLATFORM_PFM_H
#define PW_PLATFORM_PFM_H

#include "lib/platform/perf.h"

enum pw_pfm_verdict {
	PW_PFM_UNSET,
	PW_PFM_AGREES,
	PW_PFM_DIFFERS,
	PW_PFM_UNKNOWN, /* libpfm4 does not know this event, or this CPU */
	PW_PFM_ABSENT,	/* this build has no libpfm4 */
};

#define PW_PFM_TEXT_SIZE 256

/*
 * Compares type and config of an event that pw_perf_describe() gave for this machine (never for a
 * fake root: libpfm4 looks at the machine itself). `text` says what was found.
 */
enum pw_pfm_verdict pw_pfm_check(const struct pw_perf_event *event, char text[PW_PFM_TEXT_SIZE]);
/* The comparison alone. Pure. */
enum pw_pfm_verdict pw_pfm_compare(const struct pw_perf_event *event, const char *pfm_name,
				   uint32_t type, uint64_t config, char text[PW_PFM_TEXT_SIZE]);

#endif
