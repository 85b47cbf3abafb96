/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The firmware's own profile: /sys/firmware/acpi/platform_profile (kernel
 * Documentation/ABI/testing/sysfs-platform_profile). It may move power limits, fans and preferences
 * of its own accord, also a moment later, and so comes before everything that it may move.
 */
#include <string.h>

#include "lib/platform/attr.h"

#define FILE_NOW     "/sys/firmware/acpi/platform_profile"
#define FILE_CHOICES "/sys/firmware/acpi/platform_profile_choices"
/* Shown where several drivers disagree, or the firmware is at none of its profiles. */
#define CUSTOM "custom"

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	char now[64];
	int r = pw_attr_read(env->root, FILE_NOW, now, sizeof(now), err);

	if (r == -PW_ENOTFOUND)
		return pw_fail(err, PW_EUNSUPPORTED,
			       FILE_NOW " is not there: the firmware offers no profiles, or no "
					"driver for them is loaded");
	if (r < 0)
		return r;
	if (strcmp(now, CUSTOM) == 0) {
		(void)pw_fail(err, PW_EUNSUPPORTED,
			      FILE_NOW " shows '" CUSTOM "', which could not be put back");
		return pw_err_hint(err, "write one of the words of " FILE_CHOICES " to it first");
	}
	return pw_attr_writable(env->root, FILE_NOW, err);
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	pw_auto_free char *available = NULL;
	int r = pw_attr_read_words(env->root, FILE_CHOICES, &words, err);

	/* "custom" is listed by some drivers, and taken by none of them through this file. */
	if (r < 0 || (pw_strv_has(&words, value->text) && strcmp(value->text, CUSTOM) != 0))
		return r;
	available = pw_strv_join(&words, " ");
	return pw_fail(err, PW_EUNSUPPORTED, "no platform profile '%.80s' (available: %s)",
		       value->text, available);
}

static int choices(const struct pw_knob_env *env, struct pw_strv *values, struct pw_err *err)
{
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	int r = pw_attr_read_words(env->root, FILE_CHOICES, &words, err);

	for (size_t i = 0; r == 0 && i < words.count; i++) {
		if (strcmp(words.items[i], CUSTOM) != 0)
			pw_strv_push(values, words.items[i]);
	}
	return r;
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	return pw_attr_save(env->root, FILE_NOW, saved, err);
}

static int explain(struct pw_err *err)
{
	if (err->code == PW_EUNSUPPORTED || err->code == PW_EINVAL) {
		(void)pw_err_append(err, " (the firmware does not take this profile)");
		return pw_err_recode(err, PW_EUNSUPPORTED);
	}
	if (err->code == PW_EBUSY || err->code == PW_EIO)
		return pw_err_append(err, " (refused by the firmware: some need mains, or refuse "
					  "profiles while another program holds one)");
	return -(int)err->code;
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_attr_write(env->root, FILE_NOW, value->text, err) < 0 ? explain(err) : 0;
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	int r = pw_attr_verify(env->root, FILE_NOW, FILE_NOW, value->text, err);

	if (r == -PW_ETIMEOUT)
		return pw_err_hint(err, "the firmware or a daemon (power-profiles-daemon, tuned) "
					"has set another one");
	return r;
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	char now[64];
	int r = pw_attr_read(env->root, FILE_NOW, now, sizeof(now), err);

	if (r == 0)
		*ret = pw_value_text(now);
	return r;
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	return pw_attr_restore(env->root, item, err);
}

const struct pw_knob pw_knob_platform_profile = {
	.name = "platform-profile",
	.summary = "the firmware's power profile; it may move preferences and limits with it",
	.scope = PW_KNOB_MACHINE,
	.order = PW_ORDER_PROFILE,
	.value = { .name = "platform-profile",
		   .type = PW_OPT_TEXT,
		   .help = "a word of platform_profile_choices, such as \"balanced\"" },
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
