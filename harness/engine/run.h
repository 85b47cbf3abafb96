/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run: from the work folder to the finished record. */
#ifndef PW_ENGINE_RUN_H
#define PW_ENGINE_RUN_H

#include <sys/resource.h>

#include "harness/engine/collect.h"
#include "harness/engine/configure.h"
#include "harness/engine/guard.h"
#include "harness/engine/noise.h"
#include "harness/engine/settings.h"
#include "harness/engine/tender.h"
#include "harness/engine/user.h"
#include "lib/model/record.h"
#include "lib/model/store.h"

/* What a run needs of its session. All borrowed. */
struct pw_run_env {
	const struct pw_config *config;
	struct pw_settings *settings;
	struct pw_configure *configure;
	struct pw_collectors *collectors;
	struct pw_noise *noise;
	struct pw_store *store;
	struct pw_journal *journal;
	bool use_namespace;  /* trees get a PID namespace of their own */
	struct rlimit files; /* the workload's limit of open files */
	struct pw_guard *guard;
	int exe_fd;    /* perfwatt itself, for native bodies */
	int signal_fd; /* readable: the user interrupts */
	int pause_fd;  /* readable: perfwatt was stopped and continued */
	unsigned cpus;
	uint64_t seed;
	const char *boot; /* boot id */
};

struct pw_run_request {
	const struct pw_configuration *configuration;
	const struct pw_entry *entry;
	const struct pw_point *point;
	const struct pw_user *user;
	const char
		*id; /* "r0001"; names the raw files; NULL: unrecorded (warm-up), nothing is kept */
	unsigned block, position, order;
};

/*
 * Runs it and fills `record` (an empty object), whatever became of the workload: its status tells.
 * -PW_ESTOPPED: the user interrupted, there is no record. Any other error: perfwatt itself could
 * not go on with this run, and the record says so with status failed.
 */
int pw_run(const struct pw_run_env *env, const struct pw_run_request *request,
	   struct pw_value *record, struct pw_err *err) pw_must_check;

/* The record of a run that could not even be begun. */
void pw_run_describe_failed(const struct pw_run_env *env, const struct pw_run_request *request,
			    struct pw_value *record, const char *reason);

/*
 * The options of a run as plug-ins see them: "point" added, paths absolute. The caller's.
 */
struct pw_value pw_run_options(const struct pw_config *config, const struct pw_entry *entry,
			       const struct pw_point *point);
/*
 * The folder that an entry names, or the config's; a relative one counts from the config's. The
 * caller's.
 */
char *pw_run_directory(const struct pw_config *config, const struct pw_entry *entry);
/* The argv of a run as it will be started (also for --dry-run). */
int pw_run_argv(const struct pw_entry *entry, const struct pw_work *work, struct pw_strv *ret,
		struct pw_err *err) pw_must_check;

#endif
