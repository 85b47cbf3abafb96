/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PMU power_core beside the PMU power. */
#include "energy_rig.h"

static const unsigned cpus[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

/* Two sockets of two cores with two threads each: CPU n and n + 4 are one core. */
static void two_sockets(struct rig *rig, const char *core_mask)
{
	rig_init(rig, &pw_collector_energy_perf);
	rig->collect.cpus = cpus;
	rig->collect.cpu_count = PW_LENGTH(cpus);
	energy_vendor(rig, "AuthenticAMD", "");
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		char siblings[16];

		(void)snprintf(siblings, sizeof(siblings), "%u,%u", cpu % 4, cpu % 4 + 4);
		energy_topology(rig, cpu, cpu % 4 / 2, siblings);
	}
	energy_pmu(rig, "power", "9", "0,2");
	energy_event(rig, "power", "energy-pkg", 2);
	energy_pmu(rig, "power_core", "10", core_mask);
	energy_event(rig, "power_core", "energy-core", 1);
	if (!core_mask)
		rig_file(rig, "/sys/devices/system/cpu/online", "0-7");
}

/* Each core n has used n + 1 times as much. */
static void count(struct rig *rig, double package_j, double core_j)
{
	rig_count(rig, "energy-pkg", 0, units(package_j));
	rig_count(rig, "energy-pkg", 2, units(2 * package_j));
	for (unsigned cpu = 0; cpu < 8; cpu++)
		rig_count(rig, "energy-core", cpu, units(1000 + core_j * (cpu % 4 + 1)));
}

static void run(struct rig *rig)
{
	count(rig, 0, 0);
	rig_open(rig);
	assert_int_equal(rig_begin(rig), 0);
	rig_at(5);
	count(rig, 300, 10);
	assert_int_equal(rig_sample(rig, &(double){ 0 }), 0);
	rig_at(10);
	count(rig, 1000, 30);
	assert_int_equal(rig_end(rig), 0);
	assert_int_equal(rig_report(rig), 0);
}

static void cores_are_summed_by_package(void **state)
{
	static const char *const masks[] = { "0-3", NULL };

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(masks); i++) {
		struct rig rig;

		/* Without a mask, siblings of one core must not count twice. */
		two_sockets(&rig, masks[i]);
		run(&rig);
		rig_counted(&rig, "package-0 package-1");
		assert_true(rig_total(&rig) == 3000000000);
		assert_true(rig_domain(&rig, "cores-0") == 90000000);
		assert_true(rig_domain(&rig, "cores-1") == 210000000);
		rig_tree_has(&rig, "package-0 package < +counts; cores-0 cores <package-0 -within");
		rig_done(&rig);
	}
}

/* The next run counts from its own begin. */
static void the_next_run_starts_afresh(void **state)
{
	struct rig rig;

	(void)state;
	two_sockets(&rig, "0-3");
	run(&rig);
	rig_at(20);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(30);
	count(&rig, 1100, 31);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_domain(&rig, "cores-0") == 3000000);
	rig_done(&rig);
}

/* In a sum of 64 bits the fall of one core would be an odd number and no fault. */
static void one_core_that_fails_leaves_the_packages(void **state)
{
	struct rig rig;

	(void)state;
	two_sockets(&rig, "0-3");
	count(&rig, 0, 10);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(10);
	count(&rig, 1000, 40);
	rig_count(&rig, "energy-core", 1, units(3));
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_total(&rig) == 3000000000);
	assert_int_equal(rig_domain(&rig, "cores-0"), -1);
	assert_true(rig_domain(&rig, "cores-1") == 210000000);
	rig_warned(&rig, "cores-0 is unavailable: cpu1");
	rig_done(&rig);
}

/* Cores of one package held against another's counter, or both sockets' against one. */
static void cores_above_their_package_are_no_measurement(void **state)
{
	struct rig rig;

	(void)state;
	two_sockets(&rig, "0-3");
	count(&rig, 0, 0);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(10);
	count(&rig, 100, 30);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_domain(&rig, "cores-0") == 90000000);
	assert_int_equal(rig_domain(&rig, "cores-1"), -1);
	rig_warned(&rig, "cores-1 is unavailable: more than the package");
	rig_done(&rig);
}

/* All cores, or none of them: the rest is another machine's sum. */
static void a_core_that_does_not_open_leaves_all_out(void **state)
{
	struct rig rig;

	(void)state;
	two_sockets(&rig, "0-3,9");
	run(&rig);
	assert_true(rig_total(&rig) == 3000000000);
	assert_int_equal(pw_value_get(&rig.section, "domains")->count, 2);
	rig_tree_has(&rig, "power_core cores < -energy-core is not counted");
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cores_are_summed_by_package),
		cmocka_unit_test(the_next_run_starts_afresh),
		cmocka_unit_test(one_core_that_fails_leaves_the_packages),
		cmocka_unit_test(cores_above_their_package_are_no_measurement),
		cmocka_unit_test(a_core_that_does_not_open_leaves_all_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
