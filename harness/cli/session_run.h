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
/* The config that a results folder was made from; its seed goes to *ret_seed. */
int pw_session_stored_config(const char *results, const char *root, struct pw_config **ret,
			     uint64_t *ret_seed, struct pw_err *err) pw_must_check;

#endif
