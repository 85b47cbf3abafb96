/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One client: a process that executes the load file through a backend (files, or messages to its
 * server) until it is told to stop. What it does per operation besides the operation itself is a
 * profile:
 *
 *   mmtests  operations parsed beforehand, buffers kept, one reading of the clock, the parent
 *            looked for once per session (getppid): the cost of the dbench that MMTests builds
 *   v4       the text read and its line taken apart again, kill(parent, 0) and four readings of
 *            the clock per operation, buffers allocated per read and write: the cost of dbench 4.0
 */
#ifndef PW_WORKLOADS_ENGINE_CLIENT_H
#define PW_WORKLOADS_ENGINE_CLIENT_H

#include <netinet/in.h>
#include <sys/types.h>

#include "lib/base/err.h"
#include "workloads/engine/loadfile.h"
#include "workloads/engine/refill.h"
#include "workloads/engine/shared.h"

#define PW_BUFFER_SIZE	70000 /* of one message or one read or write, as in dbench 4.0 */
#define PW_LISTING_SIZE 32768 /* of one getdents64, as the C library's readdir has it */

enum pw_profile { PW_PROFILE_UNSET, PW_PROFILE_V4, PW_PROFILE_MMTESTS };

/* An operation with the names as this client has them. */
struct pw_step {
	const struct pw_op *op;
	const char *path, *path2;
	uint32_t path_length, path2_length;
};

struct pw_name {
	char *text;
	uint32_t length;
};

struct pw_open_file {
	int fd; /* -1 = closed */
	char name[PW_NAME_SIZE];
};

struct pw_client {
	unsigned id; /* from 0 */
	pid_t parent;
	enum pw_profile profile;
	const struct pw_load *load;
	const struct pw_backend *backend;
	struct pw_shared *shared;
	struct pw_client_stats *stats;
	struct sockaddr_in server;  /* messages: where the servers listen */
	int socket;		    /* messages: -1 = none */
	struct pw_name *names;	    /* by number of the load's name table */
	struct pw_open_file *files; /* files: by slot */
	char *buffer;		    /* PW_BUFFER_SIZE */
	char *listing;		    /* PW_LISTING_SIZE */
	struct pw_reread reread;
	struct pw_refill refill; /* v4 */
	int64_t pass_ns;	 /* when this pass over the file began */
};

struct pw_backend {
	int (*setup)(struct pw_client *client, struct pw_err *err);
	/*
	 * One operation: the payload bytes that count, or -code when it went otherwise than the
	 * load file expects.
	 */
	int (*execute)(struct pw_client *client, const struct pw_step *step, struct pw_err *err);
	/* After the last operation, on success only. */
	int (*cleanup)(struct pw_client *client, struct pw_err *err);
};

extern const struct pw_backend pw_backend_files;
extern const struct pw_backend pw_backend_messages;

/*
 * The whole life of a client, in its own process: set-up, preamble, waiting for the start,
 * sessions, cleaning. Returns the exit status; on failure the reason stands in its stats.
 */
int pw_client_main(struct pw_client *client);

#endif
