/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Switching between configurations under a model of the kernel whose CPUs, governors and tunables
 * come and go: what a configuration makes of the machine does not depend on the one before it, and
 * the way back is the machine as it was.
 */
#include "fake_hotplug.h"
#include "fake_knob.h"

#include "harness/engine/collect.h"
#include "harness/engine/settings.h"
#include "lib/model/json.h"

/* Each name is its set. */
static const char *const sets[] = {
	"{}",
	"{\"smt\":\"off\"}",
	"{\"smt\":\"on\"}",
	"{\"online\":\"0-1\"}",
	"{\"online\":\"0,3\"}",
	"{\"online\":\"all\"}",
	"{\"smt\":\"off\",\"online\":\"0\"}",
	"{\"smt\":\"on\",\"online\":\"0,2\",\"governor\":\"powersave\"}",
	"{\"governor\":\"performance\"}",
	"{\"governor\":\"ondemand\"}",
	"{\"governor\":\"schedutil\"}",
	"{\"governor\":\"ondemand\",\"governor-tunables\":{\"up_threshold\":70}}",
	"{\"governor-tunables\":{\"rate_limit_us\":900}}",
	"{\"smt\":\"off\",\"governor-tunables\":{\"rate_limit_us\":800}}",
	"{\"online\":\"0,3\",\"cpuidle-disable\":\"C6,C1E\"}",
	"{\"cpuidle-disable\":\"none\"}",
	"{\"sysctl\":{\"vm.swappiness\":10,\"kernel.numa_balancing\":1}}",
	"{\"sysctl\":{\"vm.swappiness\":20}}",
	"{\"smt\":\"off\",\"sysfs\":{\"/sys/kernel/mm/ksm/run\":1},\"max-freq\":\"2GHz\"}",
};

#define COUNT PW_LENGTH(sets)

struct rig {
	struct hotplug model;
	struct fake_env env;
	struct pw_configuration configs[COUNT];
	struct pw_config config;
	bool usable[COUNT];
	struct pw_settings settings;
	struct pw_journal journal;
	char folder[64];
};

static const struct pw_workload *const no_workloads[] = { NULL };
static const struct pw_collector *const no_collectors[] = { NULL };

static struct pw_catalog catalog(void)
{
	return (struct pw_catalog){ .workloads = no_workloads,
				    .collectors = no_collectors,
				    .knobs = pw_knobs };
}

static int by_order(const void *a, const void *b)
{
	const struct pw_setting *x = a, *y = b;

	return x->knob->order - y->knob->order;
}

static void parse_set(const char *text, struct pw_configuration *ret)
{
	pw_auto_value struct pw_value set = PW_VALUE_INIT;
	struct pw_err err;

	*ret = (struct pw_configuration){ .name = pw_strdup(text) };
	fake_must(pw_json_parse(text, strlen(text), &set, &err), &err);
	for (size_t i = 0; i < set.count; i++) {
		struct pw_setting setting = { .knob = fake_knob(set.keys[i]),
					      .value = pw_value_copy(&set.items[i]) };

		fake_must(pw_knob_check_value(setting.knob, &setting.value, &err), &err);
		PW_PUSH(ret->settings, ret->setting_count, ret->setting_capacity, setting);
	}
	if (ret->setting_count)
		qsort(ret->settings, ret->setting_count, sizeof(*ret->settings), by_order);
}

static void free_set(struct pw_configuration *configuration)
{
	for (size_t i = 0; i < configuration->setting_count; i++)
		pw_value_done(&configuration->settings[i].value);
	free(configuration->settings);
	free(configuration->name);
}

