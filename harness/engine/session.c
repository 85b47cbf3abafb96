/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/session.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>

#include "harness/engine/describe.h"
#include "harness/engine/guard.h"
#include "harness/engine/place.h"
#include "harness/engine/progress.h"
#include "harness/engine/steps.h"
#include "lib/base/fault.h"
#include "lib/base/mem.h"
#include "lib/platform/perf.h"

void pw_outcome_done(struct pw_outcome *outcome)
{
	pw_strv_done(&outcome->unrestored);
	*outcome = PW_OUTCOME_INIT;
}

/* Everything that a session holds open. */
struct session {
	struct pw_prepared *prepared;
	const struct pw_session_options *options;
	struct pw_places places;
	int lock_fd, signal_fd, pause_fd, exe_fd;
	struct pw_store store;
	struct pw_journal journal;
	char *journal_path;
	struct pw_guard guard;
	bool secured; /* what was found is saved: there is something to put back */
	struct pw_configure configure;
	struct pw_perf perf;
	struct pw_collectors collectors;
	struct pw_progress progress;
	struct pw_noise noise;
	char boot[64];
	struct rlimit files; /* the limit of open files that perfwatt was started with */
};

static void note(const struct session *session, const char *text)
{
	struct pw_event event = { .kind = PW_EVENT_NOTE, .text = text };

	session->options->emit(session->options->context, &event);
}

/* What is no failure to put the machine back, but to be known. */
static void note_restore(const struct session *session, const struct pw_restore_report *report)
{
	for (size_t i = 0; i < report->left.count; i++)
		note(session, report->left.items[i]);
	if (report->note && !report->nothing)
		note(session, report->note);
}

/* A journal that is gone or broken is told and let go; one that root may not believe must be seen.
 */
static int note_unusable(const struct session *session, const struct pw_err *reason,
			 struct pw_err *err)
{
	pw_auto_free char *text =
		pw_sprintf("an earlier session's journal cannot be used: %s", reason->text);

	if (reason->code == PW_EDENIED && geteuid() == 0) {
		*err = *reason;
		return pw_err_prefix(err, "an earlier session may have left settings changed");
	}
	note(session, text);
	return 0;
}

/* A session that died with its guard leaves the machine changed: that is mended first. */
static int mend_earlier(const struct session *session, struct pw_err *err)
{
	pw_auto_free char *journal = pw_noted_journal(&session->places);
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	struct pw_err reason;
	int r = 0;

	if (!journal)
		return 0;
	if (pw_restore(journal, session->options->catalog, "restore", &report, &reason) < 0) {
		r = note_unusable(session, &reason, err);
	} else if (report.failed.count) {
		(void)pw_fail(err, PW_EFAILED, "an earlier session left the machine changed: %s",
			      report.failed.items[0]);
		r = pw_err_hint(err, "perfwatt restore tries again and tells everything");
	} else if (report.mended.count) {
		note(session,
		     "an earlier session had left settings changed; they have been put back");
	}
	note_restore(session, &report);
	if (r == 0)
		pw_forget_journal(&session->places);
	pw_restore_report_done(&report);
	return r;
}

/*
 * A reader of counters that waits behind the workload reads them late: the lowest real-time
 * priority where that is allowed, else a better nice value. Children start as ordinary processes.
 * A subreaper, for the tree of a tender that was killed.
 */
static void come_first(void)
{
	struct sched_param lowest = { .sched_priority = 1 };

	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &lowest) == 0)
		return;
	lowest.sched_priority = 0;
	(void)sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &lowest);
	(void)setpriority(PRIO_PROCESS, 0, -20);
}

/* The measuring is over: what comes now (the report) must not hold up others. */
static void step_back(void)
{
	struct sched_param ordinary = { .sched_priority = 0 };

	(void)sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &ordinary);
	(void)setpriority(PRIO_PROCESS, 0, 0);
}

/* Fewer than this many open files and nothing works: a session alone holds some twenty. */
#define LEAST_FILES 64

/*
 * Counters take a file for each CPU and event: as many as may be. The workload gets the limit that
 * perfwatt was started with.
 */
static int raise_file_limit(struct session *session, struct pw_err *err)
{
	struct rlimit all;

	if (getrlimit(RLIMIT_NOFILE, &session->files) < 0)
		return pw_fail_errno(err, errno, "limit of open files");
	all = (struct rlimit){ session->files.rlim_max, session->files.rlim_max };
	if (all.rlim_cur < LEAST_FILES)
		return pw_fail(
			err, PW_EINVAL,
			"no more than %llu files may be open here (ulimit -n): %d are needed",
			(unsigned long long)all.rlim_cur, LEAST_FILES);
	(void)setrlimit(RLIMIT_NOFILE, &all);
	return 0;
}

