/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long each cpufreq policy was set to each frequency, as the kernel counts it in
 * policy<N>/stats/time_in_state (kernel Documentation/cpu-freq/cpufreq-stats.rst; lines "kHz time"
 * in steps of 10 ms) and how often it changed (total_trans). It is what was asked for, not what was
 * delivered, and idle time counts for the frequency that was set. The section "time_in_state":
 *
 *   { "source": "cpufreq-stats", "policies": { "policy0": { "cpus": "0-3", "transitions": 12,
 *     "seconds": { "800000": 1.25, "3600000": 8.75 } } } }
 *
 * Frequencies without time are left out. Drivers that choose the frequency themselves (intel_pstate
 * and amd-pstate in active mode) have no such files.
 *
 * Texts are kept as they are read, and taken apart when the run is over.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/platform/cpufreq.h"
#include "lib/plugin/collector.h"

/* A page, which is the most that an attribute shows. */
#define TEXT_SIZE 4096
#define TICKS_S	  100.0 /* USER_HZ, which these files are in */

struct reading {
	char states[TEXT_SIZE];
	uint64_t transitions;
	bool has_transitions;
};

struct policy {
	char name[32];
	char cpus[TEXT_SIZE];
	struct reading first, last;
};

struct reader {
	const struct pw_root *root;
	struct policy *policies;
	size_t count, capacity;
	struct pw_err failure; /* of this run */
};

static int read_stats(const struct pw_root *root, const char *policy, struct reading *reading,
		      struct pw_err *err)
{
	struct pw_err ignored;
	int r = pw_policy_read(root, policy, "stats/time_in_state", reading->states,
			       sizeof(reading->states), err);

	if (r < 0)
		return r;
	reading->has_transitions = pw_policy_read_u64(root, policy, "stats/total_trans",
						      &reading->transitions, &ignored) == 0;
	if (reading->states[0] == '\0')
		return pw_fail(err, PW_EUNSUPPORTED, "%s: stats/time_in_state is empty", policy);
	return 0;
}

/* The active policies that have statistics; some drivers' have none. */
static int find_policies(struct reader *reader, struct pw_err *err)
{
	pw_auto_strv struct pw_strv names = PW_STRV_INIT;
	int r = pw_policies_needed(reader->root, &names, err);

	reader->count = 0;
	for (size_t i = 0; r == 0 && i < names.count; i++) {
		struct policy *policy;

		if (!pw_policy_has(reader->root, names.items[i], "stats/time_in_state"))
			continue;
		pw_grow(&reader->policies, &reader->capacity, reader->count + 1,
			sizeof(*reader->policies));
		policy = &reader->policies[reader->count++];
		(void)snprintf(policy->name, sizeof(policy->name), "%s", names.items[i]);
		r = pw_policy_read(reader->root, policy->name, "affected_cpus", policy->cpus,
				   sizeof(policy->cpus), err);
	}
	if (r < 0 || reader->count)
		return r;
	return pw_fail(err, PW_EUNSUPPORTED,
		       "no policy has stats/time_in_state (drivers that choose the frequency "
		       "themselves count none)");
}

static void time_close(void *state)
{
	struct reader *reader = state;

	free(reader->policies);
	free(reader);
}

static int time_open(const struct pw_collect *collect, void **ret_state, struct pw_err *err)
{
	struct reader *reader = pw_new(1, sizeof(*reader));
	int r;

	reader->root = collect->root;
	r = find_policies(reader, err);
	for (size_t i = 0; r == 0 && i < reader->count; i++)
		r = read_stats(reader->root, reader->policies[i].name, &reader->policies[i].first,
			       err);
	if (r < 0) {
		time_close(reader);
		if (r != -PW_EDENIED)
			err->code = PW_EUNSUPPORTED;
		return -(int)err->code;
	}
	*ret_state = reader;
	return 0;
}

static int probe(const struct pw_collect *collect, struct pw_err *err)
{
	void *state;
	int r = time_open(collect, &state, err);

	if (r < 0)
		return r;
	time_close(state);
	return 0;
}

/* A switch of the driver makes all policies anew: they are looked up for every run. */
static int time_begin(void *state, int64_t now_ns, struct pw_err *err)
{
	struct reader *reader = state;
	int r;

	(void)now_ns;
	pw_err_clear(&reader->failure);
	r = find_policies(reader, err);
	for (size_t i = 0; r == 0 && i < reader->count; i++)
		r = read_stats(reader->root, reader->policies[i].name, &reader->policies[i].first,
			       err);
	if (r < 0)
		reader->failure = *err;
	return r;
}