/* The machine at hand, as `prepare` (may be NULL) makes it. */
static void rig_open(struct rig *rig, void (*prepare)(struct hotplug *model))
{
	static struct pw_catalog all;
	struct pw_err err;

	all = catalog();
	*rig = (struct rig){ .journal = PW_JOURNAL_INIT };
	hotplug_open(&rig->model);
	fake_set(&rig->model.fake, "/sys/kernel/mm/ksm/run", "0");
	if (prepare)
		prepare(&rig->model);
	rig->env = fake_env(&rig->model.fake);
	for (size_t i = 0; i < COUNT; i++) {
		parse_set(sets[i], &rig->configs[i]);
		rig->usable[i] = true;
	}
	rig->config = (struct pw_config){ .configs = rig->configs, .config_count = COUNT };
	pw_settings_init(&rig->settings, &rig->env.env, &all);
	(void)snprintf(rig->folder, sizeof(rig->folder), "/tmp/perfwatt-settings-XXXXXX");
	assert_non_null(mkdtemp(rig->folder));
	pw_auto_free char *path = pw_sprintf("%s/journal.jsonl", rig->folder);

	fake_must(pw_journal_open(path, &rig->journal, &err), &err);
	fake_must(pw_settings_save(&rig->settings, &rig->config, rig->usable, &rig->journal, &err),
		  &err);
}

static void rig_close(struct rig *rig)
{
	struct pw_err err;

	pw_settings_release(&rig->settings);
	pw_settings_done(&rig->settings);
	pw_journal_close(&rig->journal);
	fake_must(pw_remove_tree(rig->folder, &err), &err);
	for (size_t i = 0; i < COUNT; i++)
		free_set(&rig->configs[i]);
	pw_cpuset_done(&rig->env.usable);
	hotplug_close(&rig->model);
}

static int switch_to(struct rig *rig, size_t index, struct pw_err *err)
{
	int r = pw_settings_put_back(&rig->settings, &rig->configs[index], err);

	return r < 0 ? r : pw_settings_apply(&rig->settings, &rig->configs[index], err);
}

static void must_switch(struct rig *rig, size_t index)
{
	struct pw_err err;

	if (switch_to(rig, index, &err) < 0)
		fail_msg("%s: %s", sets[index], err.text);
	if (pw_settings_held(&rig->settings, &err) < 0)
		fail_msg("%s does not hold: %s", sets[index], err.text);
}

/* What the sets above may change, directly or by side effect. */
static char *snapshot(const struct rig *rig)
{
	static const char *const folders[] = { PW_CPUFREQ_DIR, PW_CPU_DIR "/smt", "/sys/kernel",
					       "/proc/sys/vm", "/proc/sys/kernel" };
	const struct pw_root *root = &rig->model.fake.root;
	struct pw_strbuf out = PW_STRBUF_INIT;

	for (unsigned cpu = 0; cpu < rig->model.cpus; cpu++) {
		for (unsigned state = 0; state < 4; state++) {
			pw_auto_free char *path =
				pw_sprintf(PW_CPU_DIR "/cpu%u/cpuidle/state%u/disable", cpu, state);

			pw_strbuf_printf(&out, "%s %s\n", path, fake_get(&rig->model.fake, path));
		}
		pw_strbuf_printf(&out, "cpu%u %d\n", cpu, hotplug_is_on(&rig->model, cpu));
	}
	for (size_t i = 0; i < PW_LENGTH(folders); i++)
		fake_snapshot_into(root, folders[i], &out);
	assert_int_equal(strlen(out.text), out.length);
	return pw_strbuf_take(&out);
}

/* What configuration `index` makes of the machine when it comes first. */
static char *alone(size_t index)
{
	struct rig rig;
	char *made;

	rig_open(&rig, NULL);
	must_switch(&rig, index);
	made = snapshot(&rig);
	rig_close(&rig);
	return made;
}

static void expect_snapshot(const struct rig *rig, const char *expected, const char *before,
			    const char *now)
{
	pw_auto_free char *is = snapshot(rig);
	size_t at = 0;

	if (strcmp(is, expected) == 0)
		return;
	while (is[at] == expected[at])
		at++;
	at = at > 60 ? at - 60 : 0;
	fail_msg("%s after %s:\n--- is\n%.160s\n--- should be\n%.160s", now, before, is + at,
		 expected + at);
}

static void expect_possible(const struct rig *rig)
{
	struct pw_err err;

	for (size_t i = 0; i < COUNT; i++) {
		if (pw_settings_possible(&rig->settings, &rig->configs[i], &err) < 0)
			fail_msg("%s: %s", sets[i], err.text);
	}
}

/* Those in which files come and go. */
static const size_t paired[] = { 0, 1, 4, 6, 8, 9, 11, 13, 14, 18 };

#define PAIRED PW_LENGTH(paired)

