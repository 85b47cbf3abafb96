/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one session of the generated load consists of: per application block the numbers of
 * operations and the sizes moved. Counted over one session of the client load of dbench 4.0; the
 * presentation's row is split, as its last quarter stands at the end of the session.
 */
#ifndef PW_WORKLOADS_ENGINE_GENPLAN_H
#define PW_WORKLOADS_ENGINE_GENPLAN_H

#include <stddef.h>
#include <stdint.h>

#define PW_GEN_GROUPS 8

/* `count` sizes from least to most that add up to `bytes`; the list ends with count 0. */
struct pw_gen_sizes {
	uint16_t count;
	uint32_t bytes, least, most;
};

struct pw_gen_block {
	const char *folder;
	uint16_t kept;	       /* files that the preamble leaves in the folder */
	uint16_t open_kept;    /* openings of these, */
	uint16_t open_new;     /* of new files (each unlinked again), */
	uint16_t open_folder;  /* of the folder, */
	uint16_t open_missing; /* of names that are not there */
	uint16_t path_there, path_missing;
	uint16_t extend;    /* new files that begin with one byte at their end, then FILE_INFO */
	uint16_t file_info; /* beyond those */
	uint16_t set_info, flush, renames, locks;
	uint16_t listing; /* entries of the listing of the folder; 0 = no listing here */
	struct pw_gen_sizes reads[PW_GEN_GROUPS];
	struct pw_gen_sizes writes[PW_GEN_GROUPS]; /* without the bytes of `extend` */
};

enum pw_gen_app {
	PW_GEN_SLIDES,
	PW_GEN_TEXT,
	PW_GEN_TABLES,
	PW_GEN_SHEET,
	PW_GEN_NOTES,
	PW_GEN_BASE,
	PW_GEN_DRAW,
	PW_GEN_LAYOUT,
	PW_GEN_SLIDES_END,
	PW_GEN_COPY, /* not in the table: copies of the seed files */
	PW_GEN_APPS,
};

/* Indexed by enum pw_gen_app up to PW_GEN_SLIDES_END. */
extern const struct pw_gen_block pw_gen_blocks[PW_GEN_COPY];

/* The order of a session. */
#define PW_GEN_ORDER_LENGTH 12
extern const uint8_t pw_gen_order[PW_GEN_ORDER_LENGTH]; /* enum pw_gen_app */

/* Operations outside the applications' folders, strewn over the session. */
#define PW_GEN_ROOT_LISTINGS 95
#define PW_GEN_ROOT_SEARCHES 111 /* for names that are not there */
#define PW_GEN_ROOT_SPACE    102
#define PW_GEN_ROOT_MISSING  8	/* openings that fail */
#define PW_GEN_ROOT_ENTRIES  11 /* of the folder of the applications, with "." and ".." */

/* Files of the preamble. */
#define PW_GEN_KEPT_BYTES  260096U
#define PW_GEN_LARGE_FILES 5
#define PW_GEN_LARGE_BYTES 1048576U
#define PW_GEN_SEED_FILES  3
extern const uint32_t pw_gen_seed_bytes[PW_GEN_SEED_FILES];

/* Copies: three a session, each of blocks of 64 KiB from every seed file to a large one. */
#define PW_GEN_COPIES	    3
#define PW_GEN_COPY_BLOCK   65536U
#define PW_GEN_COPY_FIRST   4096U  /* a block is read as 4 + 60 KiB */
#define PW_GEN_COPY_TAIL    32768U /* half a block at the end of the last seed file */
#define PW_GEN_COPY_LISTING 5
struct pw_gen_copy {
	uint8_t read[PW_GEN_SEED_FILES];  /* blocks read of each seed file */
	uint8_t write[PW_GEN_SEED_FILES]; /* of these, written */
	uint8_t heads;			  /* reads of 4 KiB after them */
};
extern const struct pw_gen_copy pw_gen_copies[PW_GEN_COPIES];

#endif
