/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Services that are stopped for a session, through the init that runs here. One that is active is
 * stopped and afterwards started again; one that is not is left alone both times.
 *
 *   systemd   /run/systemd/system is there (sd_booted(3)): systemctl show, stop, start
 *   openrc    /run/openrc is there: rc-service --exists, status, stop, start
 *   sysvinit  /etc/init.d is there: service NAME status, stop, start (exit codes of LSB 3.1, 20.2)
 *
 * These are looked for below the root; the programs come from PATH.
 */
#ifndef PW_ENGINE_SERVICE_H
#define PW_ENGINE_SERVICE_H

#include "harness/engine/journal.h"
#include "lib/base/err.h"
#include "lib/base/fs.h"

struct pw_service {
	char *name;
	bool active; /* it will be stopped */
};

struct pw_services {
	const char *init; /* "systemd", "openrc", "sysvinit"; NULL: there are no services to stop */
	struct pw_service *list;
	size_t count, capacity;
};

#define PW_SERVICES_INIT ((struct pw_services){ 0 })
void pw_services_done(struct pw_services *services);

/*
 * Looks at all of them; changes nothing. PW_EINVAL: there is no such service, it is in a state
 * that could not be brought back (failed, or just changing), or no init is at hand.
 */
int pw_services_find(const struct pw_root *root, const struct pw_strv *names,
		     struct pw_services *ret, struct pw_err *err) pw_must_check;
/* Stops those that are active now, each noted on disk before. Stops at the first that will not. */
int pw_services_stop(struct pw_services *services, const struct pw_root *root,
		     struct pw_journal *journal, struct pw_err *err) pw_must_check;
/* Starts one again and looks whether it is active then. `init` may come from a journal. */
int pw_service_start(const struct pw_root *root, const char *init, const char *name,
		     struct pw_err *err) pw_must_check;

#endif
