/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Description files of a PMU, split at NUL bytes: type, format/event, events/e, its .scale, its
 * .unit, cpumask. A part that is not there is a file that is not there. Whatever they say, either
 * there is an event that can be used, or an error with words and nothing else changed.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "lib/base/text.h"
#include "lib/platform/perf.h"

static const char *const files[] = {
	"/sys/bus/event_source/devices/x/type",
	"/sys/bus/event_source/devices/x/format/event",
	"/sys/bus/event_source/devices/x/events/e",
	"/sys/bus/event_source/devices/x/events/e.scale",
	"/sys/bus/event_source/devices/x/events/e.unit",
	"/sys/bus/event_source/devices/x/cpumask",
};

struct parts {
	const char *start[PW_LENGTH(files)];
	size_t length[PW_LENGTH(files)];
};

static ssize_t read_part(const struct pw_root *root, const char *path, char *buffer, size_t size)
{
	const struct parts *parts = root->context;

	for (size_t i = 0; i < PW_LENGTH(files); i++) {
		size_t length = parts->length[i] < size ? parts->length[i] : size;

		if (strcmp(path, files[i]) != 0)
			continue;
		if (!parts->start[i])
			break;
		memcpy(buffer, parts->start[i], length);
		return (ssize_t)length;
	}
	return -ENOENT;
}

static const struct pw_fs_ops ops = { .read = read_part };

static void check_event(const struct pw_root *root)
{
	struct pw_perf_event event = { .type = 12345 };
	struct pw_err err = PW_ERR_INIT;
	int r = pw_perf_describe(root, "x", "e", &event, &err);

	if (r < 0) {
		FUZZ_CHECK(err.text[0] && event.type == 12345 && r == -(int)err.code);
		return;
	}
	FUZZ_CHECK(strcmp(event.pmu, "x") == 0 && strcmp(event.name, "e") == 0);
	FUZZ_CHECK(isfinite(event.scale) && event.scale > 0.0);
	FUZZ_CHECK(pw_text_printable(event.unit));
}

static void check_cpumask(const struct pw_root *root)
{
	struct pw_err err = PW_ERR_INIT;
	unsigned *cpus = NULL;
	size_t count = 0;

	if (pw_perf_cpumask(root, "x", &cpus, &count, &err) < 0) {
		FUZZ_CHECK(err.text[0] && !cpus && count == 0);
		return;
	}
	FUZZ_CHECK(count > 0);
	for (size_t i = 1; i < count; i++)
		FUZZ_CHECK(cpus[i - 1] < cpus[i]);
	free(cpus);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct parts parts = { 0 };
	struct pw_root root = { .fd = -1, .ops = &ops, .context = &parts };
	const char *at = (const char *)data, *end = at + size;

	for (size_t i = 0; i < PW_LENGTH(files) && at < end; i++) {
		const char *nul = memchr(at, 0, (size_t)(end - at));
		const char *stop = nul ? nul : end;

		parts.start[i] = at;
		parts.length[i] = (size_t)(stop - at);
		at = stop + 1;
	}
	check_event(&root);
	check_cpumask(&root);
	return 0;
}
