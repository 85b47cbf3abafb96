/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/surroundings.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "lib/base/file.h"
#include "lib/base/mem.h"

extern char **environ;

static bool same_name(const char *pair, const char *name, size_t length)
{
	return strncmp(pair, name, length) == 0 && pair[length] == '=';
}

/* Replaces or adds; `pair` is "NAME=value". */
static void set_pair(struct pw_strv *list, const char *pair)
{
	size_t length = strcspn(pair, "=");

	for (size_t i = 0; i < list->count; i++) {
		if (same_name(list->items[i], pair, length)) {
			free(list->items[i]);
			list->items[i] = pw_strdup(pair);
			return;
		}
	}
	pw_strv_push(list, pair);
}

static void set(struct pw_strv *list, const char *name, const char *value)
{
	pw_auto_free char *pair = pw_sprintf("%s=%s", name, value);

	set_pair(list, pair);
}

static void set_perfwatt(struct pw_strv *list, const struct pw_surroundings *around)
{
	pw_auto_free char *block = pw_sprintf("%u", around->block);

	set(list, "PERFWATT_CONFIG", around->config);
	set(list, "PERFWATT_WORKLOAD", around->workload);
	set(list, "PERFWATT_POINT", around->point_json);
	set(list, "PERFWATT_BLOCK", block);
	set(list, "PERFWATT_WORKDIR", around->workdir);
}

/* perfwatt's own environment with a C locale, and without what an outer perfwatt may have set. */
static void start_environment(struct pw_strv *ret)
{
	for (char **pair = environ; *pair; pair++) {
		if (strncmp(*pair, "LC_", 3) != 0 && !same_name(*pair, "LANGUAGE", 8) &&
		    strncmp(*pair, "PERFWATT_", 9) != 0)
			pw_strv_push(ret, *pair);
	}
	set(ret, "LC_ALL", "C.UTF-8");
}

static void finish_environment(struct pw_strv *ret, const struct pw_strv *config_env)
{
	for (size_t i = 0; config_env && i < config_env->count; i++)
		set_pair(ret, config_env->items[i]);
}

void pw_program_environment(const char *config, const struct pw_strv *config_env,
			    struct pw_strv *ret)
{
	start_environment(ret);
	if (config)
		set(ret, "PERFWATT_CONFIG", config);
	finish_environment(ret, config_env);
}

void pw_environment(const struct pw_surroundings *around, const struct pw_user *user,
		    struct pw_strv *ret)
{
	start_environment(ret);
	if (user->change) {
		set(ret, "HOME", user->home);
		if (user->name) {
			set(ret, "USER", user->name);
			set(ret, "LOGNAME", user->name);
		}
	}
	set_perfwatt(ret, around);
	finish_environment(ret, around->config_env);
}

#define FOLDER_START  "perfwatt-"
#define FOLDER_DIGITS 16

/*
 * To the user who will work in it; by descriptor, lest somebody who may write to the parent puts
 * another thing into its place meanwhile.
 */
static int give_away(const char *path, const struct pw_user *user, struct pw_err *err)
{
	pw_auto_close int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || fchown(fd, user->uid, user->gid) < 0)
		return pw_fail_errno(err, errno, "give work folder %s to its user", path);
	return 0;
}

int pw_work_folder(const char *parent, const struct pw_user *user, struct pw_journal *journal,
		   char **ret, struct pw_err *err)
{
	pw_auto_free char *path = NULL;
	uint64_t word = 0;

	if (getrandom(&word, sizeof(word), 0) != (ssize_t)sizeof(word))
		return pw_fail_errno(err, errno, "draw a name");
	path = pw_sprintf("%s/" FOLDER_START "%0*llx", parent, FOLDER_DIGITS,
			  (unsigned long long)word);
	if (pw_journal_folder(journal, path, err) < 0)
		return -(int)err->code;
	if (mkdir(path, 0700) < 0)
		return pw_fail_errno(err, errno, "create work folder %s", path);
	if (user->change && give_away(path, user, err) < 0) {
		(void)rmdir(path);
		return -(int)err->code;
	}
	*ret = pw_take(path);
	return 0;
}

bool pw_path_plain(const char *path)
{
	pw_auto_strv struct pw_strv parts = PW_STRV_INIT;

	pw_strv_split(&parts, path, "/");
	return path[0] == '/' && !pw_strv_has(&parts, ".") && !pw_strv_has(&parts, "..");
}

bool pw_is_work_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *digits = slash ? slash + 1 + strlen(FOLDER_START) : NULL;

	return pw_path_plain(path) && strncmp(slash + 1, FOLDER_START, strlen(FOLDER_START)) == 0 &&
	       strlen(digits) == FOLDER_DIGITS &&
	       strspn(digits, "0123456789abcdef") == FOLDER_DIGITS;
}
