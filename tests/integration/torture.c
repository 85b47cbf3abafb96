/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "torture.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/engine/restore.h"
#include "harness/engine/settings.h"
#include "lib/model/config.h"
#include "lib/platform/topology.h"

static const struct pw_option no_options[] = { { .name = NULL } };
static const struct pw_workload work = { .name = "work",
					 .kind = PW_KIND_FIXED_WORK,
					 .options = no_options };
static const struct pw_workload *const workloads[] = { &work, NULL };
static const struct pw_collector *const collectors[] = { NULL };
static const struct pw_catalog catalog = { .workloads = workloads,
					   .collectors = collectors,
					   .knobs = pw_knobs };

static struct torture *torture_of(const struct pw_root *root)
{
	return root->context;
}

/* Does this operation fail? -errno or 0. */
static int trouble(struct torture *torture, const char *path, bool writes)
{
	bool fails;

	torture->operations++;
	if (torture->recording)
		PW_PUSH(torture->kinds, torture->length, torture->capacity, writes);
	if (torture->cut_off)
		fails = torture->fail_at && torture->model.writes >= torture->fail_at;
	else
		fails = torture->operations == torture->fail_at;
	if (torture->failing && writes && strcmp(path, torture->failing) == 0)
		fails = true;
	if (!fails)
		return 0;
	(void)snprintf(torture->failed, sizeof(torture->failed), "%s", path);
	return -torture->errnum;
}

static ssize_t torture_read(const struct pw_root *root, const char *path, char *buffer, size_t size)
{
	int r = trouble(torture_of(root), path, false);

	return r < 0 ? r : model_read(root, path, buffer, size);
}

static ssize_t torture_write(const struct pw_root *root, const char *path, const char *text,
			     size_t length)
{
	struct torture *torture = torture_of(root);
	int r = trouble(torture, path, true);

	if (r == 0 && torture->log && !pw_strv_has(torture->log, path))
		pw_strv_push(torture->log, path);
	return r < 0 ? r : model_write(root, path, text, length);
}

static const struct pw_fs_ops torture_ops = { .read = torture_read, .write = torture_write };

static char *snapshot(const struct torture *torture)
{
	size_t length;

	return fake_snapshot(&torture->model.fake, &length);
}

static void drop(const struct torture *torture, unsigned cpu, const char *below,
		 const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		pw_auto_free char *path = pw_sprintf(FAKE_CPU "/%s%s", cpu, below, names[i]);

		fake_one(torture->model.fake.dir, path, NULL);
	}
}

/* Two CPUs with a policy each, two idle states: enough to differ, few enough to try everything. */
static void make_small(const struct torture *torture)
{
	static const char *const dropped[] = {
		PW_CPU_DIR "/cpu2",	   PW_CPU_DIR "/cpu3",	   PW_CPUFREQ_DIR "/policy2",
		PW_CPUFREQ_DIR "/policy3", "/sys/devices/virtual", "/sys/class",
		"/proc/sys/net",
	};

	static const char *const of_cpus[] = { "cpufreq",   "online",	      "topology",
					       "acpi_cppc", "cpuidle/state2", "cpuidle/state3" };
	static const char *const of_states[] = { "desc",  "latency",	   "residency", "power",
						 "usage", "rejected",	   "time",	"above",
						 "below", "default_status" };

	for (size_t i = 0; i < PW_LENGTH(dropped); i++)
		fake_one(torture->model.fake.dir, dropped[i], NULL);
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		drop(torture, cpu, "", of_cpus, PW_LENGTH(of_cpus));
		drop(torture, cpu, "cpuidle/state0/", of_states, PW_LENGTH(of_states));
		drop(torture, cpu, "cpuidle/state1/", of_states, PW_LENGTH(of_states));
	}
	fake_set(&torture->model.fake, PW_CPU_DIR "/online", "0-1");
	fake_set(&torture->model.fake, PW_CPU_DIR "/present", "0-1");
	fake_set(&torture->model.fake, PW_CPU_DIR "/possible", "0-1");
}

static void read_config(struct torture *torture)
{
	pw_auto_free char *text = pw_sprintf("{\"configs\": [{\"name\": \"all\", \"set\": {%s}}], "
					     "\"workloads\": [{\"workload\": \"work\"}]}",
					     torture->machine->set);
	const struct pw_config_env env = { .catalog = &catalog, .cpus = 2 };
	struct pw_err err;

	fake_must(pw_config_parse("torture", ".", text, strlen(text), &env, &torture->config, &err),
		  &err);
}

static size_t open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t count = 0;

	assert_non_null(dir);
	while (readdir(dir))
		count++;
	(void)closedir(dir);
	return count;
}

