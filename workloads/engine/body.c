/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/body.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "lib/base/clock.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "workloads/engine/family.h"
#include "workloads/engine/folder.h"
#include "workloads/engine/outcome.h"
#include "workloads/engine/replay.h"
#include "workloads/engine/server.h"
#include "workloads/engine/snapshot.h"

/* Starting: so long may pass without any progress of any client. */
#define START_LIMIT_NS (10 * PW_NS_PER_S)
/* Ending (cleaning included): so long may pass without any process ending. */
#define STOP_LIMIT_NS (60 * PW_NS_PER_S)
/* So long the reason of a failure is looked for. */
#define REASON_LIMIT_NS (50 * PW_NS_PER_MS)
/* How often a condition is looked at. Never inside the window. */
#define POLL_NS PW_NS_PER_MS

struct body {
	const struct pw_body_kind *kind;
	struct pw_replay replay;
	struct pw_load load;
	char *load_name;
	struct pw_shared *shared;
	struct pw_family family;
	struct pw_folder folder;
	int listen_fd;
	struct sockaddr_in address;
	pid_t pid;
	struct pw_snapshot *begin, *end;
};

static int client_main(void *context, unsigned id)
{
	struct body *body = context;
	struct pw_client *client = pw_new(1, sizeof(*client));

	if (body->listen_fd >= 0)
		close(body->listen_fd);
	client->id = id;
	client->parent = body->pid;
	client->profile = body->replay.profile;
	client->load = &body->load;
	client->backend = body->kind->backend;
	client->shared = body->shared;
	client->stats = &body->shared->client[id];
	client->server = body->address;
	client->socket = -1;
	return pw_client_main(client);
}

static int server_main(void *context, unsigned id)
{
	struct body *body = context;
	struct pw_client_stats *stats = &body->shared->client[id];
	struct pw_err err = PW_ERR_INIT;

	if (pw_server_main(body->listen_fd, &err) == 0)
		return 0;
	(void)snprintf(stats->server_message, sizeof(stats->server_message), "%.255s", err.text);
	return 1;
}

/*
 * A process that is killed closes its connection before it can be reaped: its peer may be the first
 * to fail. So a death is waited for a moment, as it is the better reason.
 */
static const struct pw_child *find_reason(struct body *body, bool early)
{
	int64_t limit = pw_clock_monotonic() + REASON_LIMIT_NS;
	const struct pw_child *child = pw_family_failed(&body->family, early);
	struct pw_err ignored = PW_ERR_INIT;

	while (child && !WIFSIGNALED(child->status) && pw_clock_monotonic() < limit) {
		if (pw_family_wait(&body->family, limit, &ignored) < 0)
			break;
		child = pw_family_failed(&body->family, early);
	}
	return child;
}

/* Fails if any child went wrong; `early`: a client that ends at all went wrong. */
static int check_children(struct body *body, bool early, struct pw_err *err)
{
	const struct pw_child *child = find_reason(body, early);
	const struct pw_client_stats *stats;
	const char *role, *message;

	if (!child)
		return 0;
	stats = &body->shared->client[child->id];
	role = child->role == PW_ROLE_CLIENT ? "client" : "server";
	message = child->role == PW_ROLE_CLIENT ? stats->message : stats->server_message;
	if (WIFSIGNALED(child->status))
		return pw_fail(err, PW_EFAILED, "%s %u was ended by signal %d (%s)", role,
			       child->id, WTERMSIG(child->status),
			       strsignal(WTERMSIG(child->status)));
	if (message[0])
		return pw_fail(err, PW_EFAILED, "%s %u: %s", role, child->id, message);
	return pw_fail(err, PW_EFAILED, "%s %u ended too early, with status %d", role, child->id,
		       WEXITSTATUS(child->status));
}

/* Sleeps until a moment; fails as soon as a child does. */
static int watch(struct body *body, int64_t until_ns, struct pw_err *err)
{
	do {
		if (pw_family_wait(&body->family, until_ns, err) < 0 ||
		    check_children(body, true, err) < 0)
			return -(int)err->code;
	} while (pw_clock_monotonic() < until_ns);
	return 0;
}

