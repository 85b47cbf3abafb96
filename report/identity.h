/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must be equal for two runs to have done the same (a record's `identity`): versions of
 * generators, compilers and load files, parameters. Results with different identities are not
 * comparable, and the difference is named.
 */
#ifndef PW_REPORT_IDENTITY_H
#define PW_REPORT_IDENTITY_H

#include "lib/plugin/value.h"

/* Few differ in a folder: runs hold an index. */
struct pw_identities {
	struct pw_value *items;
	size_t count, capacity;
};

/* Index of an equal one, added if there is none yet; NULL: PW_NONE. Copies. */
size_t pw_identity_add(struct pw_identities *identities, const struct pw_value *identity);
/* The first part that is not the same, in words: "compiler differs (gcc 12 / gcc 13)"; NULL: the
 * two are equal. The caller's. */
char *pw_identity_difference(const struct pw_identities *identities, size_t a, size_t b);
void pw_identities_done(struct pw_identities *identities);

#endif
