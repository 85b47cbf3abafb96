/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector_rig.h"

#include "collectors/common/energy.h"

#define DEVICES "/sys/bus/event_source/devices"

extern const struct pw_collector pw_collector_energy_perf;
extern const struct pw_collector pw_collector_energy_powercap;

/* Joules in the kernel's unit. */
static uint64_t units(double joules)
{
	return (uint64_t)(joules * 0x1p32);
}

static void event(struct rig *rig, const char *name, unsigned number)
{
	char path[128], text[32];

	(void)snprintf(path, sizeof(path), DEVICES "/power/events/%s", name);
	(void)snprintf(text, sizeof(text), "event=0x%02x", number);
	rig_file(rig, path, text);
	(void)snprintf(path, sizeof(path), DEVICES "/power/events/%s.scale", name);
	rig_file(rig, path, "2.3283064365386962890625e-10");
	(void)snprintf(path, sizeof(path), DEVICES "/power/events/%s.unit", name);
	rig_file(rig, path, "Joules");
}

static void topology(struct rig *rig, unsigned cpu, unsigned package, unsigned die)
{
	char path[128];

	(void)snprintf(path, sizeof(path),
		       "/sys/devices/system/cpu/cpu%u/topology/physical_package_id", cpu);
	rig_number(rig, path, package);
	(void)snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/die_id", cpu);
	rig_number(rig, path, die);
}

static void power_pmu(struct rig *rig, const char *cpumask)
{
	rig_init(rig, &pw_collector_energy_perf);
	rig_file(rig, DEVICES "/power/type", "9");
	rig_file(rig, DEVICES "/power/cpumask", cpumask);
	rig_file(rig, DEVICES "/power/format/event", "config:0-7");
}

static void one_socket(struct rig *rig)
{
	power_pmu(rig, "0");
	event(rig, "energy-pkg", 2);
	topology(rig, 0, 0, 0);
	topology(rig, 1, 0, 0);
	rig_count(rig, "energy-pkg", 0, 0);
}

static void one_package_and_what_stands_beside_it(void **state)
{
	struct rig rig;
	double power_w;

	(void)state;
	one_socket(&rig);
	event(&rig, "energy-cores", 1);
	event(&rig, "energy-psys", 5);
	event(&rig, "energy-gpu", 4);
	event(&rig, "energy-ram", 3);
	rig_count(&rig, "energy-cores", 0, 0);
	rig_count(&rig, "energy-psys", 0, units(5));
	rig_count(&rig, "energy-ram", 0, units(7));
	/* energy-gpu is listed but does not open, as on AMD before 5.17. */
	rig_open(&rig);
	assert_int_equal(rig.collector->max_period_ns(rig.state), 10 * PW_NS_PER_S);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(1);
	rig_count(&rig, "energy-pkg", 0, units(50));
	assert_int_equal(rig_sample(&rig, &power_w), 0);
	assert_true(fabs(power_w - 50.0) < 1e-6);
	rig_at(2);
	rig_count(&rig, "energy-pkg", 0, units(90));
	rig_count(&rig, "energy-cores", 0, units(60));
	rig_count(&rig, "energy-psys", 0, units(205));
	rig_count(&rig, "energy-ram", 0, units(17));
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_total(&rig) == 90000000);
	rig_counted(&rig, "package-0");
	assert_true(rig_domain(&rig, "cores-0") == 60000000);
	assert_true(rig_domain(&rig, "psys") == 200000000);
	assert_true(rig_domain(&rig, "dram-0") == 10000000);
	assert_int_equal(rig_domain(&rig, "gpu-0"), -1);
	assert_string_equal(pw_value_get_text(&rig.section, "source", ""), "perf");
	/* 50 W in 2 ms and 2^-14 J. */
	assert_in_range(pw_value_get_int(&rig.section, "uncertainty_uj", 0), 100061, 100063);
	rig_done(&rig);
}

/* The kernel takes any CPU of the die and redirects it to the one that counts. */
static void one_cpu_of_a_die_is_read(void **state)
{
	struct rig rig;

	(void)state;
	one_socket(&rig);
	rig_file(&rig, "/sys/devices/system/cpu/online", "0-1");
	rig_count(&rig, "energy-pkg", 1, 0);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(2);
	rig_count(&rig, "energy-pkg", 0, units(90));
	rig_count(&rig, "energy-pkg", 1, units(90));
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_total(&rig) == 90000000);
	rig_counted(&rig, "package-0");
	rig_done(&rig);
}

