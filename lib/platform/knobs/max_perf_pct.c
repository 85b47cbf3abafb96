/* SPDX-License-Identifier: GPL-2.0-or-later */
/* intel_pstate/max_perf_pct. */
#include "lib/platform/attr.h"
#include "lib/platform/perf_pct.h"

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	return pw_perf_pct_probe(env, PW_PERF_PCT_MAX, err);
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_perf_pct_check(env, value, err);
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	return pw_perf_pct_save(env, saved, err);
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_perf_pct_apply(env, PW_PERF_PCT_MAX, value, err);
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_perf_pct_verify(env, PW_PERF_PCT_MAX, value, err);
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	return pw_perf_pct_read(env, PW_PERF_PCT_MAX, ret, err);
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	return pw_perf_pct_restore(env, item, err);
}

const struct pw_knob pw_knob_max_perf_pct = {
	.name = "max-perf-pct",
	.summary = "the highest performance that intel_pstate asks for, of the highest turbo",
	.scope = PW_KNOB_MACHINE,
	.order = PW_ORDER_PERCENT,
	.value = { .name = "max-perf-pct",
		   .type = PW_OPT_PERCENT,
		   .help = "whole percents, \"50%\"" },
	.form = pw_perf_pct_form,
	.probe = probe,
	.check = check,
	.save = save,
	.apply = apply,
	.verify = verify,
	.read = read_value,
	.restore = restore,
	.is_back = pw_attr_is_back,
};
