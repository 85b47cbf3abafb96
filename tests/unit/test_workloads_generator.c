/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The generated load: its counts against the table it stands for, and its own consistency. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "workloads/engine/generator.h"
#include "workloads/engine/handles.h"

/* ---- counts of one session ---- */

enum column {
	OPEN_OK,
	OPEN_FAIL,
	OPEN_NEW,
	OPEN_FOLDER,
	CLOSES,
	READS,
	READ_BYTES,
	WRITES,
	WRITE_BYTES,
	PATH_OK,
	PATH_MISS,
	FILE_INFO,
	SET_INFO,
	FLUSHES,
	UNLINKS,
	RENAMES,
	LOCKS,
	FINDS,
	COLUMNS,
};

struct row {
	const char *folder;
	uint64_t n[COLUMNS];
};

/* One session of the client load of dbench 4.0, by application. */
static const struct row table[] = {
	{ "deck", { 62, 6, 12, 4, 62, 82, 335872, 48, 602929, 20, 6, 9, 18, 24, 12, 4, 0, 1 } },
	{ "text", { 35, 0, 9, 8, 35, 35, 140733, 19, 117539, 37, 24, 7, 16, 0, 9, 6, 0, 1 } },
	{ "data",
	  { 167, 36, 17, 1, 167, 129, 582790, 69, 207003, 147, 58, 36, 0, 6, 17, 1, 0, 1 } },
	{ "calc", { 32, 8, 16, 6, 32, 69, 282624, 40, 1030650, 33, 29, 14, 16, 4, 16, 6, 0, 1 } },
	{ "note", { 33, 15, 15, 5, 33, 271, 874783, 38, 1549435, 46, 21, 22, 0, 5, 15, 5, 2, 1 } },
	{ "base", { 9, 6, 7, 0, 9, 2, 20480, 13, 140486, 12, 4, 4, 0, 4, 7, 0, 0, 1 } },
	{ "draw", { 40, 6, 11, 4, 40, 45, 339968, 14, 104673, 30, 21, 4, 0, 0, 11, 4, 0, 1 } },
	{ "page", { 51, 78, 37, 0, 51, 9, 36864, 6, 288779, 38, 23, 1, 0, 0, 37, 0, 0, 1 } },
	{ "seed", { 21, 0, 0, 0, 21, 320, 8794112, 56, 3670016, 0, 0, 0, 0, 0, 0, 0, 0, 1 } },
	{ "", { 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 206 } },
};

#define ROWS		   PW_LENGTH(table)
#define SESSION_OPERATIONS 3538

static size_t row_of(const char *name)
{
	static const char office[] = "/clients/client1/office/";

	if (strncmp(name, "/clients/client1/large", 22) == 0)
		return ROWS - 2;
	assert_int_equal(strncmp(name, office, sizeof(office) - 1), 0);
	name += sizeof(office) - 1;
	for (size_t i = 0; i + 1 < ROWS; i++) {
		size_t length = strlen(table[i].folder);

		if (strncmp(name, table[i].folder, length) == 0 &&
		    (name[length] == '/' || name[length] == '\0'))
			return i;
	}
	return ROWS - 1;
}

static void count_open(const struct pw_op *op, uint64_t *n)
{
	bool ok = op->expect == PW_EXPECT_OK;

	n[ok ? OPEN_OK : OPEN_FAIL]++;
	n[OPEN_NEW] += ok && op->disposition == PW_DISP_CREATE;
	n[OPEN_FOLDER] += ok && op->options == 0;
}

static void count_op(const struct pw_op *op, uint64_t *n)
{
	switch (op->code) {
	case PW_OP_CREATE:
		count_open(op, n);
		break;
	case PW_OP_READ:
		n[READS]++;
		n[READ_BYTES] += op->size;
		break;
	case PW_OP_WRITE:
		n[WRITES]++;
		n[WRITE_BYTES] += op->size;
		break;
	case PW_OP_PATH_INFO:
		n[op->expect == PW_EXPECT_OK ? PATH_OK : PATH_MISS]++;
		break;
	default:
		n[CLOSES] += op->code == PW_OP_CLOSE;
		n[FILE_INFO] += op->code == PW_OP_FILE_INFO;
		n[SET_INFO] += op->code == PW_OP_SET_INFO;
		n[FLUSHES] += op->code == PW_OP_FLUSH;
		n[UNLINKS] += op->code == PW_OP_UNLINK;
		n[RENAMES] += op->code == PW_OP_RENAME;
		n[LOCKS] += op->code == PW_OP_LOCK;
		n[FINDS] += op->code == PW_OP_FIND;
		break;
	}
}

