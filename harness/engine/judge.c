/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/judge.h"

#include <fcntl.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "harness/engine/noise_shares.h"
#include "lib/base/clock.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/text.h"

#define FILE_LIMIT ((size_t)64 << 20)
/* More failed operations than this share fail the run (docs/results.md). */
#define FAILED_SHARE 0.01
/* The workload's own timed part and the one in which counters were read may differ by this share.
 */
#define WINDOW_SHARE 0.01
#define TAIL_LINES   3
/* File times come from a clock that advances with the kernel's tick (10 ms at 100 Hz). */
#define CLOCK_TICK_NS (20 * PW_NS_PER_MS)

/*
 * As the workload's user: a link in its work folder must not show it what only root may read.
 * O_NONBLOCK: a pipe in the file's place must not hold perfwatt up.
 */
static int open_as(const struct pw_user *user, const char *path)
{
	int fd;

	if (user->change) {
		(void)setfsgid(user->gid);
		(void)setfsuid(user->uid);
	}
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (user->change) {
		(void)setfsuid(geteuid());
		(void)setfsgid(getegid());
	}
	return fd;
}

/* Written during the run, as far as the file system's clock can tell? An old file is no result. */
static bool is_fresh(int fd, int64_t since_ns)
{
	struct stat info;

	return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
	       info.st_mtim.tv_sec * PW_NS_PER_S + info.st_mtim.tv_nsec >= since_ns - CLOCK_TICK_NS;
}

void pw_files_read(struct pw_files *files, const char *directory, const struct pw_user *user,
		   int64_t since_ns)
{
	files->texts = pw_new(files->paths.count, sizeof(*files->texts));
	files->lengths = pw_new(files->paths.count, sizeof(*files->lengths));
	for (size_t i = 0; i < files->paths.count; i++) {
		const char *path = files->paths.items[i];
		pw_auto_free char *full =
			path[0] == '/' ? pw_strdup(path) : pw_sprintf("%s/%s", directory, path);
		pw_auto_close int fd = open_as(user, full);
		struct pw_err err;

		if (fd < 0 || !is_fresh(fd, since_ns) ||
		    pw_read_fd(fd, FILE_LIMIT, &files->texts[i], &files->lengths[i], &err) < 0)
			files->texts[i] = NULL;
	}
}

void pw_files_done(struct pw_files *files)
{
	for (size_t i = 0; files->texts && i < files->paths.count; i++)
		free(files->texts[i]);
	free(files->texts);
	free(files->lengths);
	pw_strv_done(&files->paths);
}

void pw_record_fail(struct pw_value *record, enum pw_status status, const char *reason)
{
	const char *now = pw_value_get_text(record, "status", "ok");

	if (strcmp(now, pw_status_text(PW_STATUS_OK)) != 0)
		return;
	pw_value_set(record, "status", pw_value_text(pw_status_text(status)));
	pw_value_set(record, "reason", pw_value_text(reason));
}

/* "reason", with the last lines of what was printed, as one printable text. */
static void fail_with_output(const struct pw_evidence *evidence, struct pw_value *record,
			     const char *reason)
{
	const struct pw_capture *from =
		evidence->watch->err.text.length ? &evidence->watch->err : &evidence->watch->out;
	pw_auto_free char *tail =
		pw_last_lines(pw_strbuf_text(&from->text), from->text.length, TAIL_LINES);
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	pw_strbuf_puts(&text, reason);
	if (*tail) {
		for (char *c = tail; *c; c++) {
			if (*c == '\n' || *c == '\t')
				*c = *c == '\n' ? '|' : ' ';
		}
		pw_strbuf_puts(&text, "; it printed last: ");
		pw_text_escape(&text, tail);
	}
	pw_record_fail(record, PW_STATUS_FAILED, pw_strbuf_text(&text));
}

static int exit_code(int wait_status)
{
	if (WIFSIGNALED(wait_status))
		return 128 + WTERMSIG(wait_status);
	return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 0;
}

