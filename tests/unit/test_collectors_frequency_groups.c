/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packages, core types, CPUs that come and go, and what is asked for against what is delivered. */
#include "frequency_rig.h"
#include "lib/stats/rng.h"

extern const struct pw_collector pw_collector_frequency_perf;

/* CPUs of a machine whose TSC runs at 2000 MHz; all counters at 0 Mcycles. */
static void start(struct rig *rig, unsigned *cpus, unsigned count)
{
	rig_init(rig, &pw_collector_frequency_perf);
	machine(rig, cpus, count);
	msr_pmu(rig);
	for (unsigned i = 0; i < count; i++)
		cycles(rig, i, 0, 0, 0);
}

static void begin(struct rig *rig)
{
	rig_at(0);
	if (!rig->state)
		rig_open(rig);
	assert_int_equal(rig_begin(rig), 0);
}

/* After 10 s: `mhz` delivered in `percent` of the time. */
static void worked(struct rig *rig, unsigned cpu, uint64_t mhz, uint64_t percent)
{
	cycles(rig, cpu, 20000, mhz * percent / 10, 200 * percent);
}

static void finish(struct rig *rig)
{
	rig_at(10);
	assert_int_equal(rig_end(rig), 0);
	assert_int_equal(rig_report(rig), 0);
}

static void packages_have_their_own(void **state)
{
	unsigned cpus[4];
	struct rig rig;

	(void)state;
	start(&rig, cpus, 4);
	for (unsigned i = 0; i < 4; i++)
		cpu_file(&rig, i, "topology/physical_package_id", i < 2 ? "0" : "1");
	begin(&rig);
	worked(&rig, 0, 3000, 80);
	worked(&rig, 1, 1000, 20);
	worked(&rig, 2, 1500, 40);
	worked(&rig, 3, 0, 0);
	finish(&rig);
	near(of(&rig, "packages", "0", "busy_mhz"), 2600.0, 1e-6);
	near(of(&rig, "packages", "0", "busy_pct"), 50.0, 1e-6);
	near(of(&rig, "packages", "0", "avg_mhz"), 1300.0, 1e-6);
	near(of(&rig, "packages", "1", "busy_mhz"), 1500.0, 1e-6);
	near(of(&rig, "packages", "1", "busy_pct"), 20.0, 1e-6);
	near(real(&rig, "busy_mhz"), (3000 * 80 + 1000 * 20 + 1500 * 40) / 140.0, 1e-6);
	assert_null(pw_value_get(&rig.section, "types"));
	/* A CPU that did not wake has no frequency. */
	assert_string_equal(pw_value_get_text(pw_value_get(&rig.section, "cpus"), "list", ""),
			    "0-3");
	near(at(&rig, "busy_mhz", 0), 3000.0, 1e-9);
	near(at(&rig, "busy_mhz", 3), -1.0, 0);
	near(at(&rig, "busy_pct", 3), 0.0, 0);
	near(at(&rig, "avg_mhz", 2), 600.0, 1e-9);
	rig_done(&rig);
}

/* Efficient cores state a base of 1200 MHz, but their MPERF counts at the TSC's 2000. */
static void hybrids_have_types(void **state)
{
	unsigned cpus[4];
	struct rig rig;

	(void)state;
	start(&rig, cpus, 4);
	rig_file(&rig, "/sys/devices/cpu_core/cpus", "0-1");
	rig_file(&rig, "/sys/devices/cpu_atom/cpus", "2-3");
	for (unsigned i = 0; i < 4; i++) {
		pw_auto_free char *number = pw_sprintf("%u", i);

		policy(&rig, i, number, "powersave", "400000", "4000000");
		policy_file(&rig, i, "base_frequency", i < 2 ? "2000000" : "1200000");
	}
	begin(&rig);
	worked(&rig, 0, 4000, 50);
	worked(&rig, 1, 4000, 50);
	worked(&rig, 2, 2000, 100);
	worked(&rig, 3, 2000, 100);
	finish(&rig);
	near(of(&rig, "types", "core", "busy_mhz"), 4000.0, 1e-6);
	near(of(&rig, "types", "core", "busy_pct"), 50.0, 1e-6);
	near(of(&rig, "types", "atom", "busy_mhz"), 2000.0, 1e-6);
	near(of(&rig, "types", "atom", "busy_pct"), 100.0, 1e-6);
	near(real(&rig, "busy_mhz"), 8000.0 / 3.0, 1e-6);
	near(real(&rig, "avg_mhz"), 2000.0, 1e-6);
	rig_done(&rig);
}

