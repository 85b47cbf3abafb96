/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model of what the kernel does with cpufreq's files, on top of a fake machine: errors, clamping,
 * late effects and side effects that plain files cannot give. Sources: as in lib/platform.
 */
#ifndef PW_TEST_FAKE_KERNEL_H
#define PW_TEST_FAKE_KERNEL_H

#include <errno.h>

#include "fake_root.h"

#define MODEL_POLICIES 8

struct model {
	struct fake fake;
	unsigned policies;
	unsigned late;		 /* reads of a limit that still give the old value */
	const char *module;	 /* a governor that loads when its name is written */
	const char *cap_khz;	 /* a thermal cap on the maximum, or NULL */
	int turbo_errno;	 /* of writing 0 to no_turbo */
	int boost_errno;	 /* of writing 1 to cpufreq/boost */
	bool old_limits;	 /* before Linux 5.3: the wrong order is EINVAL */
	const char *min_default; /* what a minimum of 0 means; NULL: cpuinfo_min_freq */
	unsigned offline;	 /* policies whose CPUs are all offline, one bit each: EBUSY */
	unsigned writes;
	char request[MODEL_POLICIES][2][16]; /* minimum, maximum; "" = none */
	char epp[MODEL_POLICIES][32];	     /* kept while the governor is performance */
	unsigned pending[MODEL_POLICIES];
};

static inline struct model *model_of(const struct pw_root *root)
{
	return root->context;
}

static inline uint64_t model_number(const struct model *model, const char *path)
{
	uint64_t value;
	struct pw_err err;

	fake_must(pw_parse_u64(fake_get(&model->fake, path), &value, &err), &err);
	return value;
}

/* A file of a policy: "scaling_governor" of number 2. A static buffer: one at a time. */
static inline const char *model_path(unsigned policy, const char *file)
{
	static char path[2][160];
	static unsigned turn;
	char *text = path[turn++ % 2];

	(void)snprintf(text, sizeof(path[0]), FAKE_POLICY "/%s", policy, file);
	return text;
}

static inline bool model_is(const struct model *model, unsigned policy, const char *file,
			    const char *text)
{
	return strcmp(fake_get(&model->fake, model_path(policy, file)), text) == 0;
}

static inline bool model_sets_policy(const struct model *model)
{
	return model_is(model, 0, "scaling_driver", "intel_pstate") ||
	       model_is(model, 0, "scaling_driver", "amd-pstate-epp");
}

static inline void model_put(struct model *model, unsigned policy, const char *file,
			     const char *text)
{
	/* not through the operation table: that is us */
	fake_put_text(model->fake.dir, model_path(policy, file), text);
}

/* The effective limits from the requests: clamped, and the minimum lowered to the maximum. */
static inline void model_limits(struct model *model, unsigned policy)
{
	uint64_t low = model_number(model, model_path(policy, "cpuinfo_min_freq"));
	uint64_t high = model_number(model, model_path(policy, "cpuinfo_max_freq"));
	uint64_t limit[2] = { low, high };
	struct pw_err err;
	char text[32];

	for (int i = 0; i < 2; i++) {
		if (model->request[policy][i][0])
			fake_must(pw_parse_u64(model->request[policy][i], &limit[i], &err), &err);
	}
	if (limit[0] == 0 && model->min_default)
		fake_must(pw_parse_u64(model->min_default, &limit[0], &err), &err);
	if (model->cap_khz) {
		uint64_t cap;

		fake_must(pw_parse_u64(model->cap_khz, &cap, &err), &err);
		limit[1] = limit[1] < cap ? limit[1] : cap;
	}
	for (int i = 0; i < 2; i++)
		limit[i] = limit[i] < low ? low : limit[i] > high ? high : limit[i];
	limit[0] = limit[0] < limit[1] ? limit[0] : limit[1];
	(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)limit[0]);
	model_put(model, policy, "scaling_min_freq", text);
	(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)limit[1]);
	model_put(model, policy, "scaling_max_freq", text);
}

#endif