static void judge_ending(const struct pw_evidence *evidence, struct pw_value *record)
{
	const struct pw_ending *ending = evidence->ending;
	const struct pw_watch *watch = evidence->watch;
	pw_auto_free char *reason = NULL;
	char limit[32], number[128];

	pw_time_text(watch->limit_ns, limit, sizeof(limit));
	if (!ending->started)
		reason = pw_sprintf("could not %s: %s", ending->failure,
				    strerror_r(ending->failed_errno, number, sizeof(number)));
	else if (watch->timed_out)
		reason = pw_sprintf("took longer than its limit of %s and was ended", limit);
	else if (watch->too_long)
		reason = pw_sprintf("printed more than %zu MiB and was ended",
				    PW_CAPTURE_LIMIT >> 20);
	else if (WIFSIGNALED(ending->wait_status))
		reason = pw_sprintf("was killed by signal %d", WTERMSIG(ending->wait_status));
	else if (exit_code(ending->wait_status) != 0)
		reason = pw_sprintf("ended with exit status %d", exit_code(ending->wait_status));
	else if (watch->begin_marked && !watch->end_marked)
		reason = pw_strdup("printed \"" PW_MARK_BEGIN "\" but never \"" PW_MARK_END "\"");
	if (reason)
		fail_with_output(evidence, record, reason);
}

static void note_window(const struct pw_evidence *evidence, struct pw_value *record)
{
	const struct pw_watch *watch = evidence->watch;
	struct pw_value window = pw_value_object();
	bool timed = watch->begin_marked && watch->end_marked;

	pw_value_set(&window, "kind", pw_value_text(timed ? "timed" : "whole"));
	pw_value_set(&window, "start_ns", pw_value_int(watch->window_start_ns));
	pw_value_set(&window, "end_ns", pw_value_int(watch->window_end_ns));
	pw_value_set(record, "window", window);
}

static void note_usage(const struct pw_evidence *evidence, struct pw_value *record)
{
	const struct pw_ending *ending = evidence->ending;
	struct pw_value usage = pw_value_object(), own = pw_value_object();

	pw_value_set(&usage, "user_ns", pw_value_int(ending->user_ns));
	pw_value_set(&usage, "system_ns", pw_value_int(ending->system_ns));
	pw_value_set(&usage, "max_rss_kb", pw_value_int(ending->max_rss_kb));
	pw_value_set(&usage, "voluntary_switches", pw_value_int(ending->voluntary_switches));
	pw_value_set(&usage, "involuntary_switches", pw_value_int(ending->involuntary_switches));
	pw_value_set(record, "usage", usage);
	pw_value_set(&own, "cpu_ns", pw_value_int(evidence->own_cpu_ns));
	pw_value_set(record, "perfwatt", own);
}

static const char *find_file(const struct pw_output *output, const char *path, size_t *ret_length)
{
	const struct pw_files *files = output->context;

	for (size_t i = 0; i < files->paths.count; i++) {
		if (strcmp(files->paths.items[i], path) == 0 && files->texts[i]) {
			*ret_length = files->lengths[i];
			return files->texts[i];
		}
	}
	return NULL;
}

static void judge_operations(const struct pw_result *result, struct pw_value *record)
{
	double all = (double)result->operations_ok + (double)result->operations_failed;
	pw_auto_free char *text = NULL;

	if (!result->has_operations || result->operations_failed == 0)
		return;
	text = pw_sprintf("%llu of %.0f operations failed",
			  (unsigned long long)result->operations_failed, all);
	if ((double)result->operations_failed > FAILED_SHARE * all)
		pw_record_fail(record, PW_STATUS_FAILED, text);
	else
		pw_record_warning(record, text);
}

static void judge_output(const struct pw_evidence *evidence, struct pw_value *record)
{
	const struct pw_watch *watch = evidence->watch;
	struct pw_output output = {
		.out = pw_strbuf_text(&watch->out.text),
		.out_length = watch->out.text.length,
		.err = pw_strbuf_text(&watch->err.text),
		.err_length = watch->err.text.length,
		.elapsed_ns = watch->ended_ns - watch->released_ns,
		.window_ns = watch->window_end_ns - watch->window_start_ns,
		.marked = watch->begin_marked && watch->end_marked,
		.file = find_file,
		.context = evidence->files,
	};
	pw_auto_result struct pw_result result = PW_RESULT_INIT;
	struct pw_err err;

	if (evidence->entry->workload->parse(evidence->work, &output, &result, &err) < 0) {
		fail_with_output(evidence, record, err.text);
		return;
	}
	pw_record_result(record, &result);
	if (result.window_ns > 0)
		pw_value_set(pw_value_find(record, "window"), "own_ns",
			     pw_value_int(result.window_ns));
	judge_operations(&result, record);
}

