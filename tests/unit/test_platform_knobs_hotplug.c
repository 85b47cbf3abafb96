/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The knobs smt, online and cpuidle-disable, on plain machines and against a model of hotplug. */
#include "fake_hotplug.h"
#include "fake_knob.h"

struct rig {
	struct hotplug model;
	struct fake_env env;
};

static void rig_open(struct rig *rig)
{
	hotplug_open(&rig->model);
	rig->env = fake_env(&rig->model.fake);
}

static void rig_close(struct rig *rig)
{
	pw_cpuset_done(&rig->env.usable);
	hotplug_close(&rig->model);
}

static void put(const struct rig *rig, const char *path, const char *text)
{
	struct pw_err err;

	fake_must(pw_attr_write(&rig->model.fake.root, path, text, &err), &err);
}

/* The value as a config has it; the error's text if it has no right form. */
static const char *form_error(const char *name, const char *text)
{
	static struct pw_err err;
	const struct pw_knob *knob = fake_knob(name);
	pw_auto_value struct pw_value value = pw_value_text(text);

	err = PW_ERR_INIT;
	return pw_knob_check_value(knob, &value, &err) < 0 ? err.text : "";
}

static void lists_have_a_form(void **state)
{
	const struct pw_knob *knob = fake_knob("online");
	pw_auto_value struct pw_value value = pw_value_text("2,0,1,7");
	pw_auto_value struct pw_value names = pw_value_text("C6, C1E");
	struct pw_err err;

	(void)state;
	fake_must(pw_knob_check_value(knob, &value, &err), &err);
	assert_string_equal(value.text, "0-2,7");
	fake_must(pw_knob_check_value(fake_knob("cpuidle-disable"), &names, &err), &err);
	assert_string_equal(names.text, "C6,C1E");
	assert_string_equal(form_error("online", "all"), "");
	assert_has(form_error("online", "0-"), "neither a CPU list");
	assert_has(form_error("online", ""), "neither a CPU list");
	assert_has(form_error("cpuidle-disable", ""), "names no idle state");
	assert_has(form_error("cpuidle-disable", "C1, ,C6"), "empty");
	assert_has(form_error("cpuidle-disable", "C1,C1"), "'C1' twice");
	assert_has(form_error("cpuidle-disable", "none,C1"), "stands alone");
	assert_string_equal(form_error("cpuidle-disable", "none"), "");
}

