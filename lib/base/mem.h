/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that is there or the program ends: running out of memory aborts with a message (the
 * guard then puts the machine back). Sizes are overflow-checked.
 */
#ifndef PW_BASE_MEM_H
#define PW_BASE_MEM_H

#include <stddef.h>

#include "lib/base/cleanup.h"

/* Zeroed memory for n objects. */
void *pw_new(size_t n, size_t size) __attribute__((returns_nonnull, malloc));
char *pw_strdup(const char *text) __attribute__((returns_nonnull, malloc));
char *pw_strndup(const char *text, size_t length) __attribute__((returns_nonnull, malloc));
void *pw_memdup(const void *data, size_t size) __attribute__((returns_nonnull, malloc));
char *pw_sprintf(const char *format, ...) pw_printf(1, 2) __attribute__((returns_nonnull, malloc));
/*
 * Makes room for `need` items of `size` bytes in the array at *array (a T **), whose capacity is
 * *capacity; grows by doubling. New room is zeroed.
 */
void pw_grow(void *array, size_t *capacity, size_t need, size_t size);

/* Appends one item to the array `items` with count and capacity fields. */
#define PW_PUSH(items, count, capacity, item)                                                      \
	do {                                                                                       \
		pw_grow(&(items), &(capacity), (count) + 1, sizeof(*(items)));                     \
		(items)[(count)++] = (item);                                                       \
	} while (0)

#endif
