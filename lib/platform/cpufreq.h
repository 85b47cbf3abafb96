/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One attribute of every cpufreq policy (kernel Documentation/admin-guide/pm/cpufreq.rst). Errors
 * name the policy and the file: "policy3: write scaling_governor 'schedutil': Invalid argument".
 */
#ifndef PW_PLATFORM_CPUFREQ_H
#define PW_PLATFORM_CPUFREQ_H

#include "lib/platform/attr.h"
#include "lib/platform/topology.h"

#define PW_POLICY_PATH_SIZE 192
#define PW_INTEL_STATUS	    PW_CPU_DIR "/intel_pstate/status"
#define PW_AMD_STATUS	    PW_CPU_DIR "/amd_pstate/status"

void pw_policy_path(char path[PW_POLICY_PATH_SIZE], const char *policy, const char *file);

/* The active policies; UNSUPPORTED with the reason where there are none. */
int pw_policies_needed(const struct pw_root *root, struct pw_strv *ret, struct pw_err *err)
	pw_must_check;
/* Is there an active policy with this file, and can it be written. `what`: "EPP" for the message.
 */
int pw_policies_probe(const struct pw_root *root, const char *file, const char *what,
		      struct pw_err *err) pw_must_check;

int pw_policy_read(const struct pw_root *root, const char *policy, const char *file, char *buffer,
		   size_t size, struct pw_err *err) pw_must_check;
int pw_policy_read_u64(const struct pw_root *root, const char *policy, const char *file,
		       uint64_t *ret, struct pw_err *err) pw_must_check;
int pw_policy_write(const struct pw_root *root, const char *policy, const char *file,
		    const char *text, struct pw_err *err) pw_must_check;
bool pw_policy_has(const struct pw_root *root, const char *policy, const char *file);
/* The words of a list attribute joined by blanks; the caller's. Empty if it cannot be read. */
char *pw_policy_list(const struct pw_root *root, const char *policy, const char *file);
/* The words themselves; none where the file is absent, an error where it cannot be read. */
int pw_policy_words(const struct pw_root *root, const char *policy, const char *file,
		    struct pw_strv *ret, struct pw_err *err) pw_must_check;
/* Polls until `accept` agrees; the error reads "policy3: FILE: asked 'x', is 'y'". */
int pw_policy_verify(const struct pw_root *root, const char *policy, const char *file,
		     pw_attr_accept accept, const void *asked, const char *asked_text,
		     struct pw_err *err) pw_must_check;

/* Saves the file of every active policy that has it. */
int pw_policies_save(const struct pw_root *root, const char *file, struct pw_saved *saved,
		     struct pw_err *err) pw_must_check;
/* The value all policies share, or the text "mixed: a (policy0-1,3), b (policy2)" in their order.
 */
int pw_policies_read(const struct pw_root *root, const char *file, struct pw_value *ret,
		     struct pw_err *err) pw_must_check;

/* scaling_driver of the first active policy; false if there is none. */
bool pw_cpufreq_driver(const struct pw_root *root, char *driver, size_t size);
/*
 * Drivers that choose the frequency themselves (the kernel's setpolicy interface): they know the
 * words performance and powersave only, and give them a meaning of their own.
 */
bool pw_driver_sets_policy(const char *driver);
/*
 * "active", "passive" or "guided" for the drivers of Intel and AMD that have modes, else NULL.
 * AMD's passive and guided modes differ in amd_pstate/status only; kernels without that file
 * (before 6.3) know passive alone.
 */
const char *pw_driver_mode(const struct pw_root *root, const char *driver);
/* What a governor does under this driver, for people; NULL if not known. */
const char *pw_governor_meaning(const char *driver, const char *governor);

#endif
