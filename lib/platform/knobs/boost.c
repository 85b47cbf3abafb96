/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frequencies above the base: intel_pstate/no_turbo (inverted), or cpufreq/boost and then the
 * policies' own boost files, which the global one overwrites and which refuse a 1 while it is 0
 * (kernel drivers/cpufreq/cpufreq.c, store_local_boost).
 */
#include <errno.h>
#include <string.h>

#include "lib/base/pitfall.h"
#include "lib/platform/cpufreq.h"

#define NO_TURBO      PW_CPU_DIR "/intel_pstate/no_turbo"
#define GLOBAL_BOOST  PW_CPUFREQ_DIR "/boost"
#define POLICY_BOOST  "boost"
#define POLICY_CPB    "cpb"
#define RESYNC_DRIVER "acpi-cpufreq"

/*
 * The global switch: 1 and its path, 0 if there is none. Trouble with no_turbo is told, as it does
 * not say that there is no switch; it answers EAGAIN while intel_pstate is off, when another driver
 * may have one.
 */
static int find(const struct pw_root *root, const char **ret, struct pw_err *err)
{
	char text[32];
	int r = pw_attr_read(root, NO_TURBO, text, sizeof(text), err);
	bool other = pw_root_exists(root, GLOBAL_BOOST);

	if (r == -PW_EAGAIN && !other) {
		(void)pw_err_append(err, " (intel_pstate is off)");
		return pw_err_recode(err, PW_EUNSUPPORTED);
	}
	if (r < 0 && r != -PW_ENOTFOUND && r != -PW_EAGAIN)
		return r;
	*ret = r == 0 ? NO_TURBO : GLOBAL_BOOST;
	return r == 0 || other;
}

static bool is_inverted(const char *path)
{
	return strcmp(path, NO_TURBO) == 0;
}

static const char *text_of(const char *path, bool on)
{
	return on != is_inverted(path) ? "1" : "0";
}

static int find_needed(const struct pw_root *root, const char **ret, struct pw_err *err)
{
	char driver[64] = "";
	int found = find(root, ret, err);

	if (found)
		return found < 0 ? found : 0;
	if (!pw_cpufreq_driver(root, driver, sizeof(driver)))
		return pw_fail(err, PW_EUNSUPPORTED,
			       "no boost switch: no cpufreq policies below " PW_CPUFREQ_DIR
			       " (no frequency driver; usual in a virtual machine)");
	(void)pw_fail(err, PW_EUNSUPPORTED, "no boost switch: driver '%s' has neither %s nor %s",
		      driver, NO_TURBO, GLOBAL_BOOST);
	if (strcmp(driver, "amd-pstate-epp") == 0)
		return pw_err_hint(err, "amd_pstate's active mode has one from Linux 6.11 on; its "
					"passive mode has one before");
	return -(int)err->code;
}

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	const char *path;
	int r = find_needed(env->root, &path, err);

	return r < 0 ? r : pw_attr_writable(env->root, path, err);
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
	const char *path;
	int r = find_needed(env->root, &path, err);

	if (r == 0)
		r = pw_attr_save(env->root, path, saved, err);
	if (r < 0 || is_inverted(path))
		return r;
	r = pw_policies_save(env->root, POLICY_BOOST, saved, err);
	return r < 0 ? r : pw_policies_save(env->root, POLICY_CPB, saved, err);
}

/* What the kernel refuses here, the hardware or its firmware has not got. */
static int explain(struct pw_err *err, const char *path, bool on)
{
	if (!on || pw_pitfall("firmware-as-failure"))
		return -(int)err->code;
	if (is_inverted(path) && err->sys == EPERM) {
		(void)pw_err_append(err, " (turbo is disabled by the firmware)");
		return pw_err_recode(err, PW_EUNSUPPORTED);
	}
	if (err->code == PW_EINVAL) {
		(void)pw_err_append(err, " (the driver has no boost range here)");
		return pw_err_recode(err, PW_EUNSUPPORTED);
	}
	return -(int)err->code;
}

