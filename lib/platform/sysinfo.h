/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What machine is this: for session.json and doctor. Keys absent where the source is absent, never
 * guessed. Shape:
 *   { "name": hostname, "cpu": model name, "vendor": .., "family": n, "model": n, "stepping": n,
 * "microcode": text, "architecture": "x86_64", "cpus": online, "usable": n, "sockets": n, "cores":
 * n, "threads": n, "memory_kb": n, "kernel": uname -r, "kernel_version": uname -v, "cmdline": text,
 * "virtual": "kvm"/..., "driver": scaling_driver, "driver_mode": "active (intel_pstate)",
 * "idle_driver": text, "boot": boot_id }
 */
#ifndef PW_PLATFORM_SYSINFO_H
#define PW_PLATFORM_SYSINFO_H

#include "lib/base/err.h"
#include "lib/base/fs.h"
#include "lib/plugin/value.h"

/* Fills an object; what cannot be read is left out. Never fails. */
void pw_sysinfo(const struct pw_root *root, struct pw_value *ret);

#endif
