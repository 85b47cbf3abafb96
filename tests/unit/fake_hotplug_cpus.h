/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs that go and come in the model of fake_hotplug.h, one by one and by smt/control. */
#ifndef PW_TEST_FAKE_HOTPLUG_CPUS_H
#define PW_TEST_FAKE_HOTPLUG_CPUS_H

#include <errno.h>

#include "fake_hotplug_state.h"

static inline int hotplug_set(struct hotplug *model, unsigned cpu, bool online)
{
	char path[PW_ONLINE_PATH_SIZE];

	pw_online_path(path, cpu);
	if (hotplug_is_on(model, cpu) == online)
		return 0;
	if (!online && model->busy && cpu == model->busy)
		return -EBUSY;
	if (online && cpu >= model->cpus / 2 && pw_smt_is_off(&model->fake.root))
		return -EPERM;
	model->transitions++;
	fake_set(&model->fake, path, online ? "1" : "0");
	for (unsigned state = 0; online && state < 4; state++) {
		pw_auto_free char *disable =
			pw_sprintf(PW_CPU_DIR "/cpu%u/cpuidle/state%u/disable", cpu, state);

		fake_set(&model->fake, disable, "0");
	}
	if (online)
		fake_set(&model->fake, hotplug_policy(cpu, "scaling_governor"), HOTPLUG_DEFAULT);
	hotplug_lists(model);
	return 0;
}

static inline int hotplug_smt(struct hotplug *model, const char *text)
{
	bool on = strcmp(text, "on") == 0;

	if (model->smt_errno)
		return -model->smt_errno;
	if (!on && strcmp(text, "off") != 0)
		return -EINVAL;
	if (strcmp(fake_get(&model->fake, PW_SMT_CONTROL), text) == 0)
		return 0;
	if (on)
		fake_set(&model->fake, PW_SMT_CONTROL, text);
	for (unsigned cpu = on ? 1 : model->cpus / 2; cpu < model->cpus; cpu++) {
		int r = hotplug_set(model, cpu, on);

		if (r < 0)
			return r;
	}
	fake_set(&model->fake, PW_SMT_CONTROL, text);
	return 0;
}

#endif
