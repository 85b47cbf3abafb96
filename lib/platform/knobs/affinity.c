/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs on which the workload runs: set on its first process, inherited by all others. */
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/attr.h"
#include "lib/platform/topology.h"

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	if (env->usable_count == 0)
		return pw_fail(err, PW_EUNSUPPORTED, "no usable CPU is known");
	return 0;
}

static bool is_usable(const struct pw_knob_env *env, unsigned cpu)
{
	for (size_t i = 0; i < env->usable_count; i++) {
		if (env->usable[i] == cpu)
			return true;
	}
	return false;
}

static int fail_unusable(const struct pw_knob_env *env, unsigned cpu, struct pw_err *err)
{
	pw_auto_free unsigned *copy = pw_memdup(env->usable, env->usable_count * sizeof(*copy));
	struct pw_cpuset usable = { .cpus = copy, .count = env->usable_count };
	pw_auto_free char *text = pw_cpuset_text(&usable);

	return pw_fail(err, PW_EUNSUPPORTED, "CPU %u is offline or not ours to use (available: %s)",
		       cpu, text);
}

static int resolve(const struct pw_knob_env *env, const char *text, struct pw_cpuset *ret,
		   struct pw_err *err)
{
	struct pw_cpuset set = { 0 };
	struct pw_err ignored;

	if (probe(env, err) < 0)
		return -(int)err->code;
	if (strcmp(text, "all") == 0) {
		set.cpus = pw_memdup(env->usable, env->usable_count * sizeof(*set.cpus));
		set.count = env->usable_count;
	} else if (strcmp(text, "one") == 0) {
		/* the last: the first one has most of the machine's interrupts */
		set.cpus = pw_memdup(&env->usable[env->usable_count - 1], sizeof(*set.cpus));
		set.count = 1;
	} else if (pw_parse_cpulist(text, &set.cpus, &set.count, &ignored) < 0 || set.count == 0) {
		pw_cpuset_done(&set);
		return pw_fail_at(err, "", 0,
				  "'%.80s' is neither a CPU list (\"0-3,8\") nor \"all\" nor "
				  "\"one\"",
				  text);
	}
	for (size_t i = 0; i < set.count; i++) {
		unsigned cpu = set.cpus[i];

		if (!is_usable(env, cpu)) {
			pw_cpuset_done(&set);
			return fail_unusable(env, cpu, err);
		}
	}
	*ret = set;
	return 0;
}

/* Also verify(): between runs a CPU may have gone offline. */
static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	struct pw_cpuset set = { 0 };
	int r = resolve(env, value->text, &set, err);

	pw_cpuset_done(&set);
	return r;
}

static int choices(const struct pw_knob_env *env, struct pw_strv *values, struct pw_err *err)
{
	(void)err;
	if (env->usable_count < 2)
		return 0;
	pw_strv_push(values, "all");
	pw_strv_push(values, "one");
	return 0;
}

/* What a workload gets without the setting. */
static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	struct pw_cpuset set = { 0 };
	pw_auto_free char *text = NULL;
	int r = resolve(env, "all", &set, err);

	if (r < 0)
		return r;
	text = pw_cpuset_text(&set);
	pw_cpuset_done(&set);
	*ret = pw_value_text(text);
	return 0;
}

static int launch(const struct pw_knob_env *env, const struct pw_value *value,
		  struct pw_launch *start, struct pw_err *err)
{
	struct pw_cpuset set = { 0 };
	int r = resolve(env, value->text, &set, err);

	if (r < 0)
		return r;
	free(start->cpus);
	start->cpus = set.cpus;
	start->cpu_count = set.count;
	return 0;
}

const struct pw_knob pw_knob_affinity = {
	.name = "affinity",
	.summary = "the CPUs on which the workload may run",
	.scope = PW_KNOB_WORKLOAD,
	.order = PW_ORDER_WORKLOAD,
	.value = { .name = "affinity",
		   .type = PW_OPT_TEXT,
		   .help = "a CPU list (\"0-3,8\"), \"all\", or \"one\" (the last usable CPU)" },
	.probe = probe,
	.check = check,
	.choices = choices,
	.verify = check,
	.read = read_value,
	.launch = launch,
};
