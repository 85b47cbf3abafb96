/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intel's energy filtering: noise that the processor adds to its RAPL counters against side
 * channels (CVE-2020-8694), switched on by bit 0 of MSR_MISC_PACKAGE_CTLS (0xbc; kernel
 * arch/x86/include/asm/msr-index.h) and, on processors with SGX enabled, by itself. It hardly shows
 * over seconds and is large on short readings.
 */
#ifndef PW_COLLECTORS_ENERGY_FILTER_H
#define PW_COLLECTORS_ENERGY_FILTER_H

#include "collectors/common/energy.h"

/* Adds a note where the filter is or may be on. The register is read only if registers may be. */
void pw_energy_note_filter(struct pw_energy *energy, const struct pw_collect *collect);

#endif
