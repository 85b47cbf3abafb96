/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/noise.h"

#include <string.h>

#include "harness/engine/judge.h"
#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/base/pitfall.h"
#include "lib/base/strbuf.h"
#include "lib/model/record.h"
#include "lib/platform/disturbance.h"

/* How long the look before a session takes: 20 ticks of the kernel's counters. */
#define SURVEY_NS (200 * PW_NS_PER_MS)
/* Room for processes that come later: as many again as there are, and this many. */
#define MORE_PROCESSES 1024
/* So many of the heaviest stand in session.json. */
#define SHOWN 5

static int64_t suspended_so_far(void)
{
	return pw_clock_boottime() - pw_clock_monotonic();
}

static long tick_rate(void)
{
	long rate = sysconf(_SC_CLK_TCK);

	return rate > 0 ? rate : 100;
}

void pw_noise_init(struct pw_noise *noise, const struct pw_root *root,
		   const struct pw_config *config)
{
	size_t room;

	*noise = (struct pw_noise){ .root = root,
				    .config = config,
				    .self = root->real ? getpid() : 0,
				    .survey = pw_value_object() };
	if (config->noise.off)
		return;
	noise->folder = pw_processes_open(root);
	room = (noise->folder ? 2 * pw_processes_count(noise->folder) : 0) + MORE_PROCESSES;
	pw_processes_init(&noise->before, room);
	pw_processes_init(&noise->after, room);
	pw_supplies_find(root, &noise->supplies);
}

void pw_noise_done(struct pw_noise *noise)
{
	pw_processes_done(&noise->before);
	pw_processes_done(&noise->after);
	pw_value_done(&noise->survey);
	if (noise->folder)
		closedir(noise->folder);
	*noise = (struct pw_noise){ 0 };
}

void pw_noise_begin(struct pw_noise *noise)
{
	if (noise->config->noise.off)
		return;
	noise->slept_ns = noise->ran ? suspended_so_far() - noise->suspended_ns : 0;
	noise->supply = pw_supply_read(noise->root, &noise->supplies);
	pw_processes_read(noise->root, noise->folder, &noise->before);
	noise->begun_ns = pw_clock_monotonic();
	noise->read = pw_cpu_times_read(noise->root, &noise->times);
}

void pw_noise_end(struct pw_noise *noise)
{
	struct pw_cpu_times now;

	if (noise->config->noise.off)
		return;
	noise->compared = noise->read && pw_cpu_times_read(noise->root, &now);
	noise->interval_ns = pw_clock_monotonic() - noise->begun_ns;
	if (noise->compared)
		noise->passed = pw_cpu_times_between(&noise->times, &now);
	pw_processes_read(noise->root, noise->folder, &noise->after);
	noise->supply_after = pw_supply_read(noise->root, &noise->supplies);
	noise->suspended_ns = suspended_so_far();
	noise->ran = true;
}

static void take_shares(const struct pw_noise *noise, int64_t tree_ns, bool by_processes,
			struct pw_noise_shares *ret)
{
	struct pw_interval interval = { .passed = noise->passed,
					.ns = noise->interval_ns,
					.tree_ns = tree_ns,
					.tick_rate = tick_rate(),
					.by_processes = by_processes };

	*ret = (struct pw_noise_shares){ 0 };
	if (!noise->compared)
		return;
	interval.use = pw_processes_compare(&noise->before, &noise->after, noise->self);
	pw_noise_shares(&interval, ret);
}

/* Per cent to a tenth: more is not known. */
static struct pw_value percent(double share)
{
	return pw_value_real((double)(int64_t)(share * 1000 + 0.5) / 10);
}

static struct pw_value process_value(const char *name, pid_t pid, double share)
{
	struct pw_value process = pw_value_object();

	pw_value_set(&process, "name", pw_value_text(name));
	pw_value_set(&process, "pid", pw_value_int(pid));
	pw_value_set(&process, "cpu_pct", percent(share));
	return process;
}

static void describe_shares(const struct pw_noise_shares *shares, struct pw_value *ret)
{
	if (!shares->known)
		return;
	pw_value_set(ret, "others_pct", percent(shares->others));
	pw_value_set(ret, "kernel_pct", percent(shares->kernel));
	pw_value_set(ret, "steal_pct", percent(shares->steal));
	pw_value_set(ret, "iowait_pct", percent(shares->iowait));
}

