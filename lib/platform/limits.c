/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/limits.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/pitfall.h"
#include "lib/platform/cpufreq.h"

#define FILE_MIN      "scaling_min_freq"
#define FILE_MAX      "scaling_max_freq"
#define FILE_HARD_MIN "cpuinfo_min_freq"
#define FILE_HARD_MAX "cpuinfo_max_freq"
#define FILE_TABLE    "scaling_available_frequencies"
/* What a minimum of "none" means to amd_pstate (kernel drivers/cpufreq/amd-pstate.c, verify). */
#define FILE_LOWEST "amd_pstate_lowest_nonlinear_freq"

static const char *file_of(enum pw_limit limit)
{
	return limit == PW_LIMIT_MIN ? FILE_MIN : FILE_MAX;
}

int pw_limit_probe(const struct pw_knob_env *env, enum pw_limit limit, struct pw_err *err)
{
	return pw_policies_probe(env->root, file_of(limit), "frequency limits", err);
}

static int check_policy(const struct pw_root *root, const char *policy, int64_t asked,
			struct pw_err *err)
{
	uint64_t low, high;
	int r = pw_policy_read_u64(root, policy, FILE_HARD_MIN, &low, err);

	if (r == 0)
		r = pw_policy_read_u64(root, policy, FILE_HARD_MAX, &high, err);
	if (r < 0)
		return r;
	if (asked >= 0 && (uint64_t)asked >= low && (uint64_t)asked <= high)
		return 0;
	return pw_fail(err, PW_EUNSUPPORTED,
		       "%s: %" PRId64 " kHz lies outside the hardware's %" PRIu64 " to %" PRIu64
		       " kHz",
		       policy, asked, low, high);
}

int pw_limit_check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	int r = pw_policies_needed(env->root, &policies, err);

	for (size_t i = 0; r == 0 && i < policies.count; i++)
		r = check_policy(env->root, policies.items[i], value->integer, err);
	return r;
}

/*
 * What to write so that the saved state is shown again. A limit at the hardware's own was most
 * likely nobody's request: writing the number would turn it (or a momentary cap) into one.
 */
static const char *request_for(const struct pw_root *root, const char *policy, enum pw_limit limit,
			       uint64_t shown)
{
	struct pw_err ignored;
	uint64_t hard;

	if (pw_root_plain(root))
		return NULL;
	if (limit == PW_LIMIT_MAX)
		return pw_policy_read_u64(root, policy, FILE_HARD_MAX, &hard, &ignored) == 0 &&
				       shown >= hard
			       ? PW_LIMIT_NO_MAX
			       : NULL;
	if (pw_policy_read_u64(root, policy, FILE_HARD_MIN, &hard, &ignored) == 0 && shown <= hard)
		return PW_LIMIT_NO_MIN;
	if (pw_policy_read_u64(root, policy, FILE_LOWEST, &hard, &ignored) == 0 && shown == hard)
		return PW_LIMIT_NO_MIN;
	return NULL;
}

static int save_policy(const struct pw_root *root, const char *policy, enum pw_limit limit,
		       struct pw_saved *saved, struct pw_err *err)
{
	char path[PW_POLICY_PATH_SIZE];
	const char *request;
	uint64_t shown;
	int r;

	pw_policy_path(path, policy, file_of(limit));
	r = pw_attr_save(root, path, saved, err);
	if (r < 0)
		return r;
	if (pw_parse_u64(saved->items[saved->count - 1].value, &shown, err) < 0)
		return pw_err_prefix(err, "%s: read %s", policy, file_of(limit));
	request = request_for(root, policy, limit, shown);
	if (request) {
		struct pw_saved_item *item = &saved->items[saved->count - 1];

		free(item->restore);
		item->restore = pw_strdup(request);
	}
	return 0;
}

int pw_limit_save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	int r = pw_policies_needed(env->root, &policies, err);

	for (size_t i = 0; r == 0 && i < policies.count; i++) {
		r = save_policy(env->root, policies.items[i], PW_LIMIT_MAX, saved, err);
		if (r == 0)
			r = save_policy(env->root, policies.items[i], PW_LIMIT_MIN, saved, err);
	}
	return r;
}

/*
 * The other limit is moved only where it stands in the way: a new maximum below the minimum lowers
 * that one to the hardware's (the kernel would lower what it shows anyway), a new minimum above the
 * maximum raises that one just as far. Kernels before 5.3 refuse the wrong order with EINVAL.
 */
static int make_way(const struct pw_root *root, const char *policy, enum pw_limit limit,
		    uint64_t asked, struct pw_err *err)
{
	const char *other = limit == PW_LIMIT_MAX ? FILE_MIN : FILE_MAX;
	uint64_t now, moved = asked;
	char text[32];
	int r = pw_policy_read_u64(root, policy, other, &now, err);

	if (r < 0 || (limit == PW_LIMIT_MAX ? asked >= now : asked <= now))
		return r;
	if (limit == PW_LIMIT_MAX)
		r = pw_policy_read_u64(root, policy, FILE_HARD_MIN, &moved, err);
	if (r < 0)
		return r;
	(void)snprintf(text, sizeof(text), "%" PRIu64, moved);
	return pw_policy_write(root, policy, other, text, err);
}

