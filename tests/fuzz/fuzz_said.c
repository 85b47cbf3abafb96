/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parser of what the original dbench and tbench print. */
#include <math.h>

#include "fuzz.h"
#include "workloads/external/said.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_said_run run;

	if (pw_said_parse((const char *)data, size, &run, &err) < 0) {
		FUZZ_CHECK(err.code == PW_EFAILED && err.text[0]);
		return 0;
	}
	FUZZ_CHECK(isfinite(run.throughput.megabytes_per_s) && run.throughput.megabytes_per_s > 0);
	FUZZ_CHECK(run.throughput.max_latency_ms >= 0 && run.executes > 0);
	return 0;
}
