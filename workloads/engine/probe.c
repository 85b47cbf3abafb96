/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/probe.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/statvfs.h>

#include "lib/base/fs.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "workloads/engine/folder.h"
#include "workloads/engine/server.h"

/* A client's files: the generated load stays below 24 MB, those of others are taken as 50 MB. */
#define CLIENT_BYTES_GENERATED UINT64_C(24000000)
#define CLIENT_BYTES_OTHER     UINT64_C(50000000)
#define CONNECT_LIMIT_MS       1000

static int connect_to(const struct sockaddr_in *address, struct pw_err *err)
{
	pw_auto_close int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct pollfd wait = { .fd = fd, .events = POLLOUT };
	socklen_t size = sizeof(int);
	int result = 0;

	if (fd < 0)
		return pw_fail_errno(err, errno, "socket");
	if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) < 0 &&
	    errno != EINPROGRESS)
		return pw_fail_errno(err, errno, "connect to 127.0.0.1");
	if (poll(&wait, 1, CONNECT_LIMIT_MS) != 1)
		return pw_fail(err, PW_ETIMEOUT, "connect to 127.0.0.1: no answer within 1 s");
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &result, &size) < 0 || result != 0)
		return pw_fail_errno(err, result ? result : errno, "connect to 127.0.0.1");
	return 0;
}

int pw_probe_loopback(struct pw_err *err)
{
	struct sockaddr_in address;
	pw_auto_close int fd = -1;

	if (pw_server_listen(1, &fd, &address, err) < 0 || connect_to(&address, err) < 0) {
		err->code = PW_EUNSUPPORTED;
		(void)pw_err_prefix(err, "IPv4 loopback cannot be used");
		return pw_err_hint(err, "ip link set lo up");
	}
	return 0;
}

int pw_probe_available(const char *meminfo, uint64_t *ret, struct pw_err *err)
{
	static const char key[] = "MemAvailable:";
	const char *line = strstr(meminfo, key);
	pw_auto_free char *number = NULL;
	uint64_t kilobytes;

	if (!line)
		return pw_fail(err, PW_EINVAL, "no MemAvailable in /proc/meminfo");
	line += sizeof(key) - 1;
	line += strspn(line, " ");
	number = pw_strndup(line, strcspn(line, " \n"));
	if (pw_parse_u64(number, &kilobytes, err) < 0)
		return pw_err_prefix(err, "MemAvailable");
	if (kilobytes > UINT64_MAX / 1024)
		return pw_fail(err, PW_EINVAL, "MemAvailable: %" PRIu64 " kB", kilobytes);
	*ret = kilobytes * 1024;
	return 0;
}

static int read_available(uint64_t *ret, struct pw_err *err)
{
	pw_auto_free char *meminfo = NULL;
	struct pw_root root;
	size_t length;
	int r;

	if (pw_root_open(NULL, &root, err) < 0)
		return -(int)err->code;
	r = pw_root_read_file(&root, "/proc/meminfo", &meminfo, &length, err);
	pw_root_close(&root);
	return r < 0 ? r : pw_probe_available(meminfo, ret, err);
}

static int check_room(uint64_t needed, uint64_t available, const char *where, struct pw_err *err)
{
	if (needed <= available)
		return 0;
	(void)pw_fail(err, PW_EUNSUPPORTED,
		      "the clients' files need %" PRIu64 " MB, %s has %" PRIu64 " MB free",
		      needed / 1000000, where, available / 1000000);
	return pw_err_hint(err, "fewer clients, or another \"directory\"");
}

int pw_probe_space(const struct pw_replay *replay, const char *workdir, struct pw_err *err)
{
	uint64_t needed =
		replay->clients * (replay->loadfile ? CLIENT_BYTES_OTHER : CLIENT_BYTES_GENERATED);
	uint64_t available = 0;
	char filesystem[32] = "tmpfs";
	struct statvfs space;

	if (workdir) {
		if (statvfs(workdir, &space) < 0)
			return pw_fail_errno(err, errno, "statvfs %s", workdir);
		if (check_room(needed, (uint64_t)space.f_bavail * space.f_frsize, workdir, err) <
			    0 ||
		    pw_folder_filesystem(workdir, filesystem, sizeof(filesystem), err) < 0)
			return -(int)err->code;
	}
	if (strcmp(filesystem, "tmpfs") != 0)
		return 0;
	if (read_available(&available, err) < 0)
		return -(int)err->code;
	return check_room(needed, available, "memory", err);
}

int pw_probe_load(const struct pw_replay *replay, struct pw_err *err)
{
	struct pw_load load;

	if (!replay->loadfile)
		return 0;
	if (pw_load_read(replay->loadfile, &load, err) < 0)
		return -(int)err->code;
	pw_load_done(&load);
	return 0;
}
