/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/client.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"

/* Pauses of a load file are slept in pieces of this, so that a stop is heard. */
#define PAUSE_PIECE_NS (50 * PW_NS_PER_MS)

static int make_names(struct pw_client *client, struct pw_err *err)
{
	const struct pw_names *names = &client->load->names;
	char text[PW_NAME_SIZE];

	client->names = pw_new(names->count, sizeof(*client->names));
	client->names[0].text = pw_strdup("");
	for (size_t i = 1; i < names->count; i++) {
		size_t length = pw_name_for_client(names->items[i], client->id, text, sizeof(text));

		if (!length)
			return pw_fail(err, PW_EINVAL, "the name '%.80s' grows too long",
				       names->items[i]);
		client->names[i].text = pw_strdup(text);
		client->names[i].length = (uint32_t)length;
	}
	return 0;
}

static int make_buffers(struct pw_client *client, struct pw_err *err)
{
	/* Touched, so that no page fault falls into the window. */
	client->buffer = pw_new(1, PW_BUFFER_SIZE);
	memset(client->buffer, 0, PW_BUFFER_SIZE);
	client->listing = pw_new(1, PW_LISTING_SIZE);
	memset(client->listing, 0, PW_LISTING_SIZE);
	memset(&client->stats->latency, 0, sizeof(client->stats->latency));
	client->files = pw_new(client->load->slots + 1, sizeof(*client->files));
	for (unsigned i = 0; i < client->load->slots; i++)
		client->files[i].fd = -1;
	if (client->profile == PW_PROFILE_V4 &&
	    pw_refill_open(&client->refill, client->load, err) < 0)
		return -(int)err->code;
	return make_names(client, err);
}

static bool stopped(struct pw_client *client)
{
	return pw_shared_phase(client->shared) == PW_PHASE_STOP;
}

static void sleep_until(struct pw_client *client, int64_t until_ns)
{
	int64_t now = pw_clock_monotonic();

	while (now < until_ns && !stopped(client)) {
		int64_t piece = until_ns - now < PAUSE_PIECE_NS ? until_ns - now : PAUSE_PIECE_NS;

		pw_clock_sleep_until(now + piece);
		now = pw_clock_monotonic();
	}
}

static int check_parent(const struct pw_client *client, struct pw_err *err)
{
	if (getppid() != client->parent)
		return pw_fail(err, PW_EGONE, "the process that started it is gone");
	return 0;
}

static struct pw_step step_parsed(const struct pw_client *client, const struct pw_op *op)
{
	const struct pw_name *path = &client->names[op->path];
	const struct pw_name *path2 = &client->names[op->path2];

	return (struct pw_step){ .op = op,
				 .path = path->text,
				 .path_length = path->length,
				 .path2 = path2->text,
				 .path2_length = path2->length };
}

static struct pw_step step_reread(struct pw_client *client, const struct pw_op *op)
{
	struct pw_reread *reread = &client->reread;

	pw_load_reread(client->load, op, client->id, reread);
	return (struct pw_step){ .op = &reread->op,
				 .path = reread->path,
				 .path_length = reread->path_length,
				 .path2 = reread->path2,
				 .path2_length = reread->path2_length };
}

static int execute_step(struct pw_client *client, const struct pw_step *step, struct pw_err *err)
{
	const struct pw_op *op = step->op;

	if (op->when_ns >= 0)
		sleep_until(client, client->pass_ns + op->when_ns);
	if (op->code == PW_OP_SLEEP) {
		sleep_until(client, pw_clock_monotonic() + op->offset * PW_NS_PER_US);
		return 0;
	}
	return client->backend->execute(client, step, err);
}

/* The parent is looked for and the clock is read as often as dbench 4.0 does for every line. */
static int execute_v4(struct pw_client *client, const struct pw_op *op, struct pw_err *err)
{
	struct pw_step step;
	int bytes;

	if (kill(client->parent, 0) < 0 && errno == ESRCH)
		return pw_fail(err, PW_EGONE, "the process that started it is gone");
	pw_refill_line(&client->refill, op->text);
	step = step_reread(client, op);
	(void)pw_clock_monotonic();
	(void)pw_clock_monotonic();
	bytes = execute_step(client, &step, err);
	(void)pw_clock_monotonic();
	return bytes;
}

