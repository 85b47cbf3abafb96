/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The domains of an account as a tree: what counts, what lies within what, what repeats it, and
 * what is there and is not read. It is the same in every run, so it stands once in session.json:
 *
 *   { "source": "perf", "scope": "package", "notes": [...], "tree": [
 *     { "name": "package-0", "kind": "package", "counted": true, "why": "counts" },
 *     { "name": "cores-0", "kind": "cores", "parent": "package-0", "counted": false,
 *       "why": "within package-0" },
 *     { "name": "dram-0", "kind": "dram", "counted": false, "why": "beside package-0, not within;
 * ..." }, { "name": "intel-rapl-mmio:0", "kind": "package", "counted": false, "why": "duplicates
 * ..." } ] }
 *
 * What lies within a domain follows it.
 */
#ifndef PW_COLLECTORS_ENERGY_TREE_H
#define PW_COLLECTORS_ENERGY_TREE_H

#include "collectors/common/energy.h"

/* Puts the keys into an object. Pure. */
void pw_energy_tree(const struct pw_energy *energy, struct pw_value *ret);

#endif
