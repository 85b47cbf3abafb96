/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text to value, strictly: the whole text must be the value, in the C locale. No leading or
 * trailing blanks, no sign where none is allowed, no nan, inf, hex or digit separators.
 * All return 0 or -PW_EINVAL with the text found in the message; the error's place is empty.
 */
#ifndef PW_BASE_PARSE_H
#define PW_BASE_PARSE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

int pw_parse_u64(const char *text, uint64_t *ret, struct pw_err *err) pw_must_check;
int pw_parse_i64(const char *text, int64_t *ret, struct pw_err *err) pw_must_check;
/* A finite decimal number: [+-]digits[.digits][(e|E)[+-]digits]. */
int pw_parse_real(const char *text, double *ret, struct pw_err *err) pw_must_check;
/* "500ms" "5s" "1.5s" "2m" "1h" (units ns us ms s m h d): nanoseconds, never negative. */
int pw_parse_time(const char *text, int64_t *ret_ns, struct pw_err *err) pw_must_check;
/* "800MHz" "2.4GHz" "1400000kHz": kHz. */
int pw_parse_freq(const char *text, int64_t *ret_khz, struct pw_err *err) pw_must_check;
/* "65W" "1.5kW" "800mW": microwatts, in whole milliwatts. */
int pw_parse_power(const char *text, int64_t *ret_uw, struct pw_err *err) pw_must_check;
/* "2%" "50%": a fraction (0.02, 0.5). */
int pw_parse_percent(const char *text, double *ret, struct pw_err *err) pw_must_check;
/* "0-3,8,10-11" as the kernel prints it, or blank-separated numbers: sorted, unique. Owned list. */
int pw_parse_cpulist(const char *text, unsigned **ret, size_t *ret_count, struct pw_err *err)
	pw_must_check;

/* The candidate nearest to `word` by edits, if near enough to suggest, else NULL. */
const char *pw_nearest(const char *word, const char *const *candidates, size_t count);

/* "1h02m", "3m20s", "45s", "250ms": for people. Into a buffer of at least 24 bytes. */
void pw_time_text(int64_t ns, char *buffer, size_t size);

#endif
