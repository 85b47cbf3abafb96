/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A block is a number of episodes: a file or folder is opened, something is done with it, it is
 * closed. First all that the plan asks for is dealt out to the episodes, then they are written in
 * random order, some of them kept open over others.
 */
#include "workloads/engine/genblock.h"

#include <stdlib.h>

#include "lib/base/mem.h"
#include "workloads/engine/op.h"

/* Episodes open at once; with one opening more this stays below the 23 handles of the model. */
#define HELD_LIMIT 8
/* New files that wait for their removal, so that 85 files are never passed. */
#define LIVE_LIMIT 12
/* Names per folder that are looked for in vain. */
#define MISSING_NAMES 18
#define NAME_SIZE     96

enum kind { KIND_NEW, KIND_KEPT, KIND_FOLDER };

struct item {
	enum pw_op_code code;
	uint32_t size;
};

struct episode {
	enum kind kind;
	unsigned number; /* of the file in its folder */
	bool extend, rename;
	unsigned path_there, path_missing, open_missing, root_ops, listing;
	struct item *items;
	size_t item_count, item_capacity, item_done;
	unsigned handle;
	uint32_t cursor; /* in the file */
};

struct state {
	struct pw_gen *gen;
	const struct pw_gen_block *block;
	struct episode *episodes; /* the new ones, the kept ones, the folders */
	size_t count;
	struct episode *held[HELD_LIMIT];
	size_t held_count;
	const struct episode *live[LIVE_LIMIT];
	size_t live_count;
};

static size_t below(struct state *state, size_t n)
{
	return (size_t)pw_rng_below(&state->gen->rng, n);
}

static struct episode *pick(struct state *state, enum kind kind)
{
	const struct pw_gen_block *block = state->block;

	if (kind == KIND_NEW)
		return &state->episodes[below(state, block->open_new)];
	/* Low numbers more often: few files are read much, many a little. */
	return &state->episodes[block->open_new + below(state, below(state, block->open_kept) + 1)];
}

static void give(struct episode *episode, enum pw_op_code code, uint32_t size)
{
	struct item item = { .code = code, .size = size };

	PW_PUSH(episode->items, episode->item_count, episode->item_capacity, item);
}

/* `count` sizes within limits that add up exactly: equal ones, then pairs moved apart. */
static void draw_sizes(struct state *state, const struct pw_gen_sizes *group, size_t *sizes)
{
	for (size_t i = 0; i < group->count; i++)
		sizes[i] = group->bytes / group->count + (i < group->bytes % group->count);
	for (size_t i = 0; group->count > 1 && i < group->count; i++) {
		size_t j = below(state, group->count);
		size_t down = sizes[i] - group->least, up = group->most - sizes[j];
		size_t most = down < up ? down : up;
		size_t moved = most ? below(state, most) : 0;

		if (i == j)
			continue;
		sizes[i] -= moved;
		sizes[j] += moved;
	}
}

/* All sizes of a plan in random order; the caller's. */
static size_t *draw_plan(struct state *state, const struct pw_gen_sizes *groups, size_t *ret_count)
{
	size_t *sizes = NULL;
	size_t count = 0, capacity = 0;

	for (size_t i = 0; i < PW_GEN_GROUPS && groups[i].count; i++) {
		pw_grow(&sizes, &capacity, count + groups[i].count, sizeof(*sizes));
		draw_sizes(state, &groups[i], sizes + count);
		count += groups[i].count;
	}
	pw_rng_shuffle(&state->gen->rng, sizes, count);
	*ret_count = count;
	return sizes;
}

/* Small writes go half into kept files; new files get the rest, those that were extended first. */
static struct episode *pick_writer(struct state *state, size_t size)
{
	const struct pw_gen_block *block = state->block;
	const size_t small = 4096;

	if (size <= small && block->open_kept && below(state, 2))
		return pick(state, KIND_KEPT);
	if (below(state, 5))
		return &state->episodes[below(state, block->extend)];
	return pick(state, KIND_NEW);
}

static void deal_sizes(struct state *state)
{
	size_t count;
	size_t *sizes = draw_plan(state, state->block->reads, &count);

	for (size_t i = 0; i < count; i++)
		give(pick(state, KIND_KEPT), PW_OP_READ, (uint32_t)sizes[i]);
	free(sizes);
	sizes = draw_plan(state, state->block->writes, &count);
	for (size_t i = 0; i < count; i++)
		give(pick_writer(state, sizes[i]), PW_OP_WRITE, (uint32_t)sizes[i]);
	free(sizes);
}

static void deal_infos(struct state *state)
{
	const struct pw_gen_block *block = state->block;

	for (size_t i = 0; i < block->file_info; i++)
		give(pick(state, below(state, 2) ? KIND_NEW : KIND_KEPT), PW_OP_FILE_INFO, 0);
	for (size_t i = 0; i < block->set_info; i++)
		give(pick(state, below(state, 3) ? KIND_NEW : KIND_KEPT), PW_OP_SET_INFO, 0);
	for (size_t i = 0; i < block->flush; i++)
		give(pick(state, KIND_NEW), PW_OP_FLUSH, 0);
	for (size_t i = 0; i < block->locks; i++)
		give(pick(state, KIND_KEPT), PW_OP_LOCK, 0);
	for (size_t i = 0; i < block->renames; i++)
		state->episodes[i].rename = true;
	for (size_t i = 0; i < block->extend; i++)
		state->episodes[i].extend = true;
}

