/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Combinations as numbers in a mixed radix: the axes are the digits, the last one the lowest. */
#include "lib/model/config_internal.h"

size_t pw_product_count(const struct pw_value *axes, size_t limit)
{
	size_t product = 1;

	for (size_t i = 0; i < axes->count; i++) {
		size_t count = axes->items[i].count;

		if (count > limit / product)
			return limit + 1;
		product *= count;
	}
	return product;
}

size_t pw_product_digit(const struct pw_value *axes, size_t axis, size_t n)
{
	for (size_t i = axes->count - 1; i > axis; i--)
		n /= axes->items[i].count;
	return n % axes->items[axis].count;
}
