/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/model/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/fault.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/model/json.h"
#include "lib/model/runs.h"
#include "lib/model/samples.h"

#define RUNS	"runs.jsonl"
#define SAMPLES "samples.jsonl"
#define SESSION "session.json"
#define RAW	"raw"

/* A session.json beyond this is no session of ours. */
#define SESSION_LIMIT ((size_t)64 << 20)

static int open_folder(const char *path, struct pw_err *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return pw_fail_errno(err, errno, "results folder %s", path);
	return fd;
}

static int folder_is_empty(int dirfd, bool *ret, struct pw_err *err)
{
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	bool empty = true;

	if (!dir) {
		int errnum = errno;

		if (fd >= 0)
			close(fd);
		return pw_fail_errno(err, errnum, "read folder");
	}
	while (empty && (entry = readdir(dir)))
		empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	closedir(dir);
	*ret = empty;
	return 0;
}

static int open_lines(int dirfd, const char *name, int extra, struct pw_err *err)
{
	int fd = openat(dirfd, name, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | extra,
			0644);

	if (fd < 0)
		return pw_fail_errno(err, errno, "open %s", name);
	return fd;
}

static int open_files(struct pw_store *store, int extra, struct pw_err *err)
{
	if (mkdirat(store->dirfd, RAW, 0755) < 0 && errno != EEXIST)
		return pw_fail_errno(err, errno, "create folder %s", RAW);
	store->runs_fd = open_lines(store->dirfd, RUNS, extra, err);
	if (store->runs_fd < 0)
		return store->runs_fd;
	store->samples_fd = open_lines(store->dirfd, SAMPLES, extra, err);
	if (store->samples_fd < 0)
		return store->samples_fd;
	return pw_sync_dir(store->dirfd, err);
}

static int begin(struct pw_store *store, const char *path, struct pw_err *err)
{
	*store = (struct pw_store){ .dirfd = -1, .runs_fd = -1, .samples_fd = -1 };
	store->dirfd = open_folder(path, err);
	if (store->dirfd < 0)
		return store->dirfd;
	store->path = pw_strdup(path);
	return 0;
}

static int fill_new(struct pw_store *store, struct pw_err *err)
{
	bool empty = false;
	int r = folder_is_empty(store->dirfd, &empty, err);

	if (r < 0)
		return r;
	if (!empty)
		return pw_fail(err, PW_EINVAL,
			       "results folder %s is not empty: choose another with -o, or go on "
			       "with --resume %s",
			       store->path, store->path);
	r = open_files(store, O_EXCL, err);
	return r < 0 ? pw_err_prefix(err, "results folder %s", store->path) : 0;
}

int pw_store_create(const char *path, struct pw_store *ret, struct pw_err *err)
{
	struct pw_store store;
	int r = pw_make_dirs(path, err);

	if (r < 0)
		return pw_err_prefix(err, "results folder");
	r = begin(&store, path, err);
	if (r == 0)
		r = fill_new(&store, err);
	if (r < 0) {
		pw_store_close(&store);
		return r;
	}
	*ret = store;
	return 0;
}

/* The same file through a stream of its own: the append descriptor keeps its offset. */
static FILE *open_stream(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (!file && fd >= 0)
		close(fd);
	return file;
}

static int cut_torn_line(struct pw_store *store, const struct pw_log *log, struct pw_err *err)
{
	pw_auto_fclose FILE *file = open_stream(store->dirfd, RUNS);
	struct stat status;
	long long whole = 0;
	int r;

	if (!file)
		return pw_fail_errno(err, errno, "open %s", RUNS);
	r = pw_runs_whole(file, RUNS, &whole, err);
	if (r < 0)
		return r;
	if (fstat(store->runs_fd, &status) < 0)
		return pw_fail_errno(err, errno, "%s", RUNS);
	if (status.st_size <= whole)
		return 0;
	if (ftruncate(store->runs_fd, (off_t)whole) < 0 || fdatasync(store->runs_fd) < 0)
		return pw_fail_errno(err, errno, "cut the torn last line of %s", RUNS);
	pw_log(log, PW_LOG_NOTE, "%s/%s: torn last line cut (%lld bytes)", store->path, RUNS,
	       (long long)status.st_size - whole);
	return 0;
}