static void arm_and_base_frequencies_tell_types(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	start(&rig, cpus, 2);
	cpu_file(&rig, 0, "cpu_capacity", "446");
	cpu_file(&rig, 1, "cpu_capacity", "1024");
	begin(&rig);
	worked(&rig, 0, 1000, 50);
	worked(&rig, 1, 2000, 50);
	finish(&rig);
	near(of(&rig, "types", "capacity-446", "busy_mhz"), 1000.0, 1e-6);
	near(of(&rig, "types", "capacity-1024", "busy_mhz"), 2000.0, 1e-6);
	rig_done(&rig);

	start(&rig, cpus, 2);
	for (unsigned i = 0; i < 2; i++) {
		policy_file(&rig, i, "affected_cpus", i ? "1" : "0");
		policy_file(&rig, i, "base_frequency", i ? "2000000" : "2700000");
	}
	begin(&rig);
	worked(&rig, 0, 1000, 50);
	worked(&rig, 1, 2000, 50);
	finish(&rig);
	near(of(&rig, "types", "base-2700", "busy_mhz"), 1000.0, 1e-6);
	near(of(&rig, "types", "base-2000", "busy_mhz"), 2000.0, 1e-6);
	rig_done(&rig);
}

/* TSC 2000, base 1993 MHz: MPERF of a CPU that is always busy is 0.35 % behind the TSC. */
static void the_base_moves_the_share_too(void **state)
{
	unsigned cpus[1];
	struct rig rig;

	(void)state;
	start(&rig, cpus, 1);
	policy(&rig, 0, "0", "powersave", "400000", "4000000");
	policy_file(&rig, 0, "base_frequency", "1993000");
	begin(&rig);
	cycles(&rig, 0, 20000, 29895, 19930);
	finish(&rig);
	near(real(&rig, "busy_pct"), 100.0, 1e-6);
	near(real(&rig, "busy_mhz"), 2989.5, 1e-6);
	rig_done(&rig);
}

static void xeon_phi_counts_in_1024s(void **state)
{
	unsigned cpus[1];
	struct rig rig;

	(void)state;
	start(&rig, cpus, 1);
	rig_file(&rig, "/proc/cpuinfo",
		 "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 87\n");
	rig_count(&rig, "tsc", 0, 0);
	begin(&rig);
	rig_count(&rig, "tsc", 0, UINT64_C(2000) * 1024 * 10000);
	rig_count(&rig, "aperf", 0, 3000 * 10000);
	rig_count(&rig, "mperf", 0, 1000 * 10000);
	finish(&rig);
	near(real(&rig, "busy_pct"), 50.0, 1e-6);
	near(real(&rig, "avg_mhz"), 3072.0, 1e-6);
	rig_done(&rig);
}

