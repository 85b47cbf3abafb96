/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/generator.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/base/mem.h"
#include "workloads/engine/genblock.h"

/* Handles of the preamble and of the session, for the eye of who reads the text. */
#define PREAMBLE_HANDLE 1001
#define SESSION_HANDLE	10001

static void make_folder(struct pw_gen *gen, const char *name)
{
	pw_gen_close(gen, pw_gen_open(gen, name, 0x1, PW_DISP_CREATE));
}

/* A file of the preamble: one byte at its end, then 64 KiB after 64 KiB. */
static void make_file(struct pw_gen *gen, const char *name, uint32_t bytes)
{
	unsigned handle = pw_gen_open(gen, name, 0x40, PW_DISP_CREATE);

	pw_gen_write(gen, handle, bytes - 1, 1);
	pw_gen_line(gen, "QUERY_FILE_INFORMATION %u 258 NT_STATUS_OK", handle);
	for (uint32_t at = 0; at < bytes;) {
		uint32_t size = bytes - at < PW_GEN_COPY_BLOCK ? bytes - at : PW_GEN_COPY_BLOCK;

		pw_gen_write(gen, handle, at, size);
		at += size;
	}
	pw_gen_close(gen, handle);
}

static void name_large(char *name, size_t size, unsigned number)
{
	(void)snprintf(name, size, PW_GEN_ROOT "\\large%u.bin", number);
}

static void name_seed(char *name, size_t size, unsigned number)
{
	(void)snprintf(name, size, PW_GEN_SEED_FOLDER "\\source%u.bin", number);
}

static void write_preamble(struct pw_gen *gen)
{
	char name[96];

	pw_gen_line(gen, "Deltree \"" PW_GEN_ROOT "\" NT_STATUS_OK");
	pw_gen_line(gen, "Mkdir \"\\clients\" NT_STATUS_OK");
	make_folder(gen, PW_GEN_ROOT);
	make_folder(gen, PW_GEN_APPS_FOLDER);
	for (unsigned i = 0; i < PW_GEN_LARGE_FILES; i++) {
		name_large(name, sizeof(name), i);
		make_file(gen, name, PW_GEN_LARGE_BYTES);
	}
	/* The presentation's second row stands on the files of the first. */
	for (size_t app = 0; app < PW_GEN_SLIDES_END; app++) {
		const struct pw_gen_block *block = &pw_gen_blocks[app];

		(void)snprintf(name, sizeof(name), PW_GEN_APPS_FOLDER "\\%s", block->folder);
		make_folder(gen, name);
		for (unsigned i = 0; i < block->kept; i++) {
			(void)snprintf(name, sizeof(name), PW_GEN_APPS_FOLDER "\\%s\\paper%02u.doc",
				       block->folder, i);
			make_file(gen, name, PW_GEN_KEPT_BYTES);
		}
	}
	make_folder(gen, PW_GEN_SEED_FOLDER);
	for (unsigned i = 0; i < PW_GEN_SEED_FILES; i++) {
		name_seed(name, sizeof(name), i);
		make_file(gen, name, pw_gen_seed_bytes[i]);
	}
}

/* One seed file to one large file, block by block; the blocks beyond `write` are only read. */
static void copy_file(struct pw_gen *gen, unsigned number, unsigned read, unsigned write)
{
	bool last = number == PW_GEN_SEED_FILES - 1;
	char name[96];
	unsigned from, to;

	name_seed(name, sizeof(name), number);
	from = pw_gen_open(gen, name, 0x40, PW_DISP_OPEN);
	name_large(name, sizeof(name), number);
	to = pw_gen_open(gen, name, 0x40, PW_DISP_OPEN);
	for (unsigned i = 0; i < read; i++) {
		uint32_t at = i * PW_GEN_COPY_BLOCK;

		pw_gen_read(gen, from, at, PW_GEN_COPY_FIRST);
		pw_gen_read(gen, from, at + PW_GEN_COPY_FIRST,
			    PW_GEN_COPY_BLOCK - PW_GEN_COPY_FIRST);
		if (i < write)
			pw_gen_write(gen, to, at, PW_GEN_COPY_BLOCK);
	}
	if (last)
		pw_gen_read(gen, from, read * PW_GEN_COPY_BLOCK, PW_GEN_COPY_TAIL);
	pw_gen_close(gen, to);
	pw_gen_close(gen, from);
}

