/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/hotplug.h"

#include <errno.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"

void pw_online_path(char path[PW_ONLINE_PATH_SIZE], unsigned cpu)
{
	(void)snprintf(path, PW_ONLINE_PATH_SIZE, PW_CPU_DIR "/cpu%u/online", cpu);
}

bool pw_cpu_has_switch(const struct pw_root *root, unsigned cpu)
{
	char path[PW_ONLINE_PATH_SIZE];

	pw_online_path(path, cpu);
	return pw_root_exists(root, path);
}

bool pw_cpuset_has(const struct pw_cpuset *set, unsigned cpu)
{
	for (size_t i = 0; i < set->count; i++) {
		if (set->cpus[i] == cpu)
			return true;
	}
	return false;
}

int pw_cpus_present(const struct pw_root *root, struct pw_cpuset *ret, struct pw_err *err)
{
	struct pw_cpuset set = { 0 };
	struct pw_err ignored;
	char text[4096];

	if (pw_attr_get(root, PW_CPU_DIR "/present", text, sizeof(text)) &&
	    pw_parse_cpulist(text, &set.cpus, &set.count, &ignored) == 0 && set.count) {
		*ret = set;
		return 0;
	}
	pw_cpuset_done(&set);
	return pw_cpus_online(root, ret, err);
}

int pw_cpus_switched_on(const struct pw_root *root, struct pw_cpuset *ret, struct pw_err *err)
{
	struct pw_cpuset online = { 0 }, present = { 0 };
	size_t kept = 0;
	int r = pw_cpus_online(root, &online, err);

	if (r == 0)
		r = pw_cpus_present(root, &present, err);
	for (size_t i = 0; r == 0 && i < present.count; i++) {
		unsigned cpu = present.cpus[i];
		char path[PW_ONLINE_PATH_SIZE], text[16];

		pw_online_path(path, cpu);
		if (pw_attr_get(root, path, text, sizeof(text)) ? strcmp(text, "1") == 0
								: pw_cpuset_has(&online, cpu))
			present.cpus[kept++] = cpu;
	}
	pw_cpuset_done(&online);
	if (r < 0) {
		pw_cpuset_done(&present);
		return r;
	}
	present.count = kept;
	*ret = present;
	return 0;
}

bool pw_smt_is_off(const struct pw_root *root)
{
	char control[32];

	return pw_attr_get(root, PW_SMT_CONTROL, control, sizeof(control)) &&
	       (strcmp(control, "off") == 0 || strcmp(control, "forceoff") == 0);
}

int pw_hotplug_save(const struct pw_root *root, struct pw_saved *saved, struct pw_err *err)
{
	struct pw_cpuset present = { 0 };
	int r = pw_cpus_present(root, &present, err);

	for (size_t i = 0; r == 0 && i < present.count; i++) {
		char path[PW_ONLINE_PATH_SIZE];

		pw_online_path(path, present.cpus[i]);
		r = pw_attr_save(root, path, saved, err);
		if (r == -PW_ENOTFOUND)
			r = 0;
	}
	pw_cpuset_done(&present);
	return r;
}

static int explain(const struct pw_root *root, bool online, struct pw_err *err)
{
	if (err->sys == EPERM && online && pw_smt_is_off(root)) {
		(void)pw_err_append(err, " (a sibling, and " PW_SMT_CONTROL " keeps those off)");
		(void)pw_err_recode(err, PW_EUNSUPPORTED);
		return pw_err_hint(err, "set smt to on, or leave the CPU out of the list");
	}
	if (err->sys == EPERM && online) {
		(void)pw_err_append(err, " (the kernel was started without it: nosmt, maxcpus= or "
					 "a fault found in it)");
		return pw_err_recode(err, PW_EUNSUPPORTED);
	}
	if (err->sys == EBUSY)
		return pw_err_append(err, " (the last CPU online, tasks with deadlines on it, or "
					  "the kernel forbids hotplug at the moment)");
	return -(int)err->code;
}

int pw_hotplug_write(const struct pw_root *root, unsigned cpu, bool online, struct pw_err *err)
{
	const char *wanted = online ? "1" : "0";
	char path[PW_ONLINE_PATH_SIZE], now[16];

	pw_online_path(path, cpu);
	if (pw_attr_get(root, path, now, sizeof(now)) && strcmp(now, wanted) == 0)
		return 0;
	return pw_attr_write(root, path, wanted, err) < 0 ? explain(root, online, err) : 0;
}

int pw_hotplug_restore(const struct pw_root *root, const struct pw_saved_item *item,
		       struct pw_err *err)
{
	int r = pw_attr_restore(root, item, err);

	return r < 0 ? explain(root, strcmp(item->value, "1") == 0, err) : r;
}
