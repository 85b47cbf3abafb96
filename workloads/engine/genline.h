/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The writer of the generated load: lines, and the operations that all its parts use. */
#ifndef PW_WORKLOADS_ENGINE_GENLINE_H
#define PW_WORKLOADS_ENGINE_GENLINE_H

#include <stdint.h>

#include "lib/base/strbuf.h"
#include "lib/stats/rng.h"
#include "workloads/engine/genplan.h"

#define PW_GEN_ROOT	   "\\clients\\client1"
#define PW_GEN_APPS_FOLDER PW_GEN_ROOT "\\office"
#define PW_GEN_SEED_FOLDER PW_GEN_APPS_FOLDER "\\seed"

/* Operations between the applications, in the order in which they come. */
enum pw_gen_root_op { PW_GEN_LIST, PW_GEN_SEARCH, PW_GEN_SPACE, PW_GEN_MISSING };

struct pw_gen {
	struct pw_rng rng;
	struct pw_strbuf *text;
	unsigned handle; /* the next one */
	size_t root_ops[PW_GEN_ROOT_LISTINGS + PW_GEN_ROOT_SEARCHES + PW_GEN_ROOT_SPACE +
			PW_GEN_ROOT_MISSING]; /* enum pw_gen_root_op */
	size_t root_done;
};

/* One line; the newline is added. */
void pw_gen_line(struct pw_gen *gen, const char *format, ...) pw_printf(2, 3);
/* Opens a name (0x40 file, 0x0 folder) that has to exist, or makes it (disposition 2); the handle.
 */
unsigned pw_gen_open(struct pw_gen *gen, const char *name, unsigned options, unsigned disposition);
void pw_gen_close(struct pw_gen *gen, unsigned handle);
void pw_gen_read(struct pw_gen *gen, unsigned handle, uint32_t offset, uint32_t size);
void pw_gen_write(struct pw_gen *gen, unsigned handle, uint32_t offset, uint32_t size);
/* The next of the root operations. */
void pw_gen_root(struct pw_gen *gen);

#endif
