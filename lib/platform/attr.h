/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What knobs have in common when they write one attribute and look whether it took effect. */
#ifndef PW_PLATFORM_ATTR_H
#define PW_PLATFORM_ATTR_H

#include "lib/base/err.h"
#include "lib/base/fs.h"
#include "lib/base/strv.h"
#include "lib/plugin/knob.h"
#include "lib/plugin/value.h"

/* The longest value of an attribute that a knob reads: lists of governors, frequencies. */
#define PW_ATTR_SIZE 1024

/*
 * How long a written value may take to show. Changes of limits go through a work queue
 * (kernel drivers/cpufreq/cpufreq.c, cpufreq_notifier_max), so a read right behind the write may
 * still give the old value; a hundred milliseconds is far beyond any queue delay.
 */
#define PW_SETTLE_NS	  (100 * PW_NS_PER_MS)
#define PW_SETTLE_STEP_NS (1 * PW_NS_PER_MS)

/*
 * True if plain files stand in for the kernel: what is written is what is read, nothing clamps and
 * no control file appears by itself. False on the machine and under a test's model of the kernel.
 */
bool pw_root_plain(const struct pw_root *root);

/* Can the attribute be opened for writing. -PW_EDENIED has a hint; an absent one is UNSUPPORTED. */
int pw_attr_writable(const struct pw_root *root, const char *path, struct pw_err *err)
	pw_must_check;

/* Does what an attribute shows satisfy what was asked. */
typedef bool (*pw_attr_accept)(const char *shown, const void *asked);

bool pw_attr_same(const char *shown, const void *asked);
/*
 * Reads until `accept` agrees, for at most PW_SETTLE_NS. `shown` (of `size` bytes) then holds the
 * last reading. -PW_ETIMEOUT with an empty text if it never agreed; the error of the read if the
 * last one failed.
 */
int pw_attr_settle(const struct pw_root *root, const char *path, pw_attr_accept accept,
		   const void *asked, char *shown, size_t size, struct pw_err *err) pw_must_check;
/* The same for one value; the text of the error is "what: asked 'x', is 'y'". */
int pw_attr_verify(const struct pw_root *root, const char *path, const char *what,
		   const char *asked, struct pw_err *err) pw_must_check;

/*
 * Writes the saved item and reads it back. The machine itself is left alone where it is there
 * already; a plain file gets its bytes in any case.
 */
int pw_attr_restore(const struct pw_root *root, const struct pw_saved_item *item,
		    struct pw_err *err) pw_must_check;
/* For a knob's is_back(): the saved value, in a plain file the saved bytes. */
bool pw_attr_is_back(const struct pw_knob_env *env, const struct pw_saved_item *item);
/*
 * Adds what is read to the list; the value is what is written back. A plain file gets its own bytes
 * back, with the newline that a kernel's attribute would show by itself.
 */
int pw_attr_save(const struct pw_root *root, const char *path, struct pw_saved *saved,
		 struct pw_err *err) pw_must_check;

/* An attribute's words, split at blanks; an absent attribute has none. */
int pw_attr_read_words(const struct pw_root *root, const char *path, struct pw_strv *ret,
		       struct pw_err *err) pw_must_check;
/* The same where it does not matter why there are none. */
void pw_attr_words(const struct pw_root *root, const char *path, struct pw_strv *ret);

/* A value for the record: a whole number where the text is one, else the text. */
struct pw_value pw_attr_value(const char *text);

/* Puts more behind the text of an error and returns -code. */
int pw_err_append(struct pw_err *err, const char *format, ...) pw_printf(2, 3);
/* The same error under another code: what the kernel refused, this machine cannot. Returns -code.
 */
int pw_err_recode(struct pw_err *err, enum pw_code code);

#endif
