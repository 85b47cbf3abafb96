/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Delivered frequency from the feedback counters of CPPC (ACPI 6.5 8.4.6.1.3): cpu<N>/acpi_cppc/
 * feedback_ctrs "ref:<n> del:<n>" (kernel drivers/acpi/cppc_acpi.c, Documentation/admin-guide/acpi/
 * cppc_sysfs.rst). Both count while the CPU is busy, the reference at a fixed rate:
 *
 *   rate = nominal_freq * reference_perf / nominal_perf   (reference_perf 0: not given, the kernel
 *                                                          takes nominal_perf)
 *
 * The counters are of 32 or 64 bits, which nobody says: they are taken to have 32 where no CPU's
 * exceeds them, and are read twice in the time in which the faster one may wrap (wraparound_time,
 * in whole seconds, or the highest frequency that the CPU states).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "collectors/common/frequency.h"
#include "lib/base/mem.h"
#include "lib/base/parse.h"
#include "lib/base/pitfall.h"
#include "lib/platform/topology.h"

#define FOLDER PW_CPU_DIR "/cpu%u/acpi_cppc/%s"
/* The kernel gives all ones where the firmware has no such register: never. Longer than this is
 * as good as never, too. */
#define NEVER_S 1000000U
#define MARGIN	1.05
/* Where it states none: no CPU runs faster. */
#define UNKNOWN_HZ 8e9

struct cpu {
	char path[96];
	int fd;		 /* -1: by path */
	uint64_t wrap_s; /* 0: not given */
	double fastest_hz;
};

struct reader {
	struct pw_frequency frequency;
	struct cpu *cpus; /* one each of the account's */
	size_t count;
	bool wide; /* a count of more than 32 bits was seen */
};

static int get(const struct pw_root *root, unsigned cpu, const char *file, uint64_t *ret,
	       struct pw_err *err)
{
	char path[96];

	(void)snprintf(path, sizeof(path), FOLDER, cpu, file);
	return pw_attr_read_u64(root, path, ret, err);
}

static uint64_t get_or_0(const struct pw_root *root, unsigned cpu, const char *file)
{
	struct pw_err ignored;
	uint64_t value;

	return get(root, cpu, file, &value, &ignored) == 0 ? value : 0;
}

/* What the counts are worth. */
static int describe(struct reader *reader, size_t index, struct pw_err *err)
{
	const struct pw_root *root = reader->frequency.root;
	unsigned number = reader->frequency.groups.places[index].cpu;
	struct pw_frequency_cpu *account = &reader->frequency.cpus[index];
	uint64_t reference = get_or_0(root, number, "reference_perf");
	uint64_t highest = get_or_0(root, number, "highest_perf");
	uint64_t nominal_perf, nominal_mhz = get_or_0(root, number, "nominal_freq");

	if (get(root, number, "nominal_perf", &nominal_perf, err) < 0)
		return -(int)err->code;
	if (nominal_perf == 0 || nominal_mhz == 0)
		return pw_fail(err, PW_EUNSUPPORTED,
			       "the firmware gives no %s: the feedback counters cannot be turned "
			       "into MHz",
			       nominal_perf ? "nominal_freq" : "nominal_perf");
	if (reference == 0)
		reference = nominal_perf;
	account->nominal_mhz = (double)nominal_mhz;
	account->rate_hz = (double)nominal_mhz * 1e6 * (double)reference / (double)nominal_perf;
	account->max_mhz = (double)nominal_mhz * (double)highest / (double)nominal_perf;
	reader->cpus[index].wrap_s = get_or_0(root, number, "wraparound_time");
	reader->cpus[index].fastest_hz = highest ? account->max_mhz * 1e6 : UNKNOWN_HZ;
	if (account->rate_hz > reader->cpus[index].fastest_hz)
		reader->cpus[index].fastest_hz = account->rate_hz;
	return 0;
}

static void close_cpu(struct cpu *cpu)
{
	if (cpu->fd >= 0)
		close(cpu->fd);
	cpu->fd = -1;
}

/* Bounds of one CPU's counters. */
static void set_limits(const struct reader *reader, size_t index)
{
	const struct cpu *cpu = &reader->cpus[index];
	double fastest = cpu->fastest_hz * MARGIN, stated = 0.0;

	if (cpu->wrap_s > 0 && cpu->wrap_s < NEVER_S)
		stated = 4294967296.0 / (double)cpu->wrap_s;
	for (size_t k = 0; k < PW_TOTAL; k++) {
		struct pw_counter *counter = &reader->frequency.cpus[index].counters[k];

		counter->range = reader->wide || pw_pitfall("cppc-never-wraps") ? 0 : UINT32_MAX;
		counter->step = reader->wide ? 0 : 1;
		counter->max_per_s = reader->wide	? PW_FREQUENCY_MAX_HZ
				     : stated > fastest ? stated
							: fastest;
	}
}

/* One labelled number, which `*at` then points behind; false if it is not there. */
static bool take(const char **at, const char *label, uint64_t *ret)
{
	size_t length = strlen(label), digits;
	char number[24];
	struct pw_err ignored;

	*at += strspn(*at, " ");
	if (strncmp(*at, label, length) != 0)
		return false;
	digits = strspn(*at + length, "0123456789");
	if (digits == 0 || digits >= sizeof(number))
		return false;
	memcpy(number, *at + length, digits);
	number[digits] = '\0';
	*at += length + digits;
	return pw_parse_u64(number, ret, &ignored) == 0;
}