/* One session's settings: from the first look to the configuration in force, or the error. */
static int set_up(struct torture *torture, struct pw_settings *settings, struct pw_err *err)
{
	const struct pw_configuration *configuration = &torture->config->configs[0];
	struct pw_journal journal = PW_JOURNAL_INIT;
	const bool usable = true;
	int r;

	(void)unlink(torture->journal);
	fake_must(pw_journal_open(torture->journal, &journal, err), err);
	fake_must(pw_journal_begin(&journal, "s", torture->model.fake.dir, "b", "t1", err), err);
	r = pw_settings_possible(settings, configuration, err);
	if (r == 0)
		r = pw_settings_save(settings, torture->config, &usable, &journal, err);
	if (r == 0)
		r = pw_settings_put_back(settings, configuration, err);
	if (r == 0)
		r = pw_settings_apply(settings, configuration, err);
	if (r == 0)
		r = pw_settings_held(settings, err);
	pw_journal_close(&journal);
	return r;
}

/* As whoever finds the journal later does it: what was not put back, joined; NULL if all was. */
static char *restore(const struct torture *torture)
{
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	struct pw_journal_state state = PW_JOURNAL_STATE_INIT;
	char *failed = NULL;
	struct pw_err err;

	fake_must(pw_journal_read(torture->journal, &state, &err), &err);
	pw_restore_machine(&torture->model.fake.root, &catalog, &state, &report);
	if (report.failed.count)
		failed = pw_strv_join(&report.failed, "; ");
	pw_journal_state_done(&state);
	pw_restore_report_done(&report);
	return failed;
}

/* The first line in which two snapshots differ. */
static const char *difference(const char *found, const char *expected)
{
	const char *line = found;

	for (size_t i = 0; found[i] && found[i] == expected[i]; i++) {
		if (found[i] == '\n' && found[i + 1] == '/')
			line = found + i + 1;
	}
	return line;
}

static void expect_state(const struct torture *torture, const char *expected, const char *when)
{
	pw_auto_free char *now = NULL;

	if (torture->model.writes == 0 && expected == torture->before)
		return; /* nothing can have changed */
	now = snapshot(torture);

	if (strcmp(now, expected) != 0)
		fail_msg("%s {%s}: operation %u, errno %d at %s: %s: %.*s", torture->machine->tree,
			 torture->machine->set, torture->fail_at, torture->errnum, torture->failed,
			 when, (int)strcspn(difference(now, expected), "\n") + 24,
			 difference(now, expected));
}

/* Answers with a meaning of their own, which the text gives instead of the kernel's words. */
static bool is_told(const struct torture *torture, const char *text)
{
	if (torture->errnum == ENOENT || strstr(torture->failed, "/affected_cpus"))
		return true; /* the machine has not got it; the policy has no CPUs */
	if (strstr(text, "is not saved"))
		return true; /* could not be looked at at first: not touched later */
	return torture->errnum == EAGAIN && strstr(text, "is off");
}

/* The text must name the file and the kernel's own words. */
static void expect_reason(const struct torture *torture, const struct pw_err *err)
{
	const char *file = strrchr(torture->failed, '/');

	if (torture->cut_off || is_told(torture, err->text))
		return;
	if (!file || !strstr(err->text, file + 1) || !strstr(err->text, strerror(torture->errnum)))
		fail_msg("%s: operation %u, %s of %s: the error says '%s'", torture->machine->tree,
			 torture->fail_at, strerror(torture->errnum), torture->failed, err->text);
}

static void begin(struct torture *torture, const struct torture_plan *plan)
{
	torture->operations = 0;
	torture->model.writes = 0;
	torture->fail_at = plan->at;
	torture->errnum = plan->cut_off ? EIO : plan->errnum;
	torture->cut_off = plan->cut_off;
	torture->failed[0] = '\0';
}

/* The settings as a session has them; what it did not do any more is lost with it. */
static int run_session(struct torture *torture, struct pw_err *err)
{
	struct pw_cpuset usable = { 0 };
	struct pw_knob_env env = { .root = &torture->model.fake.root, .tag = "t1" };
	struct pw_settings settings;
	int r;

	torture->model.fake.root.ops = &model_ops;
	fake_must(pw_cpus_usable(env.root, &usable, err), err);
	torture->model.fake.root.ops = &torture_ops;
	env.usable = usable.cpus;
	env.usable_count = usable.count;
	pw_settings_init(&settings, &env, &catalog);
	r = set_up(torture, &settings, err);
	pw_settings_done(&settings);
	pw_cpuset_done(&usable);
	return r;
}

