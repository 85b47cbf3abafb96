/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel: release, version, command line, how it preempts, and its tick. The last two are in
 * the kernel's build configuration, where a distribution leaves that beside the kernel, and partly
 * in what the kernel tells at run time.
 */
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/sysinfo_parts.h"

#define SCHED_PREEMPT "/sys/kernel/debug/sched/preempt"

static void set_attr(const struct pw_root *root, struct pw_value *ret, const char *key,
		     const char *path)
{
	char text[4096];

	if (pw_attr_get(root, path, text, sizeof(text)) && text[0])
		pw_value_set(ret, key, pw_value_text(text));
}

/* The build configuration; the caller's, empty if it is not there. Begins with a newline. */
static char *read_config(const struct pw_root *root, const char *release)
{
	static const struct {
		const char *before, *behind;
	} places[] = { { "/boot/config-", "" }, { "/lib/modules/", "/config" } };

	for (size_t i = 0; *release && !strchr(release, '/') && i < PW_LENGTH(places); i++) {
		pw_auto_free char *path =
			pw_sprintf("%s%s%s", places[i].before, release, places[i].behind);
		pw_auto_free char *text = NULL;
		struct pw_err ignored;
		size_t length;

		if (pw_root_read_file(root, path, &text, &length, &ignored) == 0)
			return pw_sprintf("\n%s", text);
	}
	return pw_strdup("");
}

/* Is there a line "CONFIG_name=y". */
static bool is_built(const char *config, const char *name)
{
	pw_auto_free char *line = pw_sprintf("\nCONFIG_%s=y\n", name);

	return strstr(config, line) != NULL;
}

/* The value of the last "name=value" on the kernel's command line; the caller's, or NULL. */
static char *boot_option(const char *cmdline, const char *name)
{
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;
	size_t length = strlen(name);

	pw_strv_split(&words, cmdline, " \t\n");
	for (size_t i = words.count; i > 0; i--) {
		const char *word = words.items[i - 1];

		if (strncmp(word, name, length) == 0 && word[length] == '=')
			return pw_strdup(word + length + 1);
	}
	return NULL;
}

/* "none voluntary (full)": the one in force; needs root. The caller's, or NULL. */
static char *preemption_in_force(const struct pw_root *root)
{
	char text[128], *from;

	if (!pw_attr_get(root, SCHED_PREEMPT, text, sizeof(text)))
		return NULL;
	from = strchr(text, '(');
	if (!from || !strchr(from, ')'))
		return NULL;
	from++;
	from[strcspn(from, ")")] = '\0';
	return pw_strdup(from);
}

static const char *preemption_built(const char *version, const char *config)
{
	static const struct {
		const char *option, *word;
	} models[] = {
		{ "PREEMPT_RT", "rt" },
		{ "PREEMPT_NONE", "none" },
		{ "PREEMPT_VOLUNTARY", "voluntary" },
		{ "PREEMPT_LAZY", "lazy" },
		{ "PREEMPT", "full" },
	};

	if (strstr(version, "PREEMPT_RT"))
		return "rt";
	for (size_t i = 0; i < PW_LENGTH(models); i++) {
		if (is_built(config, models[i].option))
			return models[i].word;
	}
	/* kernels that cannot change it say in their version that they preempt */
	return strstr(version, "PREEMPT") && !strstr(version, "PREEMPT_DYNAMIC") ? "full" : NULL;
}

static void set_preemption(const struct pw_root *root, const char *config, struct pw_value *machine)
{
	const char *version = pw_value_get_text(machine, "kernel_version", "");
	bool dynamic = strstr(version, "PREEMPT_DYNAMIC") != NULL;
	pw_auto_free char *model = preemption_in_force(root);
	const char *built = preemption_built(version, config);
	pw_auto_free char *text = NULL;

	if (!model && dynamic)
		model = boot_option(pw_value_get_text(machine, "cmdline", ""), "preempt");
	if (!model && built)
		model = pw_strdup(built);
	if (!model && !dynamic)
		return;
	text = model ? pw_sprintf("%s%s", model, dynamic ? " (dynamic)" : "")
		     : pw_strdup("dynamic");
	pw_value_set(machine, "preemption", pw_value_text(text));
}

/* The coarse clocks move with the tick: their resolution is its period (clock_getres(2)). */
static int64_t tick_of_clock(void)
{
	struct timespec step;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &step) < 0 || step.tv_sec || step.tv_nsec <= 0)
		return 0;
	return (PW_NS_PER_S + step.tv_nsec / 2) / step.tv_nsec;
}

static int64_t tick_of_config(const char *config)
{
	static const char line[] = "\nCONFIG_HZ=";
	const char *from = strstr(config, line);
	pw_auto_free char *text = NULL;
	struct pw_err ignored;
	int64_t hz;

	if (!from)
		return 0;
	from += strlen(line);
	text = pw_strndup(from, strcspn(from, "\n"));
	return pw_parse_i64(text, &hz, &ignored) == 0 && hz > 0 ? hz : 0;
}

/* nohz-full: on some CPUs it stops also while they work. */
static const char *tick_kind(const struct pw_root *root, const char *config, const char *cmdline)
{
	pw_auto_free char *nohz = boot_option(cmdline, "nohz");
	char cpus[4096];

	if (nohz && strcmp(nohz, "off") == 0)
		return "periodic";
	if (pw_attr_get(root, PW_CPU_DIR "/nohz_full", cpus, sizeof(cpus)) && cpus[0] &&
	    strcmp(cpus, "(null)") != 0)
		return "nohz-full";
	if (is_built(config, "HZ_PERIODIC"))
		return "periodic";
	return is_built(config, "NO_HZ_COMMON") ? "nohz-idle" : NULL;
}

static void set_tick(const struct pw_root *root, const char *config, struct pw_value *machine)
{
	const char *kind = tick_kind(root, config, pw_value_get_text(machine, "cmdline", ""));
	int64_t hz = root->real ? tick_of_clock() : 0;

	if (hz == 0)
		hz = tick_of_config(config);
	if (hz)
		pw_value_set(machine, "tick_hz", pw_value_int(hz));
	if (kind)
		pw_value_set(machine, "tick", pw_value_text(kind));
}

void pw_sysinfo_kernel(const struct pw_root *root, struct pw_value *machine)
{
	pw_auto_free char *config = NULL;
	struct utsname name;

	/* /proc/sys/kernel/arch came with Linux 6.1; the machine itself can be asked */
	set_attr(root, machine, "architecture", "/proc/sys/kernel/arch");
	if (!pw_value_get(machine, "architecture") && root->real && uname(&name) == 0)
		pw_value_set(machine, "architecture", pw_value_text(name.machine));
	set_attr(root, machine, "kernel", "/proc/sys/kernel/osrelease");
	set_attr(root, machine, "kernel_version", "/proc/sys/kernel/version");
	set_attr(root, machine, "cmdline", "/proc/cmdline");
	set_attr(root, machine, "boot", "/proc/sys/kernel/random/boot_id");
	config = read_config(root, pw_value_get_text(machine, "kernel", ""));
	set_preemption(root, config, machine);
	set_tick(root, config, machine);
}
