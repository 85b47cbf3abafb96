/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text as a /proc/cpuinfo, as a CPU list, and as a /proc/self/mountinfo: what a parser gives is
 * what the text holds, and a list is sorted, without repeats, and the same after another round.
 */
#include <string.h>

#include "fuzz.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/cpuinfo.h"
#include "lib/platform/mounts.h"
#include "lib/platform/topology.h"
#include "lib/platform/turbo.h"

#define LIST_MAX 100000 /* CPUs of a list that is worth a second round */

static void check_cpuinfo(const char *text)
{
	static const char *const fields[] = { "model name", "flags", "microcode" };
	pw_auto_value struct pw_value info = pw_value_object();
	enum pw_turbo_kind kind;

	pw_cpuinfo_parse(text, &info);
	for (size_t i = 0; i < PW_LENGTH(fields); i++) {
		pw_auto_free char *value = pw_cpuinfo_field(text, fields[i]);

		FUZZ_CHECK(!value || (value[0] && !strchr(value, '\n') && strstr(text, value)));
	}
	FUZZ_CHECK(!pw_cpuinfo_flag(text, "hypervisor") || strstr(text, "hypervisor"));
	kind = pw_turbo_kind(pw_value_get_int(&info, "family", -1),
			     pw_value_get_int(&info, "model", -1));
	FUZZ_CHECK(kind <= PW_TURBO_AVOTON);
}

static void check_list(const char *text)
{
	struct pw_cpuset set = { 0 }, again = { 0 };
	pw_auto_free char *shown = NULL;
	struct pw_err err;

	if (pw_parse_cpulist(text, &set.cpus, &set.count, &err) < 0) {
		FUZZ_CHECK(set.cpus == NULL && set.count == 0);
		return;
	}
	for (size_t i = 1; i < set.count; i++)
		FUZZ_CHECK(set.cpus[i - 1] < set.cpus[i]);
	if (set.count && set.count < LIST_MAX) {
		shown = pw_cpuset_text(&set);
		FUZZ_CHECK(pw_parse_cpulist(shown, &again.cpus, &again.count, &err) == 0);
		FUZZ_CHECK(again.count == set.count &&
			   memcmp(again.cpus, set.cpus, set.count * sizeof(*set.cpus)) == 0);
	}
	pw_cpuset_done(&set);
	pw_cpuset_done(&again);
}

static void check_mounts(const char *text)
{
	struct pw_mount mount;

	if (!pw_mount_of(text, "/data/results", &mount))
		return;
	FUZZ_CHECK(mount.point && mount.type[0] && mount.device[0]);
	FUZZ_CHECK(strcmp(mount.point, "/") == 0 ||
		   strncmp(mount.point, "/data/results", strlen(mount.point)) == 0);
	pw_mount_done(&mount);
}

/* The bytes as registers: rows never run over, and none is of 0 MHz. */
static void check_levels(const uint8_t *data, size_t size)
{
	struct pw_turbo_words words = { .info = 0 };
	struct pw_turbo turbo;
	struct pw_turbo_tdp tdp;

	memcpy(&words, data, size < sizeof(words) ? size : sizeof(words));
	for (int kind = PW_TURBO_UNKNOWN; kind <= PW_TURBO_AVOTON; kind++) {
		if (!pw_turbo_decode((enum pw_turbo_kind)kind, &words, &turbo))
			continue;
		FUZZ_CHECK(turbo.count > 0 && turbo.count <= PW_TURBO_ROWS);
		for (size_t i = 0; i < turbo.count; i++)
			FUZZ_CHECK(turbo.rows[i].mhz > 0 && turbo.rows[i].name[0]);
	}
	FUZZ_CHECK(!pw_turbo_tdp(&words, &tdp) || (tdp.nominal_mhz && tdp.level_mhz));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	pw_auto_free char *text = pw_new(size + 1, 1);

	if (size) {
		memcpy(text, data, size);
		check_levels(data, size);
	}
	check_cpuinfo(text);
	check_list(text);
	check_mounts(text);
	return 0;
}
