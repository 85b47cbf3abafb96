/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The other side of tbench: one process per connection on one listening socket of 127.0.0.1. */
#ifndef PW_WORKLOADS_ENGINE_SERVER_H
#define PW_WORKLOADS_ENGINE_SERVER_H

#include <netinet/in.h>

#include "lib/base/err.h"

/* A listening socket on an ephemeral port with room for this many connections; O_CLOEXEC. */
int pw_server_listen(unsigned connections, int *ret_fd, struct sockaddr_in *ret_address,
		     struct pw_err *err) pw_must_check;
/*
 * Accepts one connection and answers its requests until the client closes it between two of them:
 * 0. Anything else is an error.
 */
int pw_server_main(int listen_fd, struct pw_err *err) pw_must_check;

#endif
