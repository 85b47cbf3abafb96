/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_rig.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "lib/base/clock.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/plugin/catalog.h"

#define OUTPUT_LIMIT (1U << 20)

static void need(bool condition, const char *what)
{
	if (condition)
		return;
	perror(what);
	abort();
}

static bool add_setting(struct rig *rig, const char *setting)
{
	const char *equals = strchr(setting, '=');
	struct pw_err err = PW_ERR_INIT;
	pw_auto_free char *key = NULL;
	int64_t number;

	need(equals != NULL, setting);
	key = pw_strndup(setting, (size_t)(equals - setting));
	if (pw_parse_i64(equals + 1, &number, &err) == 0)
		pw_value_set(&rig->options, key, pw_value_int(number));
	else
		pw_value_set(&rig->options, key, pw_value_text(equals + 1));
	return true;
}

bool rig_init(struct rig *rig, const char *workload, const char *const *settings)
{
	static const struct pw_catalog catalog = { .workloads = pw_workloads };
	const char *temporary = getenv("TMPDIR");
	pw_auto_free char *folder = pw_sprintf("%s/engine-XXXXXX", temporary ? temporary : "/tmp");
	struct pw_err err = PW_ERR_INIT;

	*rig = (struct rig){ .workload = pw_catalog_workload(&catalog, workload),
			     .options = pw_value_object(),
			     .out = memfd_create("out", MFD_CLOEXEC),
			     .err = memfd_create("err", MFD_CLOEXEC) };
	need(rig->workload && rig->out >= 0 && rig->err >= 0, workload);
	for (; *settings; settings++)
		add_setting(rig, *settings);
	if (!pw_value_get(&rig->options, "clients"))
		pw_value_set(&rig->options, "clients", pw_value_int(1));
	if (pw_options_check(rig->workload->options, NULL, NULL, &rig->options, &err) < 0) {
		(void)fprintf(stderr, "%s: %s\n", err.where, err.text);
		return false;
	}
	need(mkdtemp(folder) != NULL, folder);
	rig->workdir = pw_sprintf("%s/work", folder);
	need(mkdir(rig->workdir, 0755) == 0 && chmod(folder, 0755) == 0, rig->workdir);
	rig->work = (struct pw_work){ .options = &rig->options,
				      .workdir = rig->workdir,
				      .cpus = (unsigned)sysconf(_SC_NPROCESSORS_ONLN) };
	/* Orphans of the run become ours, so that their end is seen. */
	need(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0, "subreaper");
	return true;
}

void rig_loadfile(struct rig *rig, const char *text, size_t length)
{
	pw_auto_free char *path = pw_sprintf("%s.load", rig->workdir);
	struct pw_err err = PW_ERR_INIT;
	pw_auto_close int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	need(fd >= 0 && pw_write_all(fd, text, length, &err) == 0, path);
	pw_value_set(&rig->options, "loadfile", pw_value_text(path));
}

static _Noreturn void body(struct rig *rig)
{
	int status;

	(void)setsid();
	(void)dup2(rig->out, STDOUT_FILENO);
	(void)dup2(rig->err, STDERR_FILENO);
	if (chdir(rig->workdir) < 0)
		_exit(126);
	if (rig->user && setuid(rig->user) < 0)
		_exit(127);
	status = rig->workload->run(&rig->work);
	(void)fflush(stderr);
	_exit(status);
}

void rig_start(struct rig *rig)
{
	(void)fflush(stdout);
	(void)fflush(stderr);
	rig->pid = fork();
	need(rig->pid >= 0, "fork");
	if (rig->pid == 0)
		body(rig);
}

static char *read_all(int fd, size_t *ret_length)
{
	struct pw_err err = PW_ERR_INIT;
	char *text = NULL;

	need(lseek(fd, 0, SEEK_SET) == 0, "lseek");
	need(pw_read_fd(fd, OUTPUT_LIMIT, &text, ret_length, &err) == 0, "read");
	return text;
}

bool rig_wait_for(struct rig *rig, const char *text)
{
	int64_t limit = pw_clock_monotonic() + 90 * PW_NS_PER_S;
	char seen[4096];

	while (pw_clock_monotonic() < limit) {
		/* pread leaves the place where the body writes alone. */
		ssize_t n = pread(rig->out, seen, sizeof(seen) - 1, 0);

		seen[n > 0 ? n : 0] = '\0';
		if (strstr(seen, text))
			return true;
		pw_clock_sleep_until(pw_clock_monotonic() + PW_NS_PER_MS);
	}
	return false;
}

void rig_finish(struct rig *rig)
{
	need(waitpid(rig->pid, &rig->status, 0) == rig->pid, "waitpid");
	rig->out_text = read_all(rig->out, &rig->out_length);
	rig->err_text = read_all(rig->err, &rig->err_length);
}

bool rig_all_gone(struct rig *rig)
{
	int64_t limit = pw_clock_monotonic() + 5 * PW_NS_PER_S;

	for (;;) {
		while (waitpid(-rig->pid, NULL, WNOHANG) > 0)
			;
		if (kill(-rig->pid, 0) < 0 && errno == ESRCH)
			return true;
		if (pw_clock_monotonic() > limit)
			return false;
		pw_clock_sleep_until(pw_clock_monotonic() + PW_NS_PER_MS);
	}
}

bool rig_workdir_empty(const struct rig *rig)
{
	DIR *folder = opendir(rig->workdir);
	struct dirent *entry;
	unsigned count = 0;

	need(folder != NULL, rig->workdir);
	while ((entry = readdir(folder)))
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(folder);
	return count == 0;
}

pid_t rig_child(const struct rig *rig, unsigned n)
{
	pw_auto_free char *path = pw_sprintf("/proc/%d/task/%d/children", rig->pid, rig->pid);
	pw_auto_strv struct pw_strv pids = PW_STRV_INIT;
	pw_auto_free char *text = NULL;
	struct pw_err err = PW_ERR_INIT;
	size_t length;
	int64_t pid = 0;

	if (pw_read_path(path, OUTPUT_LIMIT, &text, &length, &err) < 0)
		return 0;
	pw_strv_split(&pids, text, " ");
	if (n < pids.count)
		need(pw_parse_i64(pids.items[pids.count - 1 - n], &pid, &err) == 0, text);
	return (pid_t)pid;
}

void rig_done(struct rig *rig)
{
	struct pw_err err = PW_ERR_INIT;

	if (rig->pid > 0)
		(void)kill(-rig->pid, SIGKILL);
	if (rig->pid > 0)
		(void)rig_all_gone(rig);
	if (rig->workdir) {
		*strrchr(rig->workdir, '/') = '\0';
		(void)!pw_remove_tree(rig->workdir, &err);
	}
	close(rig->out);
	close(rig->err);
	free(rig->workdir);
	free(rig->out_text);
	free(rig->err_text);
	pw_value_done(&rig->options);
}
