/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tender: the process that owns one run's tree. It starts the workload's first process (blocked
 * until released), reaps whatever comes to it, and when the first process has ended or perfwatt is
 * gone, ends everything that is left: grandchildren, daemons, changed users.
 *
 * As root it is the init of a PID namespace of its own (with its own /proc): the kernel ends the
 * tree with it. Elsewhere, or where namespaces are refused, it is a child subreaper that walks
 * /proc. PR_SET_PDEATHSIG alone reaches only the direct child and is cleared by a change of user.
 */
#ifndef PW_ENGINE_TENDER_H
#define PW_ENGINE_TENDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "harness/engine/tree.h"
#include "lib/base/err.h"
#include "lib/base/fs.h"
#include "lib/base/strv.h"
#include "lib/plugin/knob.h"

/* What to start. All borrowed for the call. */
struct pw_spawn {
	const struct pw_strv *argv;
	int exe_fd;		   /* >= 0: execute this file; else argv[0] is looked up in PATH */
	const char *program;	   /* execute this one rather than argv[0]; or NULL */
	const struct pw_strv *env; /* the whole environment; its PATH counts */
	const char *directory;	   /* entered as the workload's user; NULL: stay */
	bool change_user;
	uid_t uid;
	gid_t gid;
	const char *user_name; /* for supplementary groups; NULL: none */
	const struct pw_launch *launch;
	const struct pw_root *root; /* for the cgroups of the launch */
	bool use_namespace;	    /* pw_namespace_usable() */
	const struct rlimit *files; /* limit of open files; NULL: as it is */
	pid_t spared[PW_SPARED]; /* children of perfwatt that are none of this tree's: the guard */
	int out_fd, err_fd;	 /* become stdout and stderr; the caller closes its own copies */
	/* Told to end, the first process's group gets SIGTERM and so long before SIGKILL; 0: none.
	 */
	int64_t grace_ns;
	bool leave; /* what it leaves when it ends by itself (a daemon it started) stays alive */
};

/* What became of it: comes over status_fd in one piece. */
struct pw_ending {
	bool started;	    /* false: exec or what comes before it failed, see failure */
	int wait_status;    /* as waitpid(2) gives it */
	unsigned leftovers; /* processes that had to be ended after the first one was gone */
	int64_t user_ns, system_ns; /* of the whole tree that was reaped */
	int64_t max_rss_kb;
	int64_t voluntary_switches, involuntary_switches;
	int failed_errno;
	char failure[160]; /* "enter /x", "execute y" */
};

struct pw_child {
	pid_t tender, spared[PW_SPARED];
	int control_fd; /* closing it (or dying) ends the tree */
	int status_fd;	/* readable when the tree has ended: one struct pw_ending, or EOF if the
			   tender was killed */
	int release_fd; /* one byte lets the workload go on to its exec */
};

#define PW_CHILD_INIT                                                                              \
	((struct pw_child){ .tender = -1, .control_fd = -1, .status_fd = -1, .release_fd = -1 })

/*
 * Can a tree have a PID namespace with a /proc of its own here? Tried in a child; root only.
 * Containers with a masked /proc refuse.
 */
bool pw_namespace_usable(void);

/* Forks the tender and, below it, the blocked first process. */
int pw_child_start(const struct pw_spawn *spawn, struct pw_child *ret, struct pw_err *err)
	pw_must_check;
int pw_child_release(struct pw_child *child, struct pw_err *err) pw_must_check;
/* Asks for the end of the tree; wait for status_fd afterwards. */
void pw_child_stop(struct pw_child *child);
/*
 * Reads the ending (blocks until the tree is gone, at most 15 s), reaps the tender, closes all.
 * Where the tender was killed before its work was done, what it left is ended here: perfwatt has to
 * be a child subreaper for that, and `spared` are left alone.
 */
int pw_child_finish(struct pw_child *child, struct pw_ending *ret, struct pw_err *err)
	pw_must_check;

#endif
