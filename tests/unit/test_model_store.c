/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/model/store.h"

struct fixture {
	char base[64];
	char *folder; /* below base, not made */
	char *runs;
};

static int setup(void **state)
{
	struct fixture *f = pw_new(1, sizeof(*f));

	(void)snprintf(f->base, sizeof(f->base), "/tmp/pw-store-XXXXXX");
	assert_non_null(mkdtemp(f->base));
	f->folder = pw_sprintf("%s/r/results", f->base);
	f->runs = pw_sprintf("%s/runs.jsonl", f->folder);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	struct pw_err err;

	assert_int_equal(pw_remove_tree(f->base, &err), 0);
	free(f->folder);
	free(f->runs);
	free(f);
	return 0;
}

static struct pw_value object(const char *type, int64_t number)
{
	struct pw_value made = pw_value_object();

	pw_value_set(&made, "schema", pw_value_int(1));
	pw_value_set(&made, "type", pw_value_text(type));
	pw_value_set(&made, "number", pw_value_int(number));
	pw_value_set(&made, "unknown key", pw_value_list());
	return made;
}

static void create(const struct fixture *f, struct pw_store *store, int64_t records)
{
	pw_auto_value struct pw_value session = object("session", 0);
	struct pw_err err;

	assert_int_equal(pw_store_create(f->folder, store, &err), 0);
	assert_int_equal(pw_store_write_session(store, &session, &err), 0);
	for (int64_t i = 1; i <= records; i++) {
		pw_auto_value struct pw_value record = object("run", i);

		assert_int_equal(pw_store_commit_run(store, &record, &err), 0);
	}
}

static void append(const struct fixture *f, const char *text)
{
	FILE *file = fopen(f->runs, "ae");

	assert_non_null(file);
	assert_int_equal(fputs(text, file) >= 0, 1);
	assert_int_equal(fclose(file), 0);
}

struct seen {
	int64_t numbers[8];
	size_t count, logged;
	char last[256];
};

static int each(void *context, struct pw_value *record, struct pw_err *err)
{
	struct seen *seen = context;

	(void)err;
	assert_true(seen->count < PW_LENGTH(seen->numbers));
	assert_non_null(pw_value_get(record, "unknown key"));
	seen->numbers[seen->count++] = pw_value_get_int(record, "number", -1);
	return 0;
}

static void note(void *context, enum pw_log_level level, const char *text)
{
	struct seen *seen = context;

	(void)level;
	seen->logged++;
	(void)snprintf(seen->last, sizeof(seen->last), "%s", text);
}

static int read_all(const struct fixture *f, struct seen *seen, struct pw_err *err)
{
	struct pw_log log = { .emit = note, .context = seen };

	*seen = (struct seen){ 0 };
	return pw_store_each_run(f->folder, &log, each, seen, err);
}

static void test_round_trip(void **state)
{
	struct fixture *f = *state;
	pw_auto_value struct pw_value session = PW_VALUE_INIT;
	struct pw_store store;
	struct pw_err err;
	struct seen seen;
	struct stat status;

	create(f, &store, 3);
	pw_store_close(&store);
	assert_int_equal(read_all(f, &seen, &err), 0);
	assert_int_equal(seen.count, 3);
	assert_int_equal(seen.numbers[0], 1);
	assert_int_equal(seen.numbers[2], 3);
	assert_int_equal(seen.logged, 0);
	assert_int_equal(pw_store_read_session(f->folder, &session, &err), 0);
	assert_string_equal(pw_value_get_text(&session, "type", ""), "session");
	assert_int_equal(stat(f->runs, &status), 0);
	assert_int_equal(status.st_mode & 0133, 0);
}

static void test_refuses_a_full_folder(void **state)
{
	struct fixture *f = *state;
	struct pw_store store, other;
	struct pw_err err;

	create(f, &store, 0);
	assert_int_equal(pw_store_create(f->folder, &other, &err), -PW_EINVAL);
	assert_non_null(strstr(err.text, "is not empty: choose another with -o"));
	assert_non_null(strstr(err.text, "--resume"));
	pw_store_close(&store);
}

static void test_takes_an_empty_folder(void **state)
{
	struct fixture *f = *state;
	struct pw_store store;
	struct pw_err err;

	assert_int_equal(pw_make_dirs(f->folder, &err), 0);
	assert_int_equal(pw_store_create(f->folder, &store, &err), 0);
	pw_store_close(&store);
}

