/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The generated load: a text in the load file format with the shape of the well-known client load
 * of dbench 4.0 (operations, sizes, failing look-ups, working set of one of its sessions), written
 * from statistics of it, with names and an order of its own. One preamble makes folders and files;
 * the session leaves the files as it found them and is repeated.
 *
 * The same seed and version give the same bytes on every machine. Any change of the text raises
 * the version: results of different versions do not compare.
 */
#ifndef PW_WORKLOADS_ENGINE_GENERATOR_H
#define PW_WORKLOADS_ENGINE_GENERATOR_H

#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strbuf.h"
#include "workloads/engine/loadfile.h"

#define PW_GENERATOR_VERSION 1
#define PW_GENERATOR_SEED    UINT64_C(0x70657266776174) /* "perfwat", any fixed number would do */

/* Appends the text. */
void pw_generator_text(uint64_t seed, struct pw_strbuf *text);
/* The text, parsed as any load file is. */
int pw_generator_load(uint64_t seed, struct pw_load *ret, struct pw_err *err) pw_must_check;

#endif
