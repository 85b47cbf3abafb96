/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/virtual.h"

#include <string.h>

#include "lib/platform/cpuinfo.h"

/* What vendors write into their virtual machines' DMI tables. */
static const struct {
	const char *file, *text, *name;
} signs[] = {
	{ "product_name", "KVM", "kvm" },
	{ "product_name", "Virtual Machine", "hyperv" },
	{ "product_name", "HVM domU", "xen" },
	{ "product_name", "VirtualBox", "virtualbox" },
	{ "product_name", "Google Compute Engine", "google" },
	{ "sys_vendor", "QEMU", "kvm" },
	{ "sys_vendor", "VMware", "vmware" },
	{ "sys_vendor", "Xen", "xen" },
	{ "sys_vendor", "innotek GmbH", "virtualbox" },
	{ "sys_vendor", "Parallels", "parallels" },
	{ "sys_vendor", "BHYVE", "bhyve" },
	{ "bios_vendor", "Amazon EC2", "amazon" },
};

static const char *from_dmi(const struct pw_root *root)
{
	for (size_t i = 0; i < PW_LENGTH(signs); i++) {
		char path[64], text[256];

		(void)snprintf(path, sizeof(path), "/sys/class/dmi/id/%s", signs[i].file);
		if (pw_attr_get(root, path, text, sizeof(text)) &&
		    strncmp(text, signs[i].text, strlen(signs[i].text)) == 0)
			return signs[i].name;
	}
	return NULL;
}

/*
 * The CPU's flag decides on x86: cloud vendors name themselves in DMI on their bare metal too.
 * Elsewhere the firmware's word is all there is.
 */
const char *pw_virtual(const struct pw_root *root, const char *cpuinfo)
{
	bool flagged = pw_cpuinfo_flag(cpuinfo, "hypervisor");
	pw_auto_free char *flags = pw_cpuinfo_field(cpuinfo, "flags");
	char type[64];
	const char *name;

	if (pw_attr_get(root, "/sys/hypervisor/type", type, sizeof(type)) &&
	    strcmp(type, "xen") == 0)
		return "xen";
	if (pw_attr_get(root, "/proc/device-tree/hypervisor/compatible", type, sizeof(type)))
		return strcmp(type, "linux,kvm") == 0 ? "kvm" : "unknown";
	if (flags && !flagged)
		return NULL;
	name = from_dmi(root);
	return name || !flagged ? name : "unknown";
}
