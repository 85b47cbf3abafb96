/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel parameters by their names of sysctl(8): files below /proc/sys. */
#include "lib/platform/file_setting.h"

static const struct pw_file_kind kind = { .below = "/proc/sys/", .sysctl = true };

static int form(struct pw_value *value, struct pw_err *err)
{
	return pw_files_form(&kind, value, err);
}

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	return pw_files_probe(&kind, env->root, err);
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_files_check(&kind, env->root, value, err);
}

static int save_for(const struct pw_knob_env *env, const struct pw_value *value,
		    struct pw_saved *saved, struct pw_err *err)
{
	return pw_files_save(&kind, env->root, value, saved, err);
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_files_apply(&kind, env->root, value, err);
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_files_verify(&kind, env->root, value, err);
}

static int read_saved(const struct pw_knob_env *env, const struct pw_saved *saved,
		      struct pw_value *ret, struct pw_err *err)
{
	return pw_files_present(&kind, env->root, saved, ret, err);
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	return pw_files_restore(&kind, env->root, item, err);
}

const struct pw_knob pw_knob_sysctl = {
	.name = "sysctl",
	.summary = "kernel parameters (sysctl), by name",
	.scope = PW_KNOB_MACHINE,
	.order = PW_ORDER_FILES,
	.value = { .name = "sysctl",
		   .type = PW_OPT_TREE,
		   .help = "{ \"vm.swappiness\": 10 }: kernel parameters and their values" },
	.form = form,
	.probe = probe,
	.check = check,
	.save_for = save_for,
	.apply = apply,
	.verify = verify,
	.read_saved = read_saved,
	.restore = restore,
	.is_back = pw_files_is_back,
};
