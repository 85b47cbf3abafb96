/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/gauge.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/parse.h"

static int read_fd(const struct pw_gauge *gauge, uint64_t *ret, struct pw_err *err)
{
	char text[64];
	ssize_t n = pread(gauge->fd, text, sizeof(text) - 1, 0);

	if (n < 0)
		return pw_fail_errno(err, errno, "read %s", gauge->path);
	while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\0'))
		n--;
	text[n] = '\0';
	if (pw_parse_u64(text, ret, err) < 0)
		return pw_err_prefix(err, "read %s", gauge->path);
	return 0;
}

int pw_gauge_read(const struct pw_gauge *gauge, uint64_t *ret, struct pw_err *err)
{
	if (gauge->fd >= 0)
		return read_fd(gauge, ret, err);
	return pw_attr_read_u64(gauge->root, gauge->path, ret, err);
}

int pw_gauge_open(struct pw_gauge *gauge, const struct pw_root *root, const char *path,
		  struct pw_err *err)
{
	struct pw_gauge opened = { .root = root, .fd = -1 };
	uint64_t value;
	int r;

	if (strlen(path) >= sizeof(opened.path))
		return pw_fail(err, PW_EINVAL, "the path is too long: %.80s...", path);
	(void)snprintf(opened.path, sizeof(opened.path), "%s", path);
	if (root->real && root->ops == &pw_fs_real) {
		opened.fd = pw_root_open_file(root, path, O_RDONLY, err);
		if (opened.fd < 0)
			return opened.fd;
	}
	r = pw_gauge_read(&opened, &value, err);
	if (r < 0 && r != -PW_EAGAIN) {
		pw_gauge_close(&opened);
		return r;
	}
	*gauge = opened;
	return 0;
}

void pw_gauge_close(struct pw_gauge *gauge)
{
	if (gauge->fd >= 0)
		close(gauge->fd);
	gauge->fd = -1;
}
