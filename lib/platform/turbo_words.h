/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers that lib/platform/turbo.h decodes, read on one CPU. */
#ifndef PW_PLATFORM_TURBO_WORDS_H
#define PW_PLATFORM_TURBO_WORDS_H

#include "lib/base/fs.h"
#include "lib/platform/turbo.h"

/*
 * second_type: an efficient core of a hybrid processor, which has its ratios in a register of its
 * own. A register that is not there is 0; an error only where the first one cannot be read.
 */
int pw_turbo_words_read(const struct pw_root *root, unsigned cpu, enum pw_turbo_kind kind,
			bool second_type, struct pw_turbo_words *ret, struct pw_err *err)
	pw_must_check;

#endif
