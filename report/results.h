/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A results folder in memory: the declared plan and one reduced `struct pw_run` per record. Plain
 * structs, shared by everything that analyses or renders.
 */
#ifndef PW_REPORT_RESULTS_H
#define PW_REPORT_RESULTS_H

#include "lib/base/err.h"
#include "lib/base/log.h"
#include "lib/model/record.h"
#include "lib/plugin/value.h"
#include "report/identity.h"

#define PW_NONE ((size_t)-1) /* an index that points nowhere */

/* A configuration of the plan. Owned texts; `set` is "key=value key=value", "" if empty. */
struct pw_res_config {
	char *name;
	char *set;
	char *skipped;	 /* why it did not run, or NULL; its cells count as declared */
	bool impossible; /* cannot be at all (of a matrix): its cells are not declared */
};

/* A sweep point. */
struct pw_res_point {
	char *text;  /* "clients=8", sorted by key; "" without a sweep */
	char *shown; /* as in a row of the detailed table: "8", "clients=8,rate=30%", "-" */
};

/* A workload entry of the plan. */
struct pw_res_entry {
	char *name;	   /* its label */
	char *workload;	   /* "tbench" */
	char *title;	   /* "tbench (network over loopback)"; the name if not recorded */
	char *sweep_title; /* "number of clients"; NULL without a sweep */
	char *skipped;	   /* why it could not run on this machine, or NULL */
	enum pw_kind kind;
	bool idle; /* measures the machine doing nothing: in no ratio table */
	struct pw_res_point *points;
	size_t point_count, point_capacity;
};

/* One record. Texts are owned, NULL where the record has none. */
struct pw_run {
	size_t config, entry, point; /* indexes; entry PW_NONE for the idle measurement */
	unsigned block;		     /* from 1; 0 for the idle measurement */
	enum pw_status status;	     /* OK only with a usable primary metric */
	char *reason;		     /* why not ok */
	char *flavour;
	char *metric, *unit; /* the primary metric; set for OK runs */
	enum pw_better better;
	enum pw_mean mean;
	double value;
	enum pw_kind kind;
	bool timed_window; /* the window is the workload's marked timed part */
	bool whole_window; /* the window is the whole command (neither: not recorded) */
	double window_s;   /* length of the measured window; 0 = unknown */
	double energy_j;   /* in the window; 0 = none */
	char *energy_id; /* "perf, package: package-0"; its parts must agree to compare energies */
	char *energy_source, *energy_scope;
	char *energy_counted; /* "package-0 package-1" */
	char *energy_why;     /* why there is none, if the record says so */
	double work;	      /* in the window; 0 = unknown */
	char *work_unit;
	size_t identity;    /* index into results->identities; PW_NONE: none recorded */
	size_t boot;	    /* index into results->boots; PW_NONE: not recorded */
	double limited_pct; /* share of the window held below the request; 0 = none, or unknown */
	char *limited_by;   /* "thermal-throttle"; NULL: not limited */
};

struct pw_results {
	char *folder;
	struct pw_value session; /* session.json */
	struct pw_res_config *configs;
	size_t config_count, config_capacity;
	size_t baseline;
	struct pw_res_entry *entries;
	size_t entry_count, entry_capacity;
	unsigned blocks;
	bool derived; /* no plan was recorded: it is derived from the config */
	struct pw_run *runs;
	size_t run_count, run_capacity;
	struct pw_identities identities;
	struct pw_strv boots; /* boot ids, in the order in which they appear */
	size_t records;	      /* lines read */
	size_t unplanned;     /* of these, left out: not of this plan */
};

/* `baseline` NULL: the session's own. On failure *ret is untouched. */
int pw_results_load(const char *folder, const char *baseline, const struct pw_log *log,
		    struct pw_results *ret, struct pw_err *err) pw_must_check;
void pw_results_done(struct pw_results *results);

/* The steps of loading, for its own files only. */

/* Configurations, entries, points, blocks and the baseline from results->session. */
int pw_results_plan(struct pw_results *results, const char *baseline, struct pw_err *err)
	pw_must_check;
void pw_results_plan_done(struct pw_results *results);
/* Adds a point, which it copies; returns its index (an equal one is not added twice). */
size_t pw_res_point_add(struct pw_res_entry *entry, const struct pw_value *point);
/* The text of a point; the caller's. */
char *pw_res_point_text(const struct pw_value *point);
/* Adds one record to results->runs; one that is not of the plan is counted and left out. */
void pw_results_add(struct pw_results *results, const struct pw_value *record);
void pw_run_done(struct pw_run *run);

#endif
