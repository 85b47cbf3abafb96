/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPUs, policies and tunables of the model in fake_hotplug.h: what of the files follows from
 * which CPUs are online and which governors are in use.
 */
#ifndef PW_TEST_FAKE_HOTPLUG_STATE_H
#define PW_TEST_FAKE_HOTPLUG_STATE_H

#include "fake_root.h"

#include "lib/platform/cpufreq.h"
#include "lib/platform/hotplug.h"

#define HOTPLUG_DEFAULT "performance" /* the governor of a CPU that returns */

struct hotplug {
	struct fake fake;
	unsigned cpus;
	int smt_errno;	      /* of writing smt/control */
	int idle_errno;	      /* of writing a `disable` */
	unsigned busy;	      /* this CPU cannot go offline (0: none; it has no switch) */
	unsigned stuck;	      /* writes of `disable` of this CPU that have no effect */
	unsigned transitions; /* of single CPUs */
};

struct hotplug_tunable {
	const char *governor, *file, *value;
};

static const struct hotplug_tunable hotplug_tunables[] = {
	{ "schedutil", "rate_limit_us", "5000" }, { "ondemand", "up_threshold", "95" },
	{ "ondemand", "sampling_rate", "10000" }, { "ondemand", "powersave_bias", "0" },
	{ "conservative", "up_threshold", "80" }, { "conservative", "down_threshold", "20" },
};

/* The files as they are, past the rules. */
static inline struct pw_root hotplug_plain(const struct hotplug *model)
{
	return (struct pw_root){ .fd = model->fake.root.fd,
				 .path = model->fake.root.path,
				 .ops = &pw_fs_real };
}

static inline bool hotplug_is_on(const struct hotplug *model, unsigned cpu)
{
	const struct pw_root plain = hotplug_plain(model);
	char path[PW_ONLINE_PATH_SIZE], text[8];

	pw_online_path(path, cpu);
	return !pw_attr_get(&plain, path, text, sizeof(text)) || strcmp(text, "0") != 0;
}

static inline const char *hotplug_policy(unsigned cpu, const char *file)
{
	static char path[4][PW_POLICY_PATH_SIZE];
	static unsigned turn;
	char name[24];

	(void)snprintf(name, sizeof(name), "policy%u", cpu);
	turn = (turn + 1) % 4;
	pw_policy_path(path[turn], name, file);
	return path[turn];
}

static inline bool hotplug_in_use(const struct hotplug *model, const char *governor)
{
	const struct pw_root plain = hotplug_plain(model);

	for (unsigned cpu = 0; cpu < model->cpus; cpu++) {
		char text[64];

		if (hotplug_is_on(model, cpu) &&
		    pw_attr_get(&plain, hotplug_policy(cpu, "scaling_governor"), text,
				sizeof(text)) &&
		    strcmp(text, governor) == 0)
			return true;
	}
	return false;
}

/* Tunables of governors that have come into use, or gone out of it. */
static inline void hotplug_sync(const struct hotplug *model)
{
	for (size_t i = 0; i < PW_LENGTH(hotplug_tunables); i++) {
		const struct hotplug_tunable *tunable = &hotplug_tunables[i];
		pw_auto_free char *folder = pw_sprintf(PW_CPUFREQ_DIR "/%s", tunable->governor);
		pw_auto_free char *path = pw_sprintf("%s/%s", folder, tunable->file);
		pw_auto_free char *full = pw_sprintf("%s%s", model->fake.dir, folder);
		struct pw_err err;

		if (!hotplug_in_use(model, tunable->governor))
			fake_must(pw_remove_tree(full, &err), &err);
		else if (!pw_root_exists(&model->fake.root, path))
			fake_set(&model->fake, path, tunable->value);
	}
}

/* The lists that follow from the CPUs' own switches. */
static inline void hotplug_lists(const struct hotplug *model)
{
	struct pw_cpuset on = { .cpus = pw_new(model->cpus, sizeof(unsigned)) };
	bool active = false;

	for (unsigned cpu = 0; cpu < model->cpus; cpu++) {
		if (!hotplug_is_on(model, cpu))
			continue;
		on.cpus[on.count++] = cpu;
		active |= cpu >= model->cpus / 2 && hotplug_is_on(model, cpu - model->cpus / 2);
	}
	pw_auto_free char *list = pw_cpuset_text(&on);

	fake_set(&model->fake, PW_CPU_DIR "/online", list);
	fake_set(&model->fake, PW_SMT_ACTIVE, active ? "1" : "0");
	pw_cpuset_done(&on);
	hotplug_sync(model);
}

#endif
