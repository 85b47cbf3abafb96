/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One application block of the generated load. */
#ifndef PW_WORKLOADS_ENGINE_GENBLOCK_H
#define PW_WORKLOADS_ENGINE_GENBLOCK_H

#include "workloads/engine/genline.h"

/*
 * Writes one application block, with `root_ops` of the root operations strewn in. Every file that
 * it makes is removed, every handle closed.
 */
void pw_gen_block(struct pw_gen *gen, const struct pw_gen_block *block, size_t root_ops);

#endif
