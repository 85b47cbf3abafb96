/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a config to its tables: what `run` and `compare` share. */
#ifndef PW_CLI_SESSION_RUN_H
#define PW_CLI_SESSION_RUN_H

#include "lib/base/strv.h"
#include "lib/model/config.h"

struct pw_session_request {
	const char *root, *user, *seed, *progress, *output;
	const char *resume; /* results folder to go on with, or NULL */
	const struct pw_strv *only;
	bool dry_run, strict, yes, no_timeline;
	bool ask; /* on a terminal: say what will be changed and ask */
};

/* Runs and prints; gives the exit code. */
int pw_session_request_run(const struct pw_config *config,
			   const struct pw_session_request *request);

/* What a results folder was made for. */
struct pw_stored {
	struct pw_config *config; /* with as many blocks as were asked for */
	struct pw_strv only;	  /* of --only */
	char *user;		  /* of --user, or NULL */
	uint64_t seed;
};

#define PW_STORED_INIT ((struct pw_stored){ 0 })
void pw_stored_done(struct pw_stored *stored);
int pw_session_stored(const char *results, const char *root, struct pw_stored *ret,
		      struct pw_err *err) pw_must_check;

#endif
