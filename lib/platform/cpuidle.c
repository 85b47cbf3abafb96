/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/cpuidle.h"

#include <string.h>

#include "lib/base/mem.h"

bool pw_cpuidle_driver(const struct pw_root *root, char *driver, size_t size)
{
	return pw_attr_get(root, PW_CPUIDLE_DIR "/current_driver", driver, size);
}

/* 1 or 0. */
static int has_states(const struct pw_root *root, struct pw_err *err)
{
	struct pw_cpuset online = { 0 };
	int found = pw_cpus_online(root, &online, err);

	for (size_t i = 0; found == 0 && i < online.count; i++) {
		pw_auto_free char *path =
			pw_sprintf(PW_CPU_DIR "/cpu%u/cpuidle/state0", online.cpus[i]);

		found = pw_root_exists(root, path);
	}
	pw_cpuset_done(&online);
	return found;
}

int pw_cpuidle_needed(const struct pw_root *root, struct pw_err *err)
{
	char driver[64] = "none";
	int r = pw_attr_read(root, PW_CPUIDLE_DIR "/current_driver", driver, sizeof(driver), err);
	int states = r == 0 || r == -PW_ENOTFOUND ? has_states(root, err) : r;

	if (states < 0)
		return states;
	if (strcmp(driver, "none") != 0 && driver[0] && states)
		return 0;
	return pw_fail(err, PW_EUNSUPPORTED,
		       "no idle driver: can be written but acts on nothing (" PW_CPUIDLE_DIR
		       "/current_driver is '%s', idle states: %s)",
		       driver, states ? "yes" : "none");
}
