// SPDX-License-Identifier: GPL-2.0-or-later
/* The firmware's platform profile, through the kernel's own frame for it; it changes nothing. */
#include <linux/platform_profile.h>

#include "govlab.h"

static enum platform_profile_option present = PLATFORM_PROFILE_BALANCED;

static int profile_get(struct platform_profile_handler *handler,
		       enum platform_profile_option *profile)
{
	*profile = present;
	return 0;
}

static int profile_set(struct platform_profile_handler *handler,
		       enum platform_profile_option profile)
{
	present = profile;
	return 0;
}

static struct platform_profile_handler handler = { .profile_get = profile_get,
						   .profile_set = profile_set };
static bool there;

int lab_profile_init(void)
{
	int err;

	set_bit(PLATFORM_PROFILE_LOW_POWER, handler.choices);
	set_bit(PLATFORM_PROFILE_BALANCED, handler.choices);
	set_bit(PLATFORM_PROFILE_PERFORMANCE, handler.choices);
	err = platform_profile_register(&handler);
	there = !err;
	if (err)
		pr_warn("govlab: no platform profile: %d\n", err);
	return err;
}

void lab_profile_exit(void)
{
	if (there)
		platform_profile_remove();
	there = false;
}
