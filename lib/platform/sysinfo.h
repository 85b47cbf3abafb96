/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What machine is this: for session.json and doctor. Keys absent where the source is absent, never
 * guessed. Shape:
 *   { "name": hostname, "cpu": model name, "vendor", "family", "model", "stepping", "microcode",
 *     "virtual": "kvm"/..., "memory_kb", "architecture": "x86_64", "kernel": uname -r,
 *     "kernel_version": uname -v, "cmdline", "boot": boot_id, "preemption": "full (dynamic)"...,
 *     "tick_hz", "tick": "nohz-idle"|"nohz-full"|"periodic",
 *     "cpus": online, "usable", "sockets", "cores", "threads",
 *     "types": { TYPE: { "cores", "threads", "cpus": list } }, "numa_nodes",
 *     "driver": scaling_driver, "driver_mode": "active (intel_pstate)", "governor", "epp", "boost",
 *     "frequency": { "min_khz", "max_khz", "hardware_min_khz", "hardware_max_khz", "base_khz",
 *     "bios_khz" },
 *     "idle_driver", "idle_governor",
 *     "idle_states": { TYPE or "all": [ { "name", "latency_us", "residency_us", "disabled" } ] },
 *     "turbo": see turbo_read.h, "mitigations": { NAME: text } }
 * What policies differ in is a text "mixed: ..." (lib/platform/mixed.h).
 */
#ifndef PW_PLATFORM_SYSINFO_H
#define PW_PLATFORM_SYSINFO_H

#include "lib/base/err.h"
#include "lib/base/fs.h"
#include "lib/plugin/value.h"

/* Fills an object; what cannot be read is left out. Never fails. */
void pw_sysinfo(const struct pw_root *root, struct pw_value *ret);

#endif
