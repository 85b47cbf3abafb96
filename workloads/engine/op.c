/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/op.h"

#include <strings.h>

_Static_assert(sizeof(struct pw_op) == 64, "one operation, one cache line");

const struct pw_op_syntax pw_op_syntax[PW_OP_CODES] = {
	[PW_OP_CREATE] = { "NTCreateX",
			   { PW_ARG_PATH, PW_ARG_OPTIONS, PW_ARG_DISPOSITION, PW_ARG_HANDLE } },
	[PW_OP_CLOSE] = { "Close", { PW_ARG_HANDLE } },
	[PW_OP_READ] = { "ReadX", { PW_ARG_HANDLE, PW_ARG_OFFSET, PW_ARG_SIZE, PW_ARG_EXPECTED } },
	[PW_OP_WRITE] = { "WriteX",
			  { PW_ARG_HANDLE, PW_ARG_OFFSET, PW_ARG_SIZE, PW_ARG_EXPECTED } },
	[PW_OP_FLUSH] = { "Flush", { PW_ARG_HANDLE } },
	[PW_OP_PATH_INFO] = { "QUERY_PATH_INFORMATION", { PW_ARG_PATH, PW_ARG_OPTIONS } },
	[PW_OP_FILE_INFO] = { "QUERY_FILE_INFORMATION", { PW_ARG_HANDLE, PW_ARG_OPTIONS } },
	[PW_OP_SET_INFO] = { "SET_FILE_INFORMATION", { PW_ARG_HANDLE, PW_ARG_OPTIONS } },
	[PW_OP_FS_INFO] = { "QUERY_FS_INFORMATION", { PW_ARG_OPTIONS } },
	[PW_OP_FIND] = { "FIND_FIRST",
			 { PW_ARG_PATH, PW_ARG_OPTIONS, PW_ARG_DISPOSITION, PW_ARG_ENTRIES } },
	[PW_OP_UNLINK] = { "Unlink", { PW_ARG_PATH, PW_ARG_OPTIONS } },
	[PW_OP_RENAME] = { "Rename", { PW_ARG_PATH, PW_ARG_PATH2 } },
	[PW_OP_MKDIR] = { "Mkdir", { PW_ARG_PATH } },
	[PW_OP_RMDIR] = { "Rmdir", { PW_ARG_PATH } },
	[PW_OP_DELTREE] = { "Deltree", { PW_ARG_PATH } },
	[PW_OP_LOCK] = { "LockX", { PW_ARG_HANDLE, PW_ARG_OFFSET, PW_ARG_SIZE } },
	[PW_OP_UNLOCK] = { "UnlockX", { PW_ARG_HANDLE, PW_ARG_OFFSET, PW_ARG_SIZE } },
	[PW_OP_SLEEP] = { "Sleep", { PW_ARG_DELAY } },
};

enum pw_op_code pw_op_find(const char *name)
{
	for (int code = PW_OP_UNSET + 1; code < PW_OP_CODES; code++) {
		if (strcasecmp(pw_op_syntax[code].name, name) == 0)
			return (enum pw_op_code)code;
	}
	return PW_OP_UNSET;
}

void pw_op_wire_sizes(struct pw_op *op)
{
	/* Without payload and names; the table of the reference description of tbench 4.0. */
	static const struct {
		uint8_t request, reply;
	} frames[PW_OP_CODES] = {
		[PW_OP_CREATE] = { 74, 87 },	[PW_OP_CLOSE] = { 47, 39 },
		[PW_OP_READ] = { 59, 59 },	[PW_OP_WRITE] = { 59, 55 },
		[PW_OP_FLUSH] = { 41, 39 },	[PW_OP_PATH_INFO] = { 55, 71 },
		[PW_OP_FILE_INFO] = { 59, 71 }, [PW_OP_SET_INFO] = { 71, 47 },
		[PW_OP_FS_INFO] = { 59, 71 },	[PW_OP_FIND] = { 59, 39 },
		[PW_OP_UNLINK] = { 43, 39 },	[PW_OP_RENAME] = { 47, 39 },
		[PW_OP_MKDIR] = { 43, 39 },	[PW_OP_RMDIR] = { 43, 39 },
		[PW_OP_LOCK] = { 51, 39 },	[PW_OP_UNLOCK] = { 51, 39 },
	};
	enum { FIND_ENTRY_BYTES = 90 };

	op->request = frames[op->code].request;
	op->reply = frames[op->code].reply;
	if (op->code == PW_OP_WRITE)
		op->request += op->size;
	else if (op->code == PW_OP_READ)
		op->reply += op->expected;
	else if (op->code == PW_OP_FIND)
		op->reply += FIND_ENTRY_BYTES * op->expected;
}