bool torture_attempt(struct torture *torture, const struct torture_plan *plan)
{
	size_t fds = open_fds();
	struct pw_err err = PW_ERR_INIT;
	bool hit;
	int r;

	begin(torture, plan);
	r = run_session(torture, &err);
	hit = torture->failed[0] != '\0';
	if (r == 0 && torture->wanted)
		expect_state(torture, torture->wanted, "in force, but not as wanted");
	else if (r < 0)
		expect_reason(torture, &err);
	if (r < 0 && !hit)
		fail_msg("%s: %s", torture->machine->tree, err.text);
	if (torture->cut_off)
		torture->fail_at = 0;
	pw_auto_free char *failed = restore(torture);

	if (failed) { /* it may be the operation that fails: then once more */
		if (!strstr(failed, strerror(torture->errnum)))
			fail_msg("%s: operation %u, %s of %s: not put back: %s",
				 torture->machine->tree, torture->fail_at,
				 strerror(torture->errnum), torture->failed, failed);
		pw_auto_free char *again = restore(torture);

		if (again)
			fail_msg("%s: not put back either: %s", torture->machine->tree, again);
	}
	expect_state(torture, torture->before, "put back, but not as before");
	assert_int_equal(open_fds(), fds);
	return r == 0;
}

void torture_open(struct torture *torture, const struct torture_machine *machine)
{
	const struct torture_plan undisturbed = { 0 };
	struct pw_err err;

	*torture = (struct torture){ .machine = machine };
	model_open(&torture->model, machine->tree, 2);
	torture->model.fake.root.context = torture;
	make_small(torture);
	(void)snprintf(torture->journal, sizeof(torture->journal), "%s-journal.jsonl",
		       torture->model.fake.dir);
	read_config(torture);
	torture->before = snapshot(torture);
	begin(torture, &undisturbed);
	torture->recording = true;
	fake_must(run_session(torture, &err), &err);
	torture->wanted = snapshot(torture);
	pw_auto_free char *failed = restore(torture);

	torture->recording = false;

	if (failed)
		fail_msg("%s: %s", machine->tree, failed);
	expect_state(torture, torture->before, "undisturbed");
}

void torture_close(struct torture *torture)
{
	(void)unlink(torture->journal);
	pw_config_free(torture->config);
	free(torture->before);
	free(torture->wanted);
	free(torture->kinds);
	fake_close(&torture->model.fake);
}

static void written_files(struct torture *torture, struct pw_strv *files)
{
	const struct torture_plan undisturbed = { 0 };

	torture->log = files;
	assert_true(torture_attempt(torture, &undisturbed));
	torture->log = NULL;
}

unsigned torture_files(const struct torture_machine *machine)
{
	pw_auto_strv struct pw_strv files = PW_STRV_INIT;
	struct torture torture;

	torture_open(&torture, machine);
	written_files(&torture, &files);
	torture_close(&torture);
	return (unsigned)files.count;
}

void torture_failing_file(const struct torture_machine *machine, unsigned file, int errnum)
{
	pw_auto_strv struct pw_strv files = PW_STRV_INIT;
	struct torture_plan plan = { .errnum = errnum };
	struct torture torture;
	struct pw_err err = PW_ERR_INIT;

	torture_open(&torture, machine);
	written_files(&torture, &files);
	assert_true(file < files.count);
	begin(&torture, &plan);
	if (file % 2) /* in force first, and only the way back is barred */
		fake_must(run_session(&torture, &err), &err);
	torture.failing = pw_strdup(files.items[file]);
	if (file % 2 == 0 && run_session(&torture, &err) < 0)
		expect_reason(&torture, &err);
	pw_auto_free char *failed = restore(&torture);
	pw_auto_free char *now = snapshot(&torture);

	if (!failed && strcmp(now, torture.before) != 0)
		fail_msg("%s, %s: not as before, and nothing is said of it: %.80s", machine->tree,
			 torture.failing, difference(now, torture.before));
	free(torture.failing);
	torture.failing = NULL;
	pw_auto_free char *again = restore(&torture);

	if (again)
		fail_msg("%s, %s: not put back either: %s", machine->tree, files.items[file],
			 again);
	expect_state(&torture, torture.before, "put back after all, but not as before");
	torture_close(&torture);
}

void torture_start(void (*test)(void **state), void *state)
{
	const struct CMUnitTest tests[] = { { "child", test, NULL, NULL, state } };
	pid_t pid;

	(void)fflush(stdout);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		assert_non_null(freopen("/dev/null", "w", stdout));
		_exit(cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0);
	}
}

void torture_wait_all(void)
{
	unsigned failed = 0;
	int status;

	while (waitpid(-1, &status, 0) > 0)
		failed += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
	if (failed)
		fail_msg("%u of the processes failed", failed);
}
