/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/mem.h"

#define TAIL_BYTES 400

int pw_capture_open(struct pw_capture *capture, int raw_fd, int *ret_write, struct pw_err *err)
{
	int ends[2];

	*capture = (struct pw_capture){ .fd = -1, .raw_fd = raw_fd };
	if (pipe2(ends, O_CLOEXEC) < 0)
		return pw_fail_errno(err, errno, "create an output pipe");
	(void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
	capture->fd = ends[0];
	*ret_write = ends[1];
	return 0;
}

void pw_capture_close(struct pw_capture *capture)
{
	if (capture->fd >= 0)
		close(capture->fd);
	if (capture->raw_fd >= 0)
		close(capture->raw_fd);
	pw_strbuf_done(&capture->text);
	*capture = (struct pw_capture){ .fd = -1, .raw_fd = -1 };
}

static void keep(struct pw_capture *capture, const char *data, size_t length)
{
	pw_strbuf_add(&capture->text, data, length);
	if (capture->raw_fd >= 0 &&
	    pw_write_all(capture->raw_fd, data, length, &capture->raw_failure) < 0)
		close(pw_take_fd(&capture->raw_fd));
}

bool pw_capture_read(struct pw_capture *capture)
{
	char chunk[65536];

	while (capture->fd >= 0) {
		ssize_t n = read(capture->fd, chunk, sizeof(chunk));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return true;
		if (n <= 0)
			break;
		keep(capture, chunk, (size_t)n);
		if (capture->text.length > PW_CAPTURE_LIMIT) {
			capture->too_long = true;
			break;
		}
	}
	if (capture->fd >= 0)
		close(pw_take_fd(&capture->fd));
	return false;
}

const char *pw_capture_line(struct pw_capture *capture, size_t *ret_length)
{
	const char *text = pw_strbuf_text(&capture->text);
	const char *start = text + capture->scanned;
	const char *end =
		memchr(text + capture->searched, '\n', capture->text.length - capture->searched);

	capture->searched = end ? (size_t)(end - text) + 1 : capture->text.length;
	if (!end)
		return NULL;
	*ret_length = (size_t)(end - start);
	capture->scanned = capture->searched;
	return start;
}

char *pw_last_lines(const char *text, size_t length, unsigned lines)
{
	size_t start = length;

	while (length && text[length - 1] == '\n')
		length--;
	for (start = length; start > 0 && length - start < TAIL_BYTES; start--) {
		if (text[start - 1] == '\n' && --lines == 0)
			break;
	}
	return pw_strndup(text + start, length - start);
}