static void counts_are_those_of_the_table(uint64_t seed)
{
	uint64_t counted[ROWS][COLUMNS] = { 0 }, space = 0, unlocks = 0;
	size_t row_of_slot[PW_HANDLES_MAX] = { 0 };
	struct pw_err err = PW_ERR_INIT;
	struct pw_load load;

	assert_int_equal(pw_generator_load(seed, &load, &err), 0);
	for (size_t i = load.session; i < load.op_count; i++) {
		const struct pw_op *op = &load.ops[i];
		size_t row = op->path ? row_of(load.names.items[op->path]) : row_of_slot[op->slot];

		if (op->code == PW_OP_CREATE && op->expect == PW_EXPECT_OK)
			row_of_slot[op->slot] = row;
		space += op->code == PW_OP_FS_INFO;
		unlocks += op->code == PW_OP_UNLOCK;
		if (op->code != PW_OP_FS_INFO)
			count_op(op, counted[row]);
	}
	for (size_t row = 0; row < ROWS; row++) {
		for (size_t column = 0; column < COLUMNS; column++) {
			if (counted[row][column] != table[row].n[column])
				fail_msg("seed %llu, %s, column %zu: %llu instead of %llu",
					 (unsigned long long)seed, table[row].folder, column,
					 (unsigned long long)counted[row][column],
					 (unsigned long long)table[row].n[column]);
		}
	}
	assert_int_equal(space, 102);
	assert_int_equal(unlocks, 2);
	assert_int_equal(load.op_count - load.session, SESSION_OPERATIONS);
	/* 19.12 MB +- 0.1 % */
	assert_float_equal((double)load.session_bytes, 19.12e6, 19.12e3);
	pw_load_done(&load);
}

static void counts_hold_for_any_seed(void **state)
{
	(void)state;
	counts_are_those_of_the_table(PW_GENERATOR_SEED);
	for (uint64_t seed = 0; seed < 20; seed++)
		counts_are_those_of_the_table(seed);
}

static void sizes_are_mixed_as_in_the_model(void **state)
{
	static const struct {
		enum pw_op_code code;
		uint32_t size;
		unsigned count;
	} wanted[] = {
		{ PW_OP_READ, 4096, 644 },  { PW_OP_READ, 61440, 129 }, { PW_OP_READ, 2048, 36 },
		{ PW_OP_READ, 8192, 36 },   { PW_OP_READ, 16384, 15 },	{ PW_OP_READ, 512, 9 },
		{ PW_OP_WRITE, 65536, 96 }, { PW_OP_WRITE, 4096, 77 },	{ PW_OP_WRITE, 1, 57 },
		{ PW_OP_WRITE, 2048, 13 },  { PW_OP_WRITE, 8192, 9 },
	};
	struct pw_err err = PW_ERR_INIT;
	struct pw_load load;

	(void)state;
	assert_int_equal(pw_generator_load(PW_GENERATOR_SEED, &load, &err), 0);
	for (size_t k = 0; k < PW_LENGTH(wanted); k++) {
		unsigned count = 0;

		for (size_t i = load.session; i < load.op_count; i++)
			count += load.ops[i].code == wanted[k].code &&
				 load.ops[i].size == wanted[k].size;
		assert_int_equal(count, wanted[k].count);
	}
	pw_load_done(&load);
}

/* Shares of message sizes over loopback, in percent, as counted in the model. */
static void messages_are_sized_as_in_the_model(void **state)
{
	static const uint32_t limits[] = { 64, 128, 256, 1024, 2200, 4200, 16384, 70000 };
	static const double requests[] = { 48.38, 11.18, 33.65, .17, .39, 2.17, .73, 3.33 };
	static const double replies[] = { 31.37, 39.19, .23, 1.13, 4.26, 18.48, 1.21, 4.14 };
	double counts[2][PW_LENGTH(limits)] = { 0 };
	struct pw_err err = PW_ERR_INIT;
	struct pw_load load;
	double total;

	(void)state;
	assert_int_equal(pw_generator_load(PW_GENERATOR_SEED, &load, &err), 0);
	total = (double)(load.op_count - load.session);
	for (size_t i = load.session; i < load.op_count; i++) {
		const struct pw_op *op = &load.ops[i];
		size_t names = strlen(load.names.items[op->path]) + (op->path != 0) +
			       strlen(load.names.items[op->path2]) + (op->path2 != 0);
		uint32_t sizes[2] = { op->request + 2 * (uint32_t)names, op->reply };

		for (size_t way = 0; way < 2; way++) {
			size_t bucket = 0;

			while (sizes[way] > limits[bucket])
				bucket++;
			counts[way][bucket]++;
		}
	}
	for (size_t i = 0; i < PW_LENGTH(limits); i++) {
		/* Points of percent; a session of the model varies by as much. */
		assert_true(fabs(counts[0][i] * 100 / total - requests[i]) < 1.25);
		assert_true(fabs(counts[1][i] * 100 / total - replies[i]) < 1.25);
	}
	pw_load_done(&load);
}

/* ---- a file system in small, to see that every operation can go as it says ---- */

struct entry {
	bool there, folder;
	uint64_t size;
};

struct world {
	const struct pw_load *load;
	struct entry *entries; /* by number of the name */
	uint32_t open[PW_HANDLES_MAX];
	unsigned open_count, most_open;
	uint64_t most_bytes;
	unsigned most_files;
};

