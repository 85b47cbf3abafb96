/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors of reads that plain files cannot give (EAGAIN, EIO, ENXIO, ...), by path. */
#ifndef PW_TEST_COLLECTOR_RIG_FAULTS_H
#define PW_TEST_COLLECTOR_RIG_FAULTS_H

#include "collector_rig.h"

/* Every read of a path that holds this text fails with this errno; 0: none does. */
static const char *rig_fault_path;
static int rig_fault_errno;

static inline ssize_t rig_fault_read(const struct pw_root *root, const char *path, char *buffer,
				     size_t size)
{
	if (rig_fault_errno && strstr(path, rig_fault_path))
		return -rig_fault_errno;
	return pw_fs_real.read(root, path, buffer, size);
}

static inline void rig_fault(struct rig *rig, const char *path, int errnum)
{
	static struct pw_fs_ops ops;

	ops = pw_fs_real;
	ops.read = rig_fault_read;
	rig->root.ops = &ops;
	rig_fault_path = path;
	rig_fault_errno = errnum;
}

#endif
