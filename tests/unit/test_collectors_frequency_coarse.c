/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two sources that need the busy time of /proc/stat: cycles, and samples of the kernel's own.
 */
#include "frequency_rig.h"

extern const struct pw_collector pw_collector_frequency_cycles, pw_collector_frequency_avg;

/* Idle ticks (of 10 ms) of two CPUs; the rest of the file is there too. */
static void idle(struct rig *rig, uint64_t first, uint64_t second)
{
	pw_auto_free char *text =
		pw_sprintf("cpu  1 2 3 %" PRIu64 " 5 6 7 8 9 10\ncpu0 100 0 50 %" PRIu64
			   " 0 0 0 0 0 0\ncpu1 7 0 8 %" PRIu64 " 0 0 0 0 0 0\nintr 5 0 0\nctxt 6",
			   first + second, first, second);

	rig_file(rig, "/proc/stat", text);
}

static void cycles_pmu(struct rig *rig, const char *pmu, const char *event, const char *cpus)
{
	pw_auto_free char *type = pw_sprintf(DEVICES "/%s/type", pmu);
	pw_auto_free char *format = pw_sprintf(DEVICES "/%s/format/event", pmu);
	pw_auto_free char *events = pw_sprintf(DEVICES "/%s/events/%s", pmu, event);
	pw_auto_free char *list = pw_sprintf(DEVICES "/%s/cpus", pmu);

	rig_file(rig, type, "4");
	rig_file(rig, format, "config:0-7");
	rig_file(rig, events, "event=0x3c");
	if (cpus)
		rig_file(rig, list, cpus);
}

static void count(struct rig *rig, unsigned cpu, uint64_t megacycles)
{
	rig_count(rig, "cpu-cycles", cpu, megacycles * 1000000);
}

static void two_cpus(struct rig *rig, unsigned cpus[2])
{
	rig_init(rig, &pw_collector_frequency_cycles);
	machine(rig, cpus, 2);
	idle(rig, 5000, 6000);
	count(rig, 0, 10);
	count(rig, 1, 20);
}

/* 10 s: cpu0 busy for 8 s at 3000, cpu1 for 2 s at 1000 MHz. */
static void run(struct rig *rig)
{
	rig_at(0);
	idle(rig, 5000, 6000);
	count(rig, 0, 10);
	count(rig, 1, 20);
	assert_int_equal(rig_begin(rig), 0);
	idle(rig, 5200, 6800);
	count(rig, 0, 10 + 24000);
	count(rig, 1, 20 + 2000);
	rig_at(10);
	assert_int_equal(rig_end(rig), 0);
	assert_int_equal(rig_report(rig), 0);
}

static void cycles_per_busy_time(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	two_cpus(&rig, cpus);
	cycles_pmu(&rig, "cpu", "cpu-cycles", NULL);
	rig_open(&rig);
	run(&rig);
	assert_string_equal(pw_value_get_text(&rig.section, "source", ""), "cycles");
	near(real(&rig, "busy_mhz"), 2600.0, 1e-6);
	near(real(&rig, "busy_pct"), 50.0, 1e-9);
	near(real(&rig, "avg_mhz"), 1300.0, 1e-6);
	near(real(&rig, "busy_step_ms"), 10.0, 1e-9);
	near(real(&rig, "busy_uncertainty_pct"), 0.2, 1e-9); /* 2 steps of 10 s */
	assert_null(pw_value_get(&rig.section, "sampled"));
	rig_done(&rig);
}

static void hybrids_have_two_kinds_of_counter(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	two_cpus(&rig, cpus);
	cycles_pmu(&rig, "cpu_core", "cpu-cycles", "0");
	cycles_pmu(&rig, "cpu_atom", "cpu-cycles", "1");
	rig_file(&rig, "/sys/devices/cpu_core/cpus", "0");
	rig_file(&rig, "/sys/devices/cpu_atom/cpus", "1");
	rig_open(&rig);
	run(&rig);
	near(of(&rig, "types", "core", "busy_mhz"), 3000.0, 1e-6);
	near(of(&rig, "types", "atom", "busy_mhz"), 1000.0, 1e-6);
	rig_done(&rig);
	/* One without a counter: then there is none for the machine. */
	two_cpus(&rig, cpus);
	cycles_pmu(&rig, "cpu_core", "cpu-cycles", "0");
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "cpu1: no PMU counts its cycles"));
	rig_done(&rig);
}

/* 40 ms of busy time in steps of 10 ms say nothing of a frequency; cycles stay exact. */
static void too_short_for_the_steps(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	two_cpus(&rig, cpus);
	cycles_pmu(&rig, "cpu", "cpu-cycles", NULL);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	idle(&rig, 5096, 6100);
	count(&rig, 0, 10 + 120);
	rig_at(1);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_null(pw_value_get(&rig.section, "busy_mhz"));
	near(real(&rig, "avg_mhz"), 60.0, 1e-6);
	need_warning(&rig, "busy_mhz cannot be told: the CPUs were busy for too short a time for "
			   "steps of 10 ms");
	rig_done(&rig);
}

static void times(struct rig *rig, double enabled_s, double running_s)
{
	rig->enabled_ns = (uint64_t)(enabled_s * 1e9);
	rig->running_ns = (uint64_t)(running_s * 1e9);
}

