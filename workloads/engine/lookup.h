/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looking names up as a file server for case-insensitive clients does: what stat(2) does not find
 * is searched for in its whole folder (and used as it was given, as dbench 4.0 does). This decides
 * the cost of dbench's metadata operations.
 */
#ifndef PW_WORKLOADS_ENGINE_LOOKUP_H
#define PW_WORKLOADS_ENGINE_LOOKUP_H

#include <stddef.h>

/*
 * Is it there; if not, its folder is read up to a name that differs in the case of letters only.
 * `listing` is a buffer for getdents64. What is not there shows when the name is used.
 */
void pw_lookup(const char *name, char *listing, size_t listing_size);
/* Reads the entries of the folder that `name` stands in, at most `entries` of them. */
void pw_lookup_list(const char *name, unsigned entries, char *listing, size_t listing_size);
/*
 * Removes every file below a folder and keeps the folders, as "Deltree" of dbench 4.0 does. A
 * missing folder is fine. Returns 0 or -errno.
 */
int pw_lookup_delete_files(const char *folder);

#endif
