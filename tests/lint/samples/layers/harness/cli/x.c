/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/run.h"
#include "report/report.h"
