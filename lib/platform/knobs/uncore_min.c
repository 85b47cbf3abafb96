/* SPDX-License-Identifier: GPL-2.0-or-later */
/* min_freq_khz of every uncore domain. */
#include "lib/platform/attr.h"
#include "lib/platform/uncore.h"

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	return pw_uncore_probe(env, PW_UNCORE_MIN, err);
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_uncore_check(env, value, err);
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	return pw_uncore_save(env, saved, err);
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_uncore_apply(env, PW_UNCORE_MIN, value, err);
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_uncore_verify(env, PW_UNCORE_MIN, value, err);
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	return pw_uncore_read(env, PW_UNCORE_MIN, ret, err);
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	return pw_uncore_restore(env, item, err);
}

const struct pw_knob pw_knob_uncore_min = {
	.name = "uncore-min",
	.summary = "the lowest frequency of the uncore (mesh, caches, memory controllers)",
	.scope = PW_KNOB_MACHINE,
	.order = PW_ORDER_POWER + 10,
	.value = { .name = "uncore-min",
		   .type = PW_OPT_FREQ,
		   .help = "a frequency in whole 100 MHz, \"1.8GHz\"" },
	.probe = probe,
	.check = check,
	.save = save,
	.apply = apply,
	.verify = verify,
	.read = read_value,
	.restore = restore,
	.is_back = pw_attr_is_back,
};