static void expect_after(struct rig *rig, char *const *expected, size_t last, size_t now)
{
	must_switch(rig, paired[now]);
	expect_snapshot(rig, expected[now], sets[paired[last]], sets[paired[now]]);
}

/* i, k, i, k + 1, ...: every one after every other. */
static void no_configuration_leaves_anything(void **state)
{
	char *expected[PAIRED];
	struct rig rig;
	size_t last = 0;

	(void)state;
	for (size_t i = 0; i < PAIRED; i++)
		expected[i] = alone(paired[i]);
	rig_open(&rig, NULL);
	expect_possible(&rig);
	for (size_t i = 0; i < PAIRED; i++) {
		for (size_t k = i + 1; k < PAIRED; k++) {
			expect_after(&rig, expected, last, i);
			expect_after(&rig, expected, i, k);
			last = k;
		}
	}
	expect_after(&rig, expected, last, 0);
	rig_close(&rig);
	for (size_t i = 0; i < PAIRED; i++)
		free(expected[i]);
}

static void put(struct hotplug *model, const char *path, const char *text)
{
	struct pw_err err;

	fake_must(pw_attr_write(&model->fake.root, path, text, &err), &err);
}

static void one_sibling_away(struct hotplug *model)
{
	put(model, PW_CPU_DIR "/cpu3/online", "0");
	put(model, PW_CPUFREQ_DIR "/schedutil/rate_limit_us", "777");
	put(model, PW_CPU_DIR "/cpu1/cpuidle/state3/disable", "1");
	put(model, hotplug_policy(1, "scaling_governor"), "ondemand");
	put(model, PW_CPUFREQ_DIR "/ondemand/up_threshold", "66");
}

/*
 * The policy of a CPU that was offline from the start cannot be read, so nothing of it is saved: a
 * CPU that only came up on the way leaves the default governor there. All else is as it was.
 */
static void a_machine_with_a_sibling_away(void **state)
{
	static const size_t tried[] = { 0, 1, 2, 3, 6, 8, 9, 10, 11, 12, 13, 15, 16, 17 };
	struct rig rig;

	(void)state;
	rig_open(&rig, one_sibling_away);
	pw_auto_free char *before = snapshot(&rig);

	for (size_t i = 0; i < PW_LENGTH(tried); i++) {
		must_switch(&rig, tried[i]);
		must_switch(&rig, 0);
		fake_set(&rig.model.fake, hotplug_policy(3, "scaling_governor"), "schedutil");
		expect_snapshot(&rig, before, sets[tried[i]], "the machine as it was");
	}
	rig_close(&rig);
}

static void without_smt(struct hotplug *model)
{
	put(model, PW_SMT_CONTROL, "off");
}

/* Switches of the CPUs come back from everything, also where siblings were off from the start. */
static void a_machine_without_smt(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, without_smt);
	for (size_t i = 0; i < COUNT; i++) {
		struct pw_err err;

		if (strstr(sets[i], "0,3") || strstr(sets[i], "0,2"))
			continue; /* siblings, which SMT keeps away */
		if (switch_to(&rig, i, &err) < 0)
			fail_msg("%s: %s", sets[i], err.text);
		must_switch(&rig, 0);
		assert_string_equal(fake_get(&rig.model.fake, PW_SMT_CONTROL), "off");
		assert_string_equal(fake_get(&rig.model.fake, PW_CPU_DIR "/online"), "0-1");
	}
	struct pw_err err;

	assert_int_equal(switch_to(&rig, 4, &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "keeps those off");
	must_switch(&rig, 0);
	rig_close(&rig);
}

