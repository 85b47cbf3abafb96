/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/vendor.h"

#include <string.h>

enum pw_vendor pw_vendor(const struct pw_root *root)
{
	char text[4096]; /* vendor_id is in the first lines */
	char *line, *end;

	if (!pw_attr_get(root, "/proc/cpuinfo", text, sizeof(text)))
		return PW_VENDOR_UNKNOWN;
	line = strstr(text, "vendor_id");
	if (!line)
		return PW_VENDOR_UNKNOWN;
	end = strchr(line, '\n');
	if (end)
		*end = '\0';
	if (strstr(line, "GenuineIntel"))
		return PW_VENDOR_INTEL;
	if (strstr(line, "AuthenticAMD") || strstr(line, "HygonGenuine"))
		return PW_VENDOR_AMD;
	return PW_VENDOR_UNKNOWN;
}
