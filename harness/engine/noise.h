/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who else is at work: before a session and around each run. Readings stand outside the measured
 * window. perfwatt and its children, the workload's tree and threads of the kernel (they mostly
 * work for the workload: writing back, network) are no noise. What the keys mean: docs/noise.md.
 */
#ifndef PW_ENGINE_NOISE_H
#define PW_ENGINE_NOISE_H

#include "harness/engine/noise_shares.h"
#include "lib/model/config.h"
#include "lib/platform/daemons.h"
#include "lib/platform/power_supply.h"
#include "lib/plugin/value.h"

struct pw_noise {
	const struct pw_root *root;	/* borrowed */
	const struct pw_config *config; /* borrowed */
	pid_t self;			/* 0: no process below the root is ours */
	DIR *folder;			/* /proc; NULL: it cannot be listed */
	struct pw_processes before, after;
	struct pw_cpu_times times, passed;
	struct pw_supplies supplies;
	enum pw_supply supply, supply_after;
	int64_t begun_ns, interval_ns;
	bool read;	      /* `times` could be read */
	bool compared;	      /* `passed` could */
	bool ran;	      /* a run has ended: */
	int64_t suspended_ns; /* the suspended time up to its end */
	int64_t slept_ns;     /* suspended between it and this run */
	struct pw_value survey;
};

/* Opens what readings need; everything that they allocate. root and config: for the whole life. */
void pw_noise_init(struct pw_noise *noise, const struct pw_root *root,
		   const struct pw_config *config);
void pw_noise_done(struct pw_noise *noise);

/*
 * Before a session: looks at the machine for 200 ms. `notes` get a text for each daemon that may
 * change settings and for each limit that is passed. -PW_EBUSY: a limit is passed and the config
 * says "refuse".
 */
int pw_noise_survey(struct pw_noise *noise, struct pw_strv *notes, struct pw_err *err)
	pw_must_check;
/* "noise" of session.json; the caller's. Unset if the config switches the check off. */
struct pw_value pw_noise_describe(const struct pw_noise *noise);

/* Around a run, both outside its window. Nothing is allocated. */
void pw_noise_begin(struct pw_noise *noise);
void pw_noise_end(struct pw_noise *noise);
/*
 * Puts "noise" and warnings into the record; with "refuse" a limit that is passed invalidates the
 * run, and a change of the power source does always. tree_ns: CPU time of the workload's tree.
 */
void pw_noise_report(const struct pw_noise *noise, int64_t tree_ns, struct pw_value *record);

/* Programs at work now that are known to write the file at the start of `text`, as an addition to
 * that text: "; tuned (pid 812) writes it". The caller's; "" if none. */
char *pw_noise_blame(const struct pw_noise *noise, const char *text);

#endif
