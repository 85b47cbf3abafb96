/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limit on the CPUs' wake-up latency (PM QoS): a signed 32-bit number of microseconds written
 * to /dev/cpu_dma_latency holds as long as the file stays open; reading gives the smallest of all
 * requests (kernel Documentation/power/pm_qos_interface.rst). Where a plain file stands in for the
 * device, nothing takes the number away at close: it is saved and put back instead.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/file.h"
#include "lib/base/parse.h"
#include "lib/platform/attr.h"
#include "lib/platform/cpuidle.h"

#define DEVICE "/dev/cpu_dma_latency"

static int probe(const struct pw_knob_env *env, struct pw_err *err)
{
	int r = pw_cpuidle_needed(env->root, err);

	return r < 0 ? r : pw_attr_writable(env->root, DEVICE, err);
}

/* Nanoseconds of a config to whole microseconds. */
static int to_us(const struct pw_value *value, int32_t *ret, struct pw_err *err)
{
	int64_t us = value->integer / PW_NS_PER_US;

	if (value->integer < 0 || us > INT32_MAX || value->integer % PW_NS_PER_US)
		return pw_fail_at(
			err, "", 0,
			"a latency is a whole number of microseconds (\"0us\", \"20us\"), "
			"at most %" PRId32,
			INT32_MAX);
	*ret = (int32_t)us;
	return 0;
}

static int check(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	int32_t us = 0;

	(void)env;
	return to_us(value, &us, err);
}

/* Empty: false, which only a plain file can be. */
static int read_limit(const struct pw_root *root, int32_t *ret, bool *ret_any, struct pw_err *err)
{
	int32_t us = 0;
	ssize_t n = root->ops->read(root, DEVICE, (char *)&us, sizeof(us));

	if (n < 0)
		return pw_fail_errno(err, (int)-n, "read %s", DEVICE);
	if (n != 0 && n != (ssize_t)sizeof(us))
		return pw_fail(err, PW_EIO, "read %s: %zd bytes where 4 were due", DEVICE, n);
	*ret_any = n != 0;
	*ret = n ? us : INT32_MAX;
	return 0;
}

static int save(const struct pw_knob_env *env, struct pw_saved *saved, struct pw_err *err)
{
	char text[32] = "";
	int32_t us = 0;
	bool any = false;
	int r;

	if (!pw_root_plain(env->root))
		return 0;
	r = read_limit(env->root, &us, &any, err);
	if (r < 0)
		return r;
	if (any)
		(void)snprintf(text, sizeof(text), "%" PRId32, us);
	pw_saved_add(saved, DEVICE, text, NULL);
	return 0;
}

static bool is_back(const struct pw_knob_env *env, const struct pw_saved_item *item)
{
	char text[32] = "";
	struct pw_err err;
	int32_t us = 0;
	bool any = false;

	if (read_limit(env->root, &us, &any, &err) < 0)
		return false;
	if (any)
		(void)snprintf(text, sizeof(text), "%" PRId32, us);
	return strcmp(text, item->value) == 0;
}

static int restore(const struct pw_knob_env *env, const struct pw_saved_item *item,
		   struct pw_err *err)
{
	int64_t us = 0;
	int32_t word;
	size_t size = item->value[0] ? sizeof(word) : 0;
	ssize_t n;

	if (size && pw_parse_i64(item->value, &us, err) < 0)
		return pw_err_prefix(err, "saved %s", DEVICE);
	word = (int32_t)us;
	n = env->root->ops->write(env->root, DEVICE, (const char *)&word, size);
	if (n < 0)
		return pw_fail_errno(err, (int)-n, "write %s '%s'", DEVICE, item->value);
	return 0;
}

static int hold(const struct pw_knob_env *env, const struct pw_value *value, int *ret_fd,
		struct pw_err *err)
{
	pw_auto_close int fd = -1;
	int32_t us = 0;
	int r = to_us(value, &us, err);

	if (r < 0)
		return r;
	fd = pw_root_open_file(env->root, DEVICE, O_RDWR, err);
	if (fd < 0)
		return fd;
	if (pw_write_all(fd, &us, sizeof(us), err) < 0)
		return pw_err_prefix(err, "write %s '%" PRId32 "'", DEVICE, us);
	*ret_fd = pw_take_fd(&fd);
	return 0;
}

static int verify(const struct pw_knob_env *env, const struct pw_value *value, struct pw_err *err)
{
	int32_t asked = 0, us = 0;
	bool any = false;
	int r = to_us(value, &asked, err);

	if (r == 0)
		r = read_limit(env->root, &us, &any, err);
	if (r < 0 || (any && us == asked))
		return r;
	(void)pw_fail(err, PW_ETIMEOUT, "%s: asked %" PRId32 " us, is %" PRId32 " us", DEVICE,
		      asked, us);
	return any && us < asked ? pw_err_hint(err, "another process holds a lower latency "
						    "(tuned, an audio server): stop it")
				 : -(int)err->code;
}

/* Microseconds. */
static int read_value(const struct pw_knob_env *env, struct pw_value *ret, struct pw_err *err)
{
	int32_t us = 0;
	bool any = false;
	int r = read_limit(env->root, &us, &any, err);

	if (r == 0)
		*ret = pw_value_int(us);
	return r;
}

const struct pw_knob pw_knob_latency = {
	.name = "latency",
	.summary = "the longest wake-up latency the CPUs' idle states may have (PM QoS)",
	.scope = PW_KNOB_HELD,
	.order = PW_ORDER_SESSION,
	.value = { .name = "latency",
		   .type = PW_OPT_TIME,
		   .help = "a time in whole microseconds, \"20us\"; \"0us\" allows no idle state "
			   "with a cost",
		   .max = (int64_t)INT32_MAX * 1000 },
	.probe = probe,
	.check = check,
	.save = save,
	.verify = verify,
	.read = read_value,
	.restore = restore,
	.is_back = is_back,
	.hold = hold,
};
