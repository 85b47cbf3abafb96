/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/platform/procstat.h"

#include <limits.h>
#include <string.h>

/* PF_KTHREAD of K6.1 include/linux/sched.h; field 9 of the line shows the flags. */
#define FLAG_KTHREAD 0x00200000U

/* Fields by their numbers in proc(5). */
enum { PARENT = 4, FLAGS = 9, UTIME = 14, STIME = 15, START = 22 };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A whole number at *at, which moves behind it; false if there is none or it is too large. */
static bool take_number(const char **at, uint64_t *ret)
{
	const char *c = *at;
	uint64_t value = 0;

	if (!is_digit(*c))
		return false;
	for (; is_digit(*c); c++) {
		if (__builtin_mul_overflow(value, 10U, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*c - '0'), &value))
			return false;
	}
	*at = c;
	*ret = value;
	return true;
}

/* The first eight numbers; kernels before 2.6.11 had fewer, later ones add guests' time. */
bool pw_cpu_times_parse(const char *text, struct pw_cpu_times *ret)
{
	uint64_t numbers[8];

	if (strncmp(text, "cpu ", 4) != 0)
		return false;
	text += 4;
	for (size_t i = 0; i < PW_LENGTH(numbers); i++) {
		text += strspn(text, " ");
		if (!take_number(&text, &numbers[i]))
			return false;
		if (*text != ' ' && *text != '\n' && *text != '\0')
			return false;
	}
	*ret = (struct pw_cpu_times){ .user = numbers[0],
				      .nice = numbers[1],
				      .system = numbers[2],
				      .idle = numbers[3],
				      .iowait = numbers[4],
				      .irq = numbers[5],
				      .softirq = numbers[6],
				      .steal = numbers[7] };
	return true;
}

/* The line wanted is the first one: ten numbers of at most 20 digits. */
bool pw_cpu_times_read(const struct pw_root *root, struct pw_cpu_times *ret)
{
	char text[512];

	return pw_attr_get(root, "/proc/stat", text, sizeof(text)) && pw_cpu_times_parse(text, ret);
}

static uint64_t growth(uint64_t before, uint64_t after)
{
	return after > before ? after - before : 0;
}

struct pw_cpu_times pw_cpu_times_between(const struct pw_cpu_times *before,
					 const struct pw_cpu_times *after)
{
	return (struct pw_cpu_times){
		.user = growth(before->user, after->user),
		.nice = growth(before->nice, after->nice),
		.system = growth(before->system, after->system),
		.idle = growth(before->idle, after->idle),
		.iowait = growth(before->iowait, after->iowait),
		.irq = growth(before->irq, after->irq),
		.softirq = growth(before->softirq, after->softirq),
		.steal = growth(before->steal, after->steal),
	};
}

uint64_t pw_cpu_times_total(const struct pw_cpu_times *times)
{
	return times->user + times->nice + times->system + times->idle + times->iowait +
	       times->irq + times->softirq + times->steal;
}

/* "123 (name) S ...": what stands behind the name, or NULL. */
static const char *take_name(const char *text, struct pw_process_stat *stat)
{
	const char *open, *close;
	uint64_t pid;
	size_t length;

	if (!take_number(&text, &pid) || pid == 0 || pid > INT_MAX)
		return NULL;
	if (text[0] != ' ' || text[1] != '(')
		return NULL;
	open = text + 2;
	close = strrchr(open, ')');
	if (!close)
		return NULL;
	length = (size_t)(close - open);
	if (length >= sizeof(stat->name))
		length = sizeof(stat->name) - 1;
	memcpy(stat->name, open, length);
	stat->name[length] = '\0';
	stat->pid = (pid_t)pid;
	return close + 1;
}

static bool use_field(struct pw_process_stat *stat, int field, uint64_t value)
{
	switch (field) {
	case PARENT:
		stat->parent = value <= INT_MAX ? (pid_t)value : 0;
		return value <= INT_MAX;
	case FLAGS:
		stat->kernel = (value & FLAG_KTHREAD) != 0;
		return true;
	case UTIME:
		stat->user = value;
		return true;
	case STIME:
		stat->system = value;
		return true;
	case START:
		stat->start = value;
		return true;
	default:
		return true;
	}
}

/* Fields 4 to 22, of which some are negative for some processes (tpgid, priority). */
static bool take_fields(const char *at, struct pw_process_stat *stat)
{
	for (int field = PARENT; field <= START; field++) {
		bool negative;
		uint64_t value;

		at += strspn(at, " ");
		negative = *at == '-';
		at += negative;
		if (!take_number(&at, &value) || (*at != ' ' && *at != '\n' && *at != '\0'))
			return false;
		if (!negative && !use_field(stat, field, value))
			return false;
	}
	return true;
}

bool pw_process_stat_parse(const char *text, struct pw_process_stat *ret)
{
	struct pw_process_stat stat = { 0 };
	const char *at = take_name(text, &stat);

	if (!at || at[0] != ' ' || at[1] < 'A' || (at[1] > 'Z' && at[1] < 'a') || at[1] > 'z' ||
	    at[2] != ' ')
		return false;
	stat.state = at[1];
	if (!take_fields(at + 3, &stat))
		return false;
	*ret = stat;
	return true;
}
