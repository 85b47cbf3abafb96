/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Configs as commands get them: a file, or the embedded quick comparison. */
#ifndef PW_CLI_LOAD_H
#define PW_CLI_LOAD_H

#include "lib/model/config.h"

/* configs/quick.json, compiled in. */
extern const char pw_quick_text[];
extern const size_t pw_quick_length;

/* path NULL: the embedded one. root NULL: the machine itself (its CPUs, its contrasts). */
int pw_cli_load(const char *path, const char *root, struct pw_config **ret, struct pw_err *err)
	pw_must_check;
/* A text as if it were a file of this name in the present folder. */
int pw_cli_load_text(const char *name, const char *text, size_t length, const char *root,
		     struct pw_config **ret, struct pw_err *err) pw_must_check;

#endif