static void what_cannot_go_offline_is_named(void **state)
{
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig);
	assert_int_equal(fake_check(&rig.env.env, "online", "1-3", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "CPU 0 cannot go offline: it has no "
			     "/sys/devices/system/cpu/cpu0/online");
	assert_has(err.hint, "into the list");
	assert_int_equal(fake_check(&rig.env.env, "online", "0,5", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "there is no CPU 5 (present: 0-3)");
	fake_must(fake_check(&rig.env.env, "online", "0", &err), &err);
	rig.env.env.usable++; /* 1-3 */
	rig.env.env.usable_count--;
	assert_int_equal(fake_check(&rig.env.env, "online", "0", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "one must stay");
	rig.env.env.usable++; /* 2-3: siblings only */
	rig.env.env.usable_count--;
	assert_int_equal(fake_check(&rig.env.env, "smt", "off", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "one must stay");
	assert_int_equal(rig.model.transitions, 0);
	rig_close(&rig);
}

static void exactly_the_list_is_online(void **state)
{
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig);
	fake_must(fake_apply(&rig.env.env, "online", "0,3", &err), &err);
	assert_string_equal(fake_read(&rig.env.env, "online"), "0,3");
	assert_string_equal(fake_get(&rig.model.fake, PW_CPU_DIR "/online"), "0,3");
	fake_must(fake_apply(&rig.env.env, "online", "0-1", &err), &err);
	assert_string_equal(fake_read(&rig.env.env, "online"), "0-1");
	fake_must(fake_apply(&rig.env.env, "online", "all", &err), &err);
	assert_string_equal(fake_read(&rig.env.env, "online"), "0-3");
	rig.model.busy = 2;
	assert_int_equal(fake_apply(&rig.env.env, "online", "0", &err), -PW_EBUSY);
	assert_has(err.text, "write /sys/devices/system/cpu/cpu2/online '0'");
	assert_has(err.text, "deadlines");
	rig_close(&rig);
}

static void siblings_stay_away_without_smt(void **state)
{
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig);
	fake_must(fake_apply(&rig.env.env, "smt", "off", &err), &err);
	assert_string_equal(fake_read(&rig.env.env, "smt"), "off");
	assert_string_equal(fake_read(&rig.env.env, "online"), "0-1");
	assert_int_equal(fake_apply(&rig.env.env, "online", "0-2", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "keeps those off");
	assert_has(err.hint, "set smt to on");
	fake_must(fake_apply(&rig.env.env, "online", "all", &err), &err);
	assert_string_equal(fake_read(&rig.env.env, "online"), "0-1");
	fake_must(fake_apply(&rig.env.env, "online", "0", &err), &err);
	fake_must(fake_apply(&rig.env.env, "smt", "on", &err), &err);
	assert_string_equal(fake_read(&rig.env.env, "online"), "0-3");
	fake_must(fake_apply(&rig.env.env, "online", "0-1", &err), &err);
	assert_string_equal(fake_read(&rig.env.env, "smt"), "on, all siblings offline");
	rig_close(&rig);
}

static void smt_that_cannot_be_switched_says_why(void **state)
{
	static const struct {
		const char *control, *reason;
	} states[] = {
		{ "forceoff", "until it is booted otherwise" },
		{ "notsupported", "no SMT" },
		{ "notimplemented", "on this architecture" },
	};
	const struct pw_knob *knob = fake_knob("smt");
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig);
	for (size_t i = 0; i < PW_LENGTH(states); i++) {
		fake_set(&rig.model.fake, PW_SMT_CONTROL, states[i].control);
		assert_int_equal(knob->probe(&rig.env.env, &err), -PW_EUNSUPPORTED);
		assert_has(err.text, states[i].control);
		assert_has(err.text, states[i].reason);
	}
	fake_set(&rig.model.fake, PW_SMT_CONTROL, "on");
	rig.model.smt_errno = EPERM;
	assert_int_equal(fake_apply(&rig.env.env, "smt", "off", &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "only a reboot");
	rig.model.smt_errno = ENODEV;
	assert_int_equal(fake_apply(&rig.env.env, "smt", "off", &err), -PW_EUNSUPPORTED);
	rig.model.smt_errno = EBUSY;
	assert_int_equal(fake_apply(&rig.env.env, "smt", "off", &err), -PW_EBUSY);
	assert_has(err.text, "hotplug");
	rig_close(&rig);
}

/* In the order of the knobs, as perfwatt puts a machine back. */
static void restore_both(const struct rig *rig, const struct pw_saved *smt,
			 const struct pw_saved *online)
{
	fake_restore(&rig->env.env, "smt", smt);
	fake_restore(&rig->env.env, "online", online);
}

static void round_trip(const char *control, const char *offline, const char *knob,
		       const char *value)
{
	struct pw_saved smt = PW_SAVED_INIT, online = PW_SAVED_INIT;
	size_t before_length, after_length;
	struct rig rig;
	struct pw_err err;

	rig_open(&rig);
	put(&rig, PW_SMT_CONTROL, control);
	if (offline)
		put(&rig, offline, "0");
	pw_auto_free char *before = pw_sprintf("%s %s", fake_read(&rig.env.env, "online"), control);

	before_length = strlen(before);
	fake_must(fake_knob("smt")->save(&rig.env.env, &smt, &err), &err);
	fake_must(fake_knob("online")->save(&rig.env.env, &online, &err), &err);
	fake_must(fake_apply(&rig.env.env, knob, value, &err), &err);
	restore_both(&rig, &smt, &online);
	pw_auto_free char *after = pw_sprintf("%s %s", fake_read(&rig.env.env, "online"),
					      fake_get(&rig.model.fake, PW_SMT_CONTROL));

	after_length = strlen(after);
	if (before_length != after_length || strcmp(before, after) != 0)
		fail_msg("from '%s' over %s=%s to '%s'", before, knob, value, after);
	pw_saved_done(&smt);
	pw_saved_done(&online);
	rig_close(&rig);
}

static void every_way_leads_back(void **state)
{
	static const char *const ways[][2] = { { "smt", "on" },	    { "smt", "off" },
					       { "online", "0" },   { "online", "0-1" },
					       { "online", "0,1" }, { "online", "all" } };
	static const char *const offline[] = { NULL, PW_CPU_DIR "/cpu3/online",
					       PW_CPU_DIR "/cpu1/online" };

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(ways); i++) {
		for (size_t k = 0; k < PW_LENGTH(offline); k++) {
			round_trip("on", offline[k], ways[i][0], ways[i][1]);
			round_trip("off", offline[k], ways[i][0], ways[i][1]);
		}
	}
}

static void machines_without_switches_say_so(void **state)
{
	struct fake_env env;
	struct pw_err err;
	struct fake fake;

	(void)state;
	fake_open(&fake, "inactive-policy");
	env = fake_env(&fake);
	fake_set(&fake, PW_CPU_DIR "/present", "0-1");
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		pw_auto_free char *path =
			pw_sprintf("%s" PW_CPU_DIR "/cpu%u/online", fake.dir, cpu);

		(void)unlink(path);
	}
	assert_int_equal(fake_knob("online")->probe(&env.env, &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "no CPU can go offline");
	pw_auto_free char *smt = pw_sprintf("%s" PW_CPU_DIR "/smt", fake.dir);

	fake_must(pw_remove_tree(smt, &err), &err);
	assert_int_equal(fake_knob("smt")->probe(&env.env, &err), -PW_EUNSUPPORTED);
	assert_has(err.text, "smt/control");
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

static const char *disable_of(const struct rig *rig, unsigned cpu, unsigned number)
{
	pw_auto_free char *path =
		pw_sprintf(PW_CPU_DIR "/cpu%u/cpuidle/state%u/disable", cpu, number);

	return fake_get(&rig->model.fake, path);
}

/* POLL C1 C1E C6; CPU 3 has no C6. */
static void exactly_the_states_named_are_disabled(void **state)
{
	struct pw_saved saved = PW_SAVED_INIT;
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig);
	pw_auto_free char *gone =
		pw_sprintf("%s" PW_CPU_DIR "/cpu3/cpuidle/state3", rig.model.fake.dir);

	fake_must(pw_remove_tree(gone, &err), &err);
	put(&rig, PW_CPU_DIR "/cpu1/cpuidle/state1/disable", "1");
	assert_string_equal(fake_read(&rig.env.env, "cpuidle-disable"),
			    "mixed: C1 (C1 on some CPUs only)");
	fake_must(fake_knob("cpuidle-disable")->save(&rig.env.env, &saved, &err), &err);
	assert_int_equal(saved.count, 15);
	fake_must(fake_apply(&rig.env.env, "cpuidle-disable", "C6,C1E", &err), &err);
	assert_string_equal(fake_read(&rig.env.env, "cpuidle-disable"), "C1E,C6");
	assert_string_equal(disable_of(&rig, 1, 1), "0");
	assert_string_equal(disable_of(&rig, 3, 2), "1");
	fake_must(fake_apply(&rig.env.env, "cpuidle-disable", "none", &err), &err);
	assert_string_equal(fake_read(&rig.env.env, "cpuidle-disable"), "none");
	assert_int_equal(fake_check(&rig.env.env, "cpuidle-disable", "C6,C7", &err),
			 -PW_EUNSUPPORTED);
	assert_string_equal(err.text,
			    "no CPU has an idle state 'C7' (available: POLL, C1, C1E, C6)");
	fake_restore(&rig.env.env, "cpuidle-disable", &saved);
	assert_string_equal(disable_of(&rig, 1, 1), "1");
	pw_saved_done(&saved);
	rig_close(&rig);
}

static void idle_states_that_do_not_obey(void **state)
{
	struct rig rig;
	struct pw_err err;

	(void)state;
	rig_open(&rig);
	rig.model.idle_errno = EPERM;
	assert_int_equal(fake_apply(&rig.env.env, "cpuidle-disable", "C6", &err), -PW_EDENIED);
	assert_has(err.hint, "CAP_SYS_ADMIN");
	rig.model.idle_errno = 0;
	rig.model.stuck = 2;
	assert_int_equal(fake_apply(&rig.env.env, "cpuidle-disable", "C6", &err), -PW_ETIMEOUT);
	assert_has(err.text, "cpu2/cpuidle/state3/disable: asked '1', is '0' (idle state C6)");
	fake_set(&rig.model.fake, PW_CPU_DIR "/cpuidle/current_driver", "none");
	assert_int_equal(fake_knob("cpuidle-disable")->probe(&rig.env.env, &err), -PW_EUNSUPPORTED);
	rig_close(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_have_a_form),
		cmocka_unit_test(what_cannot_go_offline_is_named),
		cmocka_unit_test(exactly_the_list_is_online),
		cmocka_unit_test(siblings_stay_away_without_smt),
		cmocka_unit_test(smt_that_cannot_be_switched_says_why),
		cmocka_unit_test(every_way_leads_back),
		cmocka_unit_test(machines_without_switches_say_so),
		cmocka_unit_test(exactly_the_states_named_are_disabled),
		cmocka_unit_test(idle_states_that_do_not_obey),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
