/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/policy_facts.h"

#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/cpufreq.h"
#include "lib/platform/mixed.h"

enum fact {
	GOVERNOR,
	EPP,
	BOOST,
	MIN,
	MAX,
	HARDWARE_MIN,
	HARDWARE_MAX,
	BASE,
	BIOS,
	FACTS,
};

static const struct {
	const char *file, *key;
	bool frequency; /* the key belongs to "frequency" */
} facts_of[FACTS] = {
	[GOVERNOR] = { "scaling_governor", "governor", false },
	[EPP] = { "energy_performance_preference", "epp", false },
	[BOOST] = { "boost", "boost", false },
	[MIN] = { "scaling_min_freq", "min_khz", true },
	[MAX] = { "scaling_max_freq", "max_khz", true },
	[HARDWARE_MIN] = { "cpuinfo_min_freq", "hardware_min_khz", true },
	[HARDWARE_MAX] = { "cpuinfo_max_freq", "hardware_max_khz", true },
	[BASE] = { "base_frequency", "base_khz", true },
	[BIOS] = { "bios_limit", "bios_khz", true },
};

struct walk {
	const struct pw_root *root;
	bool absent[FACTS]; /* the first policy has no such file: the others are not asked */
	struct pw_mixed values[FACTS];
};

void pw_policy_facts_done(struct pw_policy_facts *facts)
{
	free(facts->ranges);
	*facts = (struct pw_policy_facts){ 0 };
}

static uint64_t number_of(const char *text)
{
	struct pw_err ignored;
	uint64_t number;

	return pw_parse_u64(text, &number, &ignored) == 0 ? number : 0;
}

static void read_policy(struct walk *walk, const char *policy, bool first,
			struct pw_policy_range *ret)
{
	const char *number = policy + strlen("policy");

	ret->cpu = (unsigned)number_of(number);
	for (size_t i = 0; i < FACTS; i++) {
		char path[PW_POLICY_PATH_SIZE], text[PW_ATTR_SIZE];

		if (walk->absent[i])
			continue;
		pw_policy_path(path, policy, facts_of[i].file);
		if (!pw_attr_get(walk->root, path, text, sizeof(text))) {
			/* types of cores differ in the base alone */
			walk->absent[i] = first && i != BASE;
			continue;
		}
		pw_mixed_note(&walk->values[i], text, number);
		if (i == HARDWARE_MIN)
			ret->min_khz = number_of(text);
		else if (i == HARDWARE_MAX)
			ret->max_khz = number_of(text);
		else if (i == BASE)
			ret->base_khz = number_of(text);
	}
}

/* The global switch where there is one; it is the policies' that counts where they have one. */
static void set_boost(struct walk *walk, struct pw_value *machine)
{
	struct pw_value *boost = pw_value_find(machine, "boost");
	char text[8];

	if (boost && boost->type == PW_VALUE_INT) {
		pw_value_set(machine, "boost", pw_value_bool(boost->integer != 0));
		return;
	}
	if (boost)
		return;
	if (pw_attr_get(walk->root, PW_CPU_DIR "/intel_pstate/no_turbo", text, sizeof(text)))
		pw_value_set(machine, "boost", pw_value_bool(strcmp(text, "0") == 0));
	else if (pw_attr_get(walk->root, PW_CPUFREQ_DIR "/boost", text, sizeof(text)))
		pw_value_set(machine, "boost", pw_value_bool(strcmp(text, "0") != 0));
}

static void set_facts(struct walk *walk, struct pw_value *machine)
{
	struct pw_value frequency = pw_value_object();

	for (size_t i = 0; i < FACTS; i++) {
		if (walk->values[i].count)
			pw_value_set(facts_of[i].frequency ? &frequency : machine, facts_of[i].key,
				     pw_mixed_value(&walk->values[i], "policy"));
		pw_mixed_done(&walk->values[i]);
	}
	if (frequency.count)
		pw_value_set(machine, "frequency", frequency);
	else
		pw_value_done(&frequency);
	set_boost(walk, machine);
}

static void set_driver(const struct pw_root *root, const char *policy, struct pw_value *machine)
{
	char path[PW_POLICY_PATH_SIZE], driver[64];
	const char *mode;

	pw_policy_path(path, policy, "scaling_driver");
	if (!pw_attr_get(root, path, driver, sizeof(driver)))
		return;
	pw_value_set(machine, "driver", pw_value_text(driver));
	mode = pw_driver_mode(root, driver);
	if (mode) {
		pw_auto_free char *text = pw_sprintf("%s (%s)", mode, driver);

		pw_value_set(machine, "driver_mode", pw_value_text(text));
	}
}

void pw_policy_facts_read(const struct pw_root *root, struct pw_value *machine,
			  struct pw_policy_facts *ret)
{
	pw_auto_strv struct pw_strv policies = PW_STRV_INIT;
	struct walk walk = { .root = root };
	struct pw_err ignored;

	*ret = (struct pw_policy_facts){ 0 };
	if (pw_policies(root, &policies, &ignored) < 0 || policies.count == 0)
		return;
	ret->ranges = pw_new(policies.count, sizeof(*ret->ranges));
	ret->count = policies.count;
	set_driver(root, policies.items[0], machine);
	for (size_t i = 0; i < policies.count; i++)
		read_policy(&walk, policies.items[i], i == 0, &ret->ranges[i]);
	set_facts(&walk, machine);
}
