/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/load.h"

#include <errno.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/engine/contrast.h"
#include "lib/base/mem.h"
#include "lib/platform/topology.h"

/* What a config may refer to on this machine. */
struct surroundings {
	struct pw_root root;
	struct pw_cpuset usable;
	struct pw_value contrast;
	struct pw_config_env env;
};

static void surroundings_done(struct surroundings *around)
{
	pw_value_done(&around->contrast);
	pw_cpuset_done(&around->usable);
	pw_root_close(&around->root);
}

static int look_around(const char *root, struct surroundings *around, struct pw_err *err)
{
	struct pw_knob_env knob_env = { .tag = "look" };

	if (pw_root_open(root, &around->root, err) < 0 ||
	    pw_cpus_usable(&around->root, &around->usable, err) < 0)
		return -(int)err->code;
	knob_env.root = &around->root;
	knob_env.usable = around->usable.cpus;
	knob_env.usable_count = around->usable.count;
	around->contrast = pw_contrast(&pw_cli_catalog, &knob_env);
	around->env = (struct pw_config_env){ .catalog = &pw_cli_catalog,
					      .cpus = (unsigned)around->usable.count,
					      .contrast = &around->contrast };
	return 0;
}

int pw_cli_load_text(const char *name, const char *text, size_t length, const char *root,
		     struct pw_config **ret, struct pw_err *err)
{
	pw_auto(surroundings_done) struct surroundings around = { .root = { .fd = -1 } };
	pw_auto_free char *here = getcwd(NULL, 0);

	if (!here)
		return pw_fail_errno(err, errno, "the present folder");
	if (look_around(root, &around, err) < 0)
		return -(int)err->code;
	return pw_config_parse(name, here, text, length, &around.env, ret, err);
}

int pw_cli_load(const char *path, const char *root, struct pw_config **ret, struct pw_err *err)
{
	pw_auto(surroundings_done) struct surroundings around = { .root = { .fd = -1 } };

	if (!path)
		return pw_cli_load_text("quick.json (built in)", pw_quick_text, pw_quick_length,
					root, ret, err);
	if (look_around(root, &around, err) < 0)
		return -(int)err->code;
	return pw_config_load(path, &around.env, ret, err);
}
