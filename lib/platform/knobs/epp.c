/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * energy_performance_preference of every policy. Under the governor `performance` of a driver that
 * sets the policy itself, every value but 0 is refused with EBUSY (kernel
 * drivers/cpufreq/intel_pstate.c, amd-pstate.c): the governor comes first by the order of knobs.
 */
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/pitfall.h"
#include "lib/platform/cpufreq.h"
#include "lib/platform/epp.h"

#define FILE_NAME      "energy_performance_preference"
#define FILE_AVAILABLE "energy_performance_available_preferences"
#define FILE_GOVERNOR  "scaling_governor"

/* A preference that cannot be read could not be put back. */
static int check_readable(const struct pw_root *root, struct pw_err *err)
{
	struct pw_value now = PW_VALUE_INIT;
	int r = pw_policies_read(root, FILE_NAME, &now, err);

	pw_value_done(&now);
	if (r != -PW_EINVAL)
		return r;
	(void)pw_err_append(err, " (it holds a number that the driver has no word for, set by the "
				 "firmware or another tool, and could not be put back)");
	(void)pw_err_recode(err, PW_EUNSUPPORTED);
	return pw_err_hint(err, "write one of the available words to it first");
}

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	int r = pw_policies_probe(env->root, FILE_NAME, "energy performance preference (EPP)", err);

	if (r == -PW_EUNSUPPORTED && strstr(err->text, FILE_NAME))
		return pw_err_hint(err, "EPP needs HWP on Intel, the active mode of amd_pstate on "
					"AMD");
	return r < 0 ? r : check_readable(env->root, err);
}

static bool is_pinned(const struct pw_root *root, const char *policy)
{
	char driver[64], governor[64];
	struct pw_err ignored;

	return pw_policy_read(root, policy, "scaling_driver", driver, sizeof(driver), &ignored) ==
		       0 &&
	       pw_driver_sets_policy(driver) &&
	       pw_policy_read(root, policy, FILE_GOVERNOR, governor, sizeof(governor), &ignored) ==
		       0 &&
	       strcmp(governor, "performance") == 0;
}

static int check_policy(const struct pw_root *root, const char *policy, const char *text,
			struct pw_err *err)
{
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	pw_auto_free char *available = NULL;
	int r = pw_policy_words(root, policy, FILE_AVAILABLE, &words, err);

	if (r < 0)
		return r;
	if (strspn(text, "0123456789") == strlen(text) || pw_strv_has(&words, text))
		return 0;
	/* AMD lists `performance` alone under that governor; a configuration may change it first */
	if (pw_epp_is_word(text) && (words.count == 0 || is_pinned(root, policy)))
		return 0;
	available = pw_strv_join(&words, " ");
	return pw_fail(err, PW_EUNSUPPORTED, "%s: no EPP '%s' (available: %s)", policy, text,
		       available);
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	char text[PW_EPP_TEXT_SIZE];
	int r = pw_epp_text(value, text, err);

	if (r == 0)
		r = pw_policies_needed(env->root, &policies, err);
	for (size_t i = 0; r == 0 && i < policies.count; i++) {
		if (pw_policy_has(env->root, policies.items[i], FILE_NAME))
			r = check_policy(env->root, policies.items[i], text, err);
	}
	return r;
}

/* "default" is what the driver found at its start: one of the others, so no choice of its own. */
static int choices(const struct pw_knob_env *env, struct pw_strv *values, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	char path[PW_POLICY_PATH_SIZE];
	int r = pw_policies_needed(env->root, &policies, err);

	if (r < 0)
		return r;
	pw_policy_path(path, policies.items[0], FILE_AVAILABLE);
	pw_attr_words(env->root, path, &words);
	for (size_t i = 0; i < words.count; i++) {
		if (strcmp(words.items[i], "default") != 0)
			pw_strv_push(values, words.items[i]);
	}
	return 0;
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	return pw_policies_save(env->root, FILE_NAME, saved, err);
}

/*
 * AMD's driver takes words only in many versions: numbers that have one are written as it. What is
 * there already is not written: in passive mode each write restarts the governor.
 */
static int write_policy(const struct pw_root *root, const char *policy, const char *text,
			struct pw_err *err)
{
	char driver[64] = "", now[PW_EPP_TEXT_SIZE] = "";
	struct pw_err ignored;
	const char *word = pw_epp_word(text);

	(void)!pw_policy_read(root, policy, "scaling_driver", driver, sizeof(driver), &ignored);
	if (word && strcmp(driver, "amd-pstate-epp") == 0)
		text = word;
	if (pw_policy_read(root, policy, FILE_NAME, now, sizeof(now), &ignored) == 0 &&
	    strcmp(now, text) == 0)
		return 0;
	return pw_policy_write(root, policy, FILE_NAME, text, err);
}