int pw_limit_apply(const struct pw_knob_env *env, enum pw_limit limit, const struct pw_value *value,
		   struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	char text[32];
	int r = pw_policies_needed(env->root, &policies, err);

	(void)snprintf(text, sizeof(text), "%" PRId64, value->integer);
	for (size_t i = 0; r == 0 && i < policies.count; i++) {
		const char *policy = policies.items[i];

		r = make_way(env->root, policy, limit, (uint64_t)value->integer, err);
		if (r == 0)
			r = pw_policy_write(env->root, policy, file_of(limit), text, err);
	}
	return r;
}

struct asked {
	uint64_t khz;
	uint64_t rounded; /* in the driver's table: a maximum down, a minimum up */
};

static bool accept(const char *shown, const void *context)
{
	const struct asked *asked = context;
	struct pw_err ignored;
	uint64_t khz;

	if (pw_parse_u64(shown, &khz, &ignored) < 0)
		return false;
	if (pw_pitfall("limits-to-the-digit"))
		return khz == asked->khz;
	return khz == asked->rounded ||
	       (khz > asked->khz ? khz - asked->khz : asked->khz - khz) <= PW_LIMIT_STEP_KHZ;
}

static uint64_t round_to_table(const struct pw_root *root, const char *policy, enum pw_limit limit,
			       uint64_t khz)
{
	pw_auto_strv struct pw_strv table = PW_STRV_INIT;
	char path[PW_POLICY_PATH_SIZE];
	uint64_t best = khz, entry;
	struct pw_err ignored;
	bool found = false;

	pw_policy_path(path, policy, FILE_TABLE);
	pw_attr_words(root, path, &table);
	for (size_t i = 0; i < table.count; i++) {
		if (pw_parse_u64(table.items[i], &entry, &ignored) < 0 ||
		    (limit == PW_LIMIT_MAX ? entry > khz : entry < khz))
			continue;
		if (!found || (limit == PW_LIMIT_MAX ? entry > best : entry < best))
			best = entry;
		found = true;
	}
	return best;
}

int pw_limit_verify(const struct pw_knob_env *env, enum pw_limit limit,
		    const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	char text[32];
	int r = pw_policies_needed(env->root, &policies, err);

	(void)snprintf(text, sizeof(text), "%" PRId64, value->integer);
	for (size_t i = 0; r == 0 && i < policies.count; i++) {
		const char *policy = policies.items[i];
		struct asked asked = { .khz = (uint64_t)value->integer };

		asked.rounded = round_to_table(env->root, policy, limit, asked.khz);
		r = pw_policy_verify(env->root, policy, file_of(limit), accept, &asked, text, err);
	}
	if (r == -PW_ETIMEOUT)
		return pw_err_hint(err, "another limit holds: a thermal or firmware cap, "
					"min-perf-pct or max-perf-pct, or the other limit");
	return r;
}

int pw_limit_read(const struct pw_knob_env *env, enum pw_limit limit, struct pw_value *ret,
		  struct pw_err *err)
{
	return pw_policies_read(env->root, file_of(limit), ret, err);
}

/* Before 5.3: the limit refused for the other one's sake, which is restored after or before it. */
static int write_past_other(const struct pw_root *root, const char *path, const char *text,
			    struct pw_err *err)
{
	const char *name = strrchr(path, '/') + 1;
	bool is_max = strcmp(name, FILE_MAX) == 0;
	pw_auto_free char *folder = pw_strndup(path, (size_t)(name - path));
	pw_auto_free char *other = pw_sprintf("%s%s", folder, is_max ? FILE_MIN : FILE_MAX);
	pw_auto_free char *hard =
		pw_sprintf("%s%s", folder, is_max ? FILE_HARD_MIN : FILE_HARD_MAX);
	char widest[64];
	struct pw_err ignored;
	int r = pw_attr_write(root, path, text, err);

	if (r != -PW_EINVAL || !pw_attr_get(root, hard, widest, sizeof(widest)) ||
	    pw_attr_write(root, other, widest, &ignored) < 0)
		return r;
	return pw_attr_write(root, path, text, err);
}

/*
 * The request "none" first, where that was it. It does not show the saved value on a driver whose
 * default lies elsewhere: then the value itself is asked for.
 */
int pw_limit_restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		     struct pw_err *err)
{
	char shown[64] = "";
	int r;

	if (item->restore) {
		r = write_past_other(env->root, item->path, item->restore, err);
		if (r == 0)
			r = pw_attr_settle(env->root, item->path, pw_attr_same, item->value, shown,
					   sizeof(shown), err);
		if (r == 0)
			return 0;
	} else if (pw_attr_get(env->root, item->path, shown, sizeof(shown)) &&
		   strcmp(shown, item->value) == 0 && !pw_pitfall("cap-pinned")) {
		return 0; /* not ours to pin */
	}
	r = write_past_other(env->root, item->path, item->value, err);
	return r < 0 ? r : pw_attr_verify(env->root, item->path, item->path, item->value, err);
}