struct progress {
	unsigned there;	 /* clients that are where they should be */
	uint64_t so_far; /* grows while anything moves */
};

static struct progress progress_ready(const struct pw_shared *shared)
{
	struct progress progress = { 0 };

	for (unsigned i = 0; i < shared->clients; i++) {
		progress.there += atomic_load(&shared->client[i].ready);
		progress.so_far += atomic_load(&shared->client[i].preamble);
	}
	progress.so_far += progress.there;
	return progress;
}

static struct progress progress_first(const struct pw_shared *shared)
{
	struct progress progress = { 0 };

	for (unsigned i = 0; i < shared->clients; i++)
		progress.there += atomic_load(&shared->client[i].operations) > 0;
	progress.so_far = progress.there;
	return progress;
}

/* Waits until all clients are there; the limit counts from the last sign of progress. */
static int wait_for_all(struct body *body, struct progress (*look)(const struct pw_shared *),
			const char *what, struct pw_err *err)
{
	int64_t limit = pw_clock_monotonic() + START_LIMIT_NS;
	uint64_t seen = 0;

	for (;;) {
		struct progress progress = look(body->shared);
		int64_t now = pw_clock_monotonic();

		if (progress.there == body->shared->clients)
			return check_children(body, true, err);
		if (progress.so_far != seen)
			limit = now + START_LIMIT_NS;
		seen = progress.so_far;
		if (now >= limit)
			return pw_fail(err, PW_ETIMEOUT,
				       "%u of %u clients %s, and nothing has moved for 10 s",
				       progress.there, body->shared->clients, what);
		if (watch(body, now + POLL_NS, err) < 0)
			return -(int)err->code;
	}
}

static int start(struct body *body, struct pw_err *err)
{
	unsigned clients = body->replay.clients;

	for (unsigned i = 0; body->kind->servers && i < clients; i++) {
		if (pw_family_fork(&body->family, PW_ROLE_SERVER, i, server_main, body, err) < 0)
			return -(int)err->code;
	}
	for (unsigned i = 0; i < clients; i++) {
		if (pw_family_fork(&body->family, PW_ROLE_CLIENT, i, client_main, body, err) < 0)
			return -(int)err->code;
	}
	if (body->listen_fd >= 0)
		close(pw_take_fd(&body->listen_fd));
	return wait_for_all(body, progress_ready, "are ready", err);
}

static int print_line(const char *line, struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	pw_strbuf_printf(&text, "%s\n", line);
	return pw_write_all(STDOUT_FILENO, text.text, text.length, err);
}

/* The marks lie outside the two snapshots, so that writing them costs the window nothing. */
static int measure(struct body *body, struct pw_err *err)
{
	struct pw_shared *shared = body->shared;

	pw_shared_set_phase(shared, PW_PHASE_WARMUP);
	if (watch(body, pw_clock_monotonic() + body->replay.warmup_ns, err) < 0 ||
	    wait_for_all(body, progress_first, "have begun", err) < 0 ||
	    print_line(PW_MARK_BEGIN, err) < 0)
		return -(int)err->code;
	pw_shared_set_phase(shared, PW_PHASE_WINDOW);
	pw_snapshot_take(body->begin, shared);
	if (watch(body, body->begin->time_ns + body->replay.time_ns, err) < 0)
		return -(int)err->code;
	pw_snapshot_take(body->end, shared);
	pw_shared_set_phase(shared, PW_PHASE_STOP);
	return print_line(PW_MARK_END, err);
}

static int stop(struct body *body, struct pw_err *err)
{
	int64_t limit = pw_clock_monotonic() + STOP_LIMIT_NS;
	size_t seen = body->family.alive;

	while (body->family.alive) {
		if (pw_family_wait(&body->family, limit, err) < 0 ||
		    check_children(body, false, err) < 0)
			return -(int)err->code;
		if (body->family.alive != seen)
			limit = pw_clock_monotonic() + STOP_LIMIT_NS;
		seen = body->family.alive;
		if (body->family.alive && pw_clock_monotonic() >= limit)
			return pw_fail(err, PW_ETIMEOUT, "%zu clients do not end",
				       pw_family_alive(&body->family, PW_ROLE_CLIENT));
	}
	return 0;
}

