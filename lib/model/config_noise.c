/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The section "noise": how much of others a session takes. Where the defaults come from:
 *   load     5 %: on a machine that the workload fills, a share taken by others is lost to it; 5 %
 *            is where that becomes larger than the margin (2 %, 3 % for energy) even after the
 *            counters' own error. An idle server or desktop uses less than 1 %.
 *   process  10 %: the kernel counts in ticks of 10 ms and the look before a session takes 200 ms,
 *            so that a single tick is 5 %; one that says nothing must not be enough.
 *   steal    1 %: what a hypervisor takes, it takes unevenly; half of the margin.
 */
#include <math.h>
#include <string.h>

#include "lib/model/config_internal.h"

static const char *const actions[] = { "warn", "refuse", NULL };

const struct pw_option pw_noise_options[] = {
	{ .name = "load",
	  .type = PW_OPT_PERCENT,
	  .help = "share of all CPUs' time that others may use",
	  .otherwise = "5%" },
	{ .name = "process",
	  .type = PW_OPT_PERCENT,
	  .help = "share of one CPU's time that a single other process may use",
	  .otherwise = "10%" },
	{ .name = "steal",
	  .type = PW_OPT_PERCENT,
	  .help = "share of all CPUs' time that a hypervisor may take during a run",
	  .otherwise = "1%" },
	{ .name = "action",
	  .type = PW_OPT_CHOICE,
	  .help = "beyond a limit: a warning; or no session, and the run is repeated",
	  .otherwise = "warn",
	  .choices = actions },
	{ .name = NULL },
};

static bool is_false(const struct pw_value *value)
{
	return value && value->type == PW_VALUE_BOOL && !value->boolean;
}

/* A limit that is false is taken out before the table sees it, which then puts its default there.
 */
static void drop_false(struct pw_value *object)
{
	for (const struct pw_option *option = pw_noise_options; option->name; option++) {
		if (option->type == PW_OPT_PERCENT && is_false(pw_value_get(object, option->name)))
			pw_value_unset(object, option->name);
	}
}

static double take_limit(const struct pw_value *given, const struct pw_value *checked,
			 const char *key)
{
	return is_false(given ? pw_value_get(given, key) : NULL)
		       ? (double)INFINITY
		       : pw_value_get_real(checked, key, 0);
}

int pw_read_noise(const struct pw_config_reader *reader, const struct pw_value *value,
		  struct pw_err *err)
{
	pw_auto_value struct pw_value object = PW_VALUE_INIT;
	struct pw_config *config = reader->config;

	config->noise.off = is_false(value);
	if (config->noise.off)
		value = NULL;
	if (value && value->type != PW_VALUE_OBJECT)
		return pw_fail_at(err, "", 0, "wants an object with limits, or false");
	object = value ? pw_value_copy(value) : pw_value_object();
	drop_false(&object);
	if (pw_options_check(pw_noise_options, NULL, NULL, &object, err) < 0)
		return -(int)err->code;
	config->noise.load = take_limit(value, &object, "load");
	config->noise.process = take_limit(value, &object, "process");
	config->noise.steal = take_limit(value, &object, "steal");
	config->noise.refuse = strcmp(pw_value_get_text(&object, "action", ""), "refuse") == 0;
	return 0;
}
