/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/daemons.h"

#include <limits.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/daemon_table.h"

#define UNITS	   "/run/systemd/units"
#define INVOCATION "invocation:"
/* A program's name as comm shows it (TASK_COMM_LEN with its NUL). */
#define COMM_SIZE 16
/* Enough for an interpreter, its options and the script's path. */
#define CMDLINE_SIZE 1024

/* Is `name` (of `length` bytes) a word of the list? cut: as the kernel cuts it. */
static bool in_list(const char *list, const char *name, size_t length, bool cut)
{
	while (*list) {
		size_t word = strcspn(list, " ");
		size_t shown = cut && word > COMM_SIZE - 1 ? COMM_SIZE - 1 : word;

		if (length > 0 && shown == length && strncmp(list, name, length) == 0)
			return true;
		list += word;
		list += strspn(list, " ");
	}
	return false;
}

static const struct pw_daemon *find_program(const char *name, size_t length, bool cut)
{
	for (const struct pw_daemon *daemon = pw_daemon_table; daemon->name; daemon++) {
		if (in_list(daemon->programs, name, length, cut))
			return daemon;
	}
	return NULL;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "tuned.py" is found as "tuned". */
static const struct pw_daemon *find_path(const char *path)
{
	const char *name = base_name(path);
	size_t length = strlen(name);

	if (length > 3 && strcmp(name + length - 3, ".py") == 0)
		length -= 3;
	return find_program(name, length, false);
}

static bool is_interpreter(const char *path)
{
	static const char *const names[] = { "python", "perl", "sh", "bash", "dash", "ruby" };
	const char *name = base_name(path);

	for (size_t i = 0; i < PW_LENGTH(names); i++) {
		size_t length = strlen(names[i]);

		if (strncmp(name, names[i], length) == 0 &&
		    strspn(name + length, "0123456789.") == strlen(name + length))
			return true;
	}
	return false;
}

/* The script that an interpreter runs: its first word that is no option. */
static const char *script_of(const char *cmdline, size_t length)
{
	size_t at = strlen(cmdline) + 1;

	while (at < length && cmdline[at] == '-') {
		if (strcmp(cmdline + at, "-c") == 0)
			return NULL;
		at += strlen(cmdline + at) + 1;
	}
	return at < length ? cmdline + at : NULL;
}

const struct pw_daemon *pw_daemon_of(const char *comm, const char *cmdline, size_t length)
{
	const struct pw_daemon *daemon = find_program(comm, strlen(comm), true);
	const char *script;

	if (daemon || length == 0)
		return daemon;
	daemon = find_path(cmdline);
	if (daemon || !is_interpreter(cmdline))
		return daemon;
	script = script_of(cmdline, length);
	return script ? find_path(script) : NULL;
}

bool pw_daemon_writes(const struct pw_daemon *daemon, const char *path)
{
	const char *name = base_name(path);

	return in_list(daemon->files, name, strlen(name), false);
}

bool pw_daemon_is_service(const struct pw_daemon *daemon, const char *name)
{
	size_t unit = daemon->unit ? strlen(daemon->unit) : 0;

	return unit > 0 && strncmp(name, daemon->unit, unit) == 0 &&
	       (name[unit] == '\0' || strcmp(name + unit, ".service") == 0);
}

static void add(struct pw_daemons *list, const struct pw_daemon *daemon, pid_t pid)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].daemon == daemon)
			return;
	}
	PW_PUSH(list->items, list->count, list->capacity,
		((struct pw_daemon_found){ .daemon = daemon, .pid = pid }));
}

static void look_at_process(const struct pw_root *root, const char *pid, struct pw_daemons *list)
{
	char path[48], comm[64], cmdline[CMDLINE_SIZE];
	const struct pw_daemon *daemon;
	struct pw_err ignored;
	uint64_t number;
	ssize_t n;

	if (pw_parse_u64(pid, &number, &ignored) < 0 || number == 0 || number > INT_MAX)
		return;
	(void)snprintf(path, sizeof(path), "/proc/%d/comm", (int)number);
	if (!pw_attr_get(root, path, comm, sizeof(comm)))
		return;
	(void)snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)number);
	n = root->ops->read(root, path, cmdline, sizeof(cmdline) - 1);
	cmdline[n > 0 ? n : 0] = '\0';
	daemon = pw_daemon_of(comm, cmdline, n > 0 ? (size_t)n : 0);
	if (daemon)
		add(list, daemon, (pid_t)number);
}

/* systemd keeps a link for every unit that is active, also for one without a process
 * (unit_export_invocation_id(), since version 235). It leads nowhere: the name is all. */
static bool has_unit(const struct pw_strv *units, const struct pw_daemon *daemon)
{
	pw_auto_free char *name = pw_sprintf(INVOCATION "%s.service", daemon->unit);

	return pw_strv_has(units, name);
}

static int by_table(const void *a, const void *b)
{
	const struct pw_daemon *one = ((const struct pw_daemon_found *)a)->daemon;
	const struct pw_daemon *other = ((const struct pw_daemon_found *)b)->daemon;

	return one < other ? -1 : one > other;
}

void pw_daemons_find(const struct pw_root *root, struct pw_daemons *ret)
{
	pw_auto_strv struct pw_strv processes = PW_STRV_INIT, units = PW_STRV_INIT;
	struct pw_err ignored;

	*ret = (struct pw_daemons){ 0 };
	(void)!pw_root_list(root, "/proc", &processes, &ignored);
	(void)!pw_root_list(root, UNITS, &units, &ignored);
	for (size_t i = 0; i < processes.count; i++)
		look_at_process(root, processes.items[i], ret);
	for (const struct pw_daemon *daemon = pw_daemon_table; daemon->name; daemon++) {
		if ((daemon->marker && pw_root_exists(root, daemon->marker)) ||
		    (daemon->unit && has_unit(&units, daemon)))
			add(ret, daemon, 0);
	}
	if (ret->count)
		qsort(ret->items, ret->count, sizeof(*ret->items), by_table);
}

void pw_daemons_done(struct pw_daemons *daemons)
{
	free(daemons->items);
	*daemons = (struct pw_daemons){ 0 };
}

char *pw_daemon_text(const struct pw_daemon_found *found)
{
	const struct pw_daemon *daemon = found->daemon;
	const char *verb = daemon->flags & PW_DAEMON_LOAD   ? "moves"
			   : daemon->flags & PW_DAEMON_ONCE ? "has changed, at boot,"
							    : "may change";

	if (found->pid)
		return pw_sprintf("%s (pid %d) %s %s", daemon->name, (int)found->pid, verb,
				  daemon->changes);
	return pw_sprintf("%s %s %s", daemon->name, verb, daemon->changes);
}

char *pw_daemon_hint(const struct pw_daemon *daemon)
{
	if (daemon->unit)
		return pw_sprintf("stop it with \"services\": { \"%s\": \"stop\" }", daemon->unit);
	return pw_strdup(daemon->remedy);
}