static int apply_policy(const struct pw_root *root, const char *policy, const char *text,
			struct pw_err *err)
{
	bool most = strcmp(text, "performance") == 0 || strcmp(text, "0") == 0;
	int r;

	if (is_pinned(root, policy) && !most && !pw_pitfall("epp-before-governor")) {
		(void)pw_fail(err, PW_EBUSY,
			      "%s: EPP '%s' cannot be set: the governor is 'performance', under "
			      "which the driver keeps EPP at performance (0)",
			      policy, text);
		return pw_err_hint(err, "set governor to powersave in the same configuration");
	}
	r = write_policy(root, policy, text, err);
	if (r == -PW_EINVAL) {
		pw_auto_free char *available = pw_policy_list(root, policy, FILE_AVAILABLE);

		(void)pw_err_append(err, " (available: %s)", available);
		return pw_err_recode(err, PW_EUNSUPPORTED);
	}
	if (r == -PW_EBUSY)
		return pw_err_append(err, " (refused under governor 'performance', and while the "
					  "policy's CPUs are offline)");
	return r;
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	char text[PW_EPP_TEXT_SIZE];
	int r = pw_epp_text(value, text, err);

	if (r == 0)
		r = pw_policies_needed(env->root, &policies, err);
	for (size_t i = 0; r == 0 && i < policies.count; i++) {
		if (pw_policy_has(env->root, policies.items[i], FILE_NAME))
			r = apply_policy(env->root, policies.items[i], text, err);
	}
	return r;
}

static bool accept(const char *shown, const void *asked)
{
	return pw_epp_same(shown, asked);
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	char text[PW_EPP_TEXT_SIZE];
	int r = pw_epp_text(value, text, err);

	if (r == 0)
		r = pw_policies_needed(env->root, &policies, err);
	for (size_t i = 0; r == 0 && i < policies.count; i++) {
		if (pw_policy_has(env->root, policies.items[i], FILE_NAME))
			r = pw_policy_verify(env->root, policies.items[i], FILE_NAME, accept, text,
					     text, err);
	}
	return r;
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	return pw_policies_read(env->root, FILE_NAME, ret, err);
}

/*
 * The preference under the governor that forbids it. Another preference than performance can only
 * have been read under the other governor, since the drivers concerned have but two: that one is
 * where the policy was. It stays, since going back to `performance` would take the preference away
 * again (for good on AMD, whose driver does not remember it); the governor's own knob decides.
 */
static int restore_unpinned(const struct pw_root *root, const struct pw_saved_item *item,
			    struct pw_err *err)
{
	pw_auto_free char *folder = pw_strndup(item->path, strlen(item->path) - strlen(FILE_NAME));
	pw_auto_free char *path = pw_sprintf("%s" FILE_GOVERNOR, folder);
	char governor[64];
	int r = pw_attr_read(root, path, governor, sizeof(governor), err);

	if (r < 0)
		return r;
	if (strcmp(governor, "performance") != 0)
		return pw_fail(err, PW_EBUSY, "write %s '%s' under governor '%s': refused",
			       item->path, item->value, governor);
	r = pw_attr_write(root, path, "powersave", err);
	return r < 0 ? r : pw_attr_write(root, item->path, item->value, err);
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	const struct pw_root *root = env->root;
	char shown[PW_ATTR_SIZE];
	int r;

	if (pw_root_plain(root))
		return pw_attr_restore(root, item, err);
	if (pw_attr_get(root, item->path, shown, sizeof(shown)) && strcmp(shown, item->value) == 0)
		return 0;
	r = pw_attr_write(root, item->path, item->value, err);
	if (r == -PW_EBUSY && !pw_pitfall("epp-left-behind"))
		r = restore_unpinned(root, item, err);
	if (r < 0)
		return r;
	r = pw_attr_settle(root, item->path, accept, item->value, shown, sizeof(shown), err);
	if (r == -PW_ETIMEOUT && err->text[0] == '\0')
		return pw_fail(err, PW_ETIMEOUT, "%s: asked '%s', is '%s'", item->path, item->value,
			       shown);
	return r;
}

const struct pw_knob pw_knob_epp = {
	.name = "epp",
	.summary = "Energy Performance Preference, of every policy",
	.scope = PW_KNOB_POLICY,
	.order = PW_ORDER_EPP,
	.value = { .name = "epp",
		   .type = PW_OPT_TREE,
		   .help = "performance, balance_performance, balance_power, power, or 0 to 255" },
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
