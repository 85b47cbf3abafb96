/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simultaneous multithreading, smt/control (kernel Documentation/ABI/testing/
 * sysfs-devices-system-cpu, kernel/cpu.c). `off` takes every sibling offline and keeps it there;
 * `on` brings every CPU of a core back, also one that was taken offline by itself (on x86 before
 * Linux 6.6 every present CPU): so each CPU's own switch is saved too, and put back after this one.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/hotplug.h"

static int read_control(const struct pw_root *root, char *control, size_t size, struct pw_err *err)
{
	int r = pw_attr_read(root, PW_SMT_CONTROL, control, size, err);

	if (r == -PW_ENOTFOUND)
		return pw_fail(err, PW_EUNSUPPORTED,
			       "no " PW_SMT_CONTROL " (a kernel before 4.19, or one without CPU "
			       "hotplug)");
	return r;
}

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	char control[32];
	int r = read_control(env->root, control, sizeof(control), err);

	if (r < 0)
		return r;
	if (strcmp(control, "forceoff") == 0) {
		(void)pw_fail(err, PW_EUNSUPPORTED,
			      PW_SMT_CONTROL " is 'forceoff': the kernel keeps SMT off until it is "
					     "booted otherwise");
		return pw_err_hint(err, "boot without nosmt=force and mitigations=...,nosmt");
	}
	if (strcmp(control, "notsupported") == 0)
		return pw_fail(err, PW_EUNSUPPORTED,
			       PW_SMT_CONTROL " is 'notsupported': the CPUs have no SMT, or the "
					      "firmware has switched it off");
	if (strcmp(control, "notimplemented") == 0)
		return pw_fail(err, PW_EUNSUPPORTED,
			       PW_SMT_CONTROL " is 'notimplemented': this kernel cannot switch SMT "
					      "on this architecture");
	return pw_attr_writable(env->root, PW_SMT_CONTROL, err);
}

/* The CPU that stays when SMT goes: the first one of its core; of an offline CPU not known. */
static bool is_primary(const struct pw_root *root, unsigned cpu)
{
	pw_auto_free char *path =
		pw_sprintf(PW_CPU_DIR "/cpu%u/topology/thread_siblings_list", cpu);
	pw_auto_free unsigned *siblings = NULL;
	struct pw_err ignored;
	char text[1024];
	size_t count = 0;

	return !pw_attr_get(root, path, text, sizeof(text)) ||
	       pw_parse_cpulist(text, &siblings, &count, &ignored) < 0 || count == 0 ||
	       siblings[0] == cpu;
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	if (strcmp(value->text, "on") == 0)
		return 0;
	for (size_t i = 0; i < env->usable_count; i++) {
		if (is_primary(env->root, env->usable[i]))
			return 0;
	}
	return pw_fail(err, PW_EUNSUPPORTED,
		       "every CPU that perfwatt may use (its affinity, its cpuset) is a sibling "
		       "that would go offline: one must stay");
}

static int choices(const struct pw_knob_env *env, struct pw_strv *values, struct pw_err *err)
{
	(void)env;
	(void)err;
	pw_strv_push(values, "on");
	pw_strv_push(values, "off");
	return 0;
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	int r = pw_attr_save(env->root, PW_SMT_CONTROL, saved, err);

	return r < 0 ? r : pw_hotplug_save(env->root, saved, err);
}

static int explain(struct pw_err *err)
{
	switch (err->sys) {
	case EPERM:
		(void)pw_err_append(err, " (SMT was forced off: only a reboot brings it back)");
		return pw_err_recode(err, PW_EUNSUPPORTED);
	case ENODEV:
		(void)pw_err_append(err, " (not supported by the CPUs or the kernel)");
		return pw_err_recode(err, PW_EUNSUPPORTED);
	case EBUSY:
		return pw_err_append(err,
				     " (a CPU cannot go offline, or the kernel forbids hotplug "
				     "at the moment)");
	default:
		return -(int)err->code;
	}
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	char now[32];

	if (pw_attr_get(env->root, PW_SMT_CONTROL, now, sizeof(now)) &&
	    strcmp(now, value->text) == 0)
		return 0;
	return pw_attr_write(env->root, PW_SMT_CONTROL, value->text, err) < 0 ? explain(err) : 0;
}

/* `active` tells whether two siblings run: under `on` not, if they are offline by themselves. */
static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	int r = pw_attr_verify(env->root, PW_SMT_CONTROL, PW_SMT_CONTROL, value->text, err);

	if (r < 0 || strcmp(value->text, "on") == 0 || pw_root_plain(env->root) ||
	    !pw_root_exists(env->root, PW_SMT_ACTIVE))
		return r;
	return pw_attr_verify(env->root, PW_SMT_ACTIVE, PW_SMT_ACTIVE, "0", err);
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	char control[32], active[16] = "";
	int r = read_control(env->root, control, sizeof(control), err);

	if (r < 0)
		return r;
	(void)pw_attr_get(env->root, PW_SMT_ACTIVE, active, sizeof(active));
	*ret = pw_value_text(strcmp(control, "on") == 0 && strcmp(active, "0") == 0
				     ? "on, all siblings offline"
				     : control);
	return 0;
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	int r;

	if (strcmp(item->path, PW_SMT_CONTROL) != 0)
		return pw_hotplug_restore(env->root, item, err);
	r = pw_attr_restore(env->root, item, err);
	return r < 0 ? explain(err) : 0;
}

static const char *const words[] = { "on", "off", NULL };

const struct pw_knob pw_knob_smt = {
	.name = "smt",
	.summary = "simultaneous multithreading (several CPUs a core)",
	.scope = PW_KNOB_MACHINE,
	.order = PW_ORDER_ONLINE,
	.flags = PW_KNOB_RECREATES,
	.value = { .name = "smt", .type = PW_OPT_CHOICE, .help = "on or off", .choices = words },
	.probe = probe,
	.check = check,
	.choices = choices,
	.save = save,
	.apply = apply,
	.verify = verify,
	.read = read_value,
	.restore = restore,
	.is_back = pw_attr_is_back,
};
