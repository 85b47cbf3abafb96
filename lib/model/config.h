/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A config, checked: everything in it is known, typed, in internal units, and names only what
 * exists. Loading touches nothing on the machine.
 */
#ifndef PW_MODEL_CONFIG_H
#define PW_MODEL_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/plugin/catalog.h"
#include "lib/plugin/value.h"

#define PW_NAME_LIMIT 64 /* bytes of a configuration's or workload's name */

/* One value of a `set`. */
struct pw_setting {
	const struct pw_knob *knob;
	struct pw_value value; /* internal form */
};

struct pw_configuration {
	char *name;
	struct pw_setting *settings; /* ascending knob order, then name */
	size_t setting_count, setting_capacity;
	struct pw_strv env; /* "NAME=value" */
	/*
	 * Programs as settings, argv each, run with perfwatt's own rights; empty: none. `apply`
	 * changes the machine and `undo` takes that back; `verify` ends with 0 while it holds;
	 * `with` runs beside the workload for as long as the configuration is in force.
	 */
	struct pw_strv apply, undo, verify, with;
	char *impossible; /* why this one of a matrix cannot be, or NULL */
};

/* One sweep point: an object of sweep option -> value ({"clients": 8}); {} without a sweep. */
struct pw_point {
	struct pw_value value;
	char *text; /* "clients=8", sorted by key, joined by ','; "" without a sweep */
};

struct pw_entry {
	const struct pw_workload *workload;
	char *name;		 /* label: given, or the workload's name */
	bool named;		 /* the config gave it */
	struct pw_value options; /* internal form, the workload's and the common ones */
	struct pw_point *points;
	size_t point_count, point_capacity;
	enum pw_kind kind;
};

enum pw_order { PW_ORDER_UNSET, PW_ORDER_CELL, PW_ORDER_DECLARED };

struct pw_config {
	char *name;	     /* of the comparison; default "comparison" */
	char *label, *about; /* machine; NULL if not given */
	char *user;	     /* or NULL */
	struct pw_configuration *configs;
	size_t config_count, config_capacity;
	size_t baseline; /* index */
	struct pw_entry *entries;
	size_t entry_count, entry_capacity;
	struct pw_strv services; /* stopped for the session; pw_service_name_valid() */
	struct {
		double load;	/* share of all CPUs' time that others may use; INFINITY: any */
		double process; /* share of one CPU's time that a single other process may use */
		double steal;	/* share of all CPUs' time that the hypervisor may take in a run */
		bool refuse; /* beyond a limit: no session, the run is repeated; else a warning */
		bool off;    /* nothing is looked at */
	} noise;
	int64_t idle_ns;	    /* 0 = left out */
	char *scope;		    /* energy scope */
	int64_t timeline_ns;	    /* 0 = off */
	struct pw_value collectors; /* per-collector options, an object */
	bool msr;		    /* collectors may read registers */
	struct {
		unsigned blocks, warmup, retry;
		int64_t settle_ns;
		enum pw_order order;
		char *stop; /* "fixed" */
	} repeat;
	struct {
		double margin, energy_margin, alpha;
		char *variance; /* "cell" */
	} analysis;
	char *text; /* as read, comments and all */
	size_t text_length;
	struct pw_value tree; /* as written (outer form), for session.json */
	char *directory;      /* folder of the file: relative paths start here */
	char *file;	      /* as named by the user, for messages */
};

/* What a config may refer to beside the plug-ins. */
struct pw_config_env {
	const struct pw_catalog *catalog;
	unsigned cpus; /* usable CPUs, for "1..4x" */
	/* What "configs": "contrast" stands for: a list as in a config; NULL: not to be had.
	 * Borrowed. */
	const struct pw_value *contrast;
};

/*
 * The error's text is complete: "FILE:LINE:COLUMN: configs[1].set.governer: unknown setting (did
 * you mean \"governor\"?)". On failure *ret is untouched.
 */
int pw_config_load(const char *path, const struct pw_config_env *env, struct pw_config **ret,
		   struct pw_err *err) pw_must_check;
int pw_config_parse(const char *file, const char *directory, const char *text, size_t length,
		    const struct pw_config_env *env, struct pw_config **ret, struct pw_err *err)
	pw_must_check;
void pw_config_free(struct pw_config *config);

/* Is it a name that "services" takes? Names from a journal are asked the same. */
bool pw_service_name_valid(const char *name);
/* The options of an entry at a point, as a plug-in's run sees them; the caller's. */
struct pw_value pw_entry_options(const struct pw_entry *entry, const struct pw_point *point);
/* The options common to all workloads ("time" is a workload's own): timeout, directory, user, ...
 */
extern const struct pw_option pw_common_options[];

#endif
