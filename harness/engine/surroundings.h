/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a workload's process finds around it: its environment and its work folder. */
#ifndef PW_ENGINE_SURROUNDINGS_H
#define PW_ENGINE_SURROUNDINGS_H

#include <stdbool.h>

#include "harness/engine/journal.h"
#include "harness/engine/user.h"
#include "lib/base/strv.h"

/* Work folders stand here unless an entry names a directory: on disk on most systems, unlike /tmp.
 */
#define PW_WORK_PARENT "/var/tmp"

struct pw_surroundings {
	const char *config, *workload, *point_json, *workdir;
	unsigned block;
	const struct pw_strv *config_env; /* "NAME=value" of the configuration */
};

/*
 * The whole environment: perfwatt's own, a C numeric locale (LC_ALL=C.UTF-8), the user's HOME and
 * names, PERFWATT_*, and what the configuration sets (last: it wins).
 */
void pw_environment(const struct pw_surroundings *around, const struct pw_user *user,
		    struct pw_strv *ret);

/*
 * The same for a program that is a setting: perfwatt's own rights and HOME, and of PERFWATT_* only
 * the configuration's name (NULL: none), as it belongs to no run.
 */
void pw_program_environment(const char *config, const struct pw_strv *config_env,
			    struct pw_strv *ret);

/* A new empty folder below `parent`, 0700 of the user; in the journal before it exists. The
 * caller's path. */
int pw_work_folder(const char *parent, const struct pw_user *user, struct pw_journal *journal,
		   char **ret, struct pw_err *err) pw_must_check;

/* Is the path one that pw_work_folder() could have made? Whoever removes asks first. */
bool pw_is_work_folder(const char *path);
/* Absolute, and without "." and ".." on the way. */
bool pw_path_plain(const char *path);

#endif
