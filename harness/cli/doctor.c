/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/doctor.h"

#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/doctor_energy.h"
#include "harness/cli/doctor_noise.h"
#include "harness/engine/journal.h"
#include "harness/engine/place.h"
#include "harness/engine/surroundings.h"
#include "lib/base/fs_cache.h"
#include "lib/platform/cpufreq.h"
#include "lib/platform/perf.h"
#include "lib/platform/storage.h"
#include "lib/platform/sysinfo.h"
#include "lib/platform/topology.h"

struct examination {
	const struct pw_root *root;
	struct pw_root cached; /* each file of each policy and CPU is read once */
	struct pw_fs_cache *cache;
	struct pw_knob_env env;
	struct pw_cpuset usable, online;
	struct pw_perf perf;
	struct pw_value findings;
};

static void set_text(struct pw_value *object, const char *key, const char *text)
{
	if (text && *text)
		pw_value_set(object, key, pw_value_text(text));
}

/* err NULL: it is there. `value` is taken over; unset if there is none. */
static void add(struct examination *examination, const char *area, const char *name,
		struct pw_value value, const struct pw_err *err)
{
	struct pw_value finding = pw_value_object();

	set_text(&finding, "area", area);
	set_text(&finding, "name", name);
	set_text(&finding, "state", !err ? "ok" : err->code == PW_EDENIED ? "denied" : "absent");
	if (value.type != PW_VALUE_UNSET)
		pw_value_set(&finding, "value", value);
	if (err) {
		set_text(&finding, "why", err->text);
		set_text(&finding, "hint", err->hint);
	}
	pw_value_push(&examination->findings, finding);
}

static void examine_knobs(struct examination *examination)
{
	for (const struct pw_knob *const *at = pw_knobs; *at; at++) {
		struct pw_value value = PW_VALUE_INIT;
		struct pw_err err;

		if ((*at)->probe && (*at)->probe(&examination->env, &err) < 0) {
			add(examination, "settings", (*at)->name, value, &err);
			continue;
		}
		if ((*at)->read && (*at)->read(&examination->env, &value, &err) < 0)
			value = PW_VALUE_INIT;
		add(examination, "settings", (*at)->name, value, NULL);
	}
}

/* Some words mean different things under different drivers: say which it is here. */
static void examine_governor(struct examination *examination, const struct pw_value *machine)
{
	const struct pw_knob *knob = pw_catalog_knob(&pw_cli_catalog, "governor");
	const char *driver = pw_value_get_text(machine, "driver", NULL);
	pw_auto_value struct pw_value governor = PW_VALUE_INIT;
	const char *meaning = NULL;
	struct pw_err err;

	if (driver && knob && knob->read && knob->read(&examination->env, &governor, &err) == 0 &&
	    governor.type == PW_VALUE_TEXT)
		meaning = pw_governor_meaning(driver, governor.text);
	if (meaning)
		add(examination, "machine", "governor means", pw_value_text(meaning), NULL);
}

/* Registers are left alone here too. */
static int fail_not_asked(struct pw_err *err)
{
	(void)pw_fail(err, PW_EUNSUPPORTED,
		      "reads registers: not tried unless a config asks for it");
	return pw_err_hint(err, "\"collectors\": { \"msr\": true } in the config");
}

static struct pw_collect collect_of(const struct examination *examination)
{
	return (struct pw_collect){ .root = &examination->cached,
				    .perf = &examination->perf,
				    .scope = "package",
				    .cpus = examination->online.cpus,
				    .cpu_count = examination->online.count };
}

/* True if a usable source of the section was found. */
static bool examine_collectors(struct examination *examination, const char *section)
{
	struct pw_collect collect = collect_of(examination);
	bool found = false;

	for (const struct pw_collector *const *at = pw_collectors; *at; at++) {
		struct pw_err err;
		int r;

		if (strcmp((*at)->section, section) != 0)
			continue;
		r = (*at)->missing     ? pw_fail(&err, PW_EUNSUPPORTED, "%s", (*at)->missing)
		    : (*at)->needs_msr ? fail_not_asked(&err)
				       : (*at)->probe(&collect, &err);
		add(examination, section, (*at)->name, PW_VALUE_INIT, r < 0 ? &err : NULL);
		found |= r == 0;
	}
	return found;
}

/* Which domains there are, and which count. */
static void examine_domains(struct examination *examination, struct pw_value *ret)
{
	struct pw_collect collect = collect_of(examination);
	struct pw_value tree = pw_doctor_energy(&collect);

	if (tree.type != PW_VALUE_UNSET)
		pw_value_set(ret, "energy_domains", tree);
}