static int make_outcome(struct body *body, struct pw_outcome *outcome, struct pw_err *err)
{
	const struct pw_load *load = &body->load;

	pw_snapshot_difference(body->begin, body->end, outcome);
	pw_snapshot_totals(body->shared, outcome);
	outcome->numbers[PW_OUTCOME_ENGINE] = PW_ENGINE_VERSION;
	outcome->numbers[PW_OUTCOME_CLIENTS] = body->replay.clients;
	outcome->numbers[PW_OUTCOME_SESSION_OPERATIONS] = load->op_count - load->session;
	(void)snprintf(outcome->profile, sizeof(outcome->profile), "%s",
		       pw_profile_text(body->replay.profile));
	(void)snprintf(outcome->load, sizeof(outcome->load), "%s", body->load_name);
	if (outcome->numbers[PW_OUTCOME_BYTES] == 0)
		return pw_fail(err, PW_EFAILED,
			       "nothing was read or written in the window (choose a longer time)");
	return 0;
}

/* What the kind needs before any process is started. */
static int prepare(struct body *body, const struct pw_work *work, struct pw_outcome *outcome,
		   struct pw_err *err)
{
	const char *workdir = work->workdir ? work->workdir : ".";

	if (pw_replay_read(work, &body->replay, err) < 0 ||
	    pw_replay_load(&body->replay, &body->load, &body->load_name, err) < 0 ||
	    pw_shared_new(body->replay.clients, &body->shared, err) < 0)
		return -(int)err->code;
	body->begin = pw_snapshot_new(body->replay.clients);
	body->end = pw_snapshot_new(body->replay.clients);
	body->pid = getpid();
	if (body->kind->servers) {
		(void)snprintf(outcome->flavour, sizeof(outcome->flavour), "native");
		return pw_server_listen(body->replay.clients, &body->listen_fd, &body->address,
					err);
	}
	if (pw_folder_filesystem(workdir, outcome->flavour, sizeof(outcome->flavour), err) < 0)
		return -(int)err->code;
	return pw_folder_enter(&body->folder, workdir, err);
}

static int run(struct body *body, const struct pw_work *work, struct pw_strbuf *text,
	       struct pw_err *err)
{
	struct pw_outcome outcome = { 0 };

	if (prepare(body, work, &outcome, err) < 0 || start(body, err) < 0 ||
	    measure(body, err) < 0 || stop(body, err) < 0 || make_outcome(body, &outcome, err) < 0)
		return -(int)err->code;
	pw_outcome_write(&outcome, text);
	return 0;
}

static void release(struct body *body)
{
	if (body->listen_fd >= 0)
		close(body->listen_fd);
	pw_shared_free(body->shared);
	free(body->begin);
	free(body->end);
	free(body->load_name);
	pw_load_done(&body->load);
	pw_replay_done(&body->replay);
}

int pw_body_run(const struct pw_body_kind *kind, const struct pw_work *work)
{
	struct body body = { .kind = kind, .listen_fd = -1 };
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;
	struct pw_err err = PW_ERR_INIT, cleaning = PW_ERR_INIT;
	int r;

	pw_family_init(&body.family);
	r = run(&body, work, &text, &err);
	/* Every process is gone before the folder is. */
	pw_family_done(&body.family);
	if (pw_folder_leave(&body.folder, &cleaning) < 0 && r == 0) {
		err = cleaning;
		r = pw_err_prefix(&err, "clean");
	}
	release(&body);
	if (r == 0)
		r = pw_write_all(STDOUT_FILENO, text.text, text.length, &err);
	if (r == 0)
		return 0;
	(void)fprintf(stderr, "%s: %s\n", kind->name, err.text);
	return 1;
}
