/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <jansson.h>
#include <pcre2.h> /* BAD */

#include "lib/base/err.h"
#include "lib/model/json.h"
#include "lib/plugin/workload.h"
#include "workloads/exec/x.h" /* BAD */
