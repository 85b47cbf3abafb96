/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/watch.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include "lib/base/clock.h"
#include "lib/plugin/workload.h"

/* After the tree has ended its pipes can only hold what was written before: a short limit serves.
 */
#define DRAIN_LIMIT_NS PW_NS_PER_S
/* How long a tree that was told to end may take before the loop leaves it to pw_child_finish(). */
#define STOP_LIMIT_NS (5 * PW_NS_PER_S)

enum { OUT, ERR, STATUS, SIGNALS, TIMER, WATCHED };

static void schedule_samples(int timer_fd, int64_t from_ns, int64_t period_ns)
{
	struct itimerspec timer = { 0 };
	int64_t first = from_ns + period_ns;

	if (period_ns > 0) {
		timer.it_value = (struct timespec){ .tv_sec = first / PW_NS_PER_S,
						    .tv_nsec = first % PW_NS_PER_S };
		timer.it_interval = (struct timespec){ .tv_sec = period_ns / PW_NS_PER_S,
						       .tv_nsec = period_ns % PW_NS_PER_S };
	}
	(void)timerfd_settime(timer_fd, TFD_TIMER_ABSTIME, &timer, NULL);
}

static void open_window(struct pw_watch *watch, int timer_fd)
{
	pw_collectors_begin(watch->collectors, pw_clock_monotonic());
	watch->window_start_ns = pw_clock_monotonic();
	schedule_samples(timer_fd, watch->window_start_ns, watch->collectors->period_ns);
}

static void close_window(struct pw_watch *watch, int timer_fd)
{
	watch->window_closed = true;
	watch->window_end_ns = pw_clock_monotonic();
	pw_collectors_end(watch->collectors, watch->window_end_ns);
	schedule_samples(timer_fd, 0, 0);
}

static void take_mark(struct pw_watch *watch, int timer_fd, bool begin)
{
	if (watch->window_closed) {
		watch->stray_marks++;
	} else if (begin && !watch->begin_marked) {
		watch->begin_marked = true;
		open_window(watch, timer_fd);
	} else if (!begin && watch->begin_marked) {
		watch->end_marked = true;
		close_window(watch, timer_fd);
	} else {
		watch->stray_marks++;
	}
}

static bool is_mark(const char *line, size_t length, const char *mark)
{
	if (length && line[length - 1] == '\r')
		length--;
	return length == strlen(mark) && memcmp(line, mark, length) == 0;
}

static void read_out(struct pw_watch *watch, int timer_fd)
{
	const char *line;
	size_t length;

	(void)pw_capture_read(&watch->out);
	while ((line = pw_capture_line(&watch->out, &length))) {
		if (is_mark(line, length, PW_MARK_BEGIN))
			take_mark(watch, timer_fd, true);
		else if (is_mark(line, length, PW_MARK_END))
			take_mark(watch, timer_fd, false);
	}
}

static void take_sample(struct pw_watch *watch, int timer_fd)
{
	uint64_t expirations;

	if (read(timer_fd, &expirations, sizeof(expirations)) == (ssize_t)sizeof(expirations))
		pw_collectors_sample(watch->collectors, pw_clock_monotonic(),
				     watch->window_start_ns);
}

static bool ending(const struct pw_watch *watch)
{
	return watch->stopped || watch->timed_out || watch->too_long;
}

/* Milliseconds until the limit, for poll(); -1 = no limit. */
static int until_limit(const struct pw_watch *watch)
{
	int64_t left;

	if (ending(watch))
		return 100;
	if (watch->limit_ns <= 0)
		return -1;
	left = (watch->released_ns + watch->limit_ns - pw_clock_monotonic()) / PW_NS_PER_MS;
	return left < 0 ? 0 : left > 3600000 ? 3600000 : (int)left + 1;
}

/* Ends the tree for the first reason that holds; the loop then waits for its status. */
static void check_limits(struct pw_watch *watch, bool signalled)
{
	int64_t now = pw_clock_monotonic();

	if (ending(watch))
		return;
	watch->stopped = signalled;
	watch->too_long = watch->out.too_long || watch->err.too_long;
	watch->timed_out = watch->limit_ns > 0 && now - watch->released_ns > watch->limit_ns;
	if (ending(watch)) {
		pw_child_stop(watch->child);
		watch->stop_ns = now;
	}
}

static void drain(struct pw_watch *watch, int timer_fd)
{
	int64_t until = pw_clock_monotonic() + DRAIN_LIMIT_NS;

	while ((watch->out.fd >= 0 || watch->err.fd >= 0) && pw_clock_monotonic() < until) {
		struct pollfd left[] = { { .fd = watch->out.fd, .events = POLLIN },
					 { .fd = watch->err.fd, .events = POLLIN } };

		(void)poll(left, 2, 100);
		read_out(watch, timer_fd);
		(void)pw_capture_read(&watch->err);
	}
}

static void loop(struct pw_watch *watch, int timer_fd)
{
	for (;;) {
		struct pollfd watched[WATCHED] = {
			[OUT] = { .fd = watch->out.fd, .events = POLLIN },
			[ERR] = { .fd = watch->err.fd, .events = POLLIN },
			[STATUS] = { .fd = watch->child->status_fd, .events = POLLIN },
			[SIGNALS] = { .fd = watch->stopped ? -1 : watch->signal_fd,
				      .events = POLLIN },
			[TIMER] = { .fd = timer_fd, .events = POLLIN },
		};

		if (poll(watched, WATCHED, until_limit(watch)) < 0 && errno != EINTR)
			return;
		if (watched[TIMER].revents)
			take_sample(watch, timer_fd);
		if (watched[OUT].revents)
			read_out(watch, timer_fd);
		if (watched[ERR].revents)
			(void)pw_capture_read(&watch->err);
		if (watched[STATUS].revents)
			return;
		check_limits(watch, watched[SIGNALS].revents != 0);
		if (ending(watch) && pw_clock_monotonic() - watch->stop_ns > STOP_LIMIT_NS)
			return;
	}
}

/* Was perfwatt stopped (^Z, SIGSTOP) and continued since this was asked last? */
static bool was_paused(const struct pw_watch *watch)
{
	struct signalfd_siginfo info;

	return read(watch->pause_fd, &info, sizeof(info)) == (ssize_t)sizeof(info);
}

int pw_watch(struct pw_watch *watch, struct pw_err *err)
{
	pw_auto_close int timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (timer_fd < 0)
		return pw_fail_errno(err, errno, "create a timer");
	(void)was_paused(watch);
	open_window(watch, timer_fd);
	watch->released_ns = pw_clock_monotonic();
	if (pw_child_release(watch->child, err) < 0)
		return -(int)err->code;
	loop(watch, timer_fd);
	watch->ended_ns = pw_clock_monotonic();
	read_out(watch, timer_fd); /* a mark may have come between the last two looks */
	if (!watch->window_closed)
		close_window(watch, timer_fd);
	drain(watch, timer_fd);
	watch->paused = was_paused(watch);
	return 0;
}