static int take_id(void *context, struct pw_value *record, struct pw_err *err)
{
	(void)err;
	pw_strv_push(context, pw_value_get_text(record, "id", ""));
	return 0;
}

/* The series of a run that was not committed: the run comes again, under the same id. */
static int cut_samples(struct pw_store *store, const struct pw_log *log, struct pw_err *err)
{
	pw_auto_fclose FILE *runs = open_stream(store->dirfd, RUNS);
	pw_auto_fclose FILE *samples = open_stream(store->dirfd, SAMPLES);
	pw_auto_strv struct pw_strv ids = PW_STRV_INIT;
	struct stat status;
	long long kept = 0;

	if (!runs || !samples || fstat(store->samples_fd, &status) < 0)
		return pw_fail_errno(err, errno, "open %s", SAMPLES);
	if (pw_runs_each(runs, RUNS, log, take_id, &ids, err) < 0 ||
	    pw_samples_kept(samples, &ids, &kept, err) < 0)
		return -(int)err->code;
	if (status.st_size <= kept)
		return 0;
	if (ftruncate(store->samples_fd, (off_t)kept) < 0)
		return pw_fail_errno(err, errno, "cut %s", SAMPLES);
	pw_log(log, PW_LOG_NOTE, "%s/%s: samples of unfinished runs cut (%lld bytes)", store->path,
	       SAMPLES, (long long)status.st_size - kept);
	return 0;
}

int pw_store_resume(const char *path, const struct pw_log *log, struct pw_store *ret,
		    struct pw_err *err)
{
	pw_auto_value struct pw_value session = PW_VALUE_INIT;
	struct pw_store store;
	int r = pw_store_read_session(path, &session, err);

	if (r < 0)
		return r;
	r = begin(&store, path, err);
	if (r == 0)
		r = open_files(&store, 0, err);
	if (r == 0)
		r = cut_torn_line(&store, log, err);
	if (r == 0)
		r = cut_samples(&store, log, err);
	if (r < 0) {
		pw_store_close(&store);
		return pw_err_prefix(err, "resume %s", path);
	}
	*ret = store;
	return 0;
}

void pw_store_close(struct pw_store *store)
{
	pw_closep(&store->runs_fd);
	pw_closep(&store->samples_fd);
	pw_closep(&store->dirfd);
	free(store->path);
	*store = (struct pw_store){ .dirfd = -1, .runs_fd = -1, .samples_fd = -1 };
}

int pw_store_write_session(struct pw_store *store, const struct pw_value *session,
			   struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	int r;

	pw_json_write(session, PW_JSON_INDENT, &text);
	if (text.length == 0 || text.text[text.length - 1] != '\n')
		pw_strbuf_putc(&text, '\n');
	r = pw_write_file_atomic(store->dirfd, SESSION, text.text, text.length, err);
	return r < 0 ? pw_err_prefix(err, "%s", store->path) : 0;
}

/*
 * One write for the whole line, so that a kill leaves all or nothing of it in most cases and a
 * torn tail at worst. A disk that is full can take a part: that part is cut off again, lest the
 * next line be glued to it.
 */
static int append(int fd, const struct pw_strbuf *line, bool sync, struct pw_err *err)
{
	struct stat before;
	int r;

	if (fstat(fd, &before) < 0)
		return pw_fail_errno(err, errno, "stat");
	r = pw_write_all(fd, line->text, line->length, err);
	if (r == 0 && sync && fdatasync(fd) < 0)
		r = pw_fail_errno(err, errno, "sync");
	if (r < 0 && ftruncate(fd, before.st_size) < 0)
		(void)pw_err_hint(err, "the last line of the file is torn; --resume cuts it");
	return r;
}

