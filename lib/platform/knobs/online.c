/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPUs are online: those of a list, and no other. It comes after `smt`, whose `on` brings
 * every sibling back, also those that were taken offline one by one. A CPU that returns finds its
 * frequency policy with the kernel's default governor, so everything else comes later.
 */
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/hotplug.h"

#define ALL "all"

/* "1,0,2" becomes "0-2"; the word stays. */
static int form(struct pw_value *value, struct pw_err *err)
{
	struct pw_cpuset set = { 0 };
	struct pw_err ignored;
	char *text;

	if (strcmp(value->text, ALL) == 0)
		return 0;
	if (pw_parse_cpulist(value->text, &set.cpus, &set.count, &ignored) < 0 || set.count == 0) {
		pw_cpuset_done(&set);
		return pw_fail_at(err, "", 0,
				  "'%.80s' is neither a CPU list (\"0-3,8\") nor \"" ALL "\"",
				  value->text);
	}
	text = pw_cpuset_text(&set);
	pw_cpuset_done(&set);
	free(value->text);
	value->text = text;
	return 0;
}

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	struct pw_cpuset present = { 0 };
	int r = pw_cpus_present(env->root, &present, err);
	bool found = false;

	for (size_t i = 0; r == 0 && !found && i < present.count; i++) {
		char path[PW_ONLINE_PATH_SIZE];

		pw_online_path(path, present.cpus[i]);
		found = pw_root_exists(env->root, path);
		if (found)
			r = pw_attr_writable(env->root, path, err);
	}
	pw_cpuset_done(&present);
	if (r < 0 || found)
		return r;
	return pw_fail(err, PW_EUNSUPPORTED,
		       "no CPU can go offline: none has " PW_CPU_DIR "/cpuN/online");
}

/* The CPUs of the value; owned. */
static int wanted(const struct pw_root *root, const char *text, struct pw_cpuset *ret,
		  struct pw_err *err)
{
	struct pw_cpuset set = { 0 };
	int r;

	if (strcmp(text, ALL) == 0)
		return pw_cpus_present(root, ret, err);
	r = pw_parse_cpulist(text, &set.cpus, &set.count, err);
	if (r == 0)
		*ret = set;
	return r;
}

static int check_known(const struct pw_cpuset *set, const struct pw_cpuset *present,
		       struct pw_err *err)
{
	pw_auto_free char *there = pw_cpuset_text(present);

	for (size_t i = 0; i < set->count; i++) {
		if (!pw_cpuset_has(present, set->cpus[i]))
			return pw_fail(err, PW_EUNSUPPORTED, "there is no CPU %u (present: %s)",
				       set->cpus[i], there);
	}
	return 0;
}

/* What cannot be switched must be what it is. */
static int check_fixed(const struct pw_root *root, const struct pw_cpuset *set,
		       const struct pw_cpuset *present, const struct pw_cpuset *online,
		       struct pw_err *err)
{
	for (size_t i = 0; i < present->count; i++) {
		unsigned cpu = present->cpus[i];
		bool is = pw_cpuset_has(online, cpu);

		if (pw_cpu_has_switch(root, cpu) || pw_cpuset_has(set, cpu) == is)
			continue;
		(void)pw_fail(err, PW_EUNSUPPORTED,
			      "CPU %u cannot go %s: it has no " PW_CPU_DIR "/cpu%u/online", cpu,
			      is ? "offline" : "online", cpu);
		return is ? pw_err_hint(err, "put it into the list") : -(int)err->code;
	}
	return 0;
}

static int check_usable(const struct pw_knob_env *env, const struct pw_cpuset *set,
			struct pw_err *err)
{
	for (size_t i = 0; i < env->usable_count; i++) {
		if (pw_cpuset_has(set, env->usable[i]))
			return 0;
	}
	return pw_fail(err, PW_EUNSUPPORTED,
		       "no CPU that perfwatt may use now (its affinity, its cpuset) is in the "
		       "list: one must stay");
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	struct pw_cpuset set = { 0 }, present = { 0 }, online = { 0 };
	int r = wanted(env->root, value->text, &set, err);

