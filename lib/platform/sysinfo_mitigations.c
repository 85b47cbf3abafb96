/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel says of each known hole of the processor: Documentation/admin-guide/hw-vuln. */
#include "lib/base/mem.h"
#include "lib/platform/sysinfo_parts.h"

#define HOLES PW_CPU_DIR "/vulnerabilities"

void pw_sysinfo_mitigations(const struct pw_root *root, struct pw_value *machine)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;
	struct pw_value holes = pw_value_object();
	struct pw_err ignored;

	(void)!pw_root_list(root, HOLES, &names, &ignored); /* none is an empty list */
	for (size_t i = 0; i < names.count; i++) {
		pw_auto_free char *path = pw_sprintf(HOLES "/%s", names.items[i]);
		char text[1024];

		if (pw_attr_get(root, path, text, sizeof(text)) && text[0])
			pw_value_set(&holes, names.items[i], pw_value_text(text));
	}
	if (holes.count)
		pw_value_set(machine, "mitigations", holes);
	else
		pw_value_done(&holes);
}
