/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/external/port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "lib/base/cleanup.h"

int pw_port_taken(unsigned short port, bool *ret, struct pw_err *err)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons(port),
				       .sin_addr.s_addr = htonl(INADDR_ANY) };
	pw_auto_close int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int on = 1;

	/* With REUSEADDR only a listener is in the way, not a connection that is just ending. */
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0)
		return pw_fail_errno(err, errno, "a socket for port %u", port);
	*ret = bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0;
	if (*ret && errno != EADDRINUSE)
		return pw_fail_errno(err, errno, "bind to port %u", port);
	return 0;
}
