/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/common/cpu_time.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"

#define PATH "/proc/stat"
/* The line of all CPUs, and one a CPU: its name and ten numbers of at most 20 digits. */
#define LINE_SIZE 256
#define FIELDS	  8

enum { IDLE = 3, IOWAIT = 4, STEAL = 7 };

int pw_cpu_time_open(struct pw_cpu_time *time, const struct pw_root *root, unsigned highest,
		     struct pw_err *err)
{
	struct pw_cpu_time opened = { .root = root,
				      .fd = -1,
				      .count = (size_t)highest + 1,
				      .size = ((size_t)highest + 2) * LINE_SIZE,
				      .step_s = 1.0 / (double)sysconf(_SC_CLK_TCK) };
	int r;

	if (root->real && root->ops == &pw_fs_real) {
		opened.fd = pw_root_open_file(root, PATH, O_RDONLY, err);
		if (opened.fd < 0)
			return opened.fd;
	}
	opened.text = pw_new(opened.size, 1);
	opened.cpus = pw_new(opened.count, sizeof(*opened.cpus));
	r = pw_cpu_time_read(&opened, true, 0, err);
	if (r < 0) {
		pw_cpu_time_close(&opened);
		return r;
	}
	*time = opened;
	return 0;
}

void pw_cpu_time_close(struct pw_cpu_time *time)
{
	if (time->fd >= 0)
		close(time->fd);
	free(time->text);
	free(time->cpus);
	*time = (struct pw_cpu_time){ .fd = -1 };
}

/* A whole number at *at, which moves behind it. */
static bool take_number(const char **at, uint64_t *ret)
{
	uint64_t value = 0;

	if (**at < '0' || **at > '9')
		return false;
	for (; **at >= '0' && **at <= '9'; (*at)++) {
		if (__builtin_mul_overflow(value, 10U, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(**at - '0'), &value))
			return false;
	}
	*ret = value;
	return true;
}

/* "cpu12 100 0 50 ...": false if it is something else. */
static bool take_line(struct pw_cpu_time *time, const char *line)
{
	uint64_t number, fields[FIELDS];
	const char *at = line + strlen("cpu");

	if (!take_number(&at, &number) || number >= time->count)
		return false;
	for (size_t i = 0; i < FIELDS; i++) {
		at += strspn(at, " ");
		if (!take_number(&at, &fields[i]))
			return false;
	}
	time->cpus[number].not_busy = fields[IDLE] + fields[IOWAIT] + fields[STEAL];
	time->cpus[number].seen = true;
	return true;
}

static int read_text(struct pw_cpu_time *time, struct pw_err *err)
{
	ssize_t n;

	if (time->fd < 0)
		return pw_attr_read(time->root, PATH, time->text, time->size, err);
	n = pread(time->fd, time->text, time->size - 1, 0);
	if (n < 0)
		return pw_fail_errno(err, errno, "read %s", PATH);
	time->text[n] = '\0';
	return 0;
}

/* Never less than before: idle time goes on in its own steps, and iowait may fall (proc(5)). */
static void take_busy(const struct pw_cpu_time *time, struct pw_cpu_time_cpu *cpu, bool start,
		      int64_t now_ns)
{
	double idle_s = cpu->not_busy > cpu->first
				? (double)(cpu->not_busy - cpu->first) * time->step_s
				: 0.0;
	int64_t busy_ns = now_ns - time->first_ns - (int64_t)(idle_s * (double)PW_NS_PER_S);

	if (start) {
		cpu->first = cpu->not_busy;
		cpu->busy_ns = 0;
	} else if (busy_ns > cpu->busy_ns) {
		cpu->busy_ns = busy_ns;
	}
}

int pw_cpu_time_read(struct pw_cpu_time *time, bool start, int64_t now_ns, struct pw_err *err)
{
	size_t found = 0;
	int r = read_text(time, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < time->count; i++)
		time->cpus[i].seen = false;
	for (const char *line = time->text; strncmp(line, "cpu", 3) == 0;) {
		const char *end = strchr(line, '\n');

		found += end && take_line(time, line);
		if (!end)
			break;
		line = end + 1;
	}
	if (found == 0)
		return pw_fail(err, PW_EUNSUPPORTED, "%s has no lines of single CPUs", PATH);
	if (start)
		time->first_ns = now_ns;
	for (size_t i = 0; i < time->count; i++)
		take_busy(time, &time->cpus[i], start, now_ns);
	return 0;
}

int pw_cpu_time_busy(const struct pw_cpu_time *time, unsigned cpu, int64_t *ret_ns,
		     struct pw_err *err)
{
	if (cpu >= time->count || !time->cpus[cpu].seen)
		return pw_fail(err, PW_EGONE, "%s does not list it (is it offline?)", PATH);
	*ret_ns = time->cpus[cpu].busy_ns;
	return 0;
}