static void an_offline_cpu_is_not_counted(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	start(&rig, cpus, 2);
	rig.collect.cpu_count = 1;
	rig_file(&rig, CPU_DIR "/online", "0");
	begin(&rig);
	assert_int_equal(rig.open_now, 1);
	worked(&rig, 0, 3000, 50);
	finish(&rig);
	near(real(&rig, "busy_pct"), 50.0, 1e-6);
	assert_string_equal(pw_value_get_text(pw_value_get(&rig.section, "cpus"), "list", ""), "0");
	/* The next run has it. */
	rig_file(&rig, CPU_DIR "/online", "0-1");
	for (unsigned i = 0; i < 2; i++)
		cycles(&rig, i, 0, 0, 0);
	begin(&rig);
	assert_int_equal(rig.open_now, 2);
	worked(&rig, 0, 3000, 50);
	worked(&rig, 1, 3000, 100);
	finish(&rig);
	near(real(&rig, "busy_pct"), 75.0, 1e-6);
	/* And the one after that has it no more. */
	rig_file(&rig, CPU_DIR "/online", "1");
	cycles(&rig, 1, 0, 0, 0);
	begin(&rig);
	worked(&rig, 1, 3000, 100);
	finish(&rig);
	near(real(&rig, "busy_pct"), 100.0, 1e-6);
	rig_done(&rig);
}

static void a_cpu_that_goes_or_comes_in_mid_run_is_said(void **state)
{
	unsigned cpus[2];
	struct rig rig;
	double busy_mhz;

	(void)state;
	start(&rig, cpus, 2);
	begin(&rig);
	worked(&rig, 0, 3000, 50);
	worked(&rig, 1, 3000, 50);
	rig_file(&rig, CPU_DIR "/online", "0");
	rig_at(10);
	assert_int_equal(rig_end(&rig), -PW_EGONE);
	rig_unavailable(&rig, "the online CPUs changed in mid-run (0, and 0-1 when it began)");
	/* Another comes; that it has gone again by the end does not help. */
	cycles(&rig, 0, 0, 0, 0);
	begin(&rig);
	worked(&rig, 0, 3000, 50);
	rig_file(&rig, CPU_DIR "/online", "0-1");
	rig_at(10);
	assert_int_equal(rig_sample(&rig, &busy_mhz), -PW_EGONE);
	rig_file(&rig, CPU_DIR "/online", "0");
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "the online CPUs changed in mid-run (0-1, and 0 when it began)");
	rig_done(&rig);
}

static void half_a_frequency_is_none(void **state)
{
	unsigned cpus[2];
	struct rig rig;

	(void)state;
	start(&rig, cpus, 2);
	begin(&rig);
	worked(&rig, 0, 3000, 50);
	cycles(&rig, 1, 20000, 0, 10000);
	rig_at(10);
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "cpu1: APERF stood still, MPERF did not");
	for (unsigned i = 0; i < 2; i++)
		cycles(&rig, i, 0, 0, 0);
	begin(&rig);
	worked(&rig, 0, 3000, 50);
	cycles(&rig, 1, 20000, 10000, 0);
	rig_at(10);
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "cpu1: MPERF stood still, APERF did not");
	for (unsigned i = 0; i < 2; i++)
		cycles(&rig, i, 0, 0, 0);
	begin(&rig);
	worked(&rig, 0, 3000, 50);
	cycles(&rig, 1, 9000, 10000, 9000);
	rig_at(10);
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "cpu1: TSC runs slower");
	rig_done(&rig);
}

/* cpu0-2 asked for 3600 and 3000 MHz at least, cpu3 idle; delivered 2400 and 2950. */
static void less_than_asked_for_is_said(void **state)
{
	unsigned cpus[4];
	struct rig rig;

	(void)state;
	start(&rig, cpus, 4);
	policy(&rig, 0, "0 1", "schedutil", "3600000", "3600000");
	policy(&rig, 2, "2", "schedutil", "3000000", "3600000");
	policy(&rig, 3, "3", "schedutil", "3600000", "3600000");
	begin(&rig);
	worked(&rig, 0, 2400, 50);
	worked(&rig, 1, 2400, 50);
	worked(&rig, 2, 2950, 50);
	worked(&rig, 3, 800, 4);
	finish(&rig);
	assert_int_equal(rig.warnings.count, 1);
	need_warning(&rig, "delivered 2400 MHz on cpu0-1, below the lowest frequency asked for, "
			   "3600 MHz");
	/* The lower one of both ends counts. */
	for (unsigned i = 0; i < 4; i++)
		cycles(&rig, i, 0, 0, 0);
	begin(&rig);
	policy_file(&rig, 0, "scaling_min_freq", "800000");
	worked(&rig, 0, 2400, 50);
	worked(&rig, 1, 2400, 50);
	worked(&rig, 2, 2900, 50);
	worked(&rig, 3, 3500, 50);
	finish(&rig);
	assert_int_equal(rig.warnings.count, 1);
	need_warning(&rig,
		     "delivered 2900 MHz on cpu2, below the lowest frequency asked for, 3000 MHz");
	rig_done(&rig);
}

