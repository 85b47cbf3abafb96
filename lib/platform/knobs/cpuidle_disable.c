/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle states that are not to be used, by name: cpuN/cpuidle/stateK/disable (kernel
 * Documentation/ABI/testing/sysfs-devices-system-cpu). Exactly the states named are disabled, every
 * other one is enabled, also one that its driver disables by default (default_status): the file is
 * the user's own bit. CPUs of different kinds have different states.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/platform/attr.h"
#include "lib/platform/cpuidle.h"

#define NONE	  "none"
#define STATES	  32 /* more than any driver has: CPUIDLE_STATE_MAX is 10 */
#define PATH_SIZE 96

static void path_of(char path[PATH_SIZE], unsigned cpu, unsigned state, const char *file)
{
	(void)snprintf(path, PATH_SIZE, PW_CPU_DIR "/cpu%u/cpuidle/state%u/%s", cpu, state, file);
}

/* "C6, C1E" becomes "C6,C1E". */
static int form(struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv parts = PW_STRV_INIT;
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;

	pw_strv_split(&parts, value->text, ",");
	for (size_t i = 0; i < parts.count; i++) {
		char *name = parts.items[i] + strspn(parts.items[i], " ");
		size_t length = strlen(name);

		while (length && name[length - 1] == ' ')
			name[--length] = '\0';
		if (length == 0 || !pw_text_printable(name))
			return pw_fail_at(err, "", 0, "holds an empty or unprintable name");
		if (pw_strv_has(&names, name))
			return pw_fail_at(err, "", 0, "names '%.80s' twice", name);
		pw_strv_push(&names, name);
	}
	if (names.count == 0)
		return pw_fail_at(err, "", 0, "names no idle state (\"" NONE "\" disables none)");
	if (names.count > 1 && pw_strv_has(&names, NONE))
		return pw_fail_at(err, "", 0, "\"" NONE "\" stands alone");
	free(value->text);
	value->text = pw_strv_join(&names, ",");
	return 0;
}

static void split(const struct pw_value *value, struct pw_strv *names)
{
	if (strcmp(value->text, NONE) != 0)
		pw_strv_split(names, value->text, ",");
}

/* One state of one CPU; a callback's failure ends the walk. */
struct state {
	const struct pw_root *root;
	unsigned cpu, number;
	char name[64];
	char path[PATH_SIZE]; /* its file "disable" */
};

typedef int (*visit_fn)(const struct state *state, void *context, struct pw_err *err);

static int visit_cpu(const struct pw_root *root, unsigned cpu, visit_fn visit, void *context,
		     struct pw_err *err)
{
	struct state state = { .root = root, .cpu = cpu };
	int r = 0;

	for (; r == 0 && state.number < STATES; state.number++) {
		char path[PATH_SIZE];

		path_of(path, cpu, state.number, "name");
		path_of(state.path, cpu, state.number, "disable");
		if (!pw_attr_get(root, path, state.name, sizeof(state.name)))
			break;
		if (pw_root_exists(root, state.path))
			r = visit(&state, context, err);
	}
	return r;
}

/* Every state of every online CPU. */
static int visit_all(const struct pw_root *root, visit_fn visit, void *context, struct pw_err *err)
{
	struct pw_cpuset online = { 0 };
	int r = pw_cpus_online(root, &online, err);

	for (size_t i = 0; r == 0 && i < online.count; i++)
		r = visit_cpu(root, online.cpus[i], visit, context, err);
	pw_cpuset_done(&online);
	return r;
}

static int probe_state(const struct state *state, void *context, struct pw_err *err)
{
	bool *found = context;

	if (*found)
		return 0;
	*found = true;
	return pw_attr_writable(state->root, state->path, err);
}

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	bool found = false;
	int r = pw_cpuidle_needed(env->root, err);

	if (r == 0)
		r = visit_all(env->root, probe_state, &found, err);
	if (r < 0 || found)
		return r;
	return pw_fail(err, PW_EUNSUPPORTED,
		       "no idle state has a file 'disable' below " PW_CPU_DIR "/cpuN/cpuidle");
}