/* What comes before an opening. */
static void deal_befores(struct state *state, size_t root_ops)
{
	const struct pw_gen_block *block = state->block;

	for (size_t i = 0; i < block->path_there; i++)
		state->episodes[below(state, state->count)].path_there++;
	for (size_t i = 0; i < block->path_missing; i++)
		state->episodes[below(state, state->count)].path_missing++;
	for (size_t i = 0; i < block->open_missing; i++)
		state->episodes[below(state, state->count)].open_missing++;
	for (size_t i = 0; i < root_ops; i++)
		state->episodes[below(state, state->count)].root_ops++;
	if (block->listing)
		state->episodes[below(state, state->count)].listing = block->listing;
}

static void folder_name(const struct state *state, char name[NAME_SIZE])
{
	(void)snprintf(name, NAME_SIZE, PW_GEN_APPS_FOLDER "\\%s", state->block->folder);
}

static void file_name(const struct state *state, const struct episode *episode, bool renamed,
		      char name[NAME_SIZE])
{
	if (episode->kind == KIND_FOLDER)
		folder_name(state, name);
	else if (episode->kind == KIND_KEPT)
		(void)snprintf(name, NAME_SIZE, PW_GEN_APPS_FOLDER "\\%s\\paper%02u.doc",
			       state->block->folder, episode->number);
	else
		(void)snprintf(name, NAME_SIZE, PW_GEN_APPS_FOLDER "\\%s\\%s%02u.tmp",
			       state->block->folder, renamed ? "final" : "draft", episode->number);
}

/* A name that is asked for before an episode begins: a new file is not there yet. */
static void there_name(struct state *state, const struct episode *episode, char name[NAME_SIZE])
{
	struct episode other = { .kind = KIND_KEPT };

	if (episode->kind == KIND_NEW) {
		other.number = (unsigned)below(state, state->block->kept);
		episode = &other;
	}
	file_name(state, episode, false, name);
}

static void write_befores(struct state *state, const struct episode *episode)
{
	struct pw_gen *gen = state->gen;
	char folder[NAME_SIZE], name[NAME_SIZE];

	folder_name(state, folder);
	for (unsigned i = 0; i < episode->root_ops; i++)
		pw_gen_root(gen);
	if (episode->listing)
		pw_gen_line(gen, "FIND_FIRST \"%s\\*\" 260 1366 %u NT_STATUS_OK", folder,
			    episode->listing);
	for (unsigned i = 0; i < episode->path_missing; i++)
		pw_gen_line(gen,
			    "QUERY_PATH_INFORMATION \"%s\\other%02zu.bak\" 1004 "
			    "NT_STATUS_OBJECT_NAME_NOT_FOUND",
			    folder, below(state, MISSING_NAMES));
	for (unsigned i = 0; i < episode->open_missing; i++)
		pw_gen_line(gen,
			    "NTCreateX \"%s\\other%02zu.bak\" 0x40 0x1 %u "
			    "NT_STATUS_OBJECT_NAME_NOT_FOUND",
			    folder, below(state, MISSING_NAMES), gen->handle);
	for (unsigned i = 0; i < episode->path_there; i++) {
		there_name(state, episode, name);
		pw_gen_line(gen, "QUERY_PATH_INFORMATION \"%s\" %u NT_STATUS_OK", name,
			    below(state, 4) ? 1004U : 1035U);
	}
}

/* New files grow from their beginning; kept ones keep their size and are mostly gone along. */
static uint32_t place(struct state *state, struct episode *episode, uint32_t size)
{
	uint32_t offset;

	if (episode->kind == KIND_KEPT &&
	    (below(state, 10) < 3 || episode->cursor + size > PW_GEN_KEPT_BYTES))
		episode->cursor =
			(uint32_t)below(state, (PW_GEN_KEPT_BYTES - size) / 512 + 1) * 512;
	offset = episode->cursor;
	episode->cursor += size;
	return offset;
}

static void write_item(struct state *state, struct episode *episode, const struct item *item)
{
	/* Far beyond any data, where office programs lock. */
	const unsigned lock_offset = 2147483538U;
	struct pw_gen *gen = state->gen;
	unsigned handle = episode->handle;

	switch (item->code) {
	case PW_OP_READ:
		pw_gen_read(gen, handle, place(state, episode, item->size), item->size);
		break;
	case PW_OP_WRITE:
		pw_gen_write(gen, handle, place(state, episode, item->size), item->size);
		break;
	case PW_OP_FILE_INFO:
		pw_gen_line(gen, "QUERY_FILE_INFORMATION %u 1004 NT_STATUS_OK", handle);
		break;
	case PW_OP_SET_INFO:
		pw_gen_line(gen, "SET_FILE_INFORMATION %u 1004 NT_STATUS_OK", handle);
		break;
	case PW_OP_FLUSH:
		pw_gen_line(gen, "Flush %u NT_STATUS_OK", handle);
		break;
	default:
		pw_gen_line(gen, "LockX %u %u 1 NT_STATUS_OK", handle, lock_offset);
		pw_gen_line(gen, "UnlockX %u %u 1 NT_STATUS_OK", handle, lock_offset);
		break;
	}
}