static int time_end(void *state, int64_t now_ns, struct pw_err *err)
{
	struct reader *reader = state;
	int r = 0;

	(void)now_ns;
	if (reader->failure.code != PW_OK)
		return 0; /* said when it happened */
	for (size_t i = 0; r == 0 && i < reader->count; i++)
		r = read_stats(reader->root, reader->policies[i].name, &reader->policies[i].last,
			       err);
	if (r < 0)
		reader->failure = *err;
	return r;
}

/* One line "kHz ticks". */
static int parse_line(const char *line, uint64_t *khz, uint64_t *ticks, struct pw_err *err)
{
	pw_auto_strv struct pw_strv words = PW_STRV_INIT;

	pw_strv_split(&words, line, " \t");
	if (words.count != 2)
		return pw_fail(err, PW_EIO, "'%.40s' is not \"kHz time\"", line);
	if (pw_parse_u64(words.items[0], khz, err) < 0 ||
	    pw_parse_u64(words.items[1], ticks, err) < 0)
		return -(int)err->code;
	return 0;
}

/* What passed at each frequency; both texts list the same ones in the same order. */
static int compare(const struct policy *policy, struct pw_value *seconds, struct pw_err *err)
{
	pw_auto_strv struct pw_strv before = PW_STRV_INIT, after = PW_STRV_INIT;

	pw_strv_split(&before, policy->first.states, "\n");
	pw_strv_split(&after, policy->last.states, "\n");
	if (before.count != after.count)
		return pw_fail(err, PW_EIO, "its frequencies changed in mid-run");
	for (size_t i = 0; i < after.count; i++) {
		uint64_t khz, then_khz, ticks, then;
		char name[24];

		if (parse_line(before.items[i], &then_khz, &then, err) < 0 ||
		    parse_line(after.items[i], &khz, &ticks, err) < 0)
			return -(int)err->code;
		if (khz != then_khz || ticks < then)
			return pw_fail(err, PW_EIO, "it was reset in mid-run");
		(void)snprintf(name, sizeof(name), "%" PRIu64, khz);
		if (ticks > then)
			pw_value_set(seconds, name,
				     pw_value_real((double)(ticks - then) / TICKS_S));
	}
	return 0;
}

static int describe(const struct policy *policy, struct pw_value *ret, struct pw_err *err)
{
	pw_auto_value struct pw_value seconds = pw_value_object();
	pw_auto_free unsigned *cpus = NULL;
	pw_auto_free char *list = NULL;
	struct pw_cpuset set;
	size_t count;

	if (compare(policy, &seconds, err) < 0 ||
	    pw_parse_cpulist(policy->cpus, &cpus, &count, err) < 0)
		return pw_err_prefix(err, "time in state: %s", policy->name);
	set = (struct pw_cpuset){ .cpus = cpus, .count = count };
	list = pw_cpuset_text(&set);
	*ret = pw_value_object();
	pw_value_set(ret, "cpus", pw_value_text(list));
	if (policy->first.has_transitions && policy->last.has_transitions &&
	    policy->last.transitions >= policy->first.transitions)
		pw_value_set(ret, "transitions",
			     pw_value_int((int64_t)(policy->last.transitions -
						    policy->first.transitions)));
	pw_value_set(ret, "seconds", pw_value_copy(&seconds));
	return 0;
}

static int time_report(void *state, struct pw_value *section, struct pw_strv *warnings,
		       struct pw_err *err)
{
	struct reader *reader = state;
	pw_auto_value struct pw_value policies = pw_value_object();

	(void)warnings;
	if (reader->failure.code != PW_OK) {
		*err = reader->failure;
		return pw_err_prefix(err, "time in state");
	}
	for (size_t i = 0; i < reader->count; i++) {
		struct pw_value policy;

		if (describe(&reader->policies[i], &policy, err) < 0)
			return -(int)err->code;
		pw_value_set(&policies, reader->policies[i].name, policy);
	}
	pw_value_set(section, "source", pw_value_text("cpufreq-stats"));
	pw_value_set(section, "policies", pw_value_copy(&policies));
	return 0;
}

static int64_t max_period_ns(void *state)
{
	(void)state;
	return 0; /* 64-bit counts */
}

const struct pw_collector pw_collector_time_in_state = {
	.name = "time-in-state",
	.summary = "time that each frequency was set for (cpufreq statistics)",
	.section = "time_in_state",
	.rank = 10,
	.probe = probe,
	.open = time_open,
	.begin = time_begin,
	.end = time_end,
	.report = time_report,
	.close = time_close,
	.max_period_ns = max_period_ns,
};
