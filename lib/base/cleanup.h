/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attributes and scope-bound cleanup. Locals that own something carry one of the pw_auto_*
 * attributes; ownership leaves a scope only through pw_take() or pw_take_fd().
 */
#ifndef PW_BASE_CLEANUP_H
#define PW_BASE_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define pw_must_check	  __attribute__((warn_unused_result))
#define pw_printf(f, a)	  __attribute__((format(printf, f, a)))
#define pw_auto(function) __attribute__((cleanup(function)))
#define pw_auto_free	  pw_auto(pw_freep)
#define pw_auto_close	  pw_auto(pw_closep)
#define pw_auto_fclose	  pw_auto(pw_fclosep)
#define PW_LENGTH(array)  (sizeof(array) / sizeof((array)[0]))

static inline void pw_freep(void *pointer)
{
	free(*(void **)pointer);
}

static inline void pw_closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void pw_fclosep(FILE **file)
{
	if (*file)
		fclose(*file);
}

static inline void *pw_take_ptr(void **pointer)
{
	void *value = *pointer;

	*pointer = NULL;
	return value;
}

/* The value of an owning pointer, which is left NULL. */
#define pw_take(pointer) ((__typeof__(pointer))pw_take_ptr((void **)&(pointer)))

static inline int pw_take_fd(int *fd)
{
	int value = *fd;

	*fd = -1;
	return value;
}

#endif
