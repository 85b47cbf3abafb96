/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings under failing files. A configuration that sets everything is saved, applied and put back
 * on the model of the kernel, while one file operation fails: the first, the second, ... with every
 * errno that the kernel gives there. Then the same with a file whose writes fail for good, and with
 * everything cut off at the n-th write, as a kill would. The machine must come back exactly, or the
 * restore must say what did not.
 */
#include "torture.h"

/* What the kernel answers (kernel drivers/cpufreq, drivers/cpuidle, kernel/cpu.c), and EINTR. */
static const int errnos[] = { EACCES, EPERM, EBUSY, EINVAL, EAGAIN,	ENODEV,
			      ENOENT, EIO,   ENXIO, EROFS,  EOPNOTSUPP, EINTR };

static struct torture_machine machines[] = {
	{ "intel-hwp-active",
	  "\"driver-mode\": \"passive\", \"boost\": \"off\", \"governor\": \"conservative\", "
	  "\"epp\": \"balance_power\", \"max-freq\": \"2GHz\", \"min-freq\": \"1GHz\", "
	  "\"cpuidle-governor\": \"teo\", \"cpuidle-disable\": \"C1\", "
	  "\"governor-tunables\": {\"freq_step\": 10}, "
	  "\"sysfs\": {\"/sys/devices/system/cpu/isolated\": \"1\"}" },
	{ "intel-hwp-active",
	  "\"governor\": \"powersave\", \"epp\": \"power\", \"max-freq\": \"2GHz\", "
	  "\"boost\": \"off\", \"max-perf-pct\": \"80%\", \"min-perf-pct\": \"40%\", "
	  "\"hwp-dynamic-boost\": \"on\", \"epb\": \"power\", \"uncore-max\": \"2GHz\", "
	  "\"uncore-min\": \"1.5GHz\"" },
	{ "intel-passive", "\"driver-mode\": \"active\", \"governor\": \"performance\"" },
	{ "amd-pstate-epp",
	  "\"boost\": \"off\", \"governor\": \"performance\", \"epp\": \"performance\", "
	  "\"max-freq\": \"3GHz\", \"min-freq\": \"1GHz\", \"platform-profile\": \"performance\"" },
	{ "acpi-cpufreq-boost",
	  "\"boost\": \"off\", \"governor\": \"powersave\", \"max-freq\": \"2.8GHz\", "
	  "\"cpuidle-governor\": \"teo\"" },
};

/*
 * Every errno at every operation takes minutes. By default each write gets four of them and one
 * read in three gets one, in turn.
 */
static bool everything;
#define WRITE_ERRNOS 4
#define READ_STEP    3

static void try_operation(struct torture *torture, unsigned at, unsigned *attempts,
			  unsigned *refused)
{
	for (unsigned e = 0; e < PW_LENGTH(errnos); e++) {
		struct torture_plan plan = { .at = at,
					     .errnum = errnos[(at + e) % PW_LENGTH(errnos)] };

		if (!everything &&
		    (torture_writes(torture, at) ? e == WRITE_ERRNOS : e || at % READ_STEP))
			break;
		*refused += !torture_attempt(torture, &plan);
		++*attempts;
	}
}

static void operations_of_machine(void **state)
{
	const struct torture_machine *machine = *state;
	unsigned at = 0, attempts = 0, refused = 0;
	struct torture torture;

	torture_open(&torture, machine);
	while (at < torture.length)
		try_operation(&torture, ++at, &attempts, &refused);
	(void)fprintf(stderr, "%s: %u operations, %u attempts, %u refused with a reason\n",
		      machine->tree, at, attempts, refused);
	torture_close(&torture);
}

static void every_operation_fails_once(void **state)
{
	(void)state;
	for (size_t i = 0; i < PW_LENGTH(machines); i++)
		torture_start(operations_of_machine, &machines[i]);
	torture_wait_all();
}

/* As a kill at the n-th write: nothing that perfwatt wants done after it happens any more. */
static void cut_off_after_every_write(void **state)
{
	(void)state;
	for (size_t i = 0; i < PW_LENGTH(machines); i++) {
		struct torture torture;
		struct torture_plan plan = { .cut_off = true };

		torture_open(&torture, &machines[i]);
		do {
			plan.at++;
			(void)torture_attempt(&torture, &plan);
		} while (torture.model.writes >= plan.at);
		(void)fprintf(stderr, "%s: cut off at each of %u writes\n", machines[i].tree,
			      plan.at - 1);
		torture_close(&torture);
	}
}

struct failing {
	const struct torture_machine *machine;
	unsigned file;
};

static void one_failing_file(void **state)
{
	static const int final[] = { EACCES, EINVAL, EIO, EBUSY, EROFS, EPERM };
	const struct failing *failing = *state;

	torture_failing_file(failing->machine, failing->file,
			     final[failing->file % PW_LENGTH(final)]);
}

/* One file after the other; the waits of a restore that does not succeed run side by side. */
static void a_file_that_fails_for_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < PW_LENGTH(machines); i++) {
		struct failing failing = { .machine = &machines[i] };
		unsigned files = torture_files(&machines[i]);

		for (; failing.file < files; failing.file++)
			torture_start(one_failing_file, &failing); /* copied by fork() */
		(void)fprintf(stderr, "%s: %u files that fail for good\n", machines[i].tree, files);
	}
	torture_wait_all();
}

/* test_settings_torture [all] */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operation_fails_once),
		cmocka_unit_test(cut_off_after_every_write),
		cmocka_unit_test(a_file_that_fails_for_good),
	};

	everything = argc > 1 && strcmp(argv[1], "all") == 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
