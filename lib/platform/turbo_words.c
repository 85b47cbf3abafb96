/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/turbo_words.h"

#include "lib/platform/msr.h"

#define HWP_ON UINT64_C(1) /* of PM_ENABLE; the capabilities can be read with it only */

static uint64_t word(const struct pw_msr *msr, uint32_t number)
{
	struct pw_err ignored;
	uint64_t value;

	return pw_msr_read(msr, number, &value, &ignored) == 0 ? value : 0;
}

static void read_silvermont(const struct pw_msr *msr, struct pw_turbo_words *words)
{
	words->bus = word(msr, PW_MSR_FSB_FREQ);
	words->atom_turbo = word(msr, PW_MSR_ATOM_TURBO_RATIOS);
}

static void read_limits(const struct pw_msr *msr, enum pw_turbo_kind kind, bool second_type,
			struct pw_turbo_words *words)
{
	if (kind == PW_TURBO_NEHALEM_EX)
		return;
	if (kind == PW_TURBO_AVOTON)
		words->bus = word(msr, PW_MSR_FSB_FREQ);
	words->limit[0] = word(msr, second_type ? PW_MSR_SECONDARY_RATIOS : PW_MSR_TURBO_RATIOS);
	if (kind == PW_TURBO_GROUPS || kind == PW_TURBO_IVB_X || kind == PW_TURBO_HSX)
		words->limit[1] = word(msr, PW_MSR_TURBO_RATIOS_1);
	if (kind == PW_TURBO_HSX)
		words->limit[2] = word(msr, PW_MSR_TURBO_RATIOS_2);
}

/* Nehalem has neither of both. */
static void read_extras(const struct pw_msr *msr, struct pw_turbo_words *words)
{
	words->tdp_nominal = word(msr, PW_MSR_CONFIG_TDP_NOMINAL);
	if (words->tdp_nominal) {
		words->tdp_level[0] = word(msr, PW_MSR_CONFIG_TDP_LEVEL_1);
		words->tdp_level[1] = word(msr, PW_MSR_CONFIG_TDP_LEVEL_2);
		words->tdp_control = word(msr, PW_MSR_CONFIG_TDP_CONTROL);
		words->activation = word(msr, PW_MSR_TURBO_ACTIVATION);
	}
	if (word(msr, PW_MSR_PM_ENABLE) & HWP_ON)
		words->hwp_caps = word(msr, PW_MSR_HWP_CAPS);
}

int pw_turbo_words_read(const struct pw_root *root, unsigned cpu, enum pw_turbo_kind kind,
			bool second_type, struct pw_turbo_words *ret, struct pw_err *err)
{
	struct pw_turbo_words words = { .info = 0 };
	bool silvermont = kind == PW_TURBO_SILVERMONT;
	struct pw_msr msr;
	int r;

	if (pw_msr_open(&msr, root, cpu, err) < 0)
		return -(int)err->code;
	r = pw_msr_read(&msr, silvermont ? PW_MSR_ATOM_RATIOS : PW_MSR_PLATFORM_INFO,
			silvermont ? &words.atom : &words.info, err);
	if (r == 0 && silvermont) {
		read_silvermont(&msr, &words);
	} else if (r == 0) {
		read_limits(&msr, kind, second_type, &words);
		if (kind != PW_TURBO_NEHALEM && kind != PW_TURBO_NEHALEM_EX)
			read_extras(&msr, &words);
	}
	pw_msr_close(&msr);
	if (r == 0)
		*ret = words;
	return r;
}
