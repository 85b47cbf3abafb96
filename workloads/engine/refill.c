/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/refill.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/file.h"

int pw_refill_open(struct pw_refill *refill, const struct pw_load *load, struct pw_err *err)
{
	refill->start = load->session < load->op_count ? load->ops[load->session].text : 0;
	refill->next = refill->start;
	refill->fd = memfd_create("load", MFD_CLOEXEC);
	if (refill->fd < 0)
		return pw_fail_errno(err, errno, "a copy of the load in memory");
	if (pw_write_all(refill->fd, load->text, load->text_length, err) < 0)
		return -(int)err->code;
	if (lseek(refill->fd, (off_t)refill->start, SEEK_SET) < 0)
		return pw_fail_errno(err, errno, "lseek");
	return 0;
}

static bool read_block(struct pw_refill *refill)
{
	ssize_t got = read(refill->fd, refill->buffer, sizeof(refill->buffer));

	if (got > 0)
		refill->next += (size_t)got;
	return got > 0;
}

void pw_refill_line(struct pw_refill *refill, size_t at)
{
	while (at >= refill->next && read_block(refill))
		;
}

void pw_refill_rewind(struct pw_refill *refill)
{
	while (read_block(refill))
		;
	(void)lseek(refill->fd, (off_t)refill->start, SEEK_SET);
	refill->next = refill->start;
}
