/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The governor that chooses idle states. The file current_governor came with Linux 5.8; before, and
 * without the boot parameter cpuidle_sysfs_switch, there is only current_governor_ro.
 */
#include <string.h>

#include "lib/platform/attr.h"
#include "lib/platform/cpuidle.h"

#define CURRENT	  PW_CPUIDLE_DIR "/current_governor"
#define AVAILABLE PW_CPUIDLE_DIR "/available_governors"

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	int r = pw_cpuidle_needed(env->root, err);

	if (r < 0)
		return r;
	r = pw_attr_writable(env->root, CURRENT, err);
	if (r == -PW_EUNSUPPORTED)
		return pw_err_hint(err, "boot with cpuidle_sysfs_switch on kernels before 5.8");
	return r;
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	pw_auto_free char *list = NULL;
	int r = pw_attr_read_words(env->root, AVAILABLE, &words, err);

	if (r < 0)
		return r;
	if (pw_strv_has(&words, value->text))
		return 0;
	list = pw_strv_join(&words, " ");
	return pw_fail(err, PW_EUNSUPPORTED, "no cpuidle governor '%s' (available: %s)",
		       value->text, list);
}

static int choices(const struct pw_knob_env *env, struct pw_strv *values, struct pw_err *err)
{
	(void)err;
	pw_attr_words(env->root, AVAILABLE, values);
	return 0;
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	return pw_attr_save(env->root, CURRENT, saved, err);
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_attr_write(env->root, CURRENT, value->text, err);
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_attr_verify(env->root, CURRENT, CURRENT, value->text, err);
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	char text[64];
	int r = pw_attr_read(env->root, CURRENT, text, sizeof(text), err);

	if (r == 0)
		*ret = pw_value_text(text);
	return r;
}

const struct pw_knob pw_knob_cpuidle_governor = {
	.name = "cpuidle-governor",
	.summary = "the governor that chooses idle states",
	.scope = PW_KNOB_MACHINE,
	.order = PW_ORDER_IDLE,
	.value = { .name = "cpuidle-governor",
		   .type = PW_OPT_TEXT,
		   .help = "menu, teo, ladder, haltpoll" },
	.probe = probe,
	.check = check,
	.choices = choices,
	.save = save,
	.apply = apply,
	.verify = verify,
	.read = read_value,
	.is_back = pw_attr_is_back,
};
