/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings by path, which the config's author names file by file: what `sysfs` and `sysctl` share.
 * A value is an object of name -> text or whole number. What perfwatt cannot read it could not put
 * back, so such a file is refused; and whatever links a name leads over, the file itself must lie
 * below the folder of its kind.
 */
#ifndef PW_PLATFORM_FILE_SETTING_H
#define PW_PLATFORM_FILE_SETTING_H

#include "lib/platform/attr.h"

struct pw_file_kind {
	const char *below; /* "/sys/", "/proc/sys/" */
	/*
	 * Names are those of sysctl(8), without the folder: whichever of '.' and '/' comes first
	 * separates, the other one belongs to the names ("net/ipv4/conf/eth0.1/rp_filter"). False:
	 * names are whole paths.
	 */
	bool sysctl;
};

/* The form of names and values; error places count from the object. */
int pw_files_form(const struct pw_file_kind *kind, const struct pw_value *value, struct pw_err *err)
	pw_must_check;
/* Is the folder there. */
int pw_files_probe(const struct pw_file_kind *kind, const struct pw_root *root, struct pw_err *err)
	pw_must_check;
/* Every file: there, an attribute that can be read, written and put back, and in its place. */
int pw_files_check(const struct pw_file_kind *kind, const struct pw_root *root,
		   const struct pw_value *value, struct pw_err *err) pw_must_check;
/* Adds each file under its real place (links resolved), once. */
int pw_files_save(const struct pw_file_kind *kind, const struct pw_root *root,
		  const struct pw_value *value, struct pw_saved *saved, struct pw_err *err)
	pw_must_check;
int pw_files_apply(const struct pw_file_kind *kind, const struct pw_root *root,
		   const struct pw_value *value, struct pw_err *err) pw_must_check;
int pw_files_verify(const struct pw_file_kind *kind, const struct pw_root *root,
		    const struct pw_value *value, struct pw_err *err) pw_must_check;
/* Name -> present value of each file saved; a list of choices gives the chosen word. */
int pw_files_present(const struct pw_file_kind *kind, const struct pw_root *root,
		     const struct pw_saved *saved, struct pw_value *ret, struct pw_err *err)
	pw_must_check;
int pw_files_restore(const struct pw_file_kind *kind, const struct pw_root *root,
		     const struct pw_saved_item *item, struct pw_err *err) pw_must_check;
bool pw_files_is_back(const struct pw_knob_env *env, const struct pw_saved_item *item);

#endif