static void describe_heaviest(const struct pw_noise *noise, struct pw_value *ret)
{
	const struct pw_process *list[SHOWN];
	uint64_t used[SHOWN];
	struct pw_value processes = pw_value_list();
	double cpu = (double)noise->interval_ns / (double)PW_NS_PER_S * (double)tick_rate();
	size_t count = pw_processes_heaviest(&noise->before, &noise->after, noise->self, 1, list,
					     used, SHOWN);

	for (size_t i = 0; i < count && cpu > 0; i++) {
		char name[96];

		pw_noise_name(list[i], name, sizeof(name));
		pw_value_push(&processes, process_value(name, list[i]->pid, (double)used[i] / cpu));
	}
	pw_value_set(ret, "processes", processes);
}

static bool is_stopped(const struct pw_noise *noise, const struct pw_daemon *daemon)
{
	const struct pw_strv *services = &noise->config->services;

	for (size_t i = 0; i < services->count; i++) {
		if (pw_daemon_is_service(daemon, services->items[i]))
			return true;
	}
	return false;
}

static struct pw_value daemon_value(const struct pw_daemon_found *found)
{
	struct pw_value daemon = pw_value_object();

	pw_value_set(&daemon, "name", pw_value_text(found->daemon->name));
	if (found->pid)
		pw_value_set(&daemon, "pid", pw_value_int(found->pid));
	pw_value_set(&daemon, "changes", pw_value_text(found->daemon->changes));
	if (found->daemon->unit)
		pw_value_set(&daemon, "service", pw_value_text(found->daemon->unit));
	return daemon;
}

/* All are told in session.json; a note only for those that may act during the session. */
static void survey_daemons(const struct pw_noise *noise, struct pw_value *ret,
			   struct pw_strv *notes)
{
	struct pw_daemons daemons;
	struct pw_value list = pw_value_list();

	pw_daemons_find(noise->root, &daemons);
	for (size_t i = 0; i < daemons.count; i++) {
		const struct pw_daemon_found *found = &daemons.items[i];
		pw_auto_free char *text = pw_daemon_text(found);
		pw_auto_free char *hint = pw_daemon_hint(found->daemon);

		if (is_stopped(noise, found->daemon))
			continue;
		pw_value_push(&list, daemon_value(found));
		if (!(found->daemon->flags & (PW_DAEMON_ONCE | PW_DAEMON_LOAD)))
			pw_strv_pushf(notes, "%s: %s", text, hint);
	}
	pw_value_set(ret, "daemons", list);
	pw_daemons_done(&daemons);
}

static void note_machine(const struct pw_value *machine, struct pw_strv *notes)
{
	const char *scheduler = pw_value_get_text(machine, "sched_ext", NULL);
	int64_t latency = pw_value_get_int(machine, "latency_us", -1);

	if (strcmp(pw_value_get_text(machine, "supply", ""), "battery") == 0)
		pw_strv_push(notes, "noise: the machine runs from its battery: firmware and "
				    "daemons may limit it");
	if (scheduler)
		pw_strv_pushf(notes, "noise: the scheduler '%s' (sched_ext) is loaded", scheduler);
	if (latency >= 0)
		pw_strv_pushf(notes,
			      "noise: a process holds /dev/cpu_dma_latency at %lld us: deep idle "
			      "states are not used",
			      (long long)latency);
}

/* The two readings, and what they say; without /proc/stat there is nothing to wait for. */
static void survey_load(struct pw_noise *noise, struct pw_strv *beyond)
{
	struct pw_noise_shares shares;

	pw_noise_begin(noise);
	if (noise->read)
		pw_clock_sleep_until(noise->begun_ns + SURVEY_NS);
	pw_noise_end(noise);
	noise->ran = false; /* that was no run */
	take_shares(noise, 0, true, &shares);
	if (!shares.known) {
		pw_value_set(&noise->survey, "unavailable",
			     pw_value_text(noise->compared ? "/proc/stat did not advance"
							   : "/proc/stat cannot be read"));
		return;
	}
	describe_shares(&shares, &noise->survey);
	describe_heaviest(noise, &noise->survey);
	/* Steal is judged over whole runs: so short a look cannot tell 1 % from a tick. */
	shares.sure_steal = 0;
	pw_noise_beyond(&shares, noise->config, beyond);
}