static void to_line(const struct pw_value *value, struct pw_strbuf *line)
{
	pw_json_write(value, PW_JSON_COMPACT, line);
	pw_strbuf_putc(line, '\n');
}

int pw_store_commit_run(struct pw_store *store, const struct pw_value *record, struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf line = PW_STRBUF_INIT;
	int r;

	to_line(record, &line);
	pw_fault_point("commit");
	r = append(store->runs_fd, &line, true, err);
	if (r < 0)
		return pw_err_prefix(err, "%s/%s", store->path, RUNS);
	pw_fault_point("committed");
	return 0;
}

int pw_store_append_sample(struct pw_store *store, const struct pw_value *sample,
			   struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf line = PW_STRBUF_INIT;
	int r;

	to_line(sample, &line);
	r = append(store->samples_fd, &line, false, err);
	return r < 0 ? pw_err_prefix(err, "%s/%s", store->path, SAMPLES) : 0;
}

static bool plain_name(const char *name)
{
	return *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

int pw_store_raw(struct pw_store *store, const char *name, struct pw_err *err)
{
	pw_auto_close int raw = -1;
	int fd;

	if (!plain_name(name))
		return pw_fail(err, PW_EINVAL, "'%s' cannot name a file below %s", name, RAW);
	raw = openat(store->dirfd, RAW, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (raw < 0)
		return pw_fail_errno(err, errno, "%s/%s", store->path, RAW);
	if (unlinkat(raw, name, 0) < 0 && errno != ENOENT)
		return pw_fail_errno(err, errno, "replace %s/%s/%s", store->path, RAW, name);
	fd = openat(raw, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return pw_fail_errno(err, errno, "create %s/%s/%s", store->path, RAW, name);
	return fd;
}

static int parse_session(const char *path, const char *text, size_t length, struct pw_value *ret,
			 struct pw_err *err)
{
	pw_auto_value struct pw_value session = PW_VALUE_INIT;
	int r = pw_json_parse(text, length, &session, err);

	if (r < 0)
		return r;
	if (session.type != PW_VALUE_OBJECT)
		return pw_fail(err, PW_EINVAL, "expected an object, found %s",
			       pw_value_type_name(session.type));
	r = pw_schema_check(&session, path, err);
	if (r < 0)
		return r;
	if (strcmp(pw_value_get_text(&session, "type", "session"), "session") != 0)
		return pw_fail(err, PW_EINVAL, "no session");
	*ret = session;
	session = PW_VALUE_INIT;
	return 0;
}

int pw_store_read_session(const char *path, struct pw_value *ret, struct pw_err *err)
{
	pw_auto_free char *name = pw_sprintf("%s/%s", path, SESSION);
	pw_auto_free char *text = NULL;
	size_t length = 0;
	int r = pw_read_path(name, SESSION_LIMIT, &text, &length, err);

	if (r == -PW_ENOTFOUND)
		return pw_fail(err, PW_EINVAL, "%s is no results folder: %s is not there", path,
			       name);
	if (r < 0)
		return r;
	r = parse_session(path, text, length, ret, err);
	return r < 0 ? pw_err_prefix(err, "%s", name) : 0;
}

int pw_store_each_run(const char *path, const struct pw_log *log,
		      int (*each)(void *context, struct pw_value *record, struct pw_err *err),
		      void *context, struct pw_err *err)
{
	pw_auto_free char *name = pw_sprintf("%s/%s", path, RUNS);
	pw_auto_close int dirfd = open_folder(path, err);
	pw_auto_fclose FILE *file = NULL;

	if (dirfd < 0)
		return dirfd;
	file = open_stream(dirfd, RUNS);
	if (!file && errno == ENOENT) {
		pw_log(log, PW_LOG_WARNING, "%s is not there: no runs", name);
		return 0;
	}
	if (!file)
		return pw_fail_errno(err, errno, "open %s", name);
	return pw_runs_each(file, name, log, each, context, err);
}
