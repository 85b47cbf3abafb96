/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "workloads/engine/generator.h"

#define HOUR_NS		(3600 * PW_NS_PER_S)
#define TIME_DEFAULT_NS (60 * PW_NS_PER_S)
/* The warm-up where none is given: a tenth of the time, this at most. */
#define WARMUP_LIMIT_NS (5 * PW_NS_PER_S)
/* Starting and ending processes, making and removing files; an estimate for plans. */
#define OVERHEAD_NS (100 * PW_NS_PER_MS)

static const char *const profiles[] = { "v4", "mmtests", NULL };

const struct pw_option pw_replay_options[] = {
	{ .name = "clients",
	  .type = PW_OPT_SWEEP,
	  .help = "number of clients, each a process",
	  .otherwise = "1x" },
	{ .name = "time",
	  .type = PW_OPT_TIME,
	  .help = "length of the measured window",
	  .otherwise = "60s",
	  .min = 100 * PW_NS_PER_MS,
	  .max = 24 * HOUR_NS },
	{ .name = "warmup",
	  .type = PW_OPT_TIME,
	  .help = "time before the window (default: a tenth of time, at most 5s)",
	  .min = 0,
	  .max = HOUR_NS },
	{ .name = "profile",
	  .type = PW_OPT_CHOICE,
	  .help = "whose cost per operation: mmtests' or that of dbench 4.0 (v4)",
	  .otherwise = "mmtests",
	  .choices = profiles },
	{ .name = "loadfile",
	  .type = PW_OPT_PATH,
	  .help = "a load file in dbench's format (default: a generated one)" },
	{ .name = NULL },
};

const char *pw_profile_text(enum pw_profile profile)
{
	return profile == PW_PROFILE_V4 ? "v4" : "mmtests";
}

static int64_t warmup_of(const struct pw_value *options, int64_t time_ns)
{
	int64_t otherwise = time_ns / 10 < WARMUP_LIMIT_NS ? time_ns / 10 : WARMUP_LIMIT_NS;

	return pw_value_get_int(options, "warmup", otherwise);
}

int pw_replay_read(const struct pw_work *work, struct pw_replay *ret, struct pw_err *err)
{
	int64_t clients = pw_value_get_int(work->options, "clients", work->cpus ? work->cpus : 1);
	const char *profile = pw_value_get_text(work->options, "profile", "mmtests");
	const char *loadfile = pw_value_get_text(work->options, "loadfile", NULL);

	if (clients < 1 || clients > PW_CLIENTS_MAX)
		return pw_fail_at(err, "/clients", 0, "%" PRId64 " clients: 1 to %d are possible",
				  clients, PW_CLIENTS_MAX);
	ret->clients = (unsigned)clients;
	ret->time_ns = pw_value_get_int(work->options, "time", TIME_DEFAULT_NS);
	ret->warmup_ns = warmup_of(work->options, ret->time_ns);
	ret->profile = strcmp(profile, "v4") == 0 ? PW_PROFILE_V4 : PW_PROFILE_MMTESTS;
	ret->loadfile = NULL;
	if (loadfile)
		ret->loadfile = pw_strdup(loadfile);
	return 0;
}

void pw_replay_done(struct pw_replay *replay)
{
	free(replay->loadfile);
	replay->loadfile = NULL;
}

int pw_replay_load(const struct pw_replay *replay, struct pw_load *ret_load, char **ret_name,
		   struct pw_err *err)
{
	if (replay->loadfile) {
		if (pw_load_read(replay->loadfile, ret_load, err) < 0)
			return -(int)err->code;
		*ret_name = pw_sprintf("fnv1a64:%016" PRIx64, ret_load->hash);
		return 0;
	}
	if (pw_generator_load(PW_GENERATOR_SEED, ret_load, err) < 0)
		return -(int)err->code;
	*ret_name = pw_sprintf("generated-%d:%016" PRIx64, PW_GENERATOR_VERSION, ret_load->hash);
	return 0;
}

int64_t pw_replay_duration(const struct pw_work *work)
{
	int64_t time_ns = pw_value_get_int(work->options, "time", TIME_DEFAULT_NS);

	return warmup_of(work->options, time_ns) + time_ns + OVERHEAD_NS;
}
