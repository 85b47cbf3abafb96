/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an exec entry's texts mean at one sweep point: placeholders, paths, the program. */
#ifndef PW_WORKLOADS_EXEC_PLACE_H
#define PW_WORKLOADS_EXEC_PLACE_H

#include "lib/base/err.h"
#include "lib/plugin/workload.h"

/*
 * The text with every "{key}" of the point's keys replaced by the point's value; other braces stay
 * as they are, and what was put in is not looked at again. `point` may be NULL. The caller's.
 */
char *pw_exec_fill(const char *text, const struct pw_value *point);
/* A path of the entry: filled, and relative ones below the work's directory. The caller's. */
char *pw_exec_path(const struct pw_work *work, const char *path);
/*
 * The sweep point of a work: the option "point", or "sweep" once it holds single values; NULL if it
 * has none (yet: in a config it holds lists). Borrowed.
 */
const struct pw_value *pw_exec_point(const struct pw_work *work);
/*
 * Is the folder there, and the program (a path, or a name looked up in `path_list`, as execvp(3)
 * does) with the right to be run. -PW_EINVAL with the reason and the place in the entry.
 */
int pw_exec_find(const struct pw_work *work, const char *path_list, struct pw_err *err)
	pw_must_check;

#endif
