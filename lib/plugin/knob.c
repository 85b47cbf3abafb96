/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/plugin/knob.h"

#include "lib/base/mem.h"

void pw_launch_done(struct pw_launch *launch)
{
	free(launch->cpus);
	pw_strv_done(&launch->cgroups);
	*launch = PW_LAUNCH_INIT;
}

int pw_knob_check_value(const struct pw_knob *knob, struct pw_value *value, struct pw_err *err)
{
	int r = pw_option_check(&knob->value, value, err);

	return r == 0 && knob->form ? knob->form(value, err) : r;
}
