/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tbench: every operation is one request and one reply over TCP. A frame begins with two
 * big-endian numbers: the bytes that follow the first four, and the bytes that the reply shall
 * carry after its own first four. The rest is whatever the buffer holds. The client sends a
 * request whole, receives four bytes, then drops the rest of the reply in the kernel (MSG_TRUNC):
 * one send and two receives, as in tbench 4.0.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#include "workloads/engine/client.h"

#define HEADER_BYTES	4
#define HANDSHAKE_BYTES 8

static void put_number(char *to, uint32_t number)
{
	uint32_t big_endian = htonl(number);

	memcpy(to, &big_endian, sizeof(big_endian));
}

static int receive(int fd, char *buffer, size_t size, int flags, const char *what,
		   struct pw_err *err)
{
	ssize_t n = recv(fd, buffer, size, MSG_WAITALL | flags);

	if (n < 0)
		return pw_fail_errno(err, errno, "receive %s", what);
	if (n == 0)
		return pw_fail(err, PW_EIO, "the server closed the connection");
	if ((size_t)n != size)
		return pw_fail(err, PW_EIO, "received %zd of %zu bytes (%s)", n, size, what);
	return 0;
}

/* One exchange of these sizes, whole frames. */
static int exchange(struct pw_client *client, uint32_t request, uint32_t reply, struct pw_err *err)
{
	uint32_t header;
	ssize_t n;

	put_number(client->buffer, request - HEADER_BYTES);
	put_number(client->buffer + HEADER_BYTES, reply - HEADER_BYTES);
	n = send(client->socket, client->buffer, request, 0);
	if (n < 0)
		return pw_fail_errno(err, errno, "send %u bytes", request);
	if (n != (ssize_t)request)
		return pw_fail(err, PW_EIO, "sent %zd of %u bytes", n, request);
	if (receive(client->socket, client->buffer, HEADER_BYTES, 0, "the reply's head", err) < 0)
		return -(int)err->code;
	memcpy(&header, client->buffer, sizeof(header));
	if (ntohl(header) != reply - HEADER_BYTES)
		return pw_fail(err, PW_EIO, "lost sync: a reply of %u bytes instead of %u",
			       ntohl(header), reply - HEADER_BYTES);
	return receive(client->socket, client->buffer + HEADER_BYTES, reply - HEADER_BYTES,
		       MSG_TRUNC, "the reply", err);
}

static int messages_setup(struct pw_client *client, struct pw_err *err)
{
	const int on = 1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return pw_fail_errno(err, errno, "socket");
	client->socket = fd;
	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) < 0)
		return pw_fail_errno(err, errno, "TCP_NODELAY");
	if (connect(fd, (const struct sockaddr *)&client->server, sizeof(client->server)) < 0)
		return pw_fail_errno(err, errno, "connect to 127.0.0.1 port %u",
				     ntohs(client->server.sin_port));
	if (exchange(client, HANDSHAKE_BYTES, HANDSHAKE_BYTES, err) < 0)
		return pw_err_prefix(err, "handshake");
	return 0;
}

static int messages_execute(struct pw_client *client, const struct pw_step *step,
			    struct pw_err *err)
{
	const struct pw_op *op = step->op;
	uint32_t request = op->request + 2 * (step->path_length + step->path2_length);

	if (op->reply == 0)
		return 0;
	if (exchange(client, request, op->reply, err) < 0)
		return -(int)err->code;
	if (op->code == PW_OP_READ)
		return (int)op->expected;
	return op->code == PW_OP_WRITE ? (int)op->size : 0;
}

static int messages_cleanup(struct pw_client *client, struct pw_err *err)
{
	(void)err;
	close(client->socket);
	client->socket = -1;
	return 0;
}

const struct pw_backend pw_backend_messages = {
	.setup = messages_setup,
	.execute = messages_execute,
	.cleanup = messages_cleanup,
};
