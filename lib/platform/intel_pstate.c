/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/intel_pstate.h"

#include <string.h>

#include "lib/platform/cpufreq.h"

static int fail_without_driver(const struct pw_root *root, const struct pw_intel_file *file,
			       struct pw_err *err)
{
	char driver[64] = "";

	if (!pw_cpufreq_driver(root, driver, sizeof(driver)))
		return pw_fail(err, PW_EUNSUPPORTED,
			       "%s is not there: no frequency driver (usual in a virtual machine)",
			       file->path);
	return pw_fail(err, PW_EUNSUPPORTED,
		       "%s is not there: the driver is '%s', and only intel_pstate has it",
		       file->path, driver);
}

static int fail_absent(const struct pw_intel_file *file, struct pw_err *err)
{
	(void)pw_fail(err, PW_EUNSUPPORTED, "%s is not there: %s", file->path, file->absent);
	return file->hint ? pw_err_hint(err, "%s", file->hint) : -(int)err->code;
}

static int fail_off(const struct pw_intel_file *file, struct pw_err *err)
{
	(void)pw_fail(err, PW_EUNSUPPORTED, "%s answers nothing: intel_pstate is off", file->path);
	return pw_err_hint(err, "choose the driver on the kernel command line (intel_pstate=) and "
				"reboot");
}

int pw_intel_explain(const struct pw_intel_file *file, struct pw_err *err)
{
	if (err->code == PW_EAGAIN)
		return fail_off(file, err);
	if (err->code == PW_ENOTFOUND)
		return fail_absent(file, err);
	return -(int)err->code;
}

int pw_intel_probe(const struct pw_root *root, const struct pw_intel_file *file, struct pw_err *err)
{
	char text[32];

	/* Before 4.14 there is no status file, and the driver cannot be off. */
	if (pw_attr_get(root, PW_INTEL_STATUS, text, sizeof(text)) && strcmp(text, "off") == 0)
		return fail_off(file, err);
	if (!pw_root_exists(root, PW_INTEL_DIR))
		return fail_without_driver(root, file, err);
	if (pw_attr_read(root, file->path, text, sizeof(text), err) < 0)
		return pw_intel_explain(file, err);
	return pw_attr_writable(root, file->path, err);
}

int pw_intel_switch_choices(struct pw_strv *values)
{
	pw_strv_push(values, "on");
	pw_strv_push(values, "off");
	return 0;
}

static const char *text_of(const struct pw_value *value)
{
	return value->boolean ? "1" : "0";
}

int pw_intel_switch_apply(const struct pw_root *root, const struct pw_intel_file *file,
			  const struct pw_value *value, struct pw_err *err)
{
	int r = pw_attr_write(root, file->path, text_of(value), err);

	return r < 0 ? pw_intel_explain(file, err) : 0;
}

int pw_intel_switch_verify(const struct pw_root *root, const struct pw_intel_file *file,
			   const struct pw_value *value, struct pw_err *err)
{
	int r = pw_attr_verify(root, file->path, file->path, text_of(value), err);

	return r < 0 ? pw_intel_explain(file, err) : 0;
}

int pw_intel_switch_read(const struct pw_root *root, const struct pw_intel_file *file,
			 struct pw_value *ret, struct pw_err *err)
{
	char text[32];

	if (pw_attr_read(root, file->path, text, sizeof(text), err) < 0)
		return pw_intel_explain(file, err);
	*ret = pw_value_bool(strcmp(text, "0") != 0);
	return 0;
}