static void the_edges_of_a_slow_pass_are_uncertain(void **state)
{
	struct rig rig;

	(void)state;
	one_socket(&rig);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	/* 100 W; each end is read within 5 ms. */
	rig_at(10);
	rig_count(&rig, "energy-pkg", 0, units(1000));
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_in_range(pw_value_get_int(&rig.section, "uncertainty_uj", 0), 200061, 200063);
	rig_at(20);
	rig_tick_ns = 5 * PW_NS_PER_MS;
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(30);
	rig_count(&rig, "energy-pkg", 0, units(2000));
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_in_range(pw_value_get_int(&rig.section, "uncertainty_uj", 0), 1200061, 1200063);
	rig_done(&rig);
}

static void two_sockets(struct rig *rig, double first_j, double second_j)
{
	rig_count(rig, "energy-pkg", 0, units(first_j));
	rig_count(rig, "energy-pkg", 18, units(second_j));
	rig_count(rig, "energy-ram", 0, units(first_j / 10));
	rig_count(rig, "energy-ram", 18, units(second_j / 10));
}

static void packages_are_named_by_topology(void **state)
{
	static const unsigned cpus[] = { 0, 1, 18, 19 };
	struct rig rig;

	(void)state;
	power_pmu(&rig, "0,18");
	rig.collect.cpus = cpus;
	rig.collect.cpu_count = 4;
	event(&rig, "energy-pkg", 2);
	event(&rig, "energy-ram", 3);
	for (size_t i = 0; i < 4; i++)
		topology(&rig, cpus[i], i < 2 ? 1 : 0, 0);
	two_sockets(&rig, 0, 0);
	rig.collect.scope = "package+dram";
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(10);
	two_sockets(&rig, 1000, 2000);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	rig_counted(&rig, "package-1 package-0 dram-1 dram-0");
	assert_true(rig_domain(&rig, "package-1") == 1000000000);
	assert_true(rig_domain(&rig, "package-0") == 2000000000);
	assert_true(rig_total(&rig) == 3300000000);
	rig_close(&rig);
	/* A mask that leaves one socket out is no sum of the machine. */
	rig_file(&rig, DEVICES "/power/cpumask", "0");
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "2 packages"));
	rig_done(&rig);
}

static void dies(struct rig *rig, const char *vendor)
{
	char text[64];

	power_pmu(rig, "0,1");
	(void)snprintf(text, sizeof(text), "vendor_id\t: %s", vendor);
	rig_file(rig, "/proc/cpuinfo", text);
	event(rig, "energy-pkg", 2);
	topology(rig, 0, 0, 0);
	topology(rig, 1, 0, 1);
	rig_count(rig, "energy-pkg", 0, units(10));
	rig_count(rig, "energy-pkg", 1, units(30));
	rig_open(rig);
	assert_int_equal(rig_begin(rig), 0);
	rig_at(10);
	rig_count(rig, "energy-pkg", 0, units(690));
	rig_count(rig, "energy-pkg", 1, units(710));
	assert_int_equal(rig_end(rig), 0);
	assert_int_equal(rig_report(rig), 0);
}

static void dies_are_named_and_mirrors_count_once(void **state)
{
	struct rig rig;

	(void)state;
	dies(&rig, "GenuineIntel");
	rig_counted(&rig, "package-0-die-0 package-0-die-1");
	assert_true(rig_total(&rig) == 1360000000);
	rig_done(&rig);
	dies(&rig, "AuthenticAMD");
	rig_counted(&rig, "package-0-die-0");
	assert_true(rig_total(&rig) == 680000000);
	assert_int_equal(rig.warnings.count, 1);
	rig_done(&rig);
}

/*
 * The kernel's arithmetic on a 32-bit counter in units of 2^-16 J that nobody read for one period
 * of its own timer, 163.84 s.
 */
static int64_t kernel_delta(double joules)
{
	uint32_t hardware = (uint32_t)(uint64_t)(joules * 65536.0);
	int64_t shifted = (int64_t)((uint64_t)hardware << 32) >> 32;

	return shifted * 65536;
}

static void the_half_range_trap_is_no_number(void **state)
{
	static const double watts[] = { 201, 300, 400, 500, 800 };

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(watts); i++) {
		uint64_t start = units(100000);
		struct rig rig;

		one_socket(&rig);
		rig_count(&rig, "energy-pkg", 0, start);
		rig_open(&rig);
		assert_int_equal(rig_begin(&rig), 0);
		rig_at(163.84);
		rig_count(&rig, "energy-pkg", 0, start + (uint64_t)kernel_delta(watts[i] * 163.84));
		assert_true(rig_end(&rig) < 0);
		rig_unavailable(&rig, "package-0");
		rig_done(&rig);
	}
	/* The figures of the trap itself: true 32932 J and 81920 J. */
	assert_int_equal(kernel_delta(201 * 163.84) >> 32, -32605);
	assert_int_equal(kernel_delta(500 * 163.84) >> 32, 16384);
}

