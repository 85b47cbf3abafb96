/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#include "lib/base/mem.h"
#include "workloads/engine/client.h"

#define HEADER_BYTES 4

int pw_server_listen(unsigned connections, int *ret_fd, struct sockaddr_in *ret_address,
		     struct pw_err *err)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	pw_auto_close int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t size = sizeof(address);
	const int on = 1;

	if (fd < 0)
		return pw_fail_errno(err, errno, "socket");
	/* Accepted sockets inherit TCP_NODELAY. */
	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) < 0)
		return pw_fail_errno(err, errno, "TCP_NODELAY");
	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
		return pw_fail_errno(err, errno, "bind to 127.0.0.1");
	if (listen(fd, (int)connections) < 0)
		return pw_fail_errno(err, errno, "listen");
	if (getsockname(fd, (struct sockaddr *)&address, &size) < 0)
		return pw_fail_errno(err, errno, "getsockname");
	*ret_address = address;
	*ret_fd = pw_take_fd(&fd);
	return 0;
}

/* Returns 1, or 0 at the end of the stream (allowed only where a request begins). */
static int receive(int fd, char *buffer, size_t size, bool may_end, struct pw_err *err)
{
	ssize_t n = recv(fd, buffer, size, MSG_WAITALL);

	if (n < 0)
		return pw_fail_errno(err, errno, "receive");
	if (n == 0 && may_end)
		return 0;
	if ((size_t)n != size)
		return pw_fail(err, PW_EIO, "the request ends after %zd of %zu bytes", n, size);
	return 1;
}

static uint32_t get_number(const char *from)
{
	uint32_t big_endian;

	memcpy(&big_endian, from, sizeof(big_endian));
	return ntohl(big_endian);
}

/* One request: its length, its rest, the reply of the length it asks for. 0 at the end. */
static int answer(int fd, char *buffer, struct pw_err *err)
{
	uint32_t request, reply, head;
	ssize_t n;
	int r = receive(fd, buffer, HEADER_BYTES, true, err);

	if (r <= 0)
		return r;
	request = get_number(buffer);
	if (request < HEADER_BYTES || request >= PW_BUFFER_SIZE - HEADER_BYTES)
		return pw_fail(err, PW_EIO, "lost sync: a request of %u bytes", request);
	r = receive(fd, buffer + HEADER_BYTES, request, false, err);
	if (r < 0)
		return r;
	reply = get_number(buffer + HEADER_BYTES);
	if (reply >= PW_BUFFER_SIZE - HEADER_BYTES)
		return pw_fail(err, PW_EIO, "a reply of %u bytes is asked for", reply);
	head = htonl(reply);
	memcpy(buffer, &head, sizeof(head));
	n = send(fd, buffer, reply + HEADER_BYTES, 0);
	if (n < 0)
		return pw_fail_errno(err, errno, "send");
	if (n != (ssize_t)(reply + HEADER_BYTES))
		return pw_fail(err, PW_EIO, "sent %zd of %u bytes", n, reply + HEADER_BYTES);
	return 1;
}

int pw_server_main(int listen_fd, struct pw_err *err)
{
	pw_auto_free char *buffer = pw_new(1, PW_BUFFER_SIZE);
	pw_auto_close int fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);
	int r;

	if (fd < 0)
		return pw_fail_errno(err, errno, "accept");
	close(listen_fd);
	memset(buffer, 0, PW_BUFFER_SIZE);
	do {
		r = answer(fd, buffer, err);
	} while (r > 0);
	return r;
}
