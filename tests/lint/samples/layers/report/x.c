/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <jansson.h> /* BAD */

#include "harness/engine/run.h" /* BAD */
#include "lib/model/json.h"
#include "lib/plugin/metric.h"
#include "lib/plugin/value.h"
#include "lib/plugin/workload.h" /* BAD */
#include "workloads/exec/x.h" /* BAD */
