/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Knobs: one setting of the machine or of the workload's surroundings each, one file each in
 * lib/platform/knobs/, one `const struct pw_knob pw_knob_<name>` (dashes as underscores).
 *
 * The engine saves the state of every knob that is present before the first write, applies a
 * configuration's values in ascending `order`, verifies each, and restores in ascending order too
 * (see docs/settings.md). Callbacks never see the engine.
 */
#ifndef PW_PLUGIN_KNOB_H
#define PW_PLUGIN_KNOB_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/fs.h"
#include "lib/base/strv.h"
#include "lib/plugin/option.h"
#include "lib/plugin/saved.h"
#include "lib/plugin/value.h"

enum pw_knob_scope {
	PW_KNOB_UNSET,
	PW_KNOB_MACHINE,
	PW_KNOB_POLICY, /* every active cpufreq policy */
	PW_KNOB_CPU,
	PW_KNOB_HELD,	  /* acts while a file is held open; gone with the process */
	PW_KNOB_WORKLOAD, /* acts on the workload's processes only (affinity, quota) */
};

enum pw_knob_flags {
	PW_KNOB_RECREATES = 1 << 0, /* writing it makes the kernel build the policies anew */
	PW_KNOB_FOLLOWS = 1 << 1, /* its files come and go with an earlier setting (the tunables of
				     a governor): looked at again once those are in force */
	PW_KNOB_BELOW = 1 << 2,	  /* its values are judged by the saved state: put back before
				     another one is applied */
};

/* Order of application (the gaps leave room): reference, kernel cpufreq write rules in
 * docs/settings.md. */
enum pw_knob_order {
	PW_ORDER_ONLINE = 100,
	PW_ORDER_PROFILE = 150, /* the firmware's own: may move everything below */
	PW_ORDER_DRIVER = 200,
	PW_ORDER_BOOST = 300,
	PW_ORDER_GOVERNOR = 400,
	PW_ORDER_EPP = 500,
	PW_ORDER_TUNABLES = 600,
	PW_ORDER_PERCENT = 650,
	PW_ORDER_LIMITS = 700,
	PW_ORDER_POWER = 750,
	PW_ORDER_IDLE = 800,
	PW_ORDER_FILES = 850, /* by path: whatever the config's author knows better */
	PW_ORDER_SESSION = 900,
	PW_ORDER_WORKLOAD = 1000,
};

/* What a WORKLOAD knob contributes to the start of the workload's first process. */
struct pw_launch {
	unsigned *cpus; /* affinity; owned; NULL = inherit */
	size_t cpu_count;
	struct pw_strv cgroups; /* folders whose cgroup.procs the process joins before exec */
};

#define PW_LAUNCH_INIT ((struct pw_launch){ 0 })
void pw_launch_done(struct pw_launch *launch);

struct pw_knob_env {
	const struct pw_root *root;
	const unsigned *usable; /* CPUs that perfwatt may use */
	size_t usable_count;
	const char *tag; /* unique word of this session, for names of cgroups */
	/* For check(): the configuration's earlier settings are in force, or there are none that
	 * change anything; false: it may still bring another governor. */
	bool settled;
};

struct pw_knob {
	const char *name; /* "min-freq" */
	const char *summary;
	enum pw_knob_scope scope;
	int order;
	unsigned flags;
	struct pw_option
		value; /* type and limits of the value in a config; name = the knob's name */

	/* TREE, TEXT: is the value of a right form, on whatever machine; puts it into internal
	 * form. The error's place counts from the value. */
	int (*form)(struct pw_value *value, struct pw_err *err);
	/* 0 if this machine has it; else UNSUPPORTED with the reason (and a hint). */
	int (*probe)(const struct pw_knob_env *env, struct pw_err *err);
	/* Can it take this value here; UNSUPPORTED names what is available. No writes. May be NULL.
	 */
	int (*check)(const struct pw_knob_env *env, const struct pw_value *value,
		     struct pw_err *err);
	/* The values worth comparing here (for the quick comparison and `list`); may be NULL. */
	int (*choices)(const struct pw_knob_env *env, struct pw_strv *values, struct pw_err *err);
	/* Every file whose content apply() may change, directly or by side effect of this knob
	 * alone. */
	int (*save)(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err);
	/* Files that this value alone names (sysfs by path), beside those of save(), which may be
	 * NULL. Called for the value of every configuration before the first write; a file that is
	 * in `saved` already is not added again. */
	int (*save_for)(const struct pw_knob_env *env, const struct pw_value *value,
			struct pw_saved *saved, struct pw_err *err);
	/* Writes and nothing else; verify is separate. */
	int (*apply)(const struct pw_knob_env *env, const struct pw_value *value,
		     struct pw_err *err);
	/* Reads back until it matches, at most 100 ms; the error says what was asked and what is
	 * there. */
	int (*verify)(const struct pw_knob_env *env, const struct pw_value *value,
		      struct pw_err *err);
	/* The present state as one short value for the record ("schedutil", 2400000). */
	int (*read)(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err);
	/* The same where save_for() says what there is: an object of the saved files' values. */
	int (*read_saved)(const struct pw_knob_env *env, const struct pw_saved *saved,
			  struct pw_value *ret, struct pw_err *err);
	/* Puts one saved item back; NULL: write item->restore or value to the path, read back,
	 * compare. */
	int (*restore)(const struct pw_knob_env *env, const struct pw_saved_item *item,
		       struct pw_err *err);
	/* Does the file hold the saved state now? NULL: its text equals item->value. */
	bool (*is_back)(const struct pw_knob_env *env, const struct pw_saved_item *item);
	/* HELD: opens what must stay open (ret_fd). */
	int (*hold)(const struct pw_knob_env *env, const struct pw_value *value, int *ret_fd,
		    struct pw_err *err);
	/* WORKLOAD: adds to the launch (may create a cgroup below env->tag). */
	int (*launch)(const struct pw_knob_env *env, const struct pw_value *value,
		      struct pw_launch *launch, struct pw_err *err);
	/* WORKLOAD: removes what launch() made for this session's tag; also called by restore. */
	int (*release)(const struct pw_knob_env *env, struct pw_err *err);
};

/* Checks a value as a config holds it and puts it into internal form; no machine is needed. */
int pw_knob_check_value(const struct pw_knob *knob, struct pw_value *value, struct pw_err *err)
	pw_must_check;

/* Generated from the files of lib/platform/knobs/; NULL-terminated, by name. */
extern const struct pw_knob *const pw_knobs[];

#endif