	if (r == 0)
		r = pw_cpus_present(env->root, &present, err);
	if (r == 0)
		r = pw_cpus_switched_on(env->root, &online, err);
	if (r == 0)
		r = check_known(&set, &present, err);
	if (r == 0)
		r = check_fixed(env->root, &set, &present, &online, err);
	if (r == 0)
		r = check_usable(env, &set, err);
	pw_cpuset_done(&set);
	pw_cpuset_done(&present);
	pw_cpuset_done(&online);
	return r;
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	return pw_hotplug_save(env->root, saved, err);
}

/* "all" is all that SMT allows: siblings that it keeps off stay off. */
static bool is_excused(const struct pw_root *root, const char *text, const struct pw_err *err)
{
	return err->code == PW_EUNSUPPORTED && strcmp(text, ALL) == 0 && pw_smt_is_off(root);
}

/* One direction: a list that shares no CPU with the present one must not end in between at none. */
static int write_all(const struct pw_root *root, const char *text, const struct pw_cpuset *set,
		     const struct pw_cpuset *present, bool online, struct pw_err *err)
{
	for (size_t i = 0; i < present->count; i++) {
		unsigned cpu = present->cpus[i];

		if (pw_cpuset_has(set, cpu) != online || !pw_cpu_has_switch(root, cpu))
			continue;
		if (pw_hotplug_write(root, cpu, online, err) < 0 && !is_excused(root, text, err))
			return -(int)err->code;
	}
	return 0;
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	struct pw_cpuset set = { 0 }, present = { 0 };
	int r = wanted(env->root, value->text, &set, err);

	if (r == 0)
		r = pw_cpus_present(env->root, &present, err);
	if (r == 0)
		r = write_all(env->root, value->text, &set, &present, true, err);
	if (r == 0)
		r = write_all(env->root, value->text, &set, &present, false, err);
	pw_cpuset_done(&set);
	pw_cpuset_done(&present);
	return r;
}

static int verify_cpu(const struct pw_root *root, const char *text, unsigned cpu, bool online,
		      struct pw_err *err)
{
	char path[PW_ONLINE_PATH_SIZE];
	int r;

	pw_online_path(path, cpu);
	r = pw_attr_verify(root, path, path, online ? "1" : "0", err);
	if (r == -PW_ETIMEOUT && online && strcmp(text, ALL) == 0 && pw_smt_is_off(root))
		return 0;
	return r;
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	struct pw_cpuset set = { 0 }, present = { 0 };
	int r = wanted(env->root, value->text, &set, err);

	if (r == 0)
		r = pw_cpus_present(env->root, &present, err);
	for (size_t i = 0; r == 0 && i < present.count; i++) {
		unsigned cpu = present.cpus[i];

		if (pw_cpu_has_switch(env->root, cpu))
			r = verify_cpu(env->root, value->text, cpu, pw_cpuset_has(&set, cpu), err);
	}
	pw_cpuset_done(&set);
	pw_cpuset_done(&present);
	return r;
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	struct pw_cpuset online = { 0 };
	pw_auto_free char *text = NULL;
	int r = pw_cpus_switched_on(env->root, &online, err);

	if (r < 0)
		return r;
	text = pw_cpuset_text(&online);
	pw_cpuset_done(&online);
	*ret = pw_value_text(text);
	return 0;
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	return pw_hotplug_restore(env->root, item, err);
}

const struct pw_knob pw_knob_online = {
	.name = "online",
	.summary = "the CPUs that are online; all others go offline",
	.scope = PW_KNOB_MACHINE,
	.order = PW_ORDER_ONLINE + 10,
	.flags = PW_KNOB_RECREATES,
	.value = { .name = "online",
		   .type = PW_OPT_TEXT,
		   .help = "a CPU list (\"0-3,8\"), or \"all\"" },
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
