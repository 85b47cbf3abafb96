/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <jansson.h>
#include <pcre2.h>

#include "collectors/y.h" /* BAD */
#include "lib/plugin/workload.h"
#include "workloads/exec/x.h"
