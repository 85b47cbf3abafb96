/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/vendor.h"

#include <string.h>

#include "lib/platform/cpuinfo.h"

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

double pw_aperf_unit(const struct pw_root *root)
{
	pw_auto_value struct pw_value cpu = pw_value_object();
	char text[4096];
	int64_t model;

	if (pw_vendor(root) != PW_VENDOR_INTEL ||
	    !pw_attr_get(root, "/proc/cpuinfo", text, sizeof(text)))
		return 1.0;
	pw_cpuinfo_parse(text, &cpu);
	model = pw_value_get_int(&cpu, "model", 0);
	return pw_value_get_int(&cpu, "family", 0) == 6 && (model == 0x57 || model == 0x85) ? 1024.0
											    : 1.0;
}
