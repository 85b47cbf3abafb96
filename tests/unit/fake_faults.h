/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors of single files on top of the model of the kernel, and writes that have no effect. */
#ifndef PW_TEST_FAKE_FAULTS_H
#define PW_TEST_FAKE_FAULTS_H

#include "fake_kernel.h"
#include "fake_kernel_rules.h"
#include "fake_knob.h"

/* Of the files whose path holds `part`; the model is the first member: model_of() finds it. */
struct faulty {
	struct model model;
	struct fake_env env;
	const char *part;
	int read_errno, write_errno;
	bool deaf; /* a write succeeds and changes nothing */
};

static inline bool faulty_hits(const struct faulty *faulty, const char *path)
{
	return faulty->part && strstr(path, faulty->part);
}

static inline ssize_t faulty_read(const struct pw_root *root, const char *path, char *buffer,
				  size_t size)
{
	const struct faulty *faulty = root->context;

	if (faulty->read_errno && faulty_hits(faulty, path))
		return -faulty->read_errno;
	return model_read(root, path, buffer, size);
}

static inline ssize_t faulty_write(const struct pw_root *root, const char *path, const char *text,
				   size_t length)
{
	const struct faulty *faulty = root->context;

	if (faulty_hits(faulty, path) && faulty->write_errno)
		return -faulty->write_errno;
	if (faulty_hits(faulty, path) && faulty->deaf)
		return (ssize_t)length;
	return model_write(root, path, text, length);
}

static const struct pw_fs_ops faulty_ops = { .read = faulty_read, .write = faulty_write };

static inline void faulty_open(struct faulty *faulty, const char *tree, unsigned policies)
{
	*faulty = (struct faulty){ .part = NULL };
	model_open(&faulty->model, tree, policies);
	faulty->model.fake.root.ops = &faulty_ops;
	faulty->model.fake.root.context = faulty;
	faulty->env = fake_env(&faulty->model.fake);
}

static inline void faulty_close(struct faulty *faulty)
{
	pw_cpuset_done(&faulty->env.usable);
	fake_close(&faulty->model.fake);
}

static inline void faulty_set(struct faulty *faulty, const char *part, int read_errno,
			      int write_errno)
{
	faulty->part = part;
	faulty->read_errno = read_errno;
	faulty->write_errno = write_errno;
}

static inline const char *faulty_get(const struct faulty *faulty, const char *path)
{
	return fake_get(&faulty->model.fake, path);
}

/* On plain files: applied, shown as `shown`, and taken back byte for byte. */
static inline void plain_round_trip(const char *tree, const char *knob, const char *value,
				    const char *shown)
{
	struct pw_saved saved = PW_SAVED_INIT;
	size_t before_length, after_length;
	struct fake_env env;
	struct pw_err err;
	struct fake fake;

	fake_open(&fake, tree);
	env = fake_env(&fake);
	pw_auto_free char *before = fake_snapshot(&fake, &before_length);

	fake_must(fake_knob(knob)->save(&env.env, &saved, &err), &err);
	fake_must(fake_apply(&env.env, knob, value, &err), &err);
	assert_string_equal(fake_read(&env.env, knob), shown);
	fake_restore(&env.env, knob, &saved);
	pw_auto_free char *after = fake_snapshot(&fake, &after_length);

	if (before_length != after_length || memcmp(before, after, after_length) != 0)
		fail_msg("%s: %s=%s was not taken back byte for byte", tree, knob, value);
	pw_saved_done(&saved);
	pw_cpuset_done(&env.usable);
	fake_close(&fake);
}

#endif
