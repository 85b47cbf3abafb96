/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The model of fake_kernel.h: files of the driver and of devices that clamp or round by themselves.
 */
#ifndef PW_TEST_FAKE_KERNEL_OTHERS_H
#define PW_TEST_FAKE_KERNEL_OTHERS_H

#include "fake_kernel.h"

#include "lib/platform/topology.h"

#define MODEL_INTEL	PW_CPU_DIR "/intel_pstate"
#define MODEL_LEAST_PCT "20"

/* Clamped without a word: the maximum to no less than the minimum, the minimum to no more. */
static inline int model_write_pct(struct model *model, const char *path, const char *text)
{
	bool maximum = strstr(path, "max_perf_pct") != NULL;
	uint64_t low = 20, high = 100, asked;
	struct pw_err err;
	char shown[32];

	if (pw_parse_u64(text, &asked, &err) < 0)
		return -EINVAL;
	if (maximum)
		low = model_number(model, MODEL_INTEL "/min_perf_pct");
	else
		high = model_number(model, MODEL_INTEL "/max_perf_pct");
	asked = asked < low ? low : asked > high ? high : asked;
	(void)snprintf(shown, sizeof(shown), "%llu", (unsigned long long)asked);
	fake_set(&model->fake, path, shown);
	return 0;
}

/* Whole steps of 100 MHz, of which there are 1 to 127; the minimum may lie above the maximum. */
static inline int model_write_uncore(struct model *model, const char *path, const char *text)
{
	struct pw_err err;
	char shown[32];
	uint64_t khz;

	if (pw_parse_u64(text, &khz, &err) < 0 || khz / 100000 == 0 || khz / 100000 > 127)
		return -EINVAL;
	(void)snprintf(shown, sizeof(shown), "%llu", (unsigned long long)(khz / 100000 * 100000));
	fake_set(&model->fake, path, shown);
	return 0;
}

/* Files without more to them. */
static inline int model_write_other(struct model *model, const char *path, const char *text)
{
	if (!pw_root_exists(&model->fake.root, path))
		return -ENOENT;
	if (strstr(path, "/no_turbo") && strcmp(text, "0") == 0 && model->turbo_errno)
		return -model->turbo_errno;
	if (strstr(path, "/cpuidle/state") && strcmp(text, "0") != 0)
		text = "1";
	fake_set(&model->fake, path, text);
	return 0;
}

#endif
