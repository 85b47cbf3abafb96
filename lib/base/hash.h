/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FNV-1a, 64 bits (Fowler, Noll, Vo; isthe.com/chongo/tech/comp/fnv): identities, never integrity.
 */
#ifndef PW_BASE_HASH_H
#define PW_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define PW_FNV1A64_INIT UINT64_C(0xcbf29ce484222325)

uint64_t pw_fnv1a64(uint64_t hash, const void *data, size_t size);
uint64_t pw_fnv1a64_text(const char *text);

#endif
