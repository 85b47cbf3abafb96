/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/pfm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/pitfall.h"

#ifdef PW_HAVE_PFM
#include <perfmon/pfmlib_perf_event.h>
#endif

enum pw_pfm_verdict pw_pfm_compare(const struct pw_perf_event *event, const char *pfm_name,
				   uint32_t type, uint64_t config, char text[PW_PFM_TEXT_SIZE])
{
	bool same = (type == event->type || pw_pitfall("raw-type")) && config == event->config;

	(void)snprintf(text, PW_PFM_TEXT_SIZE,
		       "%.63s/%.63s/: sysfs says type %" PRIu32 " config 0x%" PRIx64
		       ", libpfm4's %.40s type %" PRIu32 " config 0x%" PRIx64 "%s",
		       event->pmu, event->name, event->type, event->config, pfm_name, type, config,
		       same ? "" : ": sysfs is used");
	return same ? PW_PFM_AGREES : PW_PFM_DIFFERS;
}

#ifdef PW_HAVE_PFM
/* libpfm4 4.13: tables rapl (Intel) and amd64_rapl. It calls the kernel's energy-ram DRAM. */
static const struct {
	const char *pmu, *event;
	const char *names[2];
} known[] = {
	{ "power", "energy-pkg", { "rapl::RAPL_ENERGY_PKG", "amd64_rapl::RAPL_ENERGY_PKG" } },
	{ "power", "energy-cores", { "rapl::RAPL_ENERGY_CORES" } },
	{ "power", "energy-ram", { "rapl::RAPL_ENERGY_DRAM" } },
	{ "power", "energy-gpu", { "rapl::RAPL_ENERGY_GPU" } },
	{ "power", "energy-psys", { "rapl::RAPL_ENERGY_PSYS" } },
};

static enum pw_pfm_verdict check_name(const struct pw_perf_event *event, const char *name,
				      char text[PW_PFM_TEXT_SIZE])
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };

	/* No privilege levels: RAPL's events take none. */
	if (pfm_get_os_event_encoding(name, 0, PFM_OS_PERF_EVENT, &arg) != PFM_SUCCESS)
		return PW_PFM_UNKNOWN;
	return pw_pfm_compare(event, name, attr.type, attr.config, text);
}

enum pw_pfm_verdict pw_pfm_check(const struct pw_perf_event *event, char text[PW_PFM_TEXT_SIZE])
{
	enum pw_pfm_verdict verdict = PW_PFM_UNKNOWN;

	(void)snprintf(text, PW_PFM_TEXT_SIZE, "libpfm4 does not know %.63s/%.63s/ of this CPU",
		       event->pmu, event->name);
	if (pfm_initialize() != PFM_SUCCESS)
		return PW_PFM_UNKNOWN;
	for (size_t i = 0; i < PW_LENGTH(known); i++) {
		if (strcmp(known[i].pmu, event->pmu) != 0 ||
		    strcmp(known[i].event, event->name) != 0)
			continue;
		for (size_t k = 0; k < PW_LENGTH(known[i].names); k++) {
			if (verdict == PW_PFM_UNKNOWN && known[i].names[k])
				verdict = check_name(event, known[i].names[k], text);
		}
	}
	pfm_terminate();
	return verdict;
}
#else
enum pw_pfm_verdict pw_pfm_check(const struct pw_perf_event *event, char text[PW_PFM_TEXT_SIZE])
{
	(void)event;
	(void)snprintf(text, PW_PFM_TEXT_SIZE, "built without libpfm4");
	return PW_PFM_ABSENT;
}
#endif