/* A single event tells neither that its CPU was away nor that others had the counter. */
static void events_that_did_not_count_are_said(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	two_cpus(&rig, cpus);
	cycles_pmu(&rig, "cpu", "cpu-cycles", NULL);
	rig_open(&rig);
	/* What was before the run does not matter. */
	times(&rig, 100, 50);
	rig_at(100);
	assert_int_equal(rig_begin(&rig), 0);
	times(&rig, 110, 60);
	rig_at(110);
	assert_int_equal(rig_end(&rig), 0);
	times(&rig, 120, 70);
	rig_at(120);
	assert_int_equal(rig_begin(&rig), 0);
	times(&rig, 130, 75);
	rig_at(130);
	assert_int_equal(rig_end(&rig), -PW_EIO);
	rig_unavailable(&rig, "cpu0: counted only part of the time");
	times(&rig, 1, 1);
	rig_at(131);
	assert_int_equal(rig_begin(&rig), 0);
	times(&rig, 6, 6);
	rig_at(141);
	assert_int_equal(rig_end(&rig), -PW_EGONE);
	rig_unavailable(&rig, "cpu0: its events stopped");
	rig_done(&rig);
}

static void absence_has_reasons(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	two_cpus(&rig, cpus);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "no PMU counts cycles"));
	cycles_pmu(&rig, "cpu", "cpu-cycles", NULL);
	rig_file(&rig, "/proc/stat", "cpu  1 2 3 4 5 6 7 8 9 10");
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "no lines of single CPUs"));
	idle(&rig, 1, 1);
	rig.open_fails = PW_EDENIED;
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EDENIED);
	rig_done(&rig);
}

/* Both CPUs of policy 0 are weighed by what they did in each interval. */
static void avg_machine(struct rig *rig, unsigned cpus[2], const char *khz)
{
	rig_init(rig, &pw_collector_frequency_avg);
	machine(rig, cpus, 2);
	idle(rig, 5000, 6000);
	policy(rig, 0, "0", "schedutil", "800000", "3000000");
	policy(rig, 1, "1", "schedutil", "800000", "3000000");
	policy_file(rig, 0, "cpuinfo_avg_freq", khz);
	policy_file(rig, 1, "cpuinfo_avg_freq", khz);
}

/* cpu0: 1 s at 3000, then 0.5 s at 1000 MHz; cpu1: 0.1 s at 1000 in the first second only. */
static void samples_weigh_by_busy_time(void **state)
{
	unsigned cpus[2];
	struct rig rig;
	double busy_mhz;

	(void)state;
	avg_machine(&rig, cpus, "500000");
	rig_open(&rig);
	assert_int_equal(rig.collector->max_period_ns(rig.state), PW_NS_PER_S);
	assert_int_equal(rig_begin(&rig), 0);
	policy_file(&rig, 0, "cpuinfo_avg_freq", "3000000");
	policy_file(&rig, 1, "cpuinfo_avg_freq", "1000000");
	idle(&rig, 5000, 6090);
	rig_at(1);
	assert_int_equal(rig_sample(&rig, &busy_mhz), 0);
	near(busy_mhz, 3100.0 / 1.1, 1e-3);
	policy_file(&rig, 0, "cpuinfo_avg_freq", "1000000");
	idle(&rig, 5050, 6190);
	rig_at(2);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_string_equal(pw_value_get_text(&rig.section, "source", ""), "cpuinfo-avg-freq");
	assert_true(pw_value_get_bool(&rig.section, "sampled", false));
	near(real(&rig, "busy_mhz"), (3000 + 500 + 100) / 1.6, 1e-3);
	near(real(&rig, "busy_pct"), 40.0, 1e-6);
	near(real(&rig, "avg_mhz"), 900.0, 1e-3);
	near(real(&rig, "unsampled_pct"), 0.0, 0);
	rig_done(&rig);
}

static void no_fresh_sample_is_no_value(void **state)
{
	unsigned cpus[2];
	struct rig rig;
	double busy_mhz;

	(void)state;
	avg_machine(&rig, cpus, "3000000");
	/* Idle CPUs have none: no reason against the source. */
	rig_fault(&rig, "policy1/cpuinfo_avg_freq", EAGAIN);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	idle(&rig, 5000, 6050); /* cpu1 busy for 0.5 s, unseen */
	rig_at(1);
	assert_int_equal(rig_sample(&rig, &busy_mhz), 0);
	near(busy_mhz, 3000.0, 1e-3);
	/* Its next value counts for both intervals. */
	rig_fault(&rig, "", 0);
	policy_file(&rig, 1, "cpuinfo_avg_freq", "1000000");
	idle(&rig, 5000, 6100);
	rig_at(2);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	near(real(&rig, "busy_mhz"), (6000 + 1000) / 3.0, 1e-3);
	near(real(&rig, "unsampled_pct"), 100.0 * 0.5 / 3.0, 0.01);
	/* Never one, though it was busy: nothing is made up. */
	idle(&rig, 5000, 6000);
	rig_at(0);
	assert_int_equal(rig_begin(&rig), 0);
	rig_fault(&rig, "policy1/cpuinfo_avg_freq", EAGAIN);
	idle(&rig, 5000, 6050);
	rig_at(1);
	assert_int_equal(rig_end(&rig), -PW_EAGAIN);
	rig_unavailable(&rig,
			"cpu1: it was busy for 0.50 s, but cpuinfo_avg_freq never had a fresh "
			"value");
	rig_done(&rig);
}

static void without_the_file_there_are_no_samples(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	avg_machine(&rig, cpus, "3000000");
	rig_remove(&rig, CPU_DIR "/cpufreq/policy1/cpuinfo_avg_freq");
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "policy1/cpuinfo_avg_freq"));
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycles_per_busy_time),
		cmocka_unit_test(hybrids_have_two_kinds_of_counter),
		cmocka_unit_test(too_short_for_the_steps),
		cmocka_unit_test(events_that_did_not_count_are_said),
		cmocka_unit_test(absence_has_reasons),
		cmocka_unit_test(samples_weigh_by_busy_time),
		cmocka_unit_test(no_fresh_sample_is_no_value),
		cmocka_unit_test(without_the_file_there_are_no_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
