/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <cmocka.h>

#include "fake.h"
#include "workloads/exec/x.h"
