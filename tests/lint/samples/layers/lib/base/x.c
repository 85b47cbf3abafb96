/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "err.h" /* BAD: not from the root */
#include "lib/base/err.h"
#include "lib/base/gone.h" /* BAD */
#include "lib/plugin/value.h" /* BAD */