static void reading_in_time_avoids_the_trap(void **state)
{
	uint64_t value = units(7);
	struct rig rig;

	(void)state;
	one_socket(&rig);
	rig_count(&rig, "energy-pkg", 0, value);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	for (unsigned step = 1; step <= 20; step++) {
		double power_w;

		rig_at(10.0 * step);
		value += (uint64_t)kernel_delta(500 * 10.0);
		rig_count(&rig, "energy-pkg", 0, value);
		assert_int_equal(rig_sample(&rig, &power_w), 0);
		assert_true(fabs(power_w - 500.0) < 1e-6);
	}
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_total(&rig) == 100000000000);
	rig_done(&rig);
}

static void zeros_are_no_energy(void **state)
{
	struct rig rig;
	double power_w;

	(void)state;
	one_socket(&rig);
	event(&rig, "energy-gpu", 4);
	rig_count(&rig, "energy-gpu", 0, 0);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(5);
	assert_int_equal(rig_sample(&rig, &power_w), 0);
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "package-0: reads zero");
	/* A bystander that reads zero is absent and nothing else. */
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(10);
	rig_count(&rig, "energy-pkg", 0, units(100));
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_int_equal(rig_domain(&rig, "gpu-0"), -1);
	assert_int_equal(rig.warnings.count, 0);
	rig_done(&rig);
}

static void a_failing_read_is_no_number(void **state)
{
	struct rig rig;
	double power_w;

	(void)state;
	one_socket(&rig);
	rig_open(&rig);
	rig.read_fails = PW_EGONE;
	assert_int_equal(rig_begin(&rig), -PW_EGONE);
	rig_unavailable(&rig, "package-0");
	rig.read_fails = PW_OK;
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(2);
	rig_count(&rig, "energy-pkg", 0, units(100));
	rig.read_fails = PW_EIO;
	assert_int_equal(rig_sample(&rig, &power_w), -PW_EIO);
	rig.read_fails = PW_OK;
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "scripted failure");
	rig_done(&rig);
}

static void absence_has_reasons(void **state)
{
	struct rig rig;

	(void)state;
	power_pmu(&rig, "0");
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	/* psys alone, as in some virtual machines. */
	event(&rig, "energy-psys", 5);
	rig_count(&rig, "energy-psys", 0, 0);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "energy-pkg"));
	assert_non_null(strstr(rig.err.text, "energy-psys"));
	event(&rig, "energy-pkg", 2);
	rig_count(&rig, "energy-pkg", 0, 0);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), 0);
	rig.collect.scope = "package+dram";
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "energy-ram"));
	rig.collect.scope = "platform";
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "calibrate"));
	rig.collect.scope = NULL;
	rig.open_fails = PW_EDENIED;
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EDENIED);
	rig.open_fails = PW_OK;
	rig_file(&rig, DEVICES "/power/events/energy-pkg.unit", "Watts");
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	rig_done(&rig);
}

static void a_fake_root_end_to_end(void **state)
{
	struct pw_perf files;
	struct rig rig;

	(void)state;
	one_socket(&rig);
	assert_int_equal(pw_perf_init(&files, &rig.root, &rig.err), 0);
	rig.collect.perf = &files;
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	rig_number(&rig, "/perf/power/energy-pkg/cpu0", units(3));
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(2);
	rig_number(&rig, "/perf/power/energy-pkg/cpu0", units(103.5));
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_total(&rig) == 100500000);
	rig_close(&rig);
	pw_perf_done(&files);
	rig_done(&rig);
}

static void units_become_microjoules_exactly(void **state)
{
	(void)state;
	assert_true(pw_energy_uj(123, 1e-6) == 123);
	assert_true(pw_energy_uj(UINT64_C(1) << 32, 0x1p-32) == 1000000);
	/* Beyond 53 bits: a double would lose the last microjoules. */
	assert_true(pw_energy_uj((UINT64_C(1) << 63) + (UINT64_C(1) << 31), 0x1p-32) ==
		    UINT64_C(2147483648500000));
	assert_true(pw_energy_uj(UINT64_MAX, 0x1p-32) == UINT64_C(4294967296000000));
	/* Rounded to nearest: 2^-20 J is 0.95 uJ. */
	assert_true(pw_energy_uj(4096, 0x1p-32) == 1);
	assert_true(pw_energy_uj(1000, 0x1p-32) == 0);
	assert_true(pw_energy_uj(3, 0.25) == 750000);
	assert_true(pw_energy_uj(3, 1.0) == 3000000);
	assert_true(pw_energy_uj(7, 15.3e-6) == 107);
}