static void what_may_be_used_follows_the_cpus(void **state)
{
	struct pw_configuration affine;
	struct rig rig;
	struct pw_err err;
	unsigned changes;

	(void)state;
	rig_open(&rig, NULL);
	parse_set("{\"smt\":\"off\",\"affinity\":\"all\"}", &affine);
	assert_int_equal(rig.settings.env.usable_count, 4);
	changes = rig.settings.cpu_changes;
	fake_must(pw_settings_possible(&rig.settings, &affine, &err), &err);
	fake_must(pw_settings_put_back(&rig.settings, &affine, &err), &err);
	fake_must(pw_settings_apply(&rig.settings, &affine, &err), &err);
	assert_int_equal(rig.settings.launch.cpu_count, 2);
	assert_int_equal(rig.settings.env.usable_count, 2);
	assert_true(rig.settings.cpu_changes > changes);
	/* they come back on the way, and go again: what was opened on them is stale all the same */
	changes = rig.settings.cpu_changes;
	must_switch(&rig, 1);
	assert_true(rig.settings.cpu_changes > changes);
	must_switch(&rig, 0);
	assert_int_equal(rig.settings.env.usable_count, 4);
	changes = rig.settings.cpu_changes;
	must_switch(&rig, 8);
	assert_int_equal(rig.settings.cpu_changes, changes);
	/* somebody else takes one away: it is seen, put right, and counts as a change */
	put(&rig.model, PW_CPU_DIR "/cpu3/online", "0");
	assert_true(pw_settings_held(&rig.settings, &err) < 0);
	assert_has(err.text, "cpu3/online");
	must_switch(&rig, 8);
	assert_true(rig.settings.cpu_changes > changes);
	free_set(&affine);
	rig_close(&rig);
}

static void expect_impossible(struct rig *rig, const char *set, const char *reason)
{
	struct pw_configuration configuration;
	struct pw_err err = PW_ERR_INIT;

	parse_set(set, &configuration);
	if (pw_settings_possible(&rig->settings, &configuration, &err) == 0)
		fail_msg("%s is possible", set);
	assert_has(err.text, reason);
	free_set(&configuration);
}

static void what_is_told_beforehand(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, NULL);
	expect_impossible(&rig, "{\"governor-tunables\":{\"up_threshold\":80}}",
			  "no governor in force has a tunable 'up_threshold'");
	expect_impossible(
		&rig, "{\"governor\":\"schedutil\",\"governor-tunables\":{\"up_threshold\":80}}",
		"no governor in force has a tunable 'up_threshold'");
	expect_impossible(&rig, "{\"governor\":\"ondemand\",\"governor-tunables\":{\"nosuch\":80}}",
			  "no governor in force has a tunable 'nosuch'");
	expect_impossible(&rig,
			  "{\"sysfs\":{\"/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor\":"
			  "\"performance\"}}",
			  "policy1/scaling_governor belongs to the setting 'governor'");
	expect_impossible(&rig, "{\"sysfs\":{\"/sys/devices/system/cpu/intel_pstate/no_turbo\":1}}",
			  "belongs to the setting 'boost'");
	expect_impossible(&rig, "{\"sysfs\":{\"/sys/devices/system/cpu/cpu1/online\":0}}",
			  "belongs to the setting");
	expect_impossible(&rig,
			  "{\"sysfs\":{\"/sys/devices/system/cpu/cpufreq/schedutil/rate_limit_us\":"
			  "1}}",
			  "belongs to the setting 'governor-tunables'");
	expect_impossible(&rig, "{\"driver-mode\":\"active\",\"sysctl\":{\"vm.nosuch\":1}}",
			  "/proc/sys/vm/nosuch is not there");
	expect_impossible(&rig, "{\"cpuidle-disable\":\"C7\"}", "no CPU has an idle state 'C7'");
	rig_close(&rig);
}

static void records_show_what_holds(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, NULL);
	for (int set = 0; set < 2; set++) {
		pw_auto_value struct pw_value record = pw_value_object();
		const struct pw_value *sysctl, *tunables;

		must_switch(&rig, set ? 16 : 0);
		pw_settings_describe(&rig.settings, &record);
		sysctl = pw_value_get(&record, "sysctl");
		tunables = pw_value_get(&record, "governor-tunables");
		assert_int_equal(pw_value_get_int(sysctl, "vm.swappiness", 0), set ? 10 : 60);
		assert_int_equal(pw_value_get_int(sysctl, "kernel.numa_balancing", 9), set);
		assert_int_equal(pw_value_get_int(tunables, "rate_limit_us", 0), 5000);
		assert_string_equal(pw_value_get_text(&record, "online", ""), "0-3");
		assert_string_equal(pw_value_get_text(&record, "smt", ""), "on");
		assert_string_equal(pw_value_get_text(&record, "cpuidle-disable", ""), "none");
	}
	rig_close(&rig);
}

