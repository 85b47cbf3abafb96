/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands in the files that a configuration names: its programs, files named by an absolute
 * path in their arguments or in its environment, and the commands of exec workloads as they are
 * found under it. Two runs of one configuration compare only while these are the same.
 */
#ifndef PW_ENGINE_CONTENTS_H
#define PW_ENGINE_CONTENTS_H

#include <sys/stat.h>

#include "lib/model/config.h"

/* SHA-256 (FIPS 180-4) in hexadecimal digits, NUL-terminated. */
#define PW_HASH_SIZE 65

struct pw_content {
	char *path;
	char hash[PW_HASH_SIZE];
	/* What the file system told when it was read; read_ns: when, 0 = not by this process. */
	struct stat info;
	int64_t read_ns;
};

struct pw_contents {
	struct pw_content *items; /* by path, each once */
	size_t count, capacity;
};

#define PW_CONTENTS_INIT ((struct pw_contents){ 0 })
void pw_contents_done(struct pw_contents *contents);

/* Reads them. A file that cannot be read (a program may be executable only) is left out. */
void pw_contents_read(const struct pw_config *config, const struct pw_configuration *configuration,
		      unsigned cpus, struct pw_contents *ret);
/* { "/path": "sha256:..." }, as session.json has it. */
struct pw_value pw_contents_describe(const struct pw_contents *contents);
/* The way back. What is no such object gives nothing. */
void pw_contents_recorded(const struct pw_value *object, struct pw_contents *ret);
/*
 * Is all of it as it was? PW_EFAILED names the first file that is not, with both hashes. A file
 * whose inode, size and times have not moved is not read again.
 */
int pw_contents_same(struct pw_contents *contents, struct pw_err *err) pw_must_check;

#endif