static int refuse(const struct pw_strv *beyond, struct pw_err *err)
{
	pw_auto_free char *texts = pw_strv_join(beyond, "; ");

	(void)pw_fail(err, PW_EBUSY, "the machine is not quiet: %s", texts);
	return pw_err_hint(err, "end what is named, or raise the limit in \"noise\", or leave "
				"\"action\" at \"warn\"");
}

int pw_noise_survey(struct pw_noise *noise, struct pw_strv *notes, struct pw_err *err)
{
	pw_auto_strv struct pw_strv beyond = PW_STRV_INIT;
	struct pw_value machine;

	if (noise->config->noise.off)
		return 0;
	survey_load(noise, &beyond);
	if (beyond.count && noise->config->noise.refuse)
		return refuse(&beyond, err);
	survey_daemons(noise, &noise->survey, notes);
	pw_disturbances(noise->root, &machine);
	note_machine(&machine, notes);
	pw_value_set(&noise->survey, "machine", machine);
	pw_strv_append(notes, &beyond);
	return 0;
}

struct pw_value pw_noise_describe(const struct pw_noise *noise)
{
	return noise->config->noise.off ? PW_VALUE_INIT : pw_value_copy(&noise->survey);
}

static void report_supply(const struct pw_noise *noise, struct pw_value *ret,
			  struct pw_value *record)
{
	const char *before = pw_supply_text(noise->supply);
	const char *after = pw_supply_text(noise->supply_after);
	pw_auto_free char *text = NULL;

	if (after)
		pw_value_set(ret, "supply", pw_value_text(after));
	if (!before || !after || before == after)
		return;
	text = pw_sprintf("the power source changed from %s to %s during the run", before, after);
	pw_record_fail(record, PW_STATUS_INVALIDATED, text);
}

static void report_sleep(const struct pw_noise *noise, struct pw_value *ret,
			 struct pw_value *record)
{
	double seconds = (double)noise->slept_ns / (double)PW_NS_PER_S;
	pw_auto_free char *text = NULL;

	if (!pw_was_suspended(noise->slept_ns) || pw_pitfall("sleep-unnoticed"))
		return;
	pw_value_set(ret, "slept_s", pw_value_real(seconds));
	text = pw_sprintf("noise: the machine was suspended for %.1f s before this run", seconds);
	pw_record_warning(record, text);
}

void pw_noise_report(const struct pw_noise *noise, int64_t tree_ns, struct pw_value *record)
{
	pw_auto_strv struct pw_strv beyond = PW_STRV_INIT;
	struct pw_value value = pw_value_object();
	struct pw_noise_shares shares;

	if (noise->config->noise.off) {
		pw_value_done(&value);
		return;
	}
	take_shares(noise, tree_ns, false, &shares);
	describe_shares(&shares, &value);
	if (shares.pid)
		pw_value_set(&value, "heaviest",
			     process_value(shares.name, shares.pid, shares.heaviest));
	report_supply(noise, &value, record);
	report_sleep(noise, &value, record);
	pw_noise_beyond(&shares, noise->config, &beyond);
	for (size_t i = 0; i < beyond.count; i++) {
		if (noise->config->noise.refuse)
			pw_record_fail(record, PW_STATUS_INVALIDATED, beyond.items[i]);
		pw_record_warning(record, beyond.items[i]);
	}
	if (value.count)
		pw_value_set(record, "noise", value);
	else
		pw_value_done(&value);
}

char *pw_noise_blame(const struct pw_noise *noise, const char *text)
{
	pw_auto_free char *path = pw_strndup(text, strcspn(text, " "));
	pw_auto_strbuf struct pw_strbuf blame = PW_STRBUF_INIT;
	struct pw_daemons daemons;

	pw_daemons_find(noise->root, &daemons);
	for (size_t i = 0; i < daemons.count; i++) {
		const struct pw_daemon_found *found = &daemons.items[i];

		if (!pw_daemon_writes(found->daemon, path))
			continue;
		pw_strbuf_printf(&blame, "; %s", found->daemon->name);
		if (found->pid)
			pw_strbuf_printf(&blame, " (pid %d)", (int)found->pid);
		pw_strbuf_puts(&blame, " is known to write it");
	}
	pw_daemons_done(&daemons);
	return pw_strbuf_take(&blame);
}
