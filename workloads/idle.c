/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * idle: the machine doing nothing. Its one result is power, which the engine makes of the energy
 * over the window; here is only the window.
 */
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/file.h"
#include "lib/plugin/workload.h"

static const struct pw_option options[] = {
	/* Energy counters step about once a millisecond: below a second they say little, below
	 * 10 ms nothing. */
	{ .name = "time",
	  .type = PW_OPT_TIME,
	  .otherwise = "30s",
	  .min = 10 * PW_NS_PER_MS,
	  .max = 24 * 3600 * PW_NS_PER_S,
	  .help = "how long to sleep" },
	{ .name = NULL },
};

static int64_t duration(const struct pw_work *work)
{
	return pw_value_get_int(work->options, "time", 0);
}

static int say(const char *line)
{
	struct pw_err err = PW_ERR_INIT;

	return pw_write_all(STDOUT_FILENO, line, strlen(line), &err);
}

static int run(const struct pw_work *work)
{
	int64_t until;

	if (say(PW_MARK_BEGIN "\n") < 0)
		return 1;
	/* An absolute end: a signal in between neither shortens nor stretches the window. */
	until = pw_clock_monotonic() + duration(work);
	while (pw_clock_monotonic() < until)
		pw_clock_sleep_until(until);
	return say(PW_MARK_END "\n") < 0 ? 1 : 0;
}

static int parse(const struct pw_work *work, const struct pw_output *output,
		 struct pw_result *result, struct pw_err *err)
{
	(void)work;
	(void)result;
	if (!output->marked)
		return pw_fail(err, PW_EFAILED, "the idle window did not end");
	return 0;
}

const struct pw_workload pw_workload_idle = {
	.name = "idle",
	.summary = "power of the machine doing nothing",
	.title = "idle (power of doing nothing)",
	.flags = PW_WORKLOAD_IDLE,
	.options = options,
	.run = run,
	.parse = parse,
	.duration = duration,
};
