/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Load files: text to operations, checked. The format is that of dbench 4.0 (one operation a line,
 * comments, timestamps, hexadecimal statuses) with LOOP n ... ENDLOOP and REPEAT n of dbench 5.0,
 * which are written out. A comment line "# perfwatt: session" ends the preamble: what stands before
 * it is done once, what follows is the session, repeated. Without it all is session.
 *
 * Checked are: the words of every line, that a handle is open where it is used and all are closed
 * at the end of the preamble and of the file, that names stay below the work directory, that sizes
 * fit the 70,000-byte buffers. A fault names its line ("line 12: ..."); the file is refused whole.
 */
#ifndef PW_WORKLOADS_ENGINE_LOADFILE_H
#define PW_WORKLOADS_ENGINE_LOADFILE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "workloads/engine/names.h"
#include "workloads/engine/op.h"
#include "workloads/engine/words.h"

#define PW_LOAD_SESSION	   "# perfwatt: session"
#define PW_LOAD_SIZE_LIMIT 69900	/* payload of one operation stays below this */
#define PW_LOAD_FILE_LIMIT (256U << 20) /* bytes of a load file */
#define PW_LOAD_OPS_LIMIT  4000000	/* operations, loops written out */
#define PW_NAME_LIMIT	   255		/* bytes of a name in a load file */
#define PW_NAME_SIZE	   512		/* buffer for any such name made a client's own */

struct pw_load {
	char *text; /* its lines, each NUL-terminated */
	size_t text_length;
	struct pw_op *ops;
	size_t op_count, op_capacity;
	size_t session; /* the first operation of the session */
	struct pw_names names;
	unsigned slots;		/* handles open at once, at most */
	uint64_t session_bytes; /* payload of one session */
	uint64_t hash;		/* FNV-1a of the file */
};

int pw_load_parse(const char *text, size_t length, struct pw_load *ret, struct pw_err *err)
	pw_must_check;
int pw_load_read(const char *path, struct pw_load *ret, struct pw_err *err) pw_must_check;
void pw_load_done(struct pw_load *load);

/* An operation read anew from its line, as the profile v4 does for every operation. */
struct pw_reread {
	struct pw_op op;
	char line[PW_LINE_SIZE];
	char path[PW_NAME_SIZE], path2[PW_NAME_SIZE];
	uint32_t path_length, path2_length;
};

/*
 * Tokenises the line of `op` once more, for client `id`. Slot and message sizes are taken from
 * `op`: they come from the handle table and from the names' lengths.
 */
void pw_load_reread(const struct pw_load *load, const struct pw_op *op, unsigned id,
		    struct pw_reread *reread);

#endif
