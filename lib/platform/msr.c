/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/msr.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/fs_cache.h"

#define PATH_SIZE 64

/* Secure Boot's lockdown refuses the device even to root: sysfs shows "none [integrity] ...". */
static bool locked_down(const struct pw_root *root)
{
	char text[128];

	return pw_attr_get(root, "/sys/kernel/security/lockdown", text, sizeof(text)) &&
	       !strstr(text, "[none]");
}

static int hint_denied(const struct pw_root *root, struct pw_err *err)
{
	if (locked_down(root))
		return pw_err_hint(err, "the kernel is locked down (Secure Boot): use the kernel's "
					"perf events instead (PMU msr)");
	return pw_err_hint(err, "run as root (CAP_SYS_RAWIO and the right to read the file are "
				"needed)");
}

/* What an errno of open or read means for this device. */
static int explain(const struct pw_root *root, int errnum, struct pw_err *err)
{
	switch (errnum) {
	case EACCES:
	case EPERM:
		return hint_denied(root, err);
	case ENOENT:
		err->code = PW_EUNSUPPORTED;
		return pw_err_hint(err, root->real ? "load the driver: modprobe msr (x86 only)"
						   : "this root has no such register");
	case ENXIO:
	case ENODEV:
		err->code = PW_EGONE;
		return pw_err_hint(err, "the CPU is offline");
	case EIO:
		err->code = PW_EUNSUPPORTED;
		return pw_err_hint(err, "the processor (or the virtual machine) has no such "
					"register");
	default:
		return -(int)err->code;
	}
}

int pw_msr_open(struct pw_msr *msr, const struct pw_root *root, unsigned cpu, struct pw_err *err)
{
	struct pw_msr opened = { .root = root, .cpu = cpu, .fd = -1 };
	char path[PATH_SIZE];

	if (root->real && pw_fs_below(root)->ops == &pw_fs_real) {
		(void)snprintf(path, sizeof(path), "/dev/cpu/%u/msr", cpu);
		opened.fd = pw_root_open_file(root, path, O_RDONLY, err);
		if (opened.fd < 0)
			return explain(root, err->sys, err);
	}
	*msr = opened;
	return 0;
}

void pw_msr_close(struct pw_msr *msr)
{
	if (msr->fd >= 0)
		close(msr->fd);
	msr->fd = -1;
}

static int read_device(const struct pw_msr *msr, uint32_t number, uint64_t *ret, struct pw_err *err)
{
	uint64_t value;
	ssize_t n = pread(msr->fd, &value, sizeof(value), (off_t)number);

	if (n < 0) {
		int errnum = errno;

		(void)pw_fail_errno(err, errnum, "read register 0x%x of cpu%u", number, msr->cpu);
		return explain(msr->root, errnum, err);
	}
	if (n != (ssize_t)sizeof(value))
		return pw_fail(err, PW_EIO, "read register 0x%x of cpu%u: %zd bytes of 8", number,
			       msr->cpu, n);
	*ret = value;
	return 0;
}

int pw_msr_read(const struct pw_msr *msr, uint32_t number, uint64_t *ret, struct pw_err *err)
{
	char path[PATH_SIZE];

	if (msr->fd >= 0)
		return read_device(msr, number, ret, err);
	(void)snprintf(path, sizeof(path), "/msr/0x%x/cpu%u", number, msr->cpu);
	if (pw_attr_read_u64(msr->root, path, ret, err) < 0)
		return err->sys ? explain(msr->root, err->sys, err) : -(int)err->code;
	return 0;
}
