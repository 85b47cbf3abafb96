/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings that hang on another one or on what was there before: files that come with a driver
 * mode, and a power limit that is measured against the firmware's.
 */
#include "fake_faults.h"

#include "harness/engine/settings.h"
#include "lib/model/json.h"

#define BOOST PW_CPU_DIR "/intel_pstate/hwp_dynamic_boost"
#define LIMIT "/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw"
#define MOST  8

struct rig {
	struct faulty faulty;
	struct pw_configuration configs[MOST];
	struct pw_config config;
	bool usable[MOST];
	struct pw_settings settings;
	struct pw_journal journal;
	char folder[64];
};

static const struct pw_workload *const no_workloads[] = { NULL };
static const struct pw_collector *const no_collectors[] = { NULL };
static const struct pw_catalog catalog = { .workloads = no_workloads,
					   .collectors = no_collectors,
					   .knobs = pw_knobs };

/* As the model sorts them: by order, then by name. */
static int by_order(const void *a, const void *b)
{
	const struct pw_setting *x = a, *y = b;

	if (x->knob->order != y->knob->order)
		return x->knob->order - y->knob->order;
	return strcmp(x->knob->name, y->knob->name);
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

static void rig_open(struct rig *rig, const char *tree, const char *const *sets, size_t count)
{
	struct pw_err err;

	*rig = (struct rig){ .journal = PW_JOURNAL_INIT };
	faulty_open(&rig->faulty, tree, 4);
	for (size_t i = 0; i < count; i++) {
		parse_set(sets[i], &rig->configs[i]);
		rig->usable[i] = true;
	}
	rig->config = (struct pw_config){ .configs = rig->configs, .config_count = count };
	pw_settings_init(&rig->settings, &rig->faulty.env.env, &catalog);
	(void)snprintf(rig->folder, sizeof(rig->folder), "/tmp/perfwatt-settings-XXXXXX");
	assert_non_null(mkdtemp(rig->folder));
	pw_auto_free char *path = pw_sprintf("%s/journal.jsonl", rig->folder);

	fake_must(pw_journal_open(path, &rig->journal, &err), &err);
	fake_must(pw_settings_save(&rig->settings, &rig->config, rig->usable, &rig->journal, &err),
		  &err);
}

static void free_set(struct pw_configuration *configuration)
{
	for (size_t i = 0; i < configuration->setting_count; i++)
		pw_value_done(&configuration->settings[i].value);
	free(configuration->settings);
	free(configuration->name);
}

static void rig_close(struct rig *rig)
{
	struct pw_err err;

	pw_settings_release(&rig->settings);
	pw_settings_done(&rig->settings);
	pw_journal_close(&rig->journal);
	fake_must(pw_remove_tree(rig->folder, &err), &err);
	for (size_t i = 0; i < rig->config.config_count; i++)
		free_set(&rig->configs[i]);
	faulty_close(&rig->faulty);
}

static int switch_to(struct rig *rig, size_t index, struct pw_err *err)
{
	int r = pw_settings_put_back(&rig->settings, &rig->configs[index], err);

	return r < 0 ? r : pw_settings_apply(&rig->settings, &rig->configs[index], err);
}

/* A mode that the same configuration brings has the file, whatever is there now. */
static void files_that_come_with_the_mode(void **state)
{
	static const char *const sets[] = {
		"{\"hwp-dynamic-boost\":\"on\"}",
		"{\"driver-mode\":\"active\",\"hwp-dynamic-boost\":\"on\",\"max-perf-pct\":\"50%"
		"\"}",
		"{\"driver-mode\":\"passive\"}",
		"{\"driver-mode\":\"passive\",\"hwp-dynamic-boost\":\"on\"}",
	};
	struct pw_err err;
	struct rig rig;

	(void)state;
	rig_open(&rig, "intel-passive", sets, PW_LENGTH(sets));
	assert_int_equal(pw_settings_possible(&rig.settings, &rig.configs[0], &err),
			 -PW_EUNSUPPORTED);
	assert_has(err.text, "hwp-dynamic-boost: ");
	assert_int_equal(pw_settings_possible(&rig.settings, &rig.configs[3], &err),
			 -PW_EUNSUPPORTED); /* that mode is there already */
	fake_must(pw_settings_possible(&rig.settings, &rig.configs[1], &err), &err);
	fake_must(switch_to(&rig, 1, &err), &err);
	assert_string_equal(faulty_get(&rig.faulty, BOOST), "1");
	assert_string_equal(faulty_get(&rig.faulty, PW_CPU_DIR "/intel_pstate/max_perf_pct"), "50");
	fake_must(switch_to(&rig, 2, &err), &err);
	assert_false(pw_root_exists(&rig.faulty.model.fake.root, BOOST));
	assert_string_equal(faulty_get(&rig.faulty, PW_CPU_DIR "/intel_pstate/max_perf_pct"),
			    "100");
	rig_close(&rig);
}

/* From one limit to a higher one that is still below the firmware's. */
static void a_power_limit_is_measured_against_the_first(void **state)
{
	static const char *const sets[] = { "{}", "{\"power-limit\":\"65W\"}",
					    "{\"power-limit\":\"100W\"}",
					    "{\"power-limit\":\"130W\"}" };
	struct pw_err err;
	struct rig rig;

	(void)state;
	rig_open(&rig, "intel-hwp-active", sets, PW_LENGTH(sets));
	fake_must(pw_settings_possible(&rig.settings, &rig.configs[2], &err), &err);
	assert_int_equal(pw_settings_possible(&rig.settings, &rig.configs[3], &err),
			 -PW_EUNSUPPORTED);
	fake_must(switch_to(&rig, 1, &err), &err);
	assert_string_equal(faulty_get(&rig.faulty, LIMIT), "65000000");
	fake_must(switch_to(&rig, 2, &err), &err);
	assert_string_equal(faulty_get(&rig.faulty, LIMIT), "100000000");
	assert_int_equal(switch_to(&rig, 3, &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "above the limit found here, 125 W");
	fake_must(switch_to(&rig, 0, &err), &err);
	assert_string_equal(faulty_get(&rig.faulty, LIMIT), "125000000");
	rig_close(&rig);
}

/* What one configuration sets of a pair, the next one does not find. */
static void pairs_start_from_what_was_there(void **state)
{
	static const char *const sets[] = {
		"{}",
		"{\"min-perf-pct\":\"80%\",\"uncore-min\":\"2GHz\",\"epb\":\"power\"}",
		"{\"max-perf-pct\":\"50%\",\"uncore-max\":\"1.5GHz\"}",
		"{\"min-perf-pct\":\"40%\",\"max-perf-pct\":\"60%\",\"uncore-min\":\"1.4GHz\","
		"\"uncore-max\":\"1.6GHz\"}",
		"{\"min-perf-pct\":\"60%\",\"max-perf-pct\":\"40%\"}",
	};
	struct pw_err err;
	struct rig rig;

	(void)state;
	rig_open(&rig, "intel-hwp-active", sets, PW_LENGTH(sets));
	for (size_t i = 0; i < 16; i++)
		fake_must(switch_to(&rig, i / 4 % 2 ? i % 4 : 3 - i % 4, &err), &err);
	fake_must(switch_to(&rig, 1, &err), &err);
	fake_must(switch_to(&rig, 2, &err), &err);
	assert_string_equal(fake_read(&rig.faulty.env.env, "min-perf-pct"), "20");
	assert_string_equal(fake_read(&rig.faulty.env.env, "max-perf-pct"), "50");
	assert_string_equal(fake_read(&rig.faulty.env.env, "epb"), "6");
	assert_int_equal(switch_to(&rig, 4, &err), -PW_ETIMEOUT); /* cannot be */
	assert_has(err.text, "max_perf_pct: asked '40', is '60'");
	fake_must(switch_to(&rig, 0, &err), &err);
	assert_string_equal(fake_read(&rig.faulty.env.env, "min-perf-pct"), "20");
	assert_string_equal(fake_read(&rig.faulty.env.env, "max-perf-pct"), "100");
	assert_string_equal(fake_read(&rig.faulty.env.env, "uncore-min"), "1200000");
	assert_string_equal(fake_read(&rig.faulty.env.env, "uncore-max"), "2400000");
	rig_close(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_that_come_with_the_mode),
		cmocka_unit_test(a_power_limit_is_measured_against_the_first),
		cmocka_unit_test(pairs_start_from_what_was_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
