/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings on the model of the kernel, with file operations that fail where a test wants it. */
#ifndef PW_TEST_TORTURE_H
#define PW_TEST_TORTURE_H

#include "lib/base/strv.h"
#include "tests/unit/fake_kernel_rules.h"

struct torture_machine {
	const char *tree;
	const char *set; /* the members of a configuration's "set" */
};

struct torture {
	struct model model; /* first: the model finds itself by the root's context */
	const struct torture_machine *machine;
	struct pw_config *config;
	char *before;	     /* all files with their bytes */
	char *wanted;	     /* the same in the configuration */
	char journal[96];    /* path */
	unsigned operations; /* since the attempt began */
	unsigned fail_at;    /* 0: none */
	int errnum;
	bool cut_off;	  /* after `fail_at` writes nothing has an effect */
	char *failing;	  /* a path whose writes all fail, or NULL */
	char failed[256]; /* path of the operation that failed last; "" = none did */
	bool *kinds;	  /* of an undisturbed session and restore: is it a write */
	size_t length, capacity;
	bool recording;
	struct pw_strv *log; /* paths written, or NULL */
};

struct torture_plan {
	unsigned
		at; /* this operation fails, counted from 1; with cut_off: this write is the last */
	int errnum;
	bool cut_off;
};

/* A machine of two policies at most, small, with its state of before and of the configuration. */
void torture_open(struct torture *torture, const struct torture_machine *machine);
void torture_close(struct torture *torture);
/*
 * Save, apply, check, restore. True if the configuration came into force (then exactly), false if
 * it was refused (then with the file and the kernel's reason in the text). Afterwards the machine
 * is as before; anything else fails the test.
 */
bool torture_attempt(struct torture *torture, const struct torture_plan *plan);

/* Is that operation of an undisturbed attempt a write. */
static inline bool torture_writes(const struct torture *torture, unsigned at)
{
	return torture->kinds[at - 1];
}

/* How many different files an undisturbed attempt writes. */
unsigned torture_files(const struct torture_machine *machine);
/*
 * The writes to that file fail for good, before the session or (odd ones) once the configuration is
 * in force. A restore that leaves something must say so; once the file works again, the next one
 * mends everything.
 */
void torture_failing_file(const struct torture_machine *machine, unsigned file, int errnum);

/*
 * Runs a test in a process of its own, beside others; its state must live until the end. What it
 * has to tell goes to stderr.
 */
void torture_start(void (*test)(void **state), void *state);
/* Fails if one of those processes did. */
void torture_wait_all(void);

#endif
