/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scaling_governor of every policy. The list of available governors names only those that are
 * loaded: writing another name makes the kernel load its module, unless the driver sets the policy
 * itself (kernel drivers/cpufreq/cpufreq.c, cpufreq_parse_governor).
 */
#include <string.h>

#include "lib/base/parse.h"
#include "lib/base/pitfall.h"
#include "lib/platform/cpufreq.h"
#include "lib/platform/limits.h"

#define FILE_NAME      "scaling_governor"
#define FILE_AVAILABLE "scaling_available_governors"
#define FILE_SETSPEED  "scaling_setspeed"

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	return pw_policies_probe(env->root, FILE_NAME, "governors", err);
}

/* The governors of the kernel tree, any of which may be a module that is not loaded yet. */
static bool is_kernel_governor(const char *name)
{
	static const char *const known[] = { "performance", "powersave",    "userspace",
					     "ondemand",    "conservative", "schedutil" };

	for (size_t i = 0; i < PW_LENGTH(known); i++) {
		if (strcmp(known[i], name) == 0)
			return true;
	}
	return false;
}

static int check_policy(const struct pw_root *root, const char *policy, const char *governor,
			struct pw_err *err)
{
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	pw_auto_free char *available = NULL;
	char driver[64];
	int r = pw_policy_read(root, policy, "scaling_driver", driver, sizeof(driver), err);

	if (r == 0)
		r = pw_policy_words(root, policy, FILE_AVAILABLE, &words, err);
	if (r < 0)
		return r;
	if (pw_strv_has(&words, governor))
		return 0;
	if (!pw_driver_sets_policy(driver) && is_kernel_governor(governor))
		return 0;
	available = pw_strv_join(&words, " ");
	(void)pw_fail(err, PW_EUNSUPPORTED,
		      "%s: governor '%s' is not to be had with driver '%s' (available: %s)", policy,
		      governor, driver, available);
	if (pw_driver_sets_policy(driver) && is_kernel_governor(governor))
		return pw_err_hint(err, "the generic governors need the passive mode: set "
					"driver-mode to passive in the same configuration");
	return -(int)err->code;
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	int r = pw_policies_needed(env->root, &policies, err);

	for (size_t i = 0; r == 0 && i < policies.count; i++)
		r = check_policy(env->root, policies.items[i], value->text, err);
	return r;
}

/* Those that every policy lists; pinning a frequency by hand (userspace) is no choice. */
static int choices(const struct pw_knob_env *env, struct pw_strv *values, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	pw_auto_strv struct pw_strv first = PW_STRV_INIT;
	char path[PW_POLICY_PATH_SIZE];
	int r = pw_policies_needed(env->root, &policies, err);

	if (r < 0)
		return r;
	pw_policy_path(path, policies.items[0], FILE_AVAILABLE);
	pw_attr_words(env->root, path, &first);
	for (size_t i = 0; i < first.count; i++) {
		const struct pw_value wanted = { .type = PW_VALUE_TEXT, .text = first.items[i] };

		if (strcmp(first.items[i], "userspace") != 0 && check(env, &wanted, err) == 0)
			pw_strv_push(values, first.items[i]);
	}
	return 0;
}

/* Under `userspace` the frequency set by hand is lost with the governor: it is saved too. */
static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	int r = pw_policies_save(env->root, FILE_NAME, saved, err);

	if (r == 0)
		r = pw_policies_needed(env->root, &policies, err);
	for (size_t i = 0; r == 0 && i < policies.count; i++) {
		char path[PW_POLICY_PATH_SIZE], governor[64];

		r = pw_policy_read(env->root, policies.items[i], FILE_NAME, governor,
				   sizeof(governor), err);
		pw_policy_path(path, policies.items[i], FILE_SETSPEED);
		if (r == 0 && strcmp(governor, "userspace") == 0)
			r = pw_attr_save(env->root, path, saved, err);
	}
	return r;
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	int r = pw_policies_needed(env->root, &policies, err);

	for (size_t i = 0; r == 0 && i < policies.count; i++) {
		const char *policy = policies.items[i];

		r = pw_policy_write(env->root, policy, FILE_NAME, value->text, err);
		if (r == -PW_EINVAL) {
			pw_auto_free char *available =
				pw_policy_list(env->root, policy, FILE_AVAILABLE);

			/* no such module: as if check() had known it */
			(void)pw_err_append(err, " (available: %s)", available);
			r = pw_err_recode(err, PW_EUNSUPPORTED);
		}
	}
	return r;
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	int r = pw_policies_needed(env->root, &policies, err);

	for (size_t i = 0; r == 0 && i < policies.count; i++)
		r = pw_policy_verify(env->root, policies.items[i], FILE_NAME, pw_attr_same,
				     value->text, value->text, err);
	return r;
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	return pw_policies_read(env->root, FILE_NAME, ret, err);
}

static bool is_setspeed(const struct pw_saved_item *item)
{
	const char *name = strrchr(item->path, '/');

	return name && strcmp(name + 1, FILE_SETSPEED) == 0;
}

/* scaling_setspeed shows the frequency reached, which is only near the one asked for. */
static bool is_back(const struct pw_knob_env *env, const struct pw_saved_item *item)
{
	uint64_t shown, saved;
	struct pw_err ignored;

	if (pw_attr_is_back(env, item))
		return true;
	if (pw_root_plain(env->root) || !is_setspeed(item) ||
	    pw_attr_read_u64(env->root, item->path, &shown, &ignored) < 0 ||
	    pw_parse_u64(item->value, &saved, &ignored) < 0)
		return false;
	return (shown > saved ? shown - saved : saved - shown) <= PW_LIMIT_STEP_KHZ;
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	if (pw_pitfall("reset-to-powersave"))
		return pw_attr_write(env->root, item->path, "powersave", err);
	if (is_setspeed(item))
		return pw_attr_write(env->root, item->path,
				     item->restore ? item->restore : item->value, err);
	return pw_attr_restore(env->root, item, err);
}

const struct pw_knob pw_knob_governor = {
	.name = "governor",
	.summary = "the kernel's frequency governor, of every policy",
	.scope = PW_KNOB_POLICY,
	.order = PW_ORDER_GOVERNOR,
	.value = { .name = "governor",
		   .type = PW_OPT_TEXT,
		   .help = "schedutil, performance, powersave, ondemand, ..." },
	.probe = probe,
	.check = check,
	.choices = choices,
	.save = save,
	.apply = apply,
	.verify = verify,
	.read = read_value,
	.restore = restore,
	.is_back = is_back,
};
