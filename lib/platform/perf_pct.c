/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/perf_pct.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/base/parse.h"
#include "lib/platform/cpufreq.h"
#include "lib/platform/intel_pstate.h"

#define ABSENT                                                                                     \
	"the kernel was started with intel_pstate=per_cpu_perf_limits, which leaves the "          \
	"frequency limits of each policy only"
#define NO_TURBO PW_INTEL_DIR "/no_turbo"

static const struct pw_intel_file files[] = {
	[PW_PERF_PCT_MIN] = { .path = PW_INTEL_DIR "/min_perf_pct",
			      .absent = ABSENT,
			      .hint = "set min-freq instead" },
	[PW_PERF_PCT_MAX] = { .path = PW_INTEL_DIR "/max_perf_pct",
			      .absent = ABSENT,
			      .hint = "set max-freq instead" },
};

static enum pw_perf_pct other_of(enum pw_perf_pct which)
{
	return which == PW_PERF_PCT_MAX ? PW_PERF_PCT_MIN : PW_PERF_PCT_MAX;
}

static uint64_t percents(const struct pw_value *value)
{
	return (uint64_t)llround(value->real * 100);
}

int pw_perf_pct_form(struct pw_value *value, struct pw_err *err)
{
	double asked = value->real * 100;

	/* 0.29 * 100 is not 29 */
	if (fabs(asked - round(asked)) > 1e-9)
		return pw_fail_at(err, "", 0, "%.10g%% is no whole number of percents", asked);
	if (asked < 0.5 || asked > 100.5)
		return pw_fail_at(err, "", 0, "%.10g%% is outside 1%% to 100%%", asked);
	return 0;
}

int pw_perf_pct_probe(const struct pw_knob_env *env, enum pw_perf_pct which, struct pw_err *err)
{
	int r = pw_intel_probe(env->root, &files[which], err);

	/* Each may have to move the other. */
	return r < 0 ? r : pw_intel_probe(env->root, &files[other_of(which)], err);
}

/*
 * The lowest P-state in percents of the highest turbo one, as the kernel computes it for the first
 * CPU; 0 where it cannot be told: without turbo cpuinfo_max_freq is the base frequency.
 */
static uint64_t lowest(const struct pw_root *root)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	uint64_t low, high;
	struct pw_err ignored;
	char text[32];

	if (!pw_attr_get(root, NO_TURBO, text, sizeof(text)) || strcmp(text, "0") != 0 ||
	    pw_policies(root, &policies, &ignored) < 0 || policies.count == 0 ||
	    pw_policy_read_u64(root, policies.items[0], "cpuinfo_min_freq", &low, &ignored) < 0 ||
	    pw_policy_read_u64(root, policies.items[0], "cpuinfo_max_freq", &high, &ignored) < 0 ||
	    low > high || high == 0)
		return 0;
	return low * 100 / high;
}

int pw_perf_pct_check(const struct pw_knob_env *env, const struct pw_value *value,
		      struct pw_err *err)
{
	struct pw_value copy = *value;
	uint64_t least = lowest(env->root);

	if (pw_perf_pct_form(&copy, err) < 0)
		return -(int)err->code;
	/* One less: frequencies are P-states rounded (78741 kHz a step on hybrid processors). */
	if (percents(value) + 1 >= least)
		return 0;
	return pw_fail(err, PW_EUNSUPPORTED,
		       "%" PRIu64 "%% lies below the hardware's lowest P-state, %" PRIu64
		       "%% of the highest",
		       percents(value), least);
}

static int read_pct(const struct pw_root *root, enum pw_perf_pct which, uint64_t *ret,
		    struct pw_err *err)
{
	int r = pw_attr_read_u64(root, files[which].path, ret, err);

	return r < 0 ? pw_intel_explain(&files[which], err) : 0;
}

static int write_pct(const struct pw_root *root, enum pw_perf_pct which, uint64_t pct,
		     struct pw_err *err)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%" PRIu64, pct);
	return pw_attr_write(root, files[which].path, text, err);
}

int pw_perf_pct_save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	int r = pw_attr_save(env->root, files[PW_PERF_PCT_MAX].path, saved, err);

	if (r < 0)
		return pw_intel_explain(&files[PW_PERF_PCT_MAX], err);
	r = pw_attr_save(env->root, files[PW_PERF_PCT_MIN].path, saved, err);
	return r < 0 ? pw_intel_explain(&files[PW_PERF_PCT_MIN], err) : 0;
}

/*
 * A new maximum below the minimum lowers that one to the hardware's (where that is not known, the
 * kernel makes it of 0); a new minimum above the maximum raises that one just as far.
 */
static int make_way(const struct pw_root *root, enum pw_perf_pct which, uint64_t asked,
		    struct pw_err *err)
{
	enum pw_perf_pct other = other_of(which);
	uint64_t now;
	int r = pw_attr_read_u64(root, files[other].path, &now, err);

	if (r < 0 || (which == PW_PERF_PCT_MAX ? asked >= now : asked <= now))
		return r;
	return write_pct(root, other, which == PW_PERF_PCT_MAX ? lowest(root) : asked, err);
}

int pw_perf_pct_apply(const struct pw_knob_env *env, enum pw_perf_pct which,
		      const struct pw_value *value, struct pw_err *err)
{
	int r = make_way(env->root, which, percents(value), err);

	if (r == 0)
		r = write_pct(env->root, which, percents(value), err);
	return r < 0 ? pw_intel_explain(&files[which], err) : 0;
}

int pw_perf_pct_verify(const struct pw_knob_env *env, enum pw_perf_pct which,
		       const struct pw_value *value, struct pw_err *err)
{
	uint64_t other = 0;
	struct pw_err ignored;
	char text[32];
	int r;

	(void)snprintf(text, sizeof(text), "%" PRIu64, percents(value));
	r = pw_attr_verify(env->root, files[which].path, files[which].path, text, err);
	if (r == 0)
		return 0;
	if (r != -PW_ETIMEOUT || read_pct(env->root, other_of(which), &other, &ignored) < 0)
		return pw_intel_explain(&files[which], err);
	(void)pw_err_append(err, " (%s is %" PRIu64 ")",
			    strrchr(files[other_of(which)].path, '/') + 1, other);
	return pw_err_hint(err, "the kernel keeps min_perf_pct between the hardware's lowest and "
				"max_perf_pct: is min-perf-pct above max-perf-pct?");
}

int pw_perf_pct_read(const struct pw_knob_env *env, enum pw_perf_pct which, struct pw_value *ret,
		     struct pw_err *err)
{
	uint64_t now;
	int r = read_pct(env->root, which, &now, err);

	if (r == 0)
		*ret = pw_value_int((int64_t)now);
	return r;
}

/* The other one first where it would clamp this one; it is put back at its own turn. */
int pw_perf_pct_restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
			struct pw_err *err)
{
	enum pw_perf_pct which = strcmp(item->path, files[PW_PERF_PCT_MAX].path) == 0
					 ? PW_PERF_PCT_MAX
					 : PW_PERF_PCT_MIN;
	uint64_t saved;
	int r = 0;

	if (!pw_root_plain(env->root) && pw_parse_u64(item->value, &saved, err) == 0)
		r = make_way(env->root, which, saved, err);
	return r < 0 ? r : pw_attr_restore(env->root, item, err);
}