/*
 * acpi-cpufreq takes a write of the present value for nothing to do, and CPUs that went their own
 * way through `cpb` or an MSR stay there: the opposite first makes it write to all of them.
 */
static int force(const struct pw_root *root, const char *path, bool on, struct pw_err *err)
{
	char now[32], driver[64] = "";

	if (is_inverted(path) || !pw_attr_get(root, path, now, sizeof(now)) ||
	    strcmp(now, text_of(path, on)) != 0 ||
	    !pw_cpufreq_driver(root, driver, sizeof(driver)) || strcmp(driver, RESYNC_DRIVER) != 0)
		return 0;
	return pw_attr_write(root, path, text_of(path, !on), err);
}

static int apply_policy(const struct pw_root *root, const char *policy, bool on, struct pw_err *err)
{
	const char *text = on ? "1" : "0";
	char now[32];
	int r = pw_policy_read(root, policy, POLICY_BOOST, now, sizeof(now), err);

	if (r == -PW_ENOTFOUND || (r == 0 && strcmp(now, text) == 0))
		return 0;
	if (r == 0)
		r = pw_policy_write(root, policy, POLICY_BOOST, text, err);
	return r < 0 ? explain(err, GLOBAL_BOOST, on) : 0;
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	bool on = value->boolean;
	const char *path;
	int r = find_needed(env->root, &path, err);

	if (r == 0)
		r = force(env->root, path, on, err);
	if (r < 0)
		return explain(err, path, !on);
	if (!pw_pitfall("policies-boost-alone") &&
	    pw_attr_write(env->root, path, text_of(path, on), err) < 0)
		return explain(err, path, on);
	if (is_inverted(path))
		return 0;
	r = pw_policies(env->root, &policies, err);
	for (size_t i = 0; r == 0 && i < policies.count; i++)
		r = apply_policy(env->root, policies.items[i], on, err);
	return r;
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	const char *path, *text = value->boolean ? "1" : "0";
	int r = find_needed(env->root, &path, err);

	if (r == 0)
		r = pw_attr_verify(env->root, path, path, text_of(path, value->boolean), err);
	if (r < 0 || is_inverted(path))
		return r;
	r = pw_policies(env->root, &policies, err);
	for (size_t i = 0; r == 0 && i < policies.count; i++) {
		if (pw_policy_has(env->root, policies.items[i], POLICY_BOOST))
			r = pw_policy_verify(env->root, policies.items[i], POLICY_BOOST,
					     pw_attr_same, text, text, err);
	}
	return r;
}

/* The policies' own files, where they differ from the global switch. */
static bool policies_agree(const struct pw_root *root, bool on)
{
	struct pw_value own = PW_VALUE_INIT;
	struct pw_err ignored;
	bool agree = true;

	if (pw_policies_read(root, POLICY_BOOST, &own, &ignored) == 0)
		agree = own.type == PW_VALUE_INT && own.integer == (on ? 1 : 0);
	pw_value_done(&own);
	return agree;
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	const char *path;
	char text[32];
	bool on;
	int r = find_needed(env->root, &path, err);

	if (r == 0)
		r = pw_attr_read(env->root, path, text, sizeof(text), err);
	if (r < 0)
		return r;
	on = strcmp(text, text_of(path, true)) == 0;
	if (is_inverted(path) || policies_agree(env->root, on))
		*ret = pw_value_bool(on);
	else
		*ret = pw_value_text(on ? "mixed: on, some policies off"
					: "mixed: off, some policies on");
	return 0;
}

/* Files that stand right already stay untouched: a policy's 1 is refused under a global 0. */
static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	return pw_attr_restore(env->root, item, err);
}

const struct pw_knob pw_knob_boost = {
	.name = "boost",
	.summary = "frequencies above the base (turbo, core performance boost)",
	.scope = PW_KNOB_MACHINE,
	.order = PW_ORDER_BOOST,
	.value = { .name = "boost", .type = PW_OPT_SWITCH, .help = "on or off" },
	.probe = probe,
	.choices = choices,
	.save = save,
	.apply = apply,
	.verify = verify,
	.read = read_value,
	.restore = restore,
	.is_back = pw_attr_is_back,
};