/* Pinned to 3600 MHz, of which 2000 (the TSC's rate, the base) are the processor's own promise. */
static void the_governor_performance_promises_the_base(void **state)
{
	unsigned cpus[1];
	struct rig rig;

	(void)state;
	start(&rig, cpus, 1);
	policy(&rig, 0, "0", "performance", "800000", "3600000");
	begin(&rig);
	worked(&rig, 0, 1990, 90);
	finish(&rig);
	assert_int_equal(rig.warnings.count, 0);
	cycles(&rig, 0, 0, 0, 0);
	begin(&rig);
	worked(&rig, 0, 1200, 90);
	finish(&rig);
	need_warning(&rig,
		     "delivered 1200 MHz on cpu0, below the lowest frequency asked for, 2000 MHz");
	/* A limit in per cent takes the promise back. */
	rig_file(&rig, CPU_DIR "/intel_pstate/max_perf_pct", "33");
	policy_file(&rig, 0, "cpuinfo_max_freq", "3600000");
	cycles(&rig, 0, 0, 0, 0);
	begin(&rig);
	worked(&rig, 0, 1200, 90);
	finish(&rig);
	assert_int_equal(rig.warnings.count, 0);
	rig_done(&rig);
}

/* Whatever each CPU did: the machine is the sum over the sum, and packages add up to it. */
static void the_machine_is_the_sum_of_its_cpus(void **state)
{
	struct pw_rng rng = pw_rng_seeded(20261201);

	(void)state;
	for (unsigned round = 0; round < 40; round++) {
		unsigned cpus[16], count = 1 + (unsigned)pw_rng_below(&rng, 16);
		uint64_t aperf = 0, mperf = 0, low = UINT64_MAX, high = 0;
		struct rig rig;

		start(&rig, cpus, count);
		begin(&rig);
		for (unsigned i = 0; i < count; i++) {
			uint64_t m = 1 + pw_rng_below(&rng, 20000);
			uint64_t mhz = 800 + pw_rng_below(&rng, 4000), a = m * mhz / 2000;

			cycles(&rig, i, 20000, a, m);
			aperf += a;
			mperf += m;
			low = mhz < low ? mhz : low;
			high = mhz > high ? mhz : high;
		}
		finish(&rig);
		if (aperf) {
			double wanted = (double)aperf / (double)mperf * 2000.0;

			near(real(&rig, "busy_mhz"), wanted, 1e-9 * wanted);
			assert_true(real(&rig, "busy_mhz") <= (double)high + 1e-6);
		}
		near(real(&rig, "busy_pct"), (double)mperf / (200.0 * count), 1e-9);
		near(real(&rig, "avg_mhz"), (double)aperf / (10.0 * count), 1e-6);
		rig_done(&rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packages_have_their_own),
		cmocka_unit_test(hybrids_have_types),
		cmocka_unit_test(arm_and_base_frequencies_tell_types),
		cmocka_unit_test(the_base_moves_the_share_too),
		cmocka_unit_test(xeon_phi_counts_in_1024s),
		cmocka_unit_test(an_offline_cpu_is_not_counted),
		cmocka_unit_test(a_cpu_that_goes_or_comes_in_mid_run_is_said),
		cmocka_unit_test(half_a_frequency_is_none),
		cmocka_unit_test(less_than_asked_for_is_said),
		cmocka_unit_test(the_governor_performance_promises_the_base),
		cmocka_unit_test(the_machine_is_the_sum_of_its_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
