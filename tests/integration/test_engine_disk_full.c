/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dbench on a file system that runs full: needs a mount of its own, so root; else skipped (77). */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "engine_rig.h"

static int failed(const struct rig *rig, const char *what)
{
	(void)fprintf(stderr, "%s: status %d, stderr: %s\n", what, rig->status, rig->err_text);
	return 1;
}

static int check(struct rig *rig)
{
	if (!WIFEXITED(rig->status) || WEXITSTATUS(rig->status) != 1)
		return failed(rig, "not ended with status 1");
	if (!strstr(rig->err_text, "No space left on device") ||
	    !strstr(rig->err_text, "load file line "))
		return failed(rig, "not the message wanted");
	if (rig->out_length != 0)
		return failed(rig, "something was measured");
	if (!rig_all_gone(rig))
		return failed(rig, "processes are left");
	if (!rig_workdir_empty(rig))
		return failed(rig, "files are left");
	return 0;
}

int main(void)
{
	const char *const settings[] = { "clients=2", "time=200ms", NULL };
	struct rig rig;
	int status;

	/* Two clients want 42 MB. */
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) {
		(void)printf("skipped: no mount namespace: %s\n", strerror(errno));
		return 77;
	}
	if (!rig_init(&rig, "dbench", settings))
		return 1;
	if (mount("tmpfs", rig.workdir, "tmpfs", 0, "size=30m,mode=0755") < 0) {
		(void)printf("skipped: no tmpfs: %s\n", strerror(errno));
		rig_done(&rig);
		return 77;
	}
	rig_start(&rig);
	rig_finish(&rig);
	status = check(&rig);
	(void)umount2(rig.workdir, MNT_DETACH);
	rig_done(&rig);
	return status;
}
