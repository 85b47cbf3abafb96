/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a process leaves open. Our own descriptors are O_CLOEXEC from birth; these are for the
 * others, that perfwatt was started with, and for a fork that lives on without an exec.
 */
#ifndef PW_BASE_FDS_H
#define PW_BASE_FDS_H

#include <stddef.h>

/* Sets O_CLOEXEC on every descriptor from `first` on (close_range(2), Linux 5.11; else /proc). */
void pw_fds_cloexec(unsigned first);
/* Closes every descriptor but 2 and those of `kept`; entries of -1 count for nothing. */
void pw_fds_close_others(const int *kept, size_t count);

#endif
