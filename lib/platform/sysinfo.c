/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/sysinfo.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/cpuinfo.h"
#include "lib/platform/policy_facts.h"
#include "lib/platform/sysinfo_parts.h"
#include "lib/platform/turbo_read.h"
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

/* Walks that read every CPU or policy are done once, for all that needs them. */
static void add_processor(const struct pw_root *root, struct pw_value *ret)
{
	pw_auto_layout struct pw_layout layout;
	struct pw_policy_facts facts;
	struct pw_value turbo;

	if (pw_layout_read(root, &layout))
		pw_sysinfo_topology(root, &layout, ret);
	pw_policy_facts_read(root, ret, &facts);
	pw_sysinfo_idle(root, &layout, ret);
	pw_turbo_read(root, &layout, &facts, ret, &turbo);
	if (turbo.type != PW_VALUE_UNSET)
		pw_value_set(ret, "turbo", turbo);
	pw_policy_facts_done(&facts);
}

void pw_sysinfo(const struct pw_root *root, struct pw_value *ret)
{
	*ret = pw_value_object();
	set_attr(root, ret, "name", "/proc/sys/kernel/hostname");
	add_cpuinfo(root, ret);
	add_memory(root, ret);
	pw_sysinfo_kernel(root, ret);
	add_processor(root, ret);
	pw_sysinfo_mitigations(root, ret);
}
