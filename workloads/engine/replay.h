/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tbench and dbench take from a config, and the load they run. */
#ifndef PW_WORKLOADS_ENGINE_REPLAY_H
#define PW_WORKLOADS_ENGINE_REPLAY_H

#include "lib/base/err.h"
#include "lib/plugin/workload.h"
#include "workloads/engine/client.h"
#include "workloads/engine/loadfile.h"

#define PW_CLIENTS_MAX 4096 /* beyond, processes and ports run out before anything is learnt */

struct pw_replay {
	unsigned clients;
	int64_t time_ns, warmup_ns;
	enum pw_profile profile;
	char *loadfile; /* owned; NULL: the generated one */
};

/* The option table of both, NULL-name terminated. */
extern const struct pw_option pw_replay_options[];

/* From checked options. Caller frees with done. */
int pw_replay_read(const struct pw_work *work, struct pw_replay *ret, struct pw_err *err)
	pw_must_check;
void pw_replay_done(struct pw_replay *replay);
/* The load and its name for the record: "generated-1:..." or "fnv1a64:...". */
int pw_replay_load(const struct pw_replay *replay, struct pw_load *ret_load, char **ret_name,
		   struct pw_err *err) pw_must_check;
/* Of one run: set-up, warm-up, window. */
int64_t pw_replay_duration(const struct pw_work *work);
const char *pw_profile_text(enum pw_profile profile);

#endif
