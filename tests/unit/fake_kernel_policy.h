/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The model of fake_kernel.h: what a write to a file of a policy does. */
#ifndef PW_TEST_FAKE_KERNEL_POLICY_H
#define PW_TEST_FAKE_KERNEL_POLICY_H

#include "fake_kernel.h"

#include "lib/platform/cpufreq.h"

static inline bool model_policy_file(const char *path, unsigned *policy, const char **file)
{
	static const char prefix[] = "/sys/devices/system/cpu/cpufreq/policy";

	if (strncmp(path, prefix, sizeof(prefix) - 1) != 0)
		return false;
	*policy = (unsigned)(path[sizeof(prefix) - 1] - '0');
	*file = strrchr(path, '/') + 1;
	return *policy < MODEL_POLICIES;
}

static const char *const model_defaults[][3] = {
	{ "conservative", "freq_step", "5" },	     { "ondemand", "ignore_nice_load", "0" },
	{ "ondemand", "io_is_busy", "0" },	     { "ondemand", "powersave_bias", "0" },
	{ "ondemand", "sampling_down_factor", "1" }, { "ondemand", "sampling_rate", "10000" },
	{ "ondemand", "up_threshold", "95" },	     { "schedutil", "rate_limit_us", "5000" },
};

/* A governor's tunables come with the first policy that has it, and go with the last one. */
static inline void model_tunables(struct model *model)
{
	for (size_t i = 0; i < PW_LENGTH(model_defaults); i++) {
		const char *governor = model_defaults[i][0];
		pw_auto_free char *folder = pw_sprintf(PW_CPUFREQ_DIR "/%s", governor);
		pw_auto_free char *path = pw_sprintf("%s/%s", folder, model_defaults[i][1]);
		bool there = pw_root_exists(&model->fake.root, path), wanted = false;

		for (unsigned policy = 0; policy < model->policies; policy++)
			wanted |= !model_sets_policy(model) &&
				  model_is(model, policy, "scaling_governor", governor);
		if (wanted && !there)
			fake_set(&model->fake, path, model_defaults[i][2]);
		else if (!wanted && there)
			fake_one(model->fake.dir, folder, NULL);
	}
}

static inline int model_write_governor(struct model *model, unsigned policy, const char *name)
{
	pw_auto_strv struct pw_strv listed = PW_STRV_INIT;
	bool pinned = model_is(model, policy, "scaling_governor", "performance");
	const char *epp = "energy_performance_preference";

	pw_strv_split(&listed,
		      fake_get(&model->fake, model_path(policy, "scaling_available_governors")),
		      " ");
	if (!pw_strv_has(&listed, name) &&
	    (model_sets_policy(model) || !model->module || strcmp(model->module, name) != 0))
		return -EINVAL;
	model_put(model, policy, "scaling_governor", name);
	if (!model_sets_policy(model)) {
		model_tunables(model);
		return 0;
	}
	if (strcmp(name, "performance") == 0 && !pinned) {
		(void)snprintf(model->epp[policy], sizeof(model->epp[policy]), "%.31s",
			       fake_get(&model->fake, model_path(policy, epp)));
		model_put(model, policy, epp, "performance");
	} else if (strcmp(name, "powersave") == 0 && pinned && model->epp[policy][0]) {
		model_put(model, policy, epp, model->epp[policy]);
	}
	return 0;
}

static inline int model_write_epp(struct model *model, unsigned policy, const char *text)
{
	static const char *const words[][2] = { { "0", "performance" },
						{ "128", "balance_performance" },
						{ "192", "balance_power" },
						{ "255", "power" } };
	bool number = text[strspn(text, "0123456789")] == '\0';
	bool known = number || strcmp(text, "default") == 0;

	if (model_sets_policy(model) &&
	    model_is(model, policy, "scaling_governor", "performance") &&
	    strcmp(text, "performance") != 0 && strcmp(text, "0") != 0)
		return -EBUSY;
	if (number && model_is(model, policy, "scaling_driver", "amd-pstate-epp"))
		return -EINVAL;
	for (size_t i = 0; i < PW_LENGTH(words); i++) {
		known |= strcmp(text, words[i][1]) == 0;
		if (strcmp(text, words[i][0]) == 0)
			text = words[i][1];
	}
	if (strcmp(text, "default") == 0)
		text = "balance_performance";
	if (known)
		model_put(model, policy, "energy_performance_preference", text);
	return known ? 0 : -EINVAL;
}

static inline int model_write_limit(struct model *model, unsigned policy, bool maximum,
				    const char *text)
{
	uint64_t now = model_number(model, model_path(policy, maximum ? "scaling_min_freq"
								      : "scaling_max_freq"));
	uint64_t asked;
	struct pw_err err;

	if (pw_parse_u64(text, &asked, &err) < 0)
		return -EINVAL;
	if (model->old_limits && (maximum ? asked < now : asked > now))
		return -EINVAL;
	(void)snprintf(model->request[policy][maximum], sizeof(model->request[policy][maximum]),
		       "%s", text);
	model->pending[policy] = model->late + 1;
	if (!model->late) {
		model->pending[policy] = 0;
		model_limits(model, policy);
	}
	return 0;
}

static inline int model_write_policy(struct model *model, unsigned policy, const char *file,
				     const char *text)
{
	if (strcmp(file, "scaling_governor") == 0)
		return model_write_governor(model, policy, text);
	if (strcmp(file, "energy_performance_preference") == 0)
		return model_write_epp(model, policy, text);
	if (strcmp(file, "scaling_max_freq") == 0 || strcmp(file, "scaling_min_freq") == 0)
		return model_write_limit(model, policy, strcmp(file, "scaling_max_freq") == 0,
					 text);
	if (strcmp(file, "boost") == 0 && strcmp(text, "1") == 0 &&
	    strcmp(fake_get(&model->fake, PW_CPUFREQ_DIR "/boost"), "0") == 0)
		return -EINVAL;
	model_put(model, policy, file, text);
	return 0;
}

#endif
