/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/cpuinfo.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"

#define BLANK " \t"

char *pw_cpuinfo_field(const char *text, const char *key)
{
	size_t length = strlen(key);

	while (*text) {
		size_t line = strcspn(text, "\n");
		const char *end = text + line;
		const char *colon = memchr(text, ':', line);

		if (colon && strncmp(text, key, length) == 0 &&
		    length + strspn(text + length, BLANK) == (size_t)(colon - text)) {
			colon += 1 + strspn(colon + 1, BLANK);
			while (end > colon && strchr(BLANK, end[-1]))
				end--;
			return end > colon ? pw_strndup(colon, (size_t)(end - colon)) : NULL;
		}
		text = end + (*end == '\n');
	}
	return NULL;
}

bool pw_cpuinfo_flag(const char *text, const char *flag)
{
	static const char *const keys[] = { "flags", "Features" };

	for (size_t i = 0; i < PW_LENGTH(keys); i++) {
		pw_auto_free char *line = pw_cpuinfo_field(text, keys[i]);
		pw_auto_strv struct pw_strv words = PW_STRV_INIT;

		if (line)
			pw_strv_split(&words, line, BLANK);
		if (pw_strv_has(&words, flag))
			return true;
	}
	return false;
}

/* MIDR_EL1 codes: kernel arch/arm64/include/asm/cputype.h, ARM_CPU_IMP_* and ARM_CPU_PART_*. */
struct code {
	const char *code, *name;
};

static const struct code implementers[] = {
	{ "0x41", "Arm" },	 { "0x42", "Broadcom" },  { "0x43", "Cavium" },
	{ "0x46", "Fujitsu" },	 { "0x48", "HiSilicon" }, { "0x4e", "NVIDIA" },
	{ "0x50", "APM" },	 { "0x51", "Qualcomm" },  { "0x61", "Apple" },
	{ "0x6d", "Microsoft" }, { "0xc0", "Ampere" },	  { NULL, NULL },
};

static const struct code arm_parts[] = {
	{ "0xd03", "Cortex-A53" },  { "0xd04", "Cortex-A35" },	{ "0xd05", "Cortex-A55" },
	{ "0xd07", "Cortex-A57" },  { "0xd08", "Cortex-A72" },	{ "0xd09", "Cortex-A73" },
	{ "0xd0a", "Cortex-A75" },  { "0xd0b", "Cortex-A76" },	{ "0xd0c", "Neoverse-N1" },
	{ "0xd0d", "Cortex-A77" },  { "0xd40", "Neoverse-V1" }, { "0xd41", "Cortex-A78" },
	{ "0xd44", "Cortex-X1" },   { "0xd46", "Cortex-A510" }, { "0xd47", "Cortex-A710" },
	{ "0xd49", "Neoverse-N2" }, { "0xd4f", "Neoverse-V2" }, { NULL, NULL },
};

static const char *look_up(const struct code *table, const char *code)
{
	for (; table->code; table++) {
		if (strcmp(table->code, code) == 0)
			return table->name;
	}
	return NULL;
}

static void set_text(struct pw_value *ret, const char *key, const char *text)
{
	if (text && *text)
		pw_value_set(ret, key, pw_value_text(text));
}

/* A number where it is one ("model : 207"), else left out ("model" may be a name elsewhere). */
static void set_number(struct pw_value *ret, const char *key, const char *text, const char *field)
{
	pw_auto_free char *value = pw_cpuinfo_field(text, field);
	struct pw_err ignored;
	int64_t number;

	if (value && pw_parse_i64(value, &number, &ignored) == 0)
		pw_value_set(ret, key, pw_value_int(number));
}

static void parse_arm(const char *text, const char *implementer, struct pw_value *ret)
{
	pw_auto_free char *part = pw_cpuinfo_field(text, "CPU part");
	const char *vendor = look_up(implementers, implementer);
	const char *name = NULL;

	set_text(ret, "vendor", vendor ? vendor : implementer);
	set_number(ret, "family", text, "CPU architecture");
	set_number(ret, "stepping", text, "CPU revision");
	if (pw_value_get(ret, "cpu") || !part)
		return;
	if (strcmp(implementer, "0x41") == 0)
		name = look_up(arm_parts, part);
	pw_auto_free char *full =
		name ? pw_sprintf("%s %s", vendor, name)
		     : pw_sprintf("%s part %s", vendor ? vendor : implementer, part);
	set_text(ret, "cpu", full);
}

void pw_cpuinfo_parse(const char *text, struct pw_value *ret)
{
	/* x86 and Arm, POWER, MIPS, RISC-V */
	static const char *const names[] = { "model name", "cpu", "cpu model", "uarch" };
	pw_auto_free char *implementer = pw_cpuinfo_field(text, "CPU implementer");
	pw_auto_free char *vendor = pw_cpuinfo_field(text, "vendor_id");
	pw_auto_free char *microcode = pw_cpuinfo_field(text, "microcode");

	for (size_t i = 0; i < PW_LENGTH(names) && !pw_value_get(ret, "cpu"); i++) {
		pw_auto_free char *name = pw_cpuinfo_field(text, names[i]);

		set_text(ret, "cpu", name);
	}
	if (implementer) {
		parse_arm(text, implementer, ret);
		return;
	}
	set_text(ret, "vendor", vendor);
	set_number(ret, "family", text, "cpu family");
	set_number(ret, "model", text, "model");
	set_number(ret, "stepping", text, "stepping");
	set_text(ret, "microcode", microcode);
}
