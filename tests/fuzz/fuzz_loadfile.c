/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parser of load files; what it accepts must be safe to execute and to read anew. */
#include <string.h>

#include "fuzz.h"
#include "workloads/engine/handles.h"
#include "workloads/engine/loadfile.h"

static void check_reread(const struct pw_load *load, const struct pw_op *op)
{
	static struct pw_reread reread;

	pw_load_reread(load, op, 4294967295U, &reread);
	FUZZ_CHECK(memcmp(&reread.op, op, sizeof(*op)) == 0);
	FUZZ_CHECK((reread.path_length == 0) == (op->path == 0));
	FUZZ_CHECK((reread.path2_length == 0) == (op->path2 == 0));
}

static void check_op(const struct pw_load *load, const struct pw_op *op)
{
	FUZZ_CHECK(op->code > PW_OP_UNSET && op->code < PW_OP_CODES);
	FUZZ_CHECK(op->expect >= PW_EXPECT_OK && op->expect <= PW_EXPECT_ANY);
	FUZZ_CHECK(op->slot < PW_HANDLES_MAX && (op->slot == 0 || op->slot < load->slots));
	FUZZ_CHECK(op->path < load->names.count && op->path2 < load->names.count);
	FUZZ_CHECK(op->size < PW_LOAD_SIZE_LIMIT && op->expected < PW_LOAD_SIZE_LIMIT);
	/* With both names at their longest a message still fits the buffer. */
	FUZZ_CHECK(op->request < 70000 && op->reply < 70000);
	FUZZ_CHECK(op->offset >= 0 && op->when_ns >= -1);
	FUZZ_CHECK(strstr(load->names.items[op->path], "/../") == NULL);
	FUZZ_CHECK(strstr(load->names.items[op->path2], "/../") == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pw_err err = PW_ERR_INIT;
	struct pw_load load;

	if (pw_load_parse((const char *)data, size, &load, &err) < 0) {
		FUZZ_CHECK(err.code == PW_EINVAL && err.text[0]);
		return 0;
	}
	FUZZ_CHECK(load.session < load.op_count && load.session_bytes > 0);
	/* Loops written out repeat the same operations: the first ones stand for them. */
	for (size_t i = 0; i < load.op_count && i < 5000; i++) {
		check_op(&load, &load.ops[i]);
		check_reread(&load, &load.ops[i]);
	}
	pw_load_done(&load);
	return 0;
}