static bool examine_workloads(struct examination *examination)
{
	bool found = false;

	for (const struct pw_workload *const *at = pw_workloads; *at; at++) {
		pw_auto_value struct pw_value options = pw_value_object();
		struct pw_work work = { .options = &options,
					.directory = ".",
					.cpus = (unsigned)examination->usable.count };
		struct pw_err err;
		int r = 0;

		if ((*at)->missing)
			r = pw_fail(&err, PW_EUNSUPPORTED, "%s", (*at)->missing);
		else if ((*at)->run && (*at)->probe &&
			 pw_options_check((*at)->options, NULL, NULL, &options, &err) == 0)
			r = (*at)->probe(&work, &err);
		add(examination, "workloads", (*at)->name, PW_VALUE_INIT, r < 0 ? &err : NULL);
		found |= r == 0;
	}
	return found;
}

/* A session that could not put the machine back is the first thing to know. */
static void examine_leftovers(struct examination *examination)
{
	struct pw_places places = { 0 };
	struct pw_journal_state state = PW_JOURNAL_STATE_INIT;
	struct pw_err err;
	char *journal;

	if (!examination->root->real)
		return;
	pw_places_find(examination->root, &places);
	journal = pw_noted_journal(&places);
	if (journal && pw_journal_read(journal, &state, &err) == 0 && !state.restored) {
		(void)pw_fail(&err, PW_EFAILED, "a session has not put the machine back: %s",
			      journal);
		(void)pw_err_hint(&err, "perfwatt restore (unless that session is still running)");
		add(examination, "machine", "earlier session", PW_VALUE_INIT, &err);
	}
	free(journal);
	pw_journal_state_done(&state);
	pw_places_done(&places);
}

static int open_examination(struct examination *examination, const struct pw_root *root,
			    struct pw_err *err)
{
	*examination = (struct examination){ .root = root, .findings = pw_value_list() };
	if (pw_cpus_usable(root, &examination->usable, err) < 0 ||
	    pw_cpus_online(root, &examination->online, err) < 0 ||
	    pw_perf_init(&examination->perf, root, err) < 0)
		return -(int)err->code;
	examination->cache = pw_fs_cache_new(root, &examination->cached);
	examination->env = (struct pw_knob_env){ .root = &examination->cached,
						 .usable = examination->usable.cpus,
						 .usable_count = examination->usable.count,
						 .tag = "doctor" };
	return 0;
}

static void close_examination(struct examination *examination)
{
	pw_fs_cache_free(examination->cache);
	pw_perf_done(&examination->perf);
	pw_cpuset_done(&examination->usable);
	pw_cpuset_done(&examination->online);
	pw_value_done(&examination->findings);
}

static void set_storage(const struct pw_root *root, const char *key, const char *folder,
			struct pw_value *machine)
{
	struct pw_value storage;

	pw_storage(root, folder, &storage);
	if (storage.type != PW_VALUE_UNSET)
		pw_value_set(machine, key, storage);
}

int pw_doctor(const struct pw_root *root, struct pw_value *ret, struct pw_err *err)
{
	struct examination examination;
	struct pw_value machine = pw_value_object();
	bool energy, frequency, workloads;
	int r = open_examination(&examination, root, err);

	if (r == 0) {
		pw_sysinfo(&examination.cached, &machine);
		/* where a session would put its results, and where its workloads work */
		set_storage(root, "storage", ".", &machine);
		set_storage(root, "work_storage", PW_WORK_PARENT, &machine);
		examine_leftovers(&examination);
		examine_governor(&examination, &machine);
		pw_doctor_noise(root, examination.online.count, &examination.findings);
		examine_knobs(&examination);
		energy = examine_collectors(&examination, "energy");
		examine_domains(&examination, ret);
		frequency = examine_collectors(&examination, "frequency");
		workloads = examine_workloads(&examination);
		pw_value_set(ret, "comparison",
			     pw_value_bool(workloads && examination.usable.count));
		pw_value_set(ret, "energy", pw_value_bool(energy));
		pw_value_set(ret, "frequency", pw_value_bool(frequency));
		pw_value_set(ret, "machine", pw_value_copy(&machine));
		pw_value_set(ret, "findings", pw_value_copy(&examination.findings));
	}
	pw_value_done(&machine);
	close_examination(&examination);
	return r;
}
