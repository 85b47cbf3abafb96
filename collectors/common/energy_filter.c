/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/energy_filter.h"

#include "collectors/common/vendor.h"
#include "lib/platform/cpuinfo.h"
#include "lib/platform/msr.h"

#define MSR_MISC_PACKAGE_CTLS	0xbcU
#define ENERGY_FILTERING_ENABLE UINT64_C(1)

/* 1: on, 0: off, -1: not known. */
static int filter_state(const struct pw_collect *collect)
{
	struct pw_msr msr;
	struct pw_err ignored;
	uint64_t value;
	int r;

	if (!collect->msr || collect->cpu_count == 0 ||
	    pw_msr_open(&msr, collect->root, collect->cpus[0], &ignored) < 0)
		return -1;
	r = pw_msr_read(&msr, MSR_MISC_PACKAGE_CTLS, &value, &ignored);
	pw_msr_close(&msr);
	return r < 0 ? -1 : (value & ENERGY_FILTERING_ENABLE) != 0;
}

static bool has_sgx(const struct pw_root *root)
{
	pw_auto_free char *text = NULL;
	struct pw_err ignored;
	size_t length;

	return pw_root_read_file(root, "/proc/cpuinfo", &text, &length, &ignored) == 0 &&
	       pw_cpuinfo_flag(text, "sgx");
}

void pw_energy_note_filter(struct pw_energy *energy, const struct pw_collect *collect)
{
	int state;

	if (pw_vendor(collect->root) != PW_VENDOR_INTEL)
		return;
	state = filter_state(collect);
	if (state == 1)
		pw_strv_push(&energy->notes,
			     "the processor filters its energy counters (MSR 0xbc): short readings "
			     "carry noise");
	if (has_sgx(collect->root))
		pw_strv_push(&energy->notes, "SGX is on: the processor may add noise to its energy "
					     "counters, which short readings show");
}
