/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The model of fake_kernel.h with files of other drivers (arch/x86/kernel/cpu/intel_epb.c,
 * drivers/powercap), and with one file, or some of a name, that refuses, ignores or is late.
 */
#ifndef PW_TEST_FAKE_DEVICES_H
#define PW_TEST_FAKE_DEVICES_H

#include "fake_kernel_rules.h"
#include "fake_knob.h"

#define DEVICES_POWER_UNIT 125000 /* uW: 1/8 W */
#define DEVICES_CPUS	   4

struct devices {
	struct model model; /* first: it finds itself by the root's context */
	struct fake_env env;
	/* Paths that hold this part of a name; NULL: none. */
	const char *part;
	int read_errno, write_errno;
	bool deaf;     /* takes writes, and nothing changes */
	unsigned late; /* reads that still give the old value */
	unsigned pending;
	char pending_path[200], pending_text[64];
	bool bias_words;  /* the bias is shown in words where there is one */
	bool bias_shared; /* one register for all CPUs */
};

static inline const char *devices_bias(const struct devices *devices, uint64_t number)
{
	static const char *const words[16] = { [0] = "performance",
					       [4] = "balance-performance",
					       [6] = "normal",
					       [8] = "balance-power",
					       [15] = "power" };
	static char digits[8];

	if (devices->bias_words && words[number])
		return words[number];
	(void)snprintf(digits, sizeof(digits), "%u", (unsigned)number);
	return digits;
}

/* A word, or a number in C's notation: a leading zero makes it octal. */
static inline int devices_write_bias(struct devices *devices, const char *path, const char *text)
{
	struct devices words = { .bias_words = true };
	uint64_t number = 0;
	struct pw_err err;

	while (number < 16 && strcmp(devices_bias(&words, number), text) != 0)
		number++;
	if (number == 16 && ((text[0] == '0' && text[1]) || pw_parse_u64(text, &number, &err) < 0))
		return -EINVAL;
	if (number > 15)
		return -EINVAL;
	if (!devices->bias_shared) {
		fake_set(&devices->model.fake, path, devices_bias(devices, number));
		return 0;
	}
	for (unsigned cpu = 0; cpu < DEVICES_CPUS; cpu++) {
		pw_auto_free char *file =
			pw_sprintf(PW_CPU_DIR "/cpu%u/power/energy_perf_bias", cpu);

		fake_set(&devices->model.fake, file, devices_bias(devices, number));
	}
	return 0;
}

/* Cut to whole units of the register. */
static inline int devices_write_power(struct devices *devices, const char *path, const char *text)
{
	struct pw_err err;
	char shown[32];
	uint64_t uw;

	if (pw_parse_u64(text, &uw, &err) < 0)
		return -EINVAL;
	uw -= uw % DEVICES_POWER_UNIT;
	(void)snprintf(shown, sizeof(shown), "%llu", (unsigned long long)uw);
	fake_set(&devices->model.fake, path, shown);
	return 0;
}

static inline bool devices_is_odd(const struct devices *devices, const char *path)
{
	return devices->part && strstr(path, devices->part);
}

static inline ssize_t devices_effect(const struct pw_root *root, const char *path, const char *text,
				     size_t length)
{
	struct devices *devices = root->context;
	int r;

	if (!strstr(path, "/energy_perf_bias") && !strstr(path, "_power_limit_uw"))
		return model_write(root, path, text, length);
	devices->model.writes++;
	if (!pw_root_exists(root, path))
		return -ENOENT;
	r = strstr(path, "/energy_perf_bias") ? devices_write_bias(devices, path, text)
					      : devices_write_power(devices, path, text);
	return r < 0 ? r : (ssize_t)length;
}

static inline ssize_t devices_write(const struct pw_root *root, const char *path, const char *text,
				    size_t length)
{
	struct devices *devices = root->context;

	if (!devices_is_odd(devices, path))
		return devices_effect(root, path, text, length);
	if (devices->write_errno)
		return -devices->write_errno;
	if (devices->deaf)
		return (ssize_t)length;
	if (!devices->late)
		return devices_effect(root, path, text, length);
	devices->pending = devices->late;
	(void)snprintf(devices->pending_path, sizeof(devices->pending_path), "%s", path);
	(void)snprintf(devices->pending_text, sizeof(devices->pending_text), "%s", text);
	return (ssize_t)length;
}

static inline ssize_t devices_read(const struct pw_root *root, const char *path, char *buffer,
				   size_t size)
{
	struct devices *devices = root->context;

	if (devices_is_odd(devices, path) && devices->read_errno)
		return -devices->read_errno;
	if (devices->pending && strcmp(path, devices->pending_path) == 0 && --devices->pending == 0)
		(void)devices_effect(root, path, devices->pending_text,
				     strlen(devices->pending_text));
	return model_read(root, path, buffer, size);
}

static const struct pw_fs_ops devices_ops = { .read = devices_read, .write = devices_write };

#endif