static int execute_mmtests(struct pw_client *client, const struct pw_op *op, struct pw_err *err)
{
	struct pw_step step = step_parsed(client, op);

	return execute_step(client, &step, err);
}

static int execute(struct pw_client *client, const struct pw_op *op, struct pw_err *err)
{
	int bytes = client->profile == PW_PROFILE_V4 ? execute_v4(client, op, err)
						     : execute_mmtests(client, op, err);

	if (bytes < 0)
		return pw_err_prefix(err, "load file line %u", op->line);
	return bytes;
}

static int run_preamble(struct pw_client *client, struct pw_err *err)
{
	client->pass_ns = pw_clock_monotonic();
	for (size_t i = 0; i < client->load->session; i++) {
		if (execute(client, &client->load->ops[i], err) < 0)
			return -(int)err->code;
		atomic_store_explicit(&client->stats->preamble, i + 1, memory_order_relaxed);
	}
	return 0;
}

/* Counters of this client: it alone writes them, the body reads them. */
struct tally {
	uint64_t operations, bytes;
	int64_t last_ns; /* end of the operation before */
};

static void note(struct pw_client *client, struct tally *tally, uint32_t bytes)
{
	struct pw_client_stats *stats = client->stats;
	int64_t now = pw_clock_monotonic();

	tally->operations++;
	tally->bytes += bytes;
	atomic_store_explicit(&stats->operations, tally->operations, memory_order_relaxed);
	atomic_store_explicit(&stats->bytes, tally->bytes, memory_order_relaxed);
	if (pw_shared_phase(client->shared) == PW_PHASE_WINDOW)
		pw_loghist_add(&stats->latency, (uint64_t)(now - tally->last_ns));
	tally->last_ns = now;
}

/* What comes between two sessions. */
static int turn(struct pw_client *client, struct pw_err *err)
{
	if (client->profile == PW_PROFILE_MMTESTS)
		return check_parent(client, err);
	pw_refill_rewind(&client->refill);
	return 0;
}

/* Sessions until the stop. */
static int run_sessions(struct pw_client *client, struct pw_err *err)
{
	const struct pw_op *begin = client->load->ops + client->load->session;
	const struct pw_op *end = client->load->ops + client->load->op_count;
	struct tally tally = { .last_ns = pw_clock_monotonic() };

	for (uint64_t pass = 1;; pass++) {
		if (pass > 1 && turn(client, err) < 0)
			return -(int)err->code;
		client->pass_ns = pw_clock_monotonic();
		for (const struct pw_op *op = begin; op < end; op++) {
			int bytes;

			if (stopped(client))
				return 0;
			bytes = execute(client, op, err);
			if (bytes < 0)
				return bytes;
			note(client, &tally, (uint32_t)bytes);
		}
		atomic_store_explicit(&client->stats->passes, pass, memory_order_relaxed);
	}
}

static int run_all(struct pw_client *client, struct pw_err *err)
{
	if (make_buffers(client, err) < 0 || client->backend->setup(client, err) < 0 ||
	    run_preamble(client, err) < 0)
		return -(int)err->code;
	atomic_store(&client->stats->ready, 1);
	pw_shared_wait_start(client->shared);
	atomic_store(&client->stats->started_ns, pw_clock_monotonic());
	if (run_sessions(client, err) < 0)
		return -(int)err->code;
	return client->backend->cleanup(client, err);
}

int pw_client_main(struct pw_client *client)
{
	struct pw_err err = PW_ERR_INIT;

	if (run_all(client, &err) == 0)
		return 0;
	(void)snprintf(client->stats->message, sizeof(client->stats->message), "%.767s", err.text);
	return 1;
}