static int take_signals(struct session *session, struct pw_err *err)
{
	sigset_t set, pause;

	sigemptyset(&pause);
	sigaddset(&pause, SIGCONT); /* it continues all the same; this only tells that it did */
	(void)sigprocmask(SIG_BLOCK, &pause, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error to tell, no end */
	session->pause_fd = signalfd(-1, &pause, SFD_CLOEXEC | SFD_NONBLOCK);
	session->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	session->exe_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (session->signal_fd < 0 || session->pause_fd < 0 || session->exe_fd < 0)
		return pw_fail_errno(err, errno, "prepare the session");
	return 0;
}

/* Who else is at work here: told, or a reason not to start. Nothing has been changed yet. */
static int survey_noise(struct session *session, struct pw_err *err)
{
	pw_auto_strv struct pw_strv notes = PW_STRV_INIT;
	int r = pw_noise_survey(&session->noise, &notes, err);

	for (size_t i = 0; i < notes.count; i++)
		note(session, notes.items[i]);
	return r;
}

static void read_contents(struct pw_prepared *prepared)
{
	for (size_t i = 0; i < prepared->config->config_count; i++) {
		if (prepared->config_usable[i])
			pw_contents_read(prepared->config, &prepared->config->configs[i],
					 (unsigned)prepared->usable.count, &prepared->contents[i]);
	}
}

static int open_results(struct session *session, struct pw_err *err)
{
	const struct pw_session_options *options = session->options;
	pw_auto_value struct pw_value description = PW_VALUE_INIT;
	struct pw_value noise;
	const char *id = strrchr(options->results, '/');

	pw_progress_init(&session->progress, session->prepared);
	read_contents(session->prepared);
	if (options->resume) {
		if (pw_store_resume(options->results, options->log, &session->store, err) < 0 ||
		    pw_session_recall(session->prepared, options->results, err) < 0)
			return -(int)err->code;
		return pw_progress_load(&session->progress, session->prepared, options->results,
					options->log, err);
	}
	if (pw_store_create(options->results, &session->store, err) < 0)
		return -(int)err->code;
	description =
		pw_session_describe(session->prepared, options->seed,
				    id && id[1] ? id + 1 : options->results, options->results);
	noise = pw_noise_describe(&session->noise);
	if (noise.type != PW_VALUE_UNSET)
		pw_value_set(&description, "noise", noise);
	pw_collectors_describe(&session->collectors, "energy",
			       pw_value_find(&description, "energy"));
	return pw_store_write_session(&session->store, &description, err);
}

/* Whoever restores runs no program that a foreign journal names: then none may become due. */
static int check_journal(const struct session *session, struct pw_err *err)
{
	const struct pw_config *config = session->prepared->config;
	bool programs = config->services.count > 0;

	for (size_t i = 0; i < config->config_count; i++)
		programs |= config->configs[i].apply.count > 0;
	if (!programs || !session->journal.foreign)
		return 0;
	(void)pw_fail(err, PW_EINVAL,
		      "files in %s can be changed by other users, and the programs that put the "
		      "machine back are noted there",
		      session->store.path);
	return pw_err_hint(err, "choose another folder with -o");
}

/* Saved, on disk, known to restore, guarded: only then may anything be changed. */
static int secure_machine(struct session *session, struct pw_err *err)
{
	struct pw_prepared *prepared = session->prepared;
	pw_auto_free char *real = NULL;

	real = realpath(session->store.path, NULL);
	if (!real)
		return pw_fail_errno(err, errno, "%s", session->store.path);
	session->journal_path = pw_sprintf("%s/%s", real, PW_JOURNAL_NAME);
	if (pw_journal_open(session->journal_path, &session->journal, err) < 0 ||
	    check_journal(session, err) < 0 ||
	    pw_journal_begin(&session->journal, session->store.path, prepared->root.path,
			     session->boot, prepared->tag, err) < 0 ||
	    pw_settings_save(&prepared->settings, prepared->config, prepared->config_usable,
			     &session->journal, err) < 0 ||
	    pw_journal_sync(&session->journal, err) < 0 ||
	    pw_note_journal(&session->places, session->journal_path, err) < 0)
		return -(int)err->code;
	if (pw_guard_start(&session->journal, session->options->catalog, session->lock_fd,
			   &session->guard, err) < 0)
		return -(int)err->code;
	session->secured = true;
	return 0;
}

static int open_collectors(struct session *session, struct pw_err *err)
{
	const struct pw_config *config = session->prepared->config;
	struct pw_collect collect = { .root = &session->prepared->root,
				      .perf = &session->perf,
				      .scope = config->scope,
				      .msr = config->msr };
	struct pw_cpuset online = { 0 };

	if (pw_perf_init(&session->perf, &session->prepared->root, err) < 0 ||
	    pw_cpus_online(&session->prepared->root, &online, err) < 0)
		return -(int)err->code;
	collect.cpus = online.cpus;
	collect.cpu_count = online.count;
	pw_collectors_open(&session->collectors, session->options->catalog, &collect,
			   &config->collectors,
			   session->options->no_timeline ? 0 : config->timeline_ns);
	pw_cpuset_done(&online);
	return 0;
}

static int open_session(struct session *session, struct pw_err *err)
{
	struct pw_prepared *prepared = session->prepared;

	if (!pw_attr_get(&prepared->root, "/proc/sys/kernel/random/boot_id", session->boot,
			 sizeof(session->boot)))
		session->boot[0] = '\0';
	if (raise_file_limit(session, err) < 0)
		return -(int)err->code;
	if (pw_places_make(&prepared->root, &session->places, err) < 0)
		return -(int)err->code;
	session->lock_fd = pw_lock_take(&session->places, session->options->results, err);
	if (session->lock_fd < 0 || mend_earlier(session, err) < 0 ||
	    take_signals(session, err) < 0 || survey_noise(session, err) < 0 ||
	    open_collectors(session, err) < 0 || open_results(session, err) < 0)
		return -(int)err->code;
	if (secure_machine(session, err) < 0)
		return -(int)err->code;
	return pw_services_stop(&prepared->services, &prepared->root, &session->journal, err);
}

/* The machine as it was; what could not be put back goes into the outcome. */
static void put_machine_back(struct session *session, struct pw_outcome *outcome)
{
	struct pw_restore_report report = PW_RESTORE_REPORT_INIT;
	struct pw_err err;

	pw_configure_done(&session->configure);
	if (!session->secured)
		return;
	pw_settings_release(&session->prepared->settings);
	if (pw_restore_open(&session->journal, session->options->catalog, "perfwatt", &report,
			    &err) < 0)
		pw_strv_push(&outcome->unrestored, err.text);
	pw_strv_append(&outcome->unrestored, &report.failed);
	note_restore(session, &report);
	if (outcome->unrestored.count == 0) {
		pw_guard_dismiss(&session->guard);
		pw_forget_journal(&session->places);
	} else {
		pw_guard_hand_over(&session->guard);
	}
	pw_restore_report_done(&report);
}

static void close_session(struct session *session)
{
	pw_collectors_close(&session->collectors);
	pw_perf_done(&session->perf);
	pw_noise_done(&session->noise);
	pw_progress_done(&session->progress);
	pw_journal_close(&session->journal);
	pw_store_close(&session->store);
	pw_places_done(&session->places);
	free(session->journal_path);
	if (session->signal_fd >= 0)
		close(session->signal_fd);
	if (session->pause_fd >= 0)
		close(session->pause_fd);
	if (session->exe_fd >= 0)
		close(session->exe_fd);
	if (session->lock_fd >= 0)
		close(session->lock_fd);
}

static void make_configure(struct session *session)
{
	struct pw_prepared *prepared = session->prepared;

	session->configure.settings = &prepared->settings;
	session->configure.store = &session->store;
	session->configure.contents = prepared->contents;
	session->configure.programs = (struct pw_program_env){
		.config = prepared->config,
		.journal = &session->journal,
		.files = &session->files,
		.signal_fd = session->signal_fd,
	};
	pw_configure_new_guard(&session->configure, session->guard.pid);
}

static void run_steps(struct session *session, struct pw_outcome *outcome)
{
	struct pw_prepared *prepared = session->prepared;
	struct pw_run_env env = {
		.config = prepared->config,
		.settings = &prepared->settings,
		.configure = &session->configure,
		.collectors = &session->collectors,
		.noise = &session->noise,
		.store = &session->store,
		.journal = &session->journal,
		.use_namespace = pw_namespace_usable(),
		.exe_fd = session->exe_fd,
		.signal_fd = session->signal_fd,
		.pause_fd = session->pause_fd,
		.guard = &session->guard,
		.files = session->files,
		.cpus = (unsigned)prepared->usable.count,
		.seed = session->options->seed,
		.boot = session->boot,
	};

	make_configure(session);
	pw_steps_run(prepared, session->options, &env, &session->progress, outcome);
}

int pw_session_run(struct pw_prepared *prepared, const struct pw_session_options *options,
		   struct pw_outcome *outcome, struct pw_err *err)
{
	struct session session = {
		.prepared = prepared,
		.options = options,
		.lock_fd = -1,
		.signal_fd = -1,
		.pause_fd = -1,
		.exe_fd = -1,
		.journal = { .fd = -1 },
		.guard = PW_GUARD_INIT,
		.configure = PW_CONFIGURE_INIT,
		.store = { .dirfd = -1, .runs_fd = -1, .samples_fd = -1 },
	};
	int r;

	pw_noise_init(&session.noise, &prepared->root, prepared->config);
	r = open_session(&session, err);
	if (r == 0) {
		come_first();
		run_steps(&session, outcome);
		step_back();
	}
	put_machine_back(&session, outcome);
	close_session(&session);
	return r;
}