static void add_warnings(const struct pw_evidence *evidence, struct pw_value *record)
{
	pw_auto_free char *left =
		pw_sprintf("%u processes were left behind and ended", evidence->ending->leftovers);

	if (evidence->ending->leftovers)
		pw_record_warning(record, left);
	if (evidence->watch->stray_marks)
		pw_record_warning(
			record, "marks of the timed part were out of order: the first pair counts");
	if (evidence->watch->out.raw_failure.code != PW_OK)
		pw_record_warning(record, evidence->watch->out.raw_failure.text);
	if (evidence->watch->err.raw_failure.code != PW_OK)
		pw_record_warning(record, evidence->watch->err.raw_failure.text);
}

void pw_judge(const struct pw_evidence *evidence, struct pw_value *record)
{
	const struct pw_watch *watch = evidence->watch;

	pw_value_set(record, "elapsed_ns", pw_value_int(watch->ended_ns - watch->released_ns));
	pw_value_set(record, "exit", pw_value_int(exit_code(evidence->ending->wait_status)));
	if (evidence->entry->kind != PW_KIND_UNSET)
		pw_value_set(record, "kind", pw_value_text(pw_kind_text(evidence->entry->kind)));
	note_window(evidence, record);
	judge_ending(evidence, record);
	if (strcmp(pw_value_get_text(record, "status", ""), pw_status_text(PW_STATUS_OK)) == 0)
		judge_output(evidence, record);
	if (watch->paused)
		pw_record_fail(record, PW_STATUS_INVALIDATED,
			       "perfwatt itself was stopped for a while during the run");
	if (pw_was_suspended(evidence->suspended_ns))
		pw_record_fail(record, PW_STATUS_INVALIDATED,
			       "the machine was suspended during the run");
	add_warnings(evidence, record);
	note_usage(evidence, record);
}

static void judge_idle(const struct pw_evidence *evidence, struct pw_value *record)
{
	static const struct pw_metric_desc power = {
		.name = "power", .unit = "W", .better = PW_BETTER_LOWER, .flags = PW_METRIC_PRIMARY
	};
	const struct pw_value *energy = pw_value_get(record, "energy");
	int64_t window = evidence->watch->window_end_ns - evidence->watch->window_start_ns;
	pw_auto_result struct pw_result result = PW_RESULT_INIT;

	if (!energy && evidence->block > 0)
		pw_record_fail(record, PW_STATUS_FAILED,
			       "its power could not be measured (see \"unavailable\")");
	if (!energy || window <= 0)
		return;
	pw_result_add(&result, &power,
		      (double)pw_value_get_int(energy, "total_uj", 0) * 1e-6 /
			      ((double)window * 1e-9));
	pw_record_result(record, &result);
}

/* Rate and energy must be of one window: a mark that was read late makes it two. */
static void judge_windows(const struct pw_evidence *evidence, struct pw_value *record)
{
	static const char *const sections[] = { "energy", "frequency" };
	const struct pw_value *window = pw_value_get(record, "window");
	int64_t own = pw_value_get_int(window, "own_ns", 0);
	int64_t read = evidence->watch->window_end_ns - evidence->watch->window_start_ns;
	int64_t difference = own > read ? own - read : read - own;
	pw_auto_free char *why = NULL;

	if (own == 0 || (double)difference <= WINDOW_SHARE * (double)own)
		return;
	why = pw_sprintf("the counters were read over %.3f s of a timed part of %.3f s",
			 (double)read * 1e-9, (double)own * 1e-9);
	pw_record_warning(record, why);
	for (size_t i = 0; i < PW_LENGTH(sections); i++) {
		if (!pw_value_get(record, sections[i]))
			continue;
		pw_value_unset(record, sections[i]);
		pw_record_unavailable(record, sections[i], why,
				      "as root perfwatt reads in time also on a busy machine");
	}
}

void pw_judge_sections(const struct pw_evidence *evidence, struct pw_value *record)
{
	judge_windows(evidence, record);
	if (evidence->entry->workload->flags & PW_WORKLOAD_IDLE)
		judge_idle(evidence, record);
}
