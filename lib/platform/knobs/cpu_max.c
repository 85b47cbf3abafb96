/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU quota for the workload: its share of the time of all usable CPUs, "50%" of two CPUs being
 * one CPU's worth. The workload starts in a control group of its own, also under "100%" (without a
 * quota there), so that configurations differ in the quota and not in the grouping.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/platform/attr.h"
#include "lib/platform/cgroup.h"

#define pw_auto_cgroup pw_auto(pw_cgroup_done)

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	pw_auto_cgroup struct pw_cgroup group = { 0 };
	int r = pw_cgroup_find(env->root, env->tag, &group, err);

	return r < 0 ? r : pw_cgroup_writable(env->root, &group, err);
}

static int quota_of(const struct pw_knob_env *env, const struct pw_value *value, int64_t *ret,
		    struct pw_err *err)
{
	double share = value->real;
	double quota = share * (double)env->usable_count * PW_CGROUP_PERIOD_US;

	if (!(share > 0) || share > 1)
		return pw_fail_at(err, "", 0,
				  "%g%% is outside 0%% to 100%% of all usable CPUs' time",
				  share * 100);
	if (quota < PW_CGROUP_QUOTA_MIN_US)
		return pw_fail_at(err, "", 0,
				  "%g%% of %zu CPUs is less than the kernel's least quota of %d us "
				  "in %d us",
				  share * 100, env->usable_count, PW_CGROUP_QUOTA_MIN_US,
				  PW_CGROUP_PERIOD_US);
	*ret = share < 1 ? (int64_t)llround(quota) : PW_CGROUP_NO_QUOTA;
	return 0;
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	int64_t quota = 0;
	int r = quota_of(env, value, &quota, err);

	return r < 0 ? r : probe(env, err);
}

static int launch(const struct pw_knob_env *env, const struct pw_value *value,
		  struct pw_launch *start, struct pw_err *err)
{
	pw_auto_cgroup struct pw_cgroup group = { 0 };
	int64_t quota = 0;
	int r = quota_of(env, value, &quota, err);

	if (r == 0)
		r = pw_cgroup_find(env->root, env->tag, &group, err);
	if (r == 0)
		r = pw_cgroup_make(env->root, &group, err);
	if (r == 0)
		r = pw_cgroup_set_quota(env->root, &group, quota, err);
	if (r == 0)
		pw_strv_push_own(&start->cgroups, pw_cgroup_path(&group));
	return r;
}

/* After launch(): is the quota still the one set. */
static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_cgroup struct pw_cgroup group = { 0 };
	int64_t asked = 0, quota = 0;
	int r = quota_of(env, value, &asked, err);

	if (r == 0)
		r = pw_cgroup_find(env->root, env->tag, &group, err);
	if (r == 0)
		r = pw_cgroup_get_quota(env->root, &group, &quota, err);
	if (r == -PW_ENOTFOUND)
		return 0; /* no workload was started yet */
	if (r < 0 || quota == asked)
		return r;
	return pw_fail(err, PW_ETIMEOUT,
		       "%s: asked a quota of %" PRId64 " us, is %" PRId64 " us (-1: none)",
		       group.name, asked, quota);
}

/* The share of our group, 1 without one. */
static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	pw_auto_cgroup struct pw_cgroup group = { 0 };
	int64_t quota = PW_CGROUP_NO_QUOTA;
	int r = pw_cgroup_find(env->root, env->tag, &group, err);

	if (r < 0)
		return r;
	r = pw_cgroup_get_quota(env->root, &group, &quota, err);
	if (r < 0 && r != -PW_ENOTFOUND)
		return r;
	if (quota == PW_CGROUP_NO_QUOTA || env->usable_count == 0)
		*ret = pw_value_real(1);
	else
		*ret = pw_value_real((double)quota /
				     ((double)env->usable_count * PW_CGROUP_PERIOD_US));
	return 0;
}

static int release(const struct pw_knob_env *env, struct pw_err *err)
{
	return pw_cgroup_remove(env->root, env->tag, err);
}

const struct pw_knob pw_knob_cpu_max = {
	.name = "cpu-max",
	.summary = "the workload's share of all usable CPUs' time",
	.scope = PW_KNOB_WORKLOAD,
	.order = PW_ORDER_WORKLOAD,
	.value = { .name = "cpu-max",
		   .type = PW_OPT_PERCENT,
		   .help = "a share of all usable CPUs' time, \"50%\"; \"100%\" sets no quota" },
	.probe = probe,
	.check = check,
	.verify = verify,
	.read = read_value,
	.launch = launch,
	.release = release,
};
