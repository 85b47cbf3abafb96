/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samples.jsonl when a session goes on. A run's series is written just before its record; killed
 * in between, the run is done again under the same id. Only the series of committed runs count.
 */
#ifndef PW_MODEL_SAMPLES_H
#define PW_MODEL_SAMPLES_H

#include <stdio.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

/*
 * How many bytes of the stream, read from its start, are to be kept: up to the end of the last
 * whole line that belongs to one of `runs`. Runs are committed in order, so that whatever follows
 * has none.
 */
int pw_samples_kept(FILE *file, const struct pw_strv *runs, long long *ret_length,
		    struct pw_err *err) pw_must_check;

#endif
