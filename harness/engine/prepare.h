/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session before it starts: what of the config this machine can have, as whom workloads run, and
 * the plan. Reads the machine, changes nothing: `plan`, `--dry-run` and `run` share it.
 */
#ifndef PW_ENGINE_PREPARE_H
#define PW_ENGINE_PREPARE_H

#include "harness/engine/contents.h"
#include "harness/engine/service.h"
#include "harness/engine/settings.h"
#include "harness/engine/user.h"
#include "lib/model/config.h"
#include "lib/model/plan.h"
#include "lib/platform/topology.h"

struct pw_prepare_options {
	const char *root; /* NULL: the machine itself */
	const char *user; /* --user, or NULL */
	const struct pw_strv
		*only; /* "KEY=VALUE": keep the runs that match one value of every key named */
	uint64_t seed;
	bool strict; /* what cannot be had is an error */
};

struct pw_prepared {
	const struct pw_config *config; /* borrowed */
	const struct pw_strv *only;	/* borrowed; may be NULL */
	const char *user;		/* --user; borrowed; may be NULL */
	struct pw_root root;
	struct pw_cpuset usable;
	char tag[24];
	struct pw_services services;
	struct pw_contents *contents; /* per configuration; empty before a session has read them */
	struct pw_settings settings;
	bool *config_usable;   /* per configuration */
	char **config_reason;  /* why not, or NULL */
	char **entry_reason;   /* per entry: why none of it can run, or NULL */
	struct pw_user *users; /* per entry */
	struct pw_plan plan;   /* without what cannot run, filtered by `only` */
};

int pw_prepare(const struct pw_config *config, const struct pw_catalog *catalog,
	       const struct pw_prepare_options *options, struct pw_prepared *ret,
	       struct pw_err *err) pw_must_check;
void pw_prepared_done(struct pw_prepared *prepared);

/* Does `only` leave anything of this configuration, of this sweep point? */
bool pw_prepared_wants_config(const struct pw_prepared *prepared, size_t config);
bool pw_prepared_wants_point(const struct pw_prepared *prepared, size_t entry, size_t point);

#endif