static int collect_name(const struct state *state, void *context, struct pw_err *err)
{
	struct pw_strv *names = context;

	(void)err;
	if (!pw_strv_has(names, state->name))
		pw_strv_push(names, state->name);
	return 0;
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv asked = PW_STRV_INIT;
	pw_auto_strv struct pw_strv there = PW_STRV_INIT;
	pw_auto_free char *list = NULL;
	int r = visit_all(env->root, collect_name, &there, err);

	split(value, &asked);
	list = pw_strv_join(&there, ", ");
	for (size_t i = 0; r == 0 && i < asked.count; i++) {
		if (!pw_strv_has(&there, asked.items[i]))
			r = pw_fail(err, PW_EUNSUPPORTED,
				    "no CPU has an idle state '%s' (available: %s)", asked.items[i],
				    list);
	}
	return r;
}

static int save_state(const struct state *state, void *context, struct pw_err *err)
{
	return pw_attr_save(state->root, state->path, context, err);
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	return visit_all(env->root, save_state, saved, err);
}

static int explain(struct pw_err *err)
{
	if (err->sys != EPERM && err->sys != EACCES)
		return -(int)err->code;
	return pw_err_hint(err, "disabling idle states needs CAP_SYS_ADMIN: run perfwatt as root, "
				"outside of a container without it");
}

static const char *wanted(const struct state *state, const struct pw_strv *names)
{
	return pw_strv_has(names, state->name) ? "1" : "0";
}

/* What stands already is left alone: a write restarts nothing, but there are thousands. */
static int apply_state(const struct state *state, void *context, struct pw_err *err)
{
	const char *text = wanted(state, context);
	char now[32];

	if (pw_attr_get(state->root, state->path, now, sizeof(now)) && strcmp(now, text) == 0)
		return 0;
	return pw_attr_write(state->root, state->path, text, err) < 0 ? explain(err) : 0;
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;

	split(value, &names);
	return visit_all(env->root, apply_state, &names, err);
}

static int verify_state(const struct state *state, void *context, struct pw_err *err)
{
	int r = pw_attr_verify(state->root, state->path, state->path, wanted(state, context), err);

	return r < 0 ? pw_err_append(err, " (idle state %s)", state->name) : 0;
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;

	split(value, &names);
	return visit_all(env->root, verify_state, &names, err);
}

/* The names disabled somewhere and those enabled somewhere; a name may be both. */
struct seen {
	struct pw_strv disabled, enabled;
};

static int see_state(const struct state *state, void *context, struct pw_err *err)
{
	struct seen *seen = context;
	struct pw_strv *list;
	char now[32];
	int r = pw_attr_read(state->root, state->path, now, sizeof(now), err);

	if (r < 0)
		return r;
	list = strcmp(now, "0") == 0 ? &seen->enabled : &seen->disabled;
	if (!pw_strv_has(list, state->name))
		pw_strv_push(list, state->name);
	return 0;
}

/* "C1E,C6", "none"; "mixed: C1E,C6 (C6 on some CPUs only)". */
static char *summary_of(const struct seen *seen)
{
	pw_auto_free char *list = pw_strv_join(&seen->disabled, ",");
	pw_auto_strv struct pw_strv partly = PW_STRV_INIT;
	pw_auto_free char *some = NULL;

	for (size_t i = 0; i < seen->disabled.count; i++) {
		if (pw_strv_has(&seen->enabled, seen->disabled.items[i]))
			pw_strv_push(&partly, seen->disabled.items[i]);
	}
	if (partly.count == 0)
		return pw_strdup(seen->disabled.count ? list : NONE);
	some = pw_strv_join(&partly, ", ");
	return pw_sprintf("mixed: %s (%s on some CPUs only)", list, some);
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	struct seen seen = { 0 };
	pw_auto_free char *text = NULL;
	int r = visit_all(env->root, see_state, &seen, err);

	text = summary_of(&seen);
	if (r == 0)
		*ret = pw_value_text(text);
	pw_strv_done(&seen.disabled);
	pw_strv_done(&seen.enabled);
	return r;
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	return pw_attr_restore(env->root, item, err) < 0 ? explain(err) : 0;
}

const struct pw_knob pw_knob_cpuidle_disable = {
	.name = "cpuidle-disable",
	.summary = "idle states that are not to be used, on every CPU that has them",
	.scope = PW_KNOB_CPU,
	.order = PW_ORDER_IDLE + 10,
	.value = { .name = "cpuidle-disable",
		   .type = PW_OPT_TEXT,
		   .help = "names with commas between (\"C6,C1E\"), or \"" NONE "\"" },
	.form = form,
	.probe = probe,
	.check = check,
	.save = save,
	.apply = apply,
	.verify = verify,
	.read = read_value,
	.restore = restore,
	.is_back = pw_attr_is_back,
};
