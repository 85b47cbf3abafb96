/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Model-specific registers of one CPU, read only: /dev/cpu/<N>/msr (kernel
 * arch/x86/kernel/msr.c). On the machine itself the file is opened once and read with pread at the
 * register's number. On any other root a register is a file /msr/0x<number>/cpu<N> of that root
 * with one decimal number, read through the root's operations: a plain file cannot hold registers
 * whose numbers lie next to each other, and a test may give errors.
 *
 * A register that the processor does not have gives EIO; virtual machines often give 0 instead.
 */
#ifndef PW_PLATFORM_MSR_H
#define PW_PLATFORM_MSR_H

#include <stdint.h>

#include "lib/base/fs.h"

/* Intel SDM vol. 4, table 2-2; AMD has the first three at the same numbers (PPR). */
#define PW_MSR_TSC	    0x10U
#define PW_MSR_MPERF	    0xe7U
#define PW_MSR_APERF	    0xe8U
#define PW_MSR_PERF_CTL	    0x199U
#define PW_MSR_TURBO_RATIOS 0x1adU
#define PW_MSR_PM_ENABLE    0x770U
#define PW_MSR_HWP_CAPS	    0x771U
#define PW_MSR_HWP_REQUEST  0x774U
/* AMD PPR family 19h: CPPC capabilities and request. */
#define PW_MSR_CPPC_CAP1    0xc00102b0U
#define PW_MSR_CPPC_REQUEST 0xc00102b3U

struct pw_msr {
	const struct pw_root *root;
	unsigned cpu;
	int fd; /* -1: files of a root */
};

/*
 * UNSUPPORTED without the device, DENIED without the right to read, EGONE where the CPU is offline;
 * with a hint. Nothing is read yet.
 */
int pw_msr_open(struct pw_msr *msr, const struct pw_root *root, unsigned cpu, struct pw_err *err)
	pw_must_check;
void pw_msr_close(struct pw_msr *msr);
/* Allocates nothing. UNSUPPORTED: the processor has no such register. */
int pw_msr_read(const struct pw_msr *msr, uint32_t number, uint64_t *ret, struct pw_err *err)
	pw_must_check;

#endif
