/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What other processes can put into /proc: the text as a /proc/PID/stat, as a /proc/stat, and as a
 * process's comm (the first line) with its command line (the rest). A parser says no and leaves its
 * output alone, or gives what the text holds.
 */
#include <string.h>

#include "fuzz.h"
#include "lib/base/mem.h"
#include "lib/platform/daemons.h"
#include "lib/platform/procstat.h"

static void check_process(const char *text)
{
	struct pw_process_stat stat = { .pid = -7, .start = 77 };

	if (!pw_process_stat_parse(text, &stat)) {
		FUZZ_CHECK(stat.pid == -7 && stat.start == 77);
		return;
	}
	FUZZ_CHECK(stat.pid > 0 && stat.parent >= 0);
	FUZZ_CHECK(strlen(stat.name) < sizeof(stat.name));
	FUZZ_CHECK(strstr(text, stat.name));
}

static void check_times(const char *text)
{
	struct pw_cpu_times times = { .user = 77 }, none = { 0 }, passed;

	if (!pw_cpu_times_parse(text, &times)) {
		FUZZ_CHECK(times.user == 77);
		return;
	}
	FUZZ_CHECK(strncmp(text, "cpu ", 4) == 0);
	passed = pw_cpu_times_between(&none, &times);
	FUZZ_CHECK(memcmp(&passed, &times, sizeof(times)) == 0);
	passed = pw_cpu_times_between(&times, &none);
	FUZZ_CHECK(pw_cpu_times_total(&passed) == 0);
}

static void check_daemon(char *text, size_t size)
{
	char *line = memchr(text, '\n', size);
	const struct pw_daemon *daemon;

	if (!line)
		return;
	*line++ = '\0';
	daemon = pw_daemon_of(text, line, size - (size_t)(line - text));
	FUZZ_CHECK(!daemon || daemon->name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	pw_auto_free char *text = pw_new(size + 1, 1);

	if (size)
		memcpy(text, data, size);
	check_process(text);
	check_times(text);
	check_daemon(text, size);
	return 0;
}