static void a_file_changed_by_others_is_seen(void **state)
{
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig, NULL);
	must_switch(&rig, 0);
	put(&rig.model, "/proc/sys/vm/swappiness", "33");
	assert_true(pw_settings_held(&rig.settings, &err) < 0);
	assert_has(err.text, "/proc/sys/vm/swappiness changed during the run: was '60', is '33'");
	rig_close(&rig);
}

static void slow_schedutil(struct hotplug *model)
{
	put(model, PW_CPUFREQ_DIR "/schedutil/rate_limit_us", "777");
}

/* The governor went, and its tunables with it; a configuration that names it brings back both. */
static void tunables_come_back_with_their_governor(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, slow_schedutil);
	must_switch(&rig, 8);
	assert_false(
		pw_root_exists(&rig.model.fake.root, PW_CPUFREQ_DIR "/schedutil/rate_limit_us"));
	must_switch(&rig, 10);
	assert_string_equal(fake_get(&rig.model.fake, PW_CPUFREQ_DIR "/schedutil/rate_limit_us"),
			    "777");
	rig_close(&rig);
}

/* Two configurations set kernel parameters, one of them more than the other. */
static void files_that_only_another_names_go_back(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, NULL);
	must_switch(&rig, 16);
	assert_string_equal(fake_get(&rig.model.fake, "/proc/sys/kernel/numa_balancing"), "1");
	must_switch(&rig, 17);
	assert_string_equal(fake_get(&rig.model.fake, "/proc/sys/kernel/numa_balancing"), "0");
	assert_string_equal(fake_get(&rig.model.fake, "/proc/sys/vm/swappiness"), "20");
	rig_close(&rig);
}

/* A collector that counts how often, and on how many CPUs, it was opened. */
static struct {
	unsigned opened, closed;
	size_t cpus;
} counted;

static int count_open(const struct pw_collect *collect, void **ret_state, struct pw_err *err)
{
	(void)err;
	counted.opened++;
	counted.cpus = collect->cpu_count;
	*ret_state = &counted;
	return 0;
}

static void count_close(void *state)
{
	(void)state;
	counted.closed++;
}

static void collectors_are_opened_on_the_cpus_there_are(void **state)
{
	static const struct pw_collector counter = {
		.name = "counter", .section = "usage", .open = count_open, .close = count_close
	};
	static const struct pw_collector *const all[] = { &counter, NULL };
	struct pw_catalog own = { no_workloads, all, pw_knobs };
	struct pw_value options = pw_value_object();
	struct pw_collectors set;
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig, NULL);
	struct pw_collect collect = { .root = &rig.model.fake.root,
				      .scope = "package",
				      .cpus = rig.env.usable.cpus,
				      .cpu_count = rig.env.usable.count };

	pw_collectors_open(&set, &own, &collect, &options, 0);
	must_switch(&rig, 8);
	fake_must(pw_collectors_follow(&set, rig.settings.cpu_changes, &err), &err);
	assert_int_equal(counted.opened, 1);
	must_switch(&rig, 1);
	for (int i = 0; i < 2; i++)
		fake_must(pw_collectors_follow(&set, rig.settings.cpu_changes, &err), &err);
	assert_int_equal(counted.opened, 2);
	assert_int_equal(counted.closed, 1);
	assert_int_equal(counted.cpus, 2);
	must_switch(&rig, 0);
	fake_must(pw_collectors_follow(&set, rig.settings.cpu_changes, &err), &err);
	assert_int_equal(counted.cpus, 4);
	pw_collectors_close(&set);
	assert_int_equal(counted.closed, counted.opened);
	pw_value_done(&options);
	rig_close(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_configuration_leaves_anything),
		cmocka_unit_test(a_machine_with_a_sibling_away),
		cmocka_unit_test(a_machine_without_smt),
		cmocka_unit_test(what_may_be_used_follows_the_cpus),
		cmocka_unit_test(what_is_told_beforehand),
		cmocka_unit_test(records_show_what_holds),
		cmocka_unit_test(a_file_changed_by_others_is_seen),
		cmocka_unit_test(tunables_come_back_with_their_governor),
		cmocka_unit_test(files_that_only_another_names_go_back),
		cmocka_unit_test(collectors_are_opened_on_the_cpus_there_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