/* SplitMix64 (Steele, Lea, Flood 2014), for the property below. */
static uint64_t next(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static double between(uint64_t *seed, double low, double high)
{
	return low + (high - low) * (double)(next(seed) >> 11) * 0x1p-53;
}

/* A machine whose power changes from piece to piece and whose counter moves once a millisecond. */
struct machine {
	double watts[40], lengths_s[40];
	double unit_j, offset_j;
};

static double true_j(const struct machine *machine, double at_s)
{
	double joules = 0.0;

	for (size_t i = 0; i < PW_LENGTH(machine->watts) && at_s > 0.0; i++) {
		double part_s = at_s < machine->lengths_s[i] ? at_s : machine->lengths_s[i];

		joules += part_s * machine->watts[i];
		at_s -= part_s;
	}
	return joules;
}

/* What energy_uj shows: 32 bits of units of the last update, in truncated nanojoules. */
static uint64_t shown_uj(const struct machine *machine, double at_s)
{
	double updated_s = floor(at_s * 1000.0) / 1000.0;
	uint64_t raw =
		(uint64_t)((machine->offset_j + true_j(machine, updated_s)) / machine->unit_j);
	uint64_t unit_nj = (uint64_t)(machine->unit_j * 1e9);

	return (raw & UINT32_MAX) * unit_nj / 1000;
}

static void make_machine(struct machine *machine, uint64_t *seed)
{
	machine->unit_j = next(seed) % 2 ? 0x1p-14 : 0x1p-16;
	machine->offset_j = between(seed, 0, machine->unit_j * 0x1p32);
	for (size_t i = 0; i < PW_LENGTH(machine->watts); i++) {
		machine->watts[i] = between(seed, 2, 900);
		machine->lengths_s[i] = between(seed, 0.3, 8);
	}
}

static void show(struct rig *rig, const struct machine *machine, double at_s)
{
	rig_at(at_s);
	rig_number(rig, "/sys/class/powercap/intel-rapl:0/energy_uj", shown_uj(machine, at_s));
}

/* True if the run has a number; then it must be right within what it says. */
static bool run_machine(const struct machine *machine, double period_s, double last_s,
			uint64_t *seed)
{
	uint64_t unit_nj = (uint64_t)(machine->unit_j * 1e9);
	double from_s = between(seed, 0, 3), to_s = between(seed, from_s + 2, last_s);
	double error_uj, power_w;
	bool valid;
	struct rig rig;

	rig_init(&rig, &pw_collector_energy_powercap);
	rig_file(&rig, "/sys/class/powercap/intel-rapl:0/name", "package-0");
	rig_number(&rig, "/sys/class/powercap/intel-rapl:0/max_energy_range_uj",
		   UINT32_MAX * unit_nj / 1000);
	rig_number(&rig, "/sys/class/powercap/intel-rapl:0/constraint_0_max_power_uw", 250000000);
	show(&rig, machine, from_s);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	for (double at_s = from_s + period_s; at_s < to_s; at_s += period_s) {
		show(&rig, machine, at_s);
		(void)!rig_sample(&rig, &power_w);
	}
	show(&rig, machine, to_s);
	(void)!rig_end(&rig);
	valid = rig_report(&rig) == 0;
	error_uj = fabs((double)rig_total(&rig) -
			(true_j(machine, to_s) - true_j(machine, from_s)) * 1e6);
	if (valid && error_uj > (double)pw_value_get_int(&rig.section, "uncertainty_uj", 0)) {
		print_error("off by %.0f uJ of %.0f\n", error_uj, (double)rig_total(&rig));
		fail();
	}
	rig_done(&rig);
	return valid;
}

static void energy_is_right_within_its_uncertainty_or_absent(void **state)
{
	uint64_t seed = 20260711;
	unsigned valid = 0, absent = 0;

	(void)state;
	for (unsigned i = 0; i < 50; i++) {
		struct machine machine;

		make_machine(&machine, &seed);
		/* Read often enough there is always a number. */
		assert_true(run_machine(&machine, 0.3, 40, &seed));
		/* Read rarely there may be none, but never a wrong one. */
		if (run_machine(&machine, between(&seed, 30, 200), 160, &seed))
			valid++;
		else
			absent++;
	}
	assert_true(valid > 0 && absent > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_package_and_what_stands_beside_it),
		cmocka_unit_test(one_cpu_of_a_die_is_read),
		cmocka_unit_test(the_edges_of_a_slow_pass_are_uncertain),
		cmocka_unit_test(packages_are_named_by_topology),
		cmocka_unit_test(dies_are_named_and_mirrors_count_once),
		cmocka_unit_test(the_half_range_trap_is_no_number),
		cmocka_unit_test(reading_in_time_avoids_the_trap),
		cmocka_unit_test(zeros_are_no_energy),
		cmocka_unit_test(a_failing_read_is_no_number),
		cmocka_unit_test(absence_has_reasons),
		cmocka_unit_test(a_fake_root_end_to_end),
		cmocka_unit_test(units_become_microjoules_exactly),
		cmocka_unit_test(energy_is_right_within_its_uncertainty_or_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