static void write_copy(struct pw_gen *gen, const struct pw_gen_copy *copy, bool listing,
		       size_t root_ops)
{
	char name[96];
	unsigned handle;

	if (listing)
		pw_gen_line(gen,
			    "FIND_FIRST \"" PW_GEN_SEED_FOLDER "\\*\" 260 1366 %d NT_STATUS_OK",
			    PW_GEN_COPY_LISTING);
	for (unsigned i = 0; i < PW_GEN_SEED_FILES; i++) {
		copy_file(gen, i, copy->read[i], copy->write[i]);
		for (size_t j = 0; j < root_ops / PW_GEN_SEED_FILES; j++)
			pw_gen_root(gen);
	}
	name_seed(name, sizeof(name), PW_GEN_SEED_FILES - 1);
	handle = pw_gen_open(gen, name, 0x40, PW_DISP_OPEN);
	for (unsigned i = 0; i < copy->heads; i++)
		pw_gen_read(gen, handle, i * PW_GEN_COPY_FIRST, PW_GEN_COPY_FIRST);
	pw_gen_close(gen, handle);
	for (size_t j = 0; j < root_ops % PW_GEN_SEED_FILES; j++)
		pw_gen_root(gen);
}

static void deal_root_ops(struct pw_gen *gen)
{
	static const size_t counts[] = {
		[PW_GEN_LIST] = PW_GEN_ROOT_LISTINGS,
		[PW_GEN_SEARCH] = PW_GEN_ROOT_SEARCHES,
		[PW_GEN_SPACE] = PW_GEN_ROOT_SPACE,
		[PW_GEN_MISSING] = PW_GEN_ROOT_MISSING,
	};
	size_t count = 0;

	for (size_t kind = 0; kind < PW_LENGTH(counts); kind++) {
		for (size_t i = 0; i < counts[kind]; i++)
			gen->root_ops[count++] = kind;
	}
	pw_rng_shuffle(&gen->rng, gen->root_ops, count);
}

static void write_session(struct pw_gen *gen)
{
	const size_t root_ops = PW_LENGTH(gen->root_ops);
	unsigned copies = 0;

	deal_root_ops(gen);
	for (size_t i = 0; i < PW_GEN_ORDER_LENGTH; i++) {
		enum pw_gen_app app = (enum pw_gen_app)pw_gen_order[i];
		size_t until = root_ops * (i + 1) / PW_GEN_ORDER_LENGTH;
		size_t share = until - gen->root_done;

		if (app == PW_GEN_COPY) {
			write_copy(gen, &pw_gen_copies[copies], copies == 0, share);
			copies++;
		} else {
			pw_gen_block(gen, &pw_gen_blocks[app], share);
		}
	}
}

void pw_generator_text(uint64_t seed, struct pw_strbuf *text)
{
	struct pw_gen *gen = pw_new(1, sizeof(*gen));

	gen->rng = pw_rng_seeded(seed);
	gen->text = text;
	gen->handle = PREAMBLE_HANDLE;
	pw_gen_line(gen, "# perfwatt: generated load, version %d", PW_GENERATOR_VERSION);
	write_preamble(gen);
	pw_gen_line(gen, PW_LOAD_SESSION);
	gen->handle = SESSION_HANDLE;
	write_session(gen);
	free(gen);
}

int pw_generator_load(uint64_t seed, struct pw_load *ret, struct pw_err *err)
{
	pw_auto_strbuf struct pw_strbuf text = PW_STRBUF_INIT;

	pw_generator_text(seed, &text);
	if (pw_load_parse(text.text, text.length, ret, err) < 0)
		return pw_err_prefix(err, "generated load");
	return 0;
}
