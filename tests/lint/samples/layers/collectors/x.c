/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <cmocka.h> /* BAD */

#include "collectors/y.h"
#include "report/report.h" /* BAD */
