/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that change settings by themselves, found by the names of processes, by what they leave
 * in /run, and by the units that systemd holds active. They are named, never touched.
 */
#ifndef PW_PLATFORM_DAEMONS_H
#define PW_PLATFORM_DAEMONS_H

#include <sys/types.h>

#include "lib/base/fs.h"

enum pw_daemon_flags {
	PW_DAEMON_ONCE = 1 << 0, /* acted at boot and does not come back by itself */
	PW_DAEMON_LOAD = 1 << 1, /* changes no setting, but moves work about */
};

struct pw_daemon {
	const char *name;
	const char *programs; /* names of its processes, blank-separated */
	const char *marker;   /* a file that is there while it is at work; or NULL */
	const char *changes;  /* for people: "governor, EPP" */
	const char *files;    /* names of the files it writes, blank-separated; may be "" */
	const char *unit;     /* what "services" in a config may stop; NULL: no unit helps */
	const char *remedy;   /* what helps where there is no unit */
	unsigned flags;
};

struct pw_daemon_found {
	const struct pw_daemon *daemon;
	pid_t pid; /* 0: known by its marker or its unit alone */
};

struct pw_daemons {
	struct pw_daemon_found *items; /* each daemon once, in the order of the table */
	size_t count, capacity;
};

/* Looks through /proc and /run; what cannot be read is not there. */
void pw_daemons_find(const struct pw_root *root, struct pw_daemons *ret);
void pw_daemons_done(struct pw_daemons *daemons);

/* The one that runs the program of this process, or NULL. `cmdline` as /proc has it, NUL bytes
 * between the words. Pure. */
const struct pw_daemon *pw_daemon_of(const char *comm, const char *cmdline, size_t length);
/* Does it write the file (a path, of which the last part counts)? */
bool pw_daemon_writes(const struct pw_daemon *daemon, const char *path);
/* Is it the service `name` ("tuned", "tuned.service")? */
bool pw_daemon_is_service(const struct pw_daemon *daemon, const char *name);

/* "tuned (pid 812) may change governor, EPP"; the caller's. */
char *pw_daemon_text(const struct pw_daemon_found *found);
/* What ends its doings, for a hint; the caller's. */
char *pw_daemon_hint(const struct pw_daemon *daemon);

#endif