/* Both kinds of torn line: without a newline (even if it would parse), and with garbage in it. */
static void test_torn_tail(void **state)
{
	static const char *const tails[] = { "{\"schema\":1,\"type\":\"ru",
					     "{\"schema\":1,\"number\":9}", "{\"schema\":1,\"num\n",
					     "[]\n" };
	struct fixture *f = *state;
	struct pw_store store;
	struct pw_err err;
	struct seen seen;
	struct pw_log log = { .emit = note, .context = &seen };

	create(f, &store, 2);
	pw_store_close(&store);
	for (size_t i = 0; i < PW_LENGTH(tails); i++) {
		pw_auto_value struct pw_value record = object("run", 3 + (int64_t)i);

		append(f, tails[i]);
		assert_int_equal(read_all(f, &seen, &err), 0);
		assert_int_equal(seen.count, 2 + i);
		assert_int_equal(seen.logged, 1);
		assert_non_null(strstr(seen.last, "torn"));
		seen = (struct seen){ 0 };
		assert_int_equal(pw_store_resume(f->folder, &log, &store, &err), 0);
		assert_int_equal(seen.logged, 1);
		assert_int_equal(pw_store_commit_run(&store, &record, &err), 0);
		pw_store_close(&store);
		assert_int_equal(read_all(f, &seen, &err), 0);
		assert_int_equal(seen.count, 3 + i);
		assert_int_equal(seen.numbers[seen.count - 1], 3 + (int64_t)i);
		assert_int_equal(seen.logged, 0);
	}
}

static void test_malformed_middle(void **state)
{
	struct fixture *f = *state;
	struct pw_store store;
	struct pw_err err;
	struct seen seen;

	create(f, &store, 2);
	pw_store_close(&store);
	append(f, "{\"schema\":1,\n{\"schema\":1}\n");
	assert_int_equal(read_all(f, &seen, &err), -PW_EINVAL);
	assert_non_null(strstr(err.text, "runs.jsonl:3: "));
	assert_int_equal(pw_store_resume(f->folder, NULL, &store, &err), -PW_EINVAL);
}

static void test_other_schema(void **state)
{
	struct fixture *f = *state;
	pw_auto_value struct pw_value session = object("session", 0);
	struct pw_store store;
	struct pw_err err;
	struct seen seen;

	create(f, &store, 1);
	append(f, "{\"schema\":2,\"type\":\"run\"}\n{\"schema\":1}\n");
	assert_int_equal(read_all(f, &seen, &err), -PW_EINVAL);
	assert_non_null(strstr(err.text, "schema 2"));
	assert_non_null(strstr(err.text, "schema 1"));
	pw_value_set(&session, "schema", pw_value_int(7));
	assert_int_equal(pw_store_write_session(&store, &session, &err), 0);
	pw_store_close(&store);
	assert_int_equal(pw_store_read_session(f->folder, &session, &err), -PW_EINVAL);
	assert_non_null(strstr(err.text, "schema 7"));
	assert_non_null(strstr(err.text, "schema 1"));
	assert_int_equal(pw_store_resume(f->folder, NULL, &store, &err), -PW_EINVAL);
}

static void test_no_results_folder(void **state)
{
	struct fixture *f = *state;
	pw_auto_value struct pw_value session = PW_VALUE_INIT;
	struct pw_err err;

	assert_int_equal(pw_store_read_session(f->base, &session, &err), -PW_EINVAL);
	assert_non_null(strstr(err.text, "is no results folder"));
}

/* In a process of its own, as the limit stays: a file size limit stands in for a full disk. */
static int fill_the_disk(const struct fixture *f, struct pw_store *store)
{
	pw_auto_value struct pw_value record = object("run", 2);
	struct stat before, after;
	struct rlimit limit;
	struct pw_err err;

	(void)signal(SIGXFSZ, SIG_IGN);
	if (stat(f->runs, &before) < 0)
		return 1;
	limit = (struct rlimit){ .rlim_cur = (rlim_t)before.st_size + 10,
				 .rlim_max = (rlim_t)before.st_size + 10 };
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		return 2;
	if (pw_store_commit_run(store, &record, &err) >= 0)
		return 3;
	if (stat(f->runs, &after) < 0 || after.st_size != before.st_size)
		return 4;
	return strstr(err.text, "File too large") ? 0 : 5;
}

static void test_full_disk_leaves_no_torn_line(void **state)
{
	struct fixture *f = *state;
	pw_auto_value struct pw_value record = object("run", 3);
	struct pw_store store;
	struct pw_err err;
	struct seen seen;
	int status;
	pid_t child;

	create(f, &store, 1);
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		_exit(fill_the_disk(f, &store));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	/* With room again the next record stands on a line of its own. */
	assert_int_equal(pw_store_commit_run(&store, &record, &err), 0);
	pw_store_close(&store);
	assert_int_equal(read_all(f, &seen, &err), 0);
	assert_int_equal(seen.count, 2);
	assert_int_equal(seen.numbers[1], 3);
}

static void test_links_are_not_followed(void **state)
{
	struct fixture *f = *state;
	pw_auto_free char *target = pw_sprintf("%s/elsewhere", f->base);
	struct pw_store store;
	struct pw_err err;

	create(f, &store, 1);
	pw_store_close(&store);
	assert_int_equal(rename(f->runs, target), 0);
	assert_int_equal(symlink(target, f->runs), 0);
	assert_true(pw_store_resume(f->folder, NULL, &store, &err) < 0);
}

