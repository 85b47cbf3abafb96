/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The optimisation in MSR_POWER_CTL that keeps CPUs slower while that is efficient (kernel
 * drivers/cpufreq/intel_pstate.c, energy_efficiency). 1 = optimising; the driver switches it off at
 * its start on the models that have the file.
 */
#include "lib/platform/intel_pstate.h"

static const struct pw_intel_file file = {
	.path = PW_INTEL_DIR "/energy_efficiency",
	.absent = "the driver has it on some models only (Kaby Lake and later desktops)",
};

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	return pw_intel_probe(env->root, &file, err);
}

static int choices(const struct pw_knob_env *env, struct pw_strv *values, struct pw_err *err)
{
	(void)env;
	(void)err;
	return pw_intel_switch_choices(values);
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	int r = pw_attr_save(env->root, file.path, saved, err);

	return r < 0 ? pw_intel_explain(&file, err) : 0;
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_intel_switch_apply(env->root, &file, value, err);
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	return pw_intel_switch_verify(env->root, &file, value, err);
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	return pw_intel_switch_read(env->root, &file, ret, err);
}

/* Not explained: a file that comes back with its mode a moment later is to be tried again. */
static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	return pw_attr_restore(env->root, item, err);
}

const struct pw_knob pw_knob_energy_efficiency = {
	.name = "energy-efficiency",
	.summary = "the processor's own energy efficiency optimisation (some desktop models)",
	.scope = PW_KNOB_MACHINE,
	.order = PW_ORDER_BOOST + 10,
	.value = { .name = "energy-efficiency", .type = PW_OPT_SWITCH, .help = "on or off" },
	.probe = probe,
	.choices = choices,
	.save = save,
	.apply = apply,
	.verify = verify,
	.read = read_value,
	.restore = restore,
	.is_back = pw_attr_is_back,
};
