/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mode of intel_pstate or amd_pstate (kernel Documentation/admin-guide/pm/intel_pstate.rst and
 * amd-pstate.rst). Writing it unregisters and registers the driver: all policies, limits, governors
 * and preferences are built anew, which is why it comes first and everything else is saved too.
 */
#include <errno.h>
#include <string.h>

#include "lib/platform/cpufreq.h"

struct driver {
	const char *status;
	const char *modes; /* worth measuring */
	const char *off;   /* the word for none */
};

static const struct driver drivers[] = {
	{ PW_INTEL_STATUS, "active passive", "off" },
	{ PW_AMD_STATUS, "active passive guided", "disable" },
};

static const struct driver *find(const struct pw_root *root)
{
	for (size_t i = 0; i < PW_LENGTH(drivers); i++) {
		if (pw_root_exists(root, drivers[i].status))
			return &drivers[i];
	}
	return NULL;
}

static int fail_without(const struct pw_root *root, struct pw_err *err)
{
	char name[64] = "";

	if (!pw_cpufreq_driver(root, name, sizeof(name)))
		return pw_fail(err, PW_EUNSUPPORTED,
			       "no intel_pstate or amd_pstate driver below " PW_CPU_DIR
			       " (usual in a virtual machine)");
	(void)pw_fail(err, PW_EUNSUPPORTED, "driver '%s' has no modes: no %s, no %s", name,
		      PW_INTEL_STATUS, PW_AMD_STATUS);
	if (strcmp(name, "amd-pstate") == 0)
		return pw_err_hint(err, "the status file came with Linux 6.3");
	return -(int)err->code;
}

/* NULL: none, and the error says so. */
static const struct driver *find_needed(const struct pw_root *root, struct pw_err *err)
{
	const struct driver *driver = find(root);

	if (!driver)
		(void)fail_without(root, err);
	return driver;
}

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	const struct driver *driver = find_needed(env->root, err);
	char status[32];

	if (!driver || pw_attr_read(env->root, driver->status, status, sizeof(status), err) < 0)
		return -(int)err->code;
	/* HWP and CPPC stay enabled until the next reset: there would be no way back to "off". */
	if (strcmp(status, driver->off) == 0) {
		(void)pw_fail(err, PW_EUNSUPPORTED,
			      "%s is '%s': once switched on, the hardware cannot be switched back "
			      "without a reboot",
			      driver->status, status);
		return pw_err_hint(err, "choose the driver on the kernel command line "
					"(intel_pstate= or amd_pstate=) and reboot");
	}
	return pw_attr_writable(env->root, driver->status, err);
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	pw_auto_strv struct pw_strv modes = PW_STRV_INIT;
	const struct driver *driver;

	if (strcmp(value->text, "off") == 0 || strcmp(value->text, "disable") == 0)
		return pw_fail_at(err, "", 0,
				  "'%s' leaves the machine without a frequency driver: no "
				  "configuration to measure (another driver needs a reboot)",
				  value->text);
	driver = find_needed(env->root, err);
	if (!driver)
		return -(int)err->code;
	pw_strv_split(&modes, driver->modes, " ");
	if (pw_strv_has(&modes, value->text))
		return 0;
	return pw_fail(err, PW_EUNSUPPORTED, "driver mode '%s' is not known to %s (available: %s)",
		       value->text, driver->status, driver->modes);
}

static int choices(const struct pw_knob_env *env, struct pw_strv *values, struct pw_err *err)
{
	const struct driver *driver = find_needed(env->root, err);

	if (!driver)
		return -(int)err->code;
	pw_strv_split(values, driver->modes, " ");
	return 0;
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	const struct driver *driver = find_needed(env->root, err);

	return driver ? pw_attr_save(env->root, driver->status, saved, err) : -(int)err->code;
}

static int explain(struct pw_err *err)
{
	if (err->code == PW_EBUSY)
		return pw_err_append(err, " (HWP is on and stays on until a reboot, or CPU "
					  "hotplug is going on)");
	if (err->code != PW_EINVAL)
		return -(int)err->code;
	(void)pw_err_append(err, " (this kernel's driver does not know that mode)");
	return pw_err_recode(err, PW_EUNSUPPORTED);
}

/* Equal already: no write, since even a vain one might build the policies anew. */
static int write_mode(const struct pw_root *root, const char *path, const char *mode,
		      struct pw_err *err)
{
	char now[32];

	if (pw_attr_get(root, path, now, sizeof(now)) && strcmp(now, mode) == 0)
		return 0;
	return pw_attr_write(root, path, mode, err) < 0 ? explain(err) : 0;
}

static int apply(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	const struct driver *driver = find_needed(env->root, err);

	return driver ? write_mode(env->root, driver->status, value->text, err) : -(int)err->code;
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	const struct driver *driver = find_needed(env->root, err);

	if (!driver)
		return -(int)err->code;
	return pw_attr_verify(env->root, driver->status, driver->status, value->text, err);
}

static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	const struct driver *driver = find_needed(env->root, err);
	char status[32];

	if (!driver || pw_attr_read(env->root, driver->status, status, sizeof(status), err) < 0)
		return -(int)err->code;
	*ret = pw_value_text(status);
	return 0;
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	int r = pw_attr_restore(env->root, item, err);

	return r < 0 ? explain(err) : 0;
}

static const char *const modes_known[] = { "active", "passive", "guided", "off", "disable", NULL };

const struct pw_knob pw_knob_driver_mode = {
	.name = "driver-mode",
	.summary = "the mode of intel_pstate or amd_pstate",
	.scope = PW_KNOB_MACHINE,
	.order = PW_ORDER_DRIVER,
	.flags = PW_KNOB_RECREATES,
	.value = { .name = "driver-mode",
		   .type = PW_OPT_CHOICE,
		   .help = "active, passive, guided",
		   .choices = modes_known },
	.probe = probe,
	.check = check,
	.choices = choices,
	.save = save,
	.apply = apply,
	.verify = verify,
	.read = read_value,
	.restore = restore,
	.is_back = pw_attr_is_back,
};
