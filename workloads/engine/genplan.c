/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/genplan.h"

#define SAME(number, size)                                                                         \
	{                                                                                          \
		number, (number) * (size), size, size                                              \
	}

const struct pw_gen_block pw_gen_blocks[PW_GEN_COPY] = {
	[PW_GEN_SLIDES] = {
		.folder = "deck", .kept = 5,
		.open_kept = 33, .open_new = 9, .open_folder = 3, .open_missing = 4,
		.path_there = 14, .path_missing = 4,
		.extend = 7, .set_info = 13, .flush = 17, .renames = 3, .listing = 9,
		.reads = { SAME(59, 4096) },
		.writes = { SAME(6, 65536), SAME(1, 8192), SAME(16, 4096), SAME(2, 2048),
			    { 4, 25528, 4200, 8100 } },
	},
	[PW_GEN_SLIDES_END] = {
		.folder = "deck", .kept = 5,
		.open_kept = 13, .open_new = 3, .open_folder = 1, .open_missing = 2,
		.path_there = 6, .path_missing = 2,
		.extend = 2, .set_info = 5, .flush = 7, .renames = 1,
		.reads = { SAME(23, 4096) },
		.writes = { SAME(1, 65536), SAME(1, 8192), SAME(6, 4096), SAME(1, 2048),
			    { 1, 6000, 4200, 8100 } },
	},
	[PW_GEN_TEXT] = {
		.folder = "text", .kept = 3,
		.open_kept = 18, .open_new = 9, .open_folder = 8,
		.path_there = 37, .path_missing = 24,
		.extend = 6, .file_info = 1, .set_info = 16, .renames = 6, .listing = 7,
		.reads = { SAME(34, 4096), { 1, 1469, 1469, 1469 } },
		.writes = { SAME(1, 65536), SAME(1, 8192), SAME(4, 4096), SAME(1, 2048),
			    { 3, 3000, 49, 2000 }, { 3, 22373, 4200, 8100 } },
	},
	[PW_GEN_TABLES] = {
		.folder = "data", .kept = 20,
		.open_kept = 149, .open_new = 17, .open_folder = 1, .open_missing = 36,
		.path_there = 147, .path_missing = 58,
		.extend = 16, .file_info = 20, .flush = 6, .renames = 1, .listing = 26,
		.reads = { SAME(6, 16384), SAME(12, 8192), SAME(90, 4096), SAME(6, 2048),
			   { 15, 5254, 7, 511 } },
		.writes = { SAME(3, 8192), SAME(31, 4096), SAME(6, 2048),
			    { 13, 43147, 2100, 4000 } },
	},
	[PW_GEN_SHEET] = {
		.folder = "calc", .kept = 2,
		.open_kept = 10, .open_new = 16, .open_folder = 6, .open_missing = 8,
		.path_there = 33, .path_missing = 29,
		.extend = 12, .file_info = 2, .set_info = 16, .flush = 4, .renames = 6,
		.listing = 10,
		.reads = { SAME(69, 4096) },
		.writes = { SAME(11, 65536), SAME(1, 8192), SAME(6, 4096), SAME(1, 2048),
			    { 9, 274926, 16500, 45000 } },
	},
	[PW_GEN_NOTES] = {
		.folder = "note", .kept = 3,
		.open_kept = 13, .open_new = 15, .open_folder = 5, .open_missing = 15,
		.path_there = 46, .path_missing = 21,
		.extend = 8, .file_info = 14, .flush = 5, .renames = 5, .locks = 2,
		.listing = 11,
		.reads = { SAME(10, 8192), SAME(148, 4096), SAME(30, 2048), SAME(9, 512),
			   { 45, 15750, 7, 511 }, { 29, 104857, 3200, 3990 } },
		.writes = { SAME(19, 65536), SAME(1, 8192), SAME(4, 4096),
			    { 6, 279667, 33000, 60000 } },
	},
	[PW_GEN_BASE] = {
		.folder = "base", .kept = 1,
		.open_kept = 2, .open_new = 7, .open_missing = 6,
		.path_there = 12, .path_missing = 4,
		.extend = 3, .file_info = 1, .flush = 4, .listing = 6,
		.reads = { SAME(1, 16384), SAME(1, 4096) },
		.writes = { SAME(1, 65536), SAME(1, 8192), SAME(4, 4096), SAME(1, 2048),
			    { 3, 48323, 8300, 24000 } },
	},
	[PW_GEN_DRAW] = {
		.folder = "draw", .kept = 11,
		.open_kept = 25, .open_new = 11, .open_folder = 4, .open_missing = 6,
		.path_there = 30, .path_missing = 21,
		.extend = 2, .file_info = 2, .renames = 4, .listing = 17,
		.reads = { SAME(8, 16384), SAME(14, 8192), SAME(23, 4096) },
		.writes = { SAME(6, 4096), SAME(1, 2048), { 5, 78047, 8300, 23000 } },
	},
	[PW_GEN_LAYOUT] = {
		.folder = "page", .kept = 3,
		.open_kept = 14, .open_new = 37, .open_missing = 78,
		.path_there = 38, .path_missing = 23,
		.extend = 1, .listing = 6,
		.reads = { SAME(9, 4096) },
		.writes = { SAME(1, 65536), { 4, 223242, 46000, 65000 } },
	},
};

const uint8_t pw_gen_order[PW_GEN_ORDER_LENGTH] = {
	PW_GEN_SLIDES, PW_GEN_TEXT,  PW_GEN_COPY, PW_GEN_BASE, PW_GEN_TABLES, PW_GEN_SHEET,
	PW_GEN_COPY,   PW_GEN_NOTES, PW_GEN_COPY, PW_GEN_DRAW, PW_GEN_LAYOUT, PW_GEN_SLIDES_END,
};

/* 320 KiB, 1 MiB and 28.5 blocks of 64 KiB. */
const uint32_t pw_gen_seed_bytes[PW_GEN_SEED_FILES] = { 327680, 1048576, 1867776 };

/* 129 blocks and 3 tails read, 56 blocks written, 59 further reads in all. */
const struct pw_gen_copy pw_gen_copies[PW_GEN_COPIES] = {
	{ .read = { 5, 10, 28 }, .write = { 5, 10, 4 }, .heads = 20 },
	{ .read = { 5, 10, 28 }, .write = { 5, 10, 4 }, .heads = 20 },
	{ .read = { 5, 10, 28 }, .write = { 5, 10, 3 }, .heads = 19 },
};