static int parse(const char *text, uint64_t counts[PW_FREQUENCY_COUNTS], struct pw_err *err)
{
	const char *at = text;

	if (!take(&at, "ref:", &counts[PW_REFERENCE]) ||
	    !take(&at, "del:", &counts[PW_DELIVERED]) || *at != '\0')
		return pw_fail(err, PW_EIO, "feedback_ctrs '%.80s' is not \"ref:N del:N\"", text);
	return 0;
}

static int read_text(const struct reader *reader, const struct cpu *cpu, char *text, size_t size,
		     struct pw_err *err)
{
	ssize_t n;

	if (cpu->fd < 0)
		return pw_attr_read(reader->frequency.root, cpu->path, text, size, err);
	n = pread(cpu->fd, text, size - 1, 0);
	if (n < 0)
		return pw_fail_errno(err, errno, "read %s", cpu->path);
	while (n > 0 && text[n - 1] == '\n')
		n--;
	text[n] = '\0';
	return 0;
}

static int read_cpu(void *context, size_t index, uint64_t counts[PW_FREQUENCY_COUNTS],
		    struct pw_err *err)
{
	const struct reader *reader = context;
	char text[128];
	int r = read_text(reader, &reader->cpus[index], text, sizeof(text), err);

	/* cppc_get_perf_ctrs() says so of zeros, as virtual machines give. */
	if (r < 0 && err->sys == EFAULT) {
		err->code = PW_EUNSUPPORTED;
		return pw_err_hint(err, "a counter reads zero: a virtual machine, or firmware "
					"without them");
	}
	return r < 0 ? r : parse(text, counts, err);
}

static void note_width(struct reader *reader, uint64_t reference, uint64_t delivered)
{
	reader->wide |= reference > UINT32_MAX || delivered > UINT32_MAX;
}

static void set_all_limits(struct reader *reader)
{
	for (size_t i = 0; i < reader->count; i++) {
		const struct pw_counter *counters = reader->frequency.cpus[i].counters;

		note_width(reader, counters[PW_REFERENCE].last, counters[PW_DELIVERED].last);
	}
	for (size_t i = 0; i < reader->count; i++)
		set_limits(reader, i);
}

static int open_cpu(void *context, size_t index, struct pw_err *err)
{
	struct reader *reader = context;
	const struct pw_root *root = reader->frequency.root;
	uint64_t counts[PW_FREQUENCY_COUNTS];
	struct cpu *cpu;

	if (!reader->cpus) {
		reader->count = reader->frequency.groups.count;
		reader->cpus = pw_new(reader->count, sizeof(*reader->cpus));
		for (size_t i = 0; i < reader->count; i++)
			reader->cpus[i].fd = -1;
	}
	cpu = &reader->cpus[index];
	close_cpu(cpu);
	(void)snprintf(cpu->path, sizeof(cpu->path), FOLDER,
		       reader->frequency.groups.places[index].cpu, "feedback_ctrs");
	if (!pw_root_exists(root, cpu->path))
		return pw_fail(
			err, PW_EUNSUPPORTED,
			"no acpi_cppc/feedback_ctrs (the firmware offers no CPPC; usual in a "
			"virtual machine)");
	if (root->real && root->ops == &pw_fs_real) {
		cpu->fd = pw_root_open_file(root, cpu->path, O_RDONLY, err);
		if (cpu->fd < 0)
			return cpu->fd;
	}
	if (read_cpu(reader, index, counts, err) < 0 || describe(reader, index, err) < 0)
		return -(int)err->code;
	note_width(reader, counts[PW_REFERENCE], counts[PW_DELIVERED]);
	set_limits(reader, index);
	return 0;
}

static int begin_pass(void *context, enum pw_frequency_pass pass, int64_t now_ns,
		      struct pw_err *err)
{
	(void)now_ns;
	(void)err;
	if (pass == PW_PASS_BEGIN)
		set_all_limits(context);
	return 0;
}

static const struct pw_frequency_source source = {
	.name = "cppc",
	.counts = { "del", "ref", NULL },
	.pass = begin_pass,
	.open = open_cpu,
	.read = read_cpu,
};

static void frequency_close(void *state)
{
	struct reader *reader = state;

	for (size_t i = 0; i < reader->count; i++)
		close_cpu(&reader->cpus[i]);
	free(reader->cpus);
	pw_frequency_done(&reader->frequency);
	free(reader);
}

static int frequency_open(const struct pw_collect *collect, void **ret_state, struct pw_err *err)
{
	struct reader *reader = pw_new(1, sizeof(*reader));
	int r = pw_frequency_init(&reader->frequency, &source, collect, err);

	if (r < 0) {
		frequency_close(reader);
		return pw_frequency_reason(r, err);
	}
	set_all_limits(reader);
	*ret_state = reader;
	return 0;
}

static int probe(const struct pw_collect *collect, struct pw_err *err)
{
	void *state;
	int r = frequency_open(collect, &state, err);

	if (r < 0)
		return r;
	frequency_close(state);
	return 0;
}

const struct pw_collector pw_collector_frequency_cppc = {
	.name = "frequency-cppc",
	.summary = "delivered frequency from the feedback counters of CPPC (acpi_cppc)",
	.section = "frequency",
	.rank = 30,
	.probe = probe,
	.open = frequency_open,
	.begin = pw_frequency_begin,
	.sample = pw_frequency_sample,
	.end = pw_frequency_end,
	.report = pw_frequency_report,
	.close = frequency_close,
	.series = pw_frequency_series,
	.max_period_ns = pw_frequency_max_period_ns,
};