static void write_items(struct state *state, struct episode *episode, size_t until)
{
	for (; episode->item_done < until; episode->item_done++)
		write_item(state, episode, &episode->items[episode->item_done]);
}

/* One byte at the end that the file will have, so that the space is there. */
static void write_extension(struct state *state, struct episode *episode)
{
	uint32_t size = 0;

	for (size_t i = 0; i < episode->item_count; i++)
		size += episode->items[i].code == PW_OP_WRITE ? episode->items[i].size : 0;
	if (size == 0)
		size = (uint32_t)(1024 + below(state, 7168));
	pw_gen_write(state->gen, episode->handle, size - 1, 1);
	pw_gen_line(state->gen, "QUERY_FILE_INFORMATION %u 258 NT_STATUS_OK", episode->handle);
}

static void remove_oldest(struct state *state)
{
	char name[NAME_SIZE];

	file_name(state, state->live[0], state->live[0]->rename, name);
	pw_gen_line(state->gen, "Unlink \"%s\" 0x6 NT_STATUS_OK", name);
	state->live_count--;
	for (size_t i = 0; i < state->live_count; i++)
		state->live[i] = state->live[i + 1];
}

static void end_episode(struct state *state, struct episode *episode)
{
	char from[NAME_SIZE], to[NAME_SIZE];

	write_items(state, episode, episode->item_count);
	pw_gen_close(state->gen, episode->handle);
	if (episode->kind != KIND_NEW)
		return;
	if (episode->rename) {
		file_name(state, episode, false, from);
		file_name(state, episode, true, to);
		pw_gen_line(state->gen, "Rename \"%s\" \"%s\" NT_STATUS_OK", from, to);
	}
	if (state->live_count == LIVE_LIMIT)
		remove_oldest(state);
	state->live[state->live_count++] = episode;
	/* Most new files are short-lived. */
	while (state->live_count && below(state, 3) == 0)
		remove_oldest(state);
}

static void begin_episode(struct state *state, struct episode *episode)
{
	char name[NAME_SIZE];

	write_befores(state, episode);
	file_name(state, episode, false, name);
	episode->handle = pw_gen_open(state->gen, name, episode->kind == KIND_FOLDER ? 0x0 : 0x40,
				      episode->kind == KIND_NEW ? PW_DISP_CREATE : PW_DISP_OPEN);
	if (episode->extend)
		write_extension(state, episode);
}

/* A third of the episodes stays open, half done, while others come; then all held ones end. */
static void write_episode(struct state *state, struct episode *episode)
{
	begin_episode(state, episode);
	if (state->held_count < HELD_LIMIT && below(state, 3) == 0) {
		write_items(state, episode, episode->item_count / 2);
		state->held[state->held_count++] = episode;
		return;
	}
	end_episode(state, episode);
	if (below(state, 4) == 0) {
		while (state->held_count)
			end_episode(state, state->held[--state->held_count]);
	}
}

static void make_episodes(struct state *state)
{
	const struct pw_gen_block *block = state->block;
	size_t kept_end = (size_t)block->open_new + block->open_kept;

	state->count = kept_end + block->open_folder;
	state->episodes = pw_new(state->count, sizeof(*state->episodes));
	for (size_t i = 0; i < state->count; i++) {
		struct episode *episode = &state->episodes[i];

		episode->kind = i < block->open_new ? KIND_NEW
				: i < kept_end	    ? KIND_KEPT
						    : KIND_FOLDER;
		episode->number = (unsigned)i;
		if (episode->kind == KIND_KEPT)
			episode->number = (unsigned)below(state, block->kept);
	}
}

void pw_gen_block(struct pw_gen *gen, const struct pw_gen_block *block, size_t root_ops)
{
	struct state state = { .gen = gen, .block = block };
	size_t *order;

	make_episodes(&state);
	deal_sizes(&state);
	deal_infos(&state);
	deal_befores(&state, root_ops);
	order = pw_new(state.count, sizeof(*order));
	for (size_t i = 0; i < state.count; i++)
		order[i] = i;
	pw_rng_shuffle(&gen->rng, order, state.count);
	for (size_t i = 0; i < state.count; i++)
		write_episode(&state, &state.episodes[order[i]]);
	while (state.held_count)
		end_episode(&state, state.held[--state.held_count]);
	while (state.live_count)
		remove_oldest(&state);
	for (size_t i = 0; i < state.count; i++)
		free(state.episodes[i].items);
	free(state.episodes);
	free(order);
}
