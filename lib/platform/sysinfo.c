/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/sysinfo.h"

#include <string.h>
#include <sys/utsname.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/cpufreq.h"
#include "lib/platform/cpuidle.h"
#include "lib/platform/cpuinfo.h"
#include "lib/platform/topology.h"
#include "lib/platform/virtual.h"

static void set_attr(const struct pw_root *root, struct pw_value *ret, const char *key,
		     const char *path)
{
	char text[4096];

	if (pw_attr_get(root, path, text, sizeof(text)) && text[0])
		pw_value_set(ret, key, pw_value_text(text));
}

static void add_cpuinfo(const struct pw_root *root, struct pw_value *ret)
{
	pw_auto_free char *text = NULL;
	struct pw_err ignored;
	size_t length;
	const char *virtual;

	if (pw_root_read_file(root, "/proc/cpuinfo", &text, &length, &ignored) < 0)
		text = pw_strdup("");
	pw_cpuinfo_parse(text, ret);
	/* a board's name is better than none */
	if (!pw_value_get(ret, "cpu"))
		set_attr(root, ret, "cpu", "/proc/device-tree/model");
	if (!pw_value_get(ret, "microcode"))
		set_attr(root, ret, "microcode", PW_CPU_DIR "/cpu0/microcode/version");
	virtual = pw_virtual(root, text);
	if (virtual)
		pw_value_set(ret, "virtual", pw_value_text(virtual));
}

/* How many different texts one topology file has over the CPUs; 0 if any CPU lacks it. */
static size_t count_distinct(const struct pw_root *root, const struct pw_cpuset *cpus,
			     const char *file)
{
	pw_auto_strv struct pw_strv seen = PW_STRV_INIT;

	for (size_t i = 0; i < cpus->count; i++) {
		pw_auto_free char *path =
			pw_sprintf(PW_CPU_DIR "/cpu%u/topology/%s", cpus->cpus[i], file);
		char text[4096];

		if (!pw_attr_get(root, path, text, sizeof(text)))
			return 0;
		/* -1: the kernel does not know the package */
		if (strcmp(text, "-1") == 0)
			return 0;
		if (!pw_strv_has(&seen, text))
			pw_strv_push(&seen, text);
	}
	return seen.count;
}

static void set_count(struct pw_value *ret, const char *key, size_t count)
{
	if (count)
		pw_value_set(ret, key, pw_value_int((int64_t)count));
}

static void add_topology(const struct pw_root *root, struct pw_value *ret)
{
	struct pw_cpuset online = { 0 }, usable = { 0 };
	struct pw_err ignored;
	size_t cores;

	if (pw_cpus_online(root, &online, &ignored) < 0)
		return;
	set_count(ret, "cpus", online.count);
	if (pw_cpus_usable(root, &usable, &ignored) == 0)
		set_count(ret, "usable", usable.count);
	set_count(ret, "sockets", count_distinct(root, &online, "physical_package_id"));
	cores = count_distinct(root, &online, "thread_siblings_list");
	set_count(ret, "cores", cores);
	if (cores)
		set_count(ret, "threads", online.count);
	pw_cpuset_done(&online);
	pw_cpuset_done(&usable);
}

static void add_memory(const struct pw_root *root, struct pw_value *ret)
{
	pw_auto_free char *text = NULL;
	pw_auto_free char *total = NULL;
	struct pw_err ignored;
	size_t length;
	int64_t kb;

	if (pw_root_read_file(root, "/proc/meminfo", &text, &length, &ignored) < 0)
		return;
	total = pw_cpuinfo_field(text, "MemTotal"); /* the same form: "MemTotal:  123 kB" */
	if (!total)
		return;
	total[strcspn(total, " ")] = '\0';
	if (pw_parse_i64(total, &kb, &ignored) == 0)
		pw_value_set(ret, "memory_kb", pw_value_int(kb));
}

/* /proc/sys/kernel/arch came with Linux 6.1; the machine itself can be asked. */
static void add_kernel(const struct pw_root *root, struct pw_value *ret)
{
	struct utsname name;

	set_attr(root, ret, "architecture", "/proc/sys/kernel/arch");
	if (!pw_value_get(ret, "architecture") && root->real && uname(&name) == 0)
		pw_value_set(ret, "architecture", pw_value_text(name.machine));
	set_attr(root, ret, "kernel", "/proc/sys/kernel/osrelease");
	set_attr(root, ret, "kernel_version", "/proc/sys/kernel/version");
	set_attr(root, ret, "cmdline", "/proc/cmdline");
	set_attr(root, ret, "boot", "/proc/sys/kernel/random/boot_id");
}

static void add_drivers(const struct pw_root *root, struct pw_value *ret)
{
	char driver[64];
	const char *mode;

	if (pw_cpufreq_driver(root, driver, sizeof(driver))) {
		pw_value_set(ret, "driver", pw_value_text(driver));
		mode = pw_driver_mode(root, driver);
		if (mode) {
			pw_auto_free char *text = pw_sprintf("%s (%s)", mode, driver);

			pw_value_set(ret, "driver_mode", pw_value_text(text));
		}
	}
	if (pw_cpuidle_driver(root, driver, sizeof(driver)) && driver[0])
		pw_value_set(ret, "idle_driver", pw_value_text(driver));
}

void pw_sysinfo(const struct pw_root *root, struct pw_value *ret)
{
	*ret = pw_value_object();
	set_attr(root, ret, "name", "/proc/sys/kernel/hostname");
	add_cpuinfo(root, ret);
	add_topology(root, ret);
	add_memory(root, ret);
	add_kernel(root, ret);
	add_drivers(root, ret);
}