static void test_raw(void **state)
{
	struct fixture *f = *state;
	pw_auto_free char *path = pw_sprintf("%s/raw/r1.out", f->folder);
	pw_auto_free char *text = NULL;
	struct pw_store store;
	struct pw_err err;
	size_t length;
	int fd;

	create(f, &store, 0);
	fd = pw_store_raw(&store, "r1.out", &err);
	assert_true(fd >= 0);
	assert_int_equal(pw_write_all(fd, "old text", 8, &err), 0);
	close(fd);
	/* An older one is replaced, not appended to or written through. */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("/dev/full", path), 0);
	fd = pw_store_raw(&store, "r1.out", &err);
	assert_true(fd >= 0);
	assert_int_equal(pw_write_all(fd, "new", 3, &err), 0);
	close(fd);
	assert_int_equal(pw_read_path(path, 100, &text, &length, &err), 0);
	assert_string_equal(text, "new");
	assert_int_equal(pw_store_raw(&store, "../runs.jsonl", &err), -PW_EINVAL);
	assert_int_equal(pw_store_raw(&store, "..", &err), -PW_EINVAL);
	assert_int_equal(pw_store_raw(&store, "", &err), -PW_EINVAL);
	pw_store_close(&store);
}

static void test_samples(void **state)
{
	struct fixture *f = *state;
	pw_auto_value struct pw_value sample = object("sample", 1);
	pw_auto_free char *path = pw_sprintf("%s/samples.jsonl", f->folder);
	pw_auto_free char *text = NULL;
	struct pw_store store;
	struct pw_err err;
	size_t length;

	create(f, &store, 0);
	assert_int_equal(pw_store_append_sample(&store, &sample, &err), 0);
	assert_int_equal(pw_store_append_sample(&store, &sample, &err), 0);
	pw_store_close(&store);
	assert_int_equal(pw_read_path(path, 1000, &text, &length, &err), 0);
	assert_int_equal(text[length - 1], '\n');
	assert_non_null(strstr(strchr(text, '\n'), "\"type\":\"sample\""));
}

static void append_text(const struct fixture *f, const char *name, const char *text)
{
	pw_auto_free char *path = pw_sprintf("%s/%s", f->folder, name);
	pw_auto_fclose FILE *file = fopen(path, "ae");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
}

#define SAMPLES_OF(id) "{\"schema\":1,\"type\":\"samples\",\"run\":\"" id "\",\"rows\":[]}\n"
#define RUN_OF(id)     "{\"schema\":1,\"type\":\"run\",\"id\":\"" id "\"}\n"

/* What is left of samples.jsonl when a session with these files goes on. */
static void samples_after_resume(struct fixture *f, const char *runs, const char *samples,
				 const char *expected)
{
	pw_auto_free char *path = pw_sprintf("%s/samples.jsonl", f->folder);
	pw_auto_free char *text = NULL;
	struct pw_store store;
	struct pw_err err;
	size_t length;

	create(f, &store, 0);
	pw_store_close(&store);
	append_text(f, "runs.jsonl", runs);
	append_text(f, "samples.jsonl", samples);
	assert_int_equal(pw_store_resume(f->folder, NULL, &store, &err), 0);
	pw_store_close(&store);
	assert_int_equal(pw_read_path(path, 1000, &text, &length, &err), 0);
	assert_string_equal(text, expected);
}

static void test_samples_of_an_uncommitted_run_are_cut(void **state)
{
	samples_after_resume(*state, RUN_OF("r0001") RUN_OF("r0002"),
			     SAMPLES_OF("r0001") SAMPLES_OF("r0002") SAMPLES_OF("r0003"),
			     SAMPLES_OF("r0001") SAMPLES_OF("r0002"));
}

static void test_torn_samples_are_cut(void **state)
{
	samples_after_resume(*state, RUN_OF("r0001"), SAMPLES_OF("r0001") "{\"run\":\"r0001\"",
			     SAMPLES_OF("r0001"));
}

/* A damaged line between those of finished runs costs no other; without a run nothing is left. */
static void test_samples_of_committed_runs_are_kept(void **state)
{
	samples_after_resume(*state, RUN_OF("r0001") RUN_OF("r0002"),
			     SAMPLES_OF("r0001") "damaged\n" SAMPLES_OF("r0002"),
			     SAMPLES_OF("r0001") "damaged\n" SAMPLES_OF("r0002"));
}

static void test_samples_without_any_run(void **state)
{
	samples_after_resume(*state, "", SAMPLES_OF("r0001"), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_round_trip, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refuses_a_full_folder, setup, teardown),
		cmocka_unit_test_setup_teardown(test_takes_an_empty_folder, setup, teardown),
		cmocka_unit_test_setup_teardown(test_torn_tail, setup, teardown),
		cmocka_unit_test_setup_teardown(test_malformed_middle, setup, teardown),
		cmocka_unit_test_setup_teardown(test_other_schema, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_results_folder, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full_disk_leaves_no_torn_line, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_links_are_not_followed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_raw, setup, teardown),
		cmocka_unit_test_setup_teardown(test_samples, setup, teardown),
		cmocka_unit_test_setup_teardown(test_samples_of_an_uncommitted_run_are_cut, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_torn_samples_are_cut, setup, teardown),
		cmocka_unit_test_setup_teardown(test_samples_of_committed_runs_are_kept, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_samples_without_any_run, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
