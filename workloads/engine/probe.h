/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can tbench or dbench run here? UNSUPPORTED carries the reason and a hint. */
#ifndef PW_WORKLOADS_ENGINE_PROBE_H
#define PW_WORKLOADS_ENGINE_PROBE_H

#include "lib/base/err.h"
#include "workloads/engine/replay.h"

/* A TCP connection within 127.0.0.1. */
int pw_probe_loopback(struct pw_err *err) pw_must_check;
/*
 * Room for the files of all clients on the file system of `workdir`, and in memory where that is
 * where they lie. workdir NULL: memory only.
 */
int pw_probe_space(const struct pw_replay *replay, const char *workdir, struct pw_err *err)
	pw_must_check;
/* The load file, if one is named, is read and checked. */
int pw_probe_load(const struct pw_replay *replay, struct pw_err *err) pw_must_check;

/* "MemAvailable" of the text of /proc/meminfo, in bytes. Pure. */
int pw_probe_available(const char *meminfo, uint64_t *ret, struct pw_err *err) pw_must_check;

#endif
