/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tests do with the model of fake_devices.h: open it, save and restore, look at files. */
#ifndef PW_TEST_FAKE_DEVICES_RIG_H
#define PW_TEST_FAKE_DEVICES_RIG_H

#include "fake_devices.h"

static inline void devices_open(struct devices *devices, const char *tree)
{
	*devices = (struct devices){ .part = NULL };
	model_open(&devices->model, tree, DEVICES_CPUS);
	devices->model.fake.root.ops = &devices_ops;
	devices->env = fake_env(&devices->model.fake);
}

static inline void devices_close(struct devices *devices)
{
	pw_cpuset_done(&devices->env.usable);
	fake_close(&devices->model.fake);
}

static inline void devices_set(struct devices *devices, const char *path, const char *text)
{
	fake_one(devices->model.fake.dir, path, text);
}

static inline void expect_file(const struct devices *devices, const char *path, const char *text)
{
	const char *is = fake_get(&devices->model.fake, path);

	if (strcmp(is, text) != 0)
		fail_msg("%s is '%s', not '%s'", path, is, text);
}

/* Saves, hands over to the test's change, restores: every file must be as before. */
struct devices_back {
	struct pw_saved saved;
	char *before;
	size_t length;
};

static inline void devices_save(struct devices *devices, const char *knob,
				struct devices_back *back)
{
	struct pw_err err;

	*back = (struct devices_back){ .saved = PW_SAVED_INIT };
	back->before = fake_snapshot(&devices->model.fake, &back->length);
	fake_must(fake_knob(knob)->save(&devices->env.env, &back->saved, &err), &err);
}

static inline void devices_restore(struct devices *devices, const char *knob,
				   struct devices_back *back)
{
	pw_auto_free char *after = NULL;
	size_t length;

	fake_restore(&devices->env.env, knob, &back->saved);
	after = fake_snapshot(&devices->model.fake, &length);
	assert_int_equal(length, back->length);
	assert_memory_equal(after, back->before, length);
	pw_saved_done(&back->saved);
	free(back->before);
}

/* The probe's code and a part of its reason. */
static inline void expect_probe(const struct devices *devices, const char *knob, int code,
				const char *reason)
{
	struct pw_err err = PW_ERR_INIT;
	int r = fake_knob(knob)->probe(&devices->env.env, &err);

	if (r != code)
		fail_msg("%s: probe gave %d (%s), not %d", knob, r, err.text, code);
	if (r < 0)
		assert_has(err.text, reason);
}

static inline void expect_applied(const struct devices *devices, const char *knob,
				  const char *value, const char *shown)
{
	struct pw_err err;

	if (fake_apply(&devices->env.env, knob, value, &err) < 0)
		fail_msg("%s=%s: %s", knob, value, err.text);
	assert_string_equal(fake_read(&devices->env.env, knob), shown);
}

/* As a config's value: with the checks of its form. */
static inline int devices_form(const char *name, const char *text, struct pw_err *err)
{
	pw_auto_value struct pw_value value = pw_value_text(text);

	return pw_knob_check_value(fake_knob(name), &value, err);
}

#endif
