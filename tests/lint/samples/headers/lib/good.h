/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GOOD_H
#define GOOD_H

#include <stddef.h>

struct good {
	size_t count;
};

#endif
