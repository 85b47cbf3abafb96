/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/base/hash.h"

#include <string.h>

uint64_t pw_fnv1a64(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
	return hash;
}

uint64_t pw_fnv1a64_text(const char *text)
{
	return pw_fnv1a64(PW_FNV1A64_INIT, text, strlen(text));
}
