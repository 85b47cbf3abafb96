/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scaling_max_freq of every policy. */
#include "lib/platform/attr.h"
#include "lib/platform/limits.h"

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	return pw_limit_probe(env, PW_LIMIT_MAX, err);
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_limit_check(env, value, err);
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	return pw_limit_save(env, saved, err);
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_limit_apply(env, PW_LIMIT_MAX, value, err);
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_limit_verify(env, PW_LIMIT_MAX, value, err);
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	return pw_limit_read(env, PW_LIMIT_MAX, ret, err);
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	return pw_limit_restore(env, item, err);
}

const struct pw_knob pw_knob_max_freq = {
	.name = "max-freq",
	.summary = "the highest frequency that may be chosen, of every policy",
	.scope = PW_KNOB_POLICY,
	.order = PW_ORDER_LIMITS,
	.value = { .name = "max-freq", .type = PW_OPT_FREQ, .help = "a frequency, \"2.4GHz\"" },
	.probe = probe,
	.check = check,
	.save = save,
	.apply = apply,
	.verify = verify,
	.read = read_value,
	.restore = restore,
	.is_back = pw_attr_is_back,
};