static void look_at_world(struct world *world)
{
	uint64_t bytes = 0;
	unsigned files = 0;

	for (size_t i = 1; i < world->load->names.count; i++) {
		if (!world->entries[i].there || world->entries[i].folder)
			continue;
		files++;
		bytes += world->entries[i].size;
	}
	if (bytes > world->most_bytes)
		world->most_bytes = bytes;
	if (files > world->most_files)
		world->most_files = files;
}

static void do_open(struct world *world, const struct pw_op *op)
{
	struct entry *entry = &world->entries[op->path];

	if (op->expect == PW_EXPECT_FAILURE) {
		assert_false(entry->there);
		return;
	}
	if (op->disposition == PW_DISP_CREATE) {
		assert_false(entry->there);
		*entry = (struct entry){ .there = true, .folder = op->options & PW_CREATE_FOLDER };
	}
	assert_true(entry->there);
	assert_int_equal(entry->folder, op->options != 0x40);
	world->open[op->slot] = op->path;
	world->open_count++;
	if (world->open_count > world->most_open)
		world->most_open = world->open_count;
}

static void do_data(struct world *world, const struct pw_op *op)
{
	struct entry *entry = &world->entries[world->open[op->slot]];
	uint64_t end = (uint64_t)op->offset + op->size;

	assert_int_equal(op->size, op->expected);
	assert_true(op->size > 0 && entry->there && !entry->folder);
	if (op->code == PW_OP_READ)
		assert_true(end <= entry->size);
	else if (end > entry->size)
		entry->size = end;
}

static void do_op(struct world *world, const struct pw_op *op)
{
	struct entry *entry = &world->entries[op->path];

	switch (op->code) {
	case PW_OP_CREATE:
		do_open(world, op);
		break;
	case PW_OP_CLOSE:
		world->open_count--;
		break;
	case PW_OP_READ:
	case PW_OP_WRITE:
		do_data(world, op);
		break;
	case PW_OP_MKDIR:
		*entry = (struct entry){ .there = true, .folder = true };
		break;
	case PW_OP_PATH_INFO:
		assert_int_equal(entry->there, op->expect == PW_EXPECT_OK);
		break;
	case PW_OP_UNLINK:
		assert_true(entry->there && !entry->folder);
		entry->there = false;
		break;
	case PW_OP_RENAME:
		assert_true(entry->there && !world->entries[op->path2].there);
		world->entries[op->path2] = *entry;
		entry->there = false;
		break;
	default:
		break;
	}
}

static void play(struct world *world, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		do_op(world, &world->load->ops[i]);
		look_at_world(world);
	}
	assert_int_equal(world->open_count, 0);
}

static void sessions_repeat(uint64_t seed)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_load load;
	struct world world = { .load = &load };
	struct entry *before;
	size_t size;

	assert_int_equal(pw_generator_load(seed, &load, &err), 0);
	size = load.names.count * sizeof(*world.entries);
	world.entries = pw_new(1, size);
	play(&world, 0, load.session);
	assert_int_equal(world.most_files, 56);
	before = pw_memdup(world.entries, size);
	for (int pass = 0; pass < 2; pass++) {
		play(&world, load.session, load.op_count);
		for (size_t i = 1; i < load.names.count; i++) {
			assert_int_equal(world.entries[i].there, before[i].there);
			if (before[i].there)
				assert_int_equal(world.entries[i].size, before[i].size);
		}
	}
	assert_in_range(world.most_files, 60, 85);
	assert_in_range(world.most_bytes, 20000000, 24000000);
	assert_in_range(world.most_open, 2, 23);
	assert_true(load.slots <= 23);
	free(before);
	free(world.entries);
	pw_load_done(&load);
}

static void a_session_leaves_the_files_as_they_were(void **state)
{
	(void)state;
	sessions_repeat(PW_GENERATOR_SEED);
	sessions_repeat(1);
	sessions_repeat(2);
}

/* Results of all installations compare only while these bytes stay: a change raises the version. */
static void the_text_is_pinned(void **state)
{
	pw_auto_strbuf struct pw_strbuf one = PW_STRBUF_INIT, two = PW_STRBUF_INIT,
					other = PW_STRBUF_INIT;

	(void)state;
	pw_generator_text(PW_GENERATOR_SEED, &one);
	pw_generator_text(PW_GENERATOR_SEED, &two);
	pw_generator_text(PW_GENERATOR_SEED + 1, &other);
	assert_int_equal(one.length, two.length);
	assert_memory_equal(one.text, two.text, one.length);
	assert_string_not_equal(one.text, other.text);
	assert_int_equal(PW_GENERATOR_VERSION, 1);
	assert_true(pw_fnv1a64(PW_FNV1A64_INIT, one.text, one.length) ==
		    UINT64_C(0xf5da119cc67a396a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_hold_for_any_seed),
		cmocka_unit_test(sizes_are_mixed_as_in_the_model),
		cmocka_unit_test(messages_are_sized_as_in_the_model),
		cmocka_unit_test(a_session_leaves_the_files_as_they_were),
		cmocka_unit_test(the_text_is_pinned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
