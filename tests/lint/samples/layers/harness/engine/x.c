/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/y.h" /* BAD: never a concrete plug-in */
#include "lib/plugin/workload.h"
#include "report/report.h"
  #  include "workloads/exec/x.h" /* BAD */
