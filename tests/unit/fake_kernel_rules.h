/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The model of fake_kernel.h: what a write to each file of the machine does, and what a read shows.
 */
#ifndef PW_TEST_FAKE_KERNEL_RULES_H
#define PW_TEST_FAKE_KERNEL_RULES_H

#include "fake_kernel_others.h"
#include "fake_kernel_policy.h"

/* The global switch overwrites the policies' and, on amd_pstate, the users' maximum. */
static inline int model_write_boost(struct model *model, const char *path, const char *text)
{
	bool on = strcmp(text, "1") == 0;

	if (on && model->boost_errno)
		return -model->boost_errno;
	fake_set(&model->fake, path, text);
	for (unsigned i = 0; i < model->policies; i++) {
		if (!pw_root_exists(&model->fake.root, model_path(i, "boost")))
			continue;
		model_put(model, i, "boost", text);
		model_put(model, i, "cpuinfo_max_freq", on ? "5881000" : "4500000");
		(void)snprintf(model->request[i][1], sizeof(model->request[i][1]), "%s",
			       on ? "5881000" : "4500000");
		model_limits(model, i);
	}
	return 0;
}

/* Unregistered and registered: everything of the policies and of the driver's own files is lost. */
static inline int model_write_status(struct model *model, const char *path, const char *text)
{
	bool active = strcmp(text, "active") == 0;

	if (strcmp(text, "off") == 0)
		return -EBUSY;
	if (!active && strcmp(text, "passive") != 0)
		return -EINVAL;
	fake_set(&model->fake, path, text);
	for (unsigned i = 0; i < model->policies; i++) {
		model_put(model, i, "scaling_driver", active ? "intel_pstate" : "intel_cpufreq");
		model_put(model, i, "scaling_available_governors",
			  active ? "performance powersave\\s"
				 : "conservative powersave performance schedutil\\s");
		model_put(model, i, "scaling_governor", active ? "performance" : "schedutil");
		model_put(model, i, "energy_performance_preference", "performance");
		memset(model->request[i], 0, sizeof(model->request[i]));
		memset(model->epp[i], 0, sizeof(model->epp[i]));
		model_limits(model, i);
	}
	model_tunables(model);
	fake_set(&model->fake, MODEL_INTEL "/no_turbo", "0");
	fake_set(&model->fake, MODEL_INTEL "/max_perf_pct", "100");
	fake_set(&model->fake, MODEL_INTEL "/min_perf_pct", MODEL_LEAST_PCT);
	fake_one(model->fake.dir, MODEL_INTEL "/hwp_dynamic_boost", active ? "0" : NULL);
	return 0;
}

static inline ssize_t model_read(const struct pw_root *root, const char *path, char *buffer,
				 size_t size)
{
	struct model *model = model_of(root);
	const char *file;
	unsigned policy;

	if (model_policy_file(path, &policy, &file)) {
		if (model->offline & 1U << policy)
			return -EBUSY;
		if (model->pending[policy] &&
		    (strcmp(file, "scaling_max_freq") == 0 ||
		     strcmp(file, "scaling_min_freq") == 0) &&
		    --model->pending[policy] == 0)
			model_limits(model, policy);
	}
	return pw_fs_real.read(root, path, buffer, size);
}

static inline ssize_t model_write(const struct pw_root *root, const char *path, const char *text,
				  size_t length)
{
	struct model *model = model_of(root);
	unsigned policy;
	const char *file;
	int r;

	model->writes++;
	if (model_policy_file(path, &policy, &file))
		r = model->offline & 1U << policy ? -EBUSY
						  : model_write_policy(model, policy, file, text);
	else if (strcmp(path, PW_CPUFREQ_DIR "/boost") == 0)
		r = model_write_boost(model, path, text);
	else if (strcmp(path, PW_INTEL_STATUS) == 0)
		r = model_write_status(model, path, text);
	else if (strstr(path, "_perf_pct"))
		r = model_write_pct(model, path, text);
	else if (strstr(path, "/intel_uncore_frequency/"))
		r = model_write_uncore(model, path, text);
	else
		r = model_write_other(model, path, text);
	return r < 0 ? r : (ssize_t)length;
}

static const struct pw_fs_ops model_ops = { .read = model_read, .write = model_write };

static inline void model_open(struct model *model, const char *tree, unsigned policies)
{
	*model = (struct model){ .policies = policies };
	fake_open(&model->fake, tree);
	model->fake.root.ops = &model_ops;
	model->fake.root.context = model;
}

#endif
