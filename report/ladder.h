/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frequency levels of a machine as a chart (session.json's machine.turbo, docs/results.md): one
 * line a level, one star per 100 MHz.
 */
#ifndef PW_REPORT_LADDER_H
#define PW_REPORT_LADDER_H

#include "lib/base/strbuf.h"
#include "lib/plugin/value.h"

/* Rows alone: "EFFIC   1000 |**********". What is no row is left out. */
void pw_ladder_rows(const struct pw_value *rows, struct pw_strbuf *text);
/* Every ladder with a line that says what it is of; nothing without one, or if turbo is NULL. */
void pw_ladder_text(const struct pw_value *turbo, struct pw_strbuf *text);

#endif
