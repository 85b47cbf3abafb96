/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One operation of a load file, ready to be executed: names are numbers of the load's name table,
 * handles are slots of the client's handle table, message sizes are worked out. 64 bytes, so that
 * an operation never shares its cache line.
 */
#ifndef PW_WORKLOADS_ENGINE_OP_H
#define PW_WORKLOADS_ENGINE_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pw_op_code {
	PW_OP_UNSET,
	PW_OP_CREATE,
	PW_OP_CLOSE,
	PW_OP_READ,
	PW_OP_WRITE,
	PW_OP_FLUSH,
	PW_OP_PATH_INFO,
	PW_OP_FILE_INFO,
	PW_OP_SET_INFO,
	PW_OP_FS_INFO,
	PW_OP_FIND,
	PW_OP_UNLINK,
	PW_OP_RENAME,
	PW_OP_MKDIR,
	PW_OP_RMDIR,
	PW_OP_DELTREE,
	PW_OP_LOCK,
	PW_OP_UNLOCK,
	PW_OP_SLEEP,
	PW_OP_CODES,
};

/* What the load file says about the outcome. */
enum pw_op_expect { PW_EXPECT_UNSET, PW_EXPECT_OK, PW_EXPECT_FAILURE, PW_EXPECT_ANY };

/* Bits of create_options and values of create_disposition (as SMB's NT_CREATE_ANDX has them). */
#define PW_CREATE_FOLDER     0x1U
#define PW_DISP_SUPERSEDE    0U
#define PW_DISP_OPEN	     1U
#define PW_DISP_CREATE	     2U
#define PW_DISP_OPEN_IF	     3U
#define PW_DISP_OVERWRITE    4U
#define PW_DISP_OVERWRITE_IF 5U

struct pw_op {
	uint8_t code;	      /* enum pw_op_code */
	uint8_t expect;	      /* enum pw_op_expect */
	uint16_t slot;	      /* of the handle */
	uint32_t path, path2; /* numbers in the name table; 0 is the empty name */
	uint32_t size;	      /* bytes to read, to write or to lock */
	uint32_t expected;    /* bytes really moved; FIND: entries of the reply */
	uint32_t options;     /* create_options, level or attributes */
	uint32_t disposition; /* create_disposition; FIND: most entries to read */
	uint32_t request;     /* tbench: request bytes without twice the names' lengths */
	uint32_t reply;	      /* tbench: reply bytes; 0 = nothing is sent */
	uint32_t text;	      /* where its line begins in the load's text */
	uint32_t line;	      /* number of its line, from 1 */
	int64_t offset;	      /* in the file; SLEEP: microseconds */
	int64_t when_ns;      /* not before this time of the pass, -1 = at once */
};

enum pw_arg {
	PW_ARG_END,
	PW_ARG_PATH,
	PW_ARG_PATH2,
	PW_ARG_HANDLE,
	PW_ARG_OFFSET,
	PW_ARG_SIZE,
	PW_ARG_EXPECTED,
	PW_ARG_OPTIONS,
	PW_ARG_DISPOSITION,
	PW_ARG_ENTRIES,
	PW_ARG_DELAY,
};

#define PW_ARGS_MAX 4

struct pw_op_syntax {
	const char *name;	       /* as load files write it */
	uint8_t args[PW_ARGS_MAX + 1]; /* enum pw_arg, END-terminated */
};

/* Indexed by enum pw_op_code; the name of UNSET is NULL. */
extern const struct pw_op_syntax pw_op_syntax[PW_OP_CODES];

/* By name, letters of either case; UNSET if unknown. */
enum pw_op_code pw_op_find(const char *name);

/*
 * Sizes of the exchange of one operation, in the frames of tbench 4.0: fills `request` and `reply`
 * from the other fields. The lengths of the names (as the client sends them) count twice each and
 * are added when the operation is sent.
 */
void pw_op_wire_sizes(struct pw_op *op);

#endif
