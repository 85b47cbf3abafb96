/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/disturbance.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/power_supply.h"
#include "lib/platform/topology.h"
#include "lib/platform/virtual.h"

/* What /dev/cpu_dma_latency shows while nobody holds a limit (K6.1 include/linux/pm_qos.h,
 * PM_QOS_CPU_LATENCY_DEFAULT_VALUE: 2000 s). */
#define NO_LATENCY_LIMIT INT32_C(2000000000)

static void set_text(struct pw_value *object, const char *key, const char *text)
{
	if (text && *text)
		pw_value_set(object, key, pw_value_text(text));
}

static void set_file(const struct pw_root *root, const char *path, struct pw_value *ret,
		     const char *key)
{
	char text[128];

	if (pw_attr_get(root, path, text, sizeof(text)))
		set_text(ret, key, text);
}

static void set_number(const struct pw_root *root, const char *path, struct pw_value *ret,
		       const char *key)
{
	char text[32];
	struct pw_err ignored;
	int64_t number;

	if (pw_attr_get(root, path, text, sizeof(text)) &&
	    pw_parse_i64(text, &number, &ignored) == 0)
		pw_value_set(ret, key, pw_value_int(number));
}

static void set_load(const struct pw_root *root, struct pw_value *ret)
{
	char text[128];
	struct pw_err ignored;
	double load;

	if (!pw_attr_get(root, "/proc/loadavg", text, sizeof(text)))
		return;
	text[strcspn(text, " ")] = '\0';
	if (pw_parse_real(text, &load, &ignored) == 0)
		pw_value_set(ret, "load", pw_value_real(load));
}

static void set_watchdog(const struct pw_root *root, struct pw_value *ret)
{
	uint64_t on;
	struct pw_err ignored;

	if (pw_attr_read_u64(root, "/proc/sys/kernel/nmi_watchdog", &on, &ignored) == 0)
		pw_value_set(ret, "nmi_watchdog", pw_value_bool(on != 0));
}

char *pw_cmdline_value(const char *cmdline, const char *name)
{
	size_t length = strlen(name);
	char *found = NULL;

	for (const char *word = cmdline; *word; word += strspn(word, " \n")) {
		size_t size = strcspn(word, " \n");

		if (size > length && strncmp(word, name, length) == 0 && word[length] == '=') {
			free(found);
			found = pw_strndup(word + length + 1, size - length - 1);
		}
		word += size;
	}
	return found;
}

static void set_isolation(const struct pw_root *root, struct pw_value *ret)
{
	char cmdline[4096];
	pw_auto_free char *isolated = NULL, *tickless = NULL;

	if (!pw_attr_get(root, "/proc/cmdline", cmdline, sizeof(cmdline)))
		return;
	isolated = pw_cmdline_value(cmdline, "isolcpus");
	tickless = pw_cmdline_value(cmdline, "nohz_full");
	set_text(ret, "isolated", isolated);
	set_text(ret, "nohz_full", tickless);
}

/* A plain file that stands in for the device may be empty. */
static void set_latency(const struct pw_root *root, struct pw_value *ret)
{
	int32_t us = 0;
	ssize_t n = root->ops->read(root, "/dev/cpu_dma_latency", (char *)&us, sizeof(us));

	if (n == (ssize_t)sizeof(us) && us >= 0 && us < NO_LATENCY_LIMIT)
		pw_value_set(ret, "latency_us", pw_value_int(us));
}

static uint64_t throttled_cpu(const struct pw_root *root, unsigned cpu, bool *ret_any)
{
	static const char *const files[] = { "core_throttle_count", "package_throttle_count" };
	uint64_t most = 0;

	for (size_t i = 0; i < PW_LENGTH(files); i++) {
		pw_auto_free char *path =
			pw_sprintf(PW_CPU_DIR "/cpu%u/thermal_throttle/%s", cpu, files[i]);
		struct pw_err ignored;
		uint64_t count;

		if (pw_attr_read_u64(root, path, &count, &ignored) < 0)
			continue;
		*ret_any = true;
		if (count > most)
			most = count;
	}
	return most;
}

/* A package's counter stands below each of its CPUs: the largest is told, no sum. */
static void set_throttled(const struct pw_root *root, struct pw_value *ret)
{
	struct pw_cpuset online = { 0 };
	struct pw_err ignored;
	uint64_t most = 0;
	bool any = false;

	if (pw_cpus_online(root, &online, &ignored) < 0)
		return;
	for (size_t i = 0; i < online.count; i++) {
		uint64_t count = throttled_cpu(root, online.cpus[i], &any);

		if (count > most)
			most = count;
	}
	pw_cpuset_done(&online);
	if (any)
		pw_value_set(ret, "throttled", pw_value_int((int64_t)most));
}

static void set_scheduler(const struct pw_root *root, struct pw_value *ret)
{
	char text[128];

	if (!pw_attr_get(root, "/sys/kernel/sched_ext/state", text, sizeof(text)) ||
	    strcmp(text, "enabled") != 0)
		return;
	if (!pw_attr_get(root, "/sys/kernel/sched_ext/root/ops", text, sizeof(text)))
		(void)snprintf(text, sizeof(text), "unknown");
	set_text(ret, "sched_ext", text);
}

static void set_virtual(const struct pw_root *root, struct pw_value *ret)
{
	pw_auto_free char *cpuinfo = NULL;
	struct pw_err ignored;
	size_t length;

	if (pw_root_read_file(root, "/proc/cpuinfo", &cpuinfo, &length, &ignored) == 0)
		set_text(ret, "virtual", pw_virtual(root, cpuinfo));
	else
		set_text(ret, "virtual", pw_virtual(root, ""));
}

void pw_disturbances(const struct pw_root *root, struct pw_value *ret)
{
	struct pw_supplies supplies;

	*ret = pw_value_object();
	pw_supplies_find(root, &supplies);
	set_load(root, ret);
	set_throttled(root, ret);
	set_file(root, "/sys/devices/system/clocksource/clocksource0/current_clocksource", ret,
		 "clocksource");
	set_watchdog(root, ret);
	set_isolation(root, ret);
	set_latency(root, ret);
	set_number(root, "/proc/sys/kernel/perf_event_paranoid", ret, "perf_event_paranoid");
	set_scheduler(root, ret);
	set_virtual(root, ret);
	set_text(ret, "supply", pw_supply_text(pw_supply_read(root, &supplies)));
}
