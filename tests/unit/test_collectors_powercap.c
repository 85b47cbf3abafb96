/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector_rig.h"

#include "collectors/common/gauge.h"
#include "collectors/common/zones.h"

#define POWERCAP "/sys/class/powercap/"
#define J	 UINT64_C(1000000)

extern const struct pw_collector pw_collector_energy_powercap;

/* A zone "intel-rapl:0" in the flat class folder. range 0: no such file. */
static void zone(struct rig *rig, const char *entry, const char *name, uint64_t range_uj,
		 uint64_t energy_uj)
{
	char path[128];

	(void)snprintf(path, sizeof(path), POWERCAP "%s/name", entry);
	rig_file(rig, path, name);
	(void)snprintf(path, sizeof(path), POWERCAP "%s/energy_uj", entry);
	rig_number(rig, path, energy_uj);
	(void)snprintf(path, sizeof(path), POWERCAP "%s/max_energy_range_uj", entry);
	if (range_uj)
		rig_number(rig, path, range_uj);
}

static void energy(struct rig *rig, const char *entry, uint64_t energy_uj)
{
	char path[128];

	(void)snprintf(path, sizeof(path), POWERCAP "%s/energy_uj", entry);
	rig_number(rig, path, energy_uj);
}

static void cpuinfo(struct rig *rig, const char *vendor)
{
	char text[128];

	(void)snprintf(text, sizeof(text), "processor\t: 0\nvendor_id\t: %s\ncpu family\t: 6",
		       vendor);
	rig_file(rig, "/proc/cpuinfo", text);
}

#define ESU14 UINT64_C(262143328850)
#define ESU16 UINT64_C(65532610987)
#define DRAM  UINT64_C(65712999613)

static void one_package(struct rig *rig, uint64_t energy_uj)
{
	rig_init(rig, &pw_collector_energy_powercap);
	zone(rig, "intel-rapl:0", "package-0", ESU14, energy_uj);
}

static void a_single_package(void **state)
{
	struct rig rig;
	double power_w;

	(void)state;
	one_package(&rig, 1000 * J);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(1);
	energy(&rig, "intel-rapl:0", 1030 * J);
	assert_int_equal(rig_sample(&rig, &power_w), 0);
	assert_true(fabs(power_w - 30.0) < 1e-9);
	rig_at(2);
	energy(&rig, "intel-rapl:0", 1130 * J);
	assert_int_equal(rig_sample(&rig, &power_w), 0);
	assert_true(fabs(power_w - 100.0) < 1e-9);
	rig_at(3);
	energy(&rig, "intel-rapl:0", 1150 * J);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_total(&rig) == (int64_t)(150 * J));
	assert_true(rig_domain(&rig, "package-0") == (int64_t)(150 * J));
	rig_counted(&rig, "package-0");
	assert_string_equal(pw_value_get_text(&rig.section, "source", ""), "powercap");
	assert_string_equal(pw_value_get_text(&rig.section, "scope", ""), "package");
	assert_int_equal(rig.warnings.count, 0);
	/* The busiest second had 100 W: 2 ms of it, a step of 62 uJ, 150 J of rounding at 1/61035.
	 */
	assert_in_range(pw_value_get_int(&rig.section, "uncertainty_uj", 0), 202400, 202600);
	rig_done(&rig);
}

static void the_next_run_starts_afresh(void **state)
{
	struct rig rig;

	(void)state;
	one_package(&rig, 0);
	rig_open(&rig);
	for (unsigned run = 0; run < 3; run++) {
		rig_at(10.0 * run);
		energy(&rig, "intel-rapl:0", 1000 * J * run);
		assert_int_equal(rig_begin(&rig), 0);
		rig_at(10.0 * run + 5);
		energy(&rig, "intel-rapl:0", 1000 * J * run + 7 * J * (run + 1));
		assert_int_equal(rig_end(&rig), 0);
		assert_int_equal(rig_report(&rig), 0);
		assert_true(rig_total(&rig) == (int64_t)(7 * J * (run + 1)));
	}
	rig_done(&rig);
}

/* Zone order is not socket order, psys stands between, mmio repeats, subzones overlap. */
static void overlapping_zones(struct rig *rig, uint64_t add_uj)
{
	zone(rig, "intel-rapl:0", "package-1", ESU14, 100 * J + add_uj);
	zone(rig, "intel-rapl:0:0", "core", ESU14, add_uj / 2);
	zone(rig, "intel-rapl:0:1", "dram", DRAM, 5 * J + add_uj / 10);
	zone(rig, "intel-rapl:1", "psys", ESU14, 10 * add_uj);
	zone(rig, "intel-rapl:2", "package-0", ESU14, 3 * J + 2 * add_uj);
	zone(rig, "intel-rapl:2:0", "uncore", ESU14, add_uj / 4);
	zone(rig, "intel-rapl:2:1", "dram", DRAM, 6 * J + add_uj / 5);
	zone(rig, "intel-rapl-mmio:0", "package-0", ESU14, 3 * J + 2 * add_uj);
	rig_file(rig, POWERCAP "intel-rapl/enabled", "1");
}

static void packages_are_summed_and_nothing_else(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, &pw_collector_energy_powercap);
	cpuinfo(&rig, "GenuineIntel");
	overlapping_zones(&rig, 0);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(10);
	overlapping_zones(&rig, 1000 * J);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_total(&rig) == (int64_t)(3000 * J));
	rig_counted(&rig, "package-1 package-0");
	assert_true(rig_domain(&rig, "package-0") == (int64_t)(2000 * J));
	assert_true(rig_domain(&rig, "dram-0") == (int64_t)(200 * J));
	assert_true(rig_domain(&rig, "dram-1") == (int64_t)(100 * J));
	assert_true(rig_domain(&rig, "cores-1") == (int64_t)(500 * J));
	assert_true(rig_domain(&rig, "gpu-0") == (int64_t)(500 * J / 2));
	assert_true(rig_domain(&rig, "psys") == (int64_t)(10000 * J));
	assert_int_equal(pw_value_get(&rig.section, "domains")->count, 7);
	rig_close(&rig);

	rig.collect.scope = "package+dram";
	rig_open(&rig);
	overlapping_zones(&rig, 0);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(20);
	overlapping_zones(&rig, 1000 * J);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_total(&rig) == (int64_t)(3300 * J));
	rig_done(&rig);
}

static void mmio_serves_where_it_stands_alone(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, &pw_collector_energy_powercap);
	zone(&rig, "intel-rapl-mmio:0", "package-0", ESU14, 0);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(2);
	energy(&rig, "intel-rapl-mmio:0", 20 * J);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_total(&rig) == (int64_t)(20 * J));
	rig_done(&rig);
}

/* Subzones inside their parent's folder and nothing flat in the class but the control type. */
static void nested_folders_are_found(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, &pw_collector_energy_powercap);
	zone(&rig, "intel-rapl/intel-rapl:0", "package-15", ESU14, 0);
	zone(&rig, "intel-rapl/intel-rapl:0/intel-rapl:0:0", "dram", DRAM, 0);
	rig.collect.scope = "package+dram";
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(2);
	energy(&rig, "intel-rapl/intel-rapl:0", 20 * J);
	energy(&rig, "intel-rapl/intel-rapl:0/intel-rapl:0:0", 3 * J);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_total(&rig) == (int64_t)(23 * J));
	rig_counted(&rig, "package-15 dram-15");
	rig_done(&rig);
}

static void each_zone_wraps_by_its_own_range(void **state)
{
	struct rig rig;
	double power_w;

	(void)state;
	rig_init(&rig, &pw_collector_energy_powercap);
	zone(&rig, "intel-rapl:0", "package-0", ESU14, ESU14 - 10 * J);
	zone(&rig, "intel-rapl:0:0", "dram", DRAM, DRAM - 2 * J);
	rig.collect.scope = "package+dram";
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(1);
	energy(&rig, "intel-rapl:0", ESU14 - 4 * J);
	energy(&rig, "intel-rapl:0:0", 1 * J);
	assert_int_equal(rig_sample(&rig, &power_w), 0);
	assert_true(fabs(power_w - 9.000015) < 1e-9);
	rig_at(2);
	energy(&rig, "intel-rapl:0", 50 * J);
	energy(&rig, "intel-rapl:0:0", 2 * J);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	/* 10 J + 50 J and one unit of 61 uJ; 2 J + 2 J and one of 15 uJ. */
	assert_true(rig_domain(&rig, "package-0") == (int64_t)(60 * J + 61));
	assert_true(rig_domain(&rig, "dram-0") == (int64_t)(4 * J + 15));
	assert_true(rig_total(&rig) == (int64_t)(64 * J + 76));
	rig_done(&rig);
}

static void a_gap_for_two_wraps_is_no_number(void **state)
{
	struct rig rig;
	int64_t period_ns;

	(void)state;
	rig_init(&rig, &pw_collector_energy_powercap);
	zone(&rig, "intel-rapl:0", "package-0", ESU16, 0);
	rig_file(&rig, POWERCAP "intel-rapl:0/constraint_0_max_power_uw", "125000000");
	rig_open(&rig);
	/* 65.5 kJ at four times 125 W would do with a read in 65 s; the cap is 10 s. */
	period_ns = rig.collector->max_period_ns(rig.state);
	assert_int_equal(period_ns, 10 * PW_NS_PER_S);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(200);
	energy(&rig, "intel-rapl:0", 4000 * J);
	assert_true(rig_end(&rig) < 0);
	assert_non_null(strstr(rig.err.text, "package-0"));
	rig_unavailable(&rig, "rarely");
	rig_done(&rig);
}

static void a_fall_without_a_range_is_no_number(void **state)
{
	static const char *const ranges[] = { NULL, "0", "many" };

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(ranges); i++) {
		struct rig rig;
		double power_w;

		rig_init(&rig, &pw_collector_energy_powercap);
		zone(&rig, "intel-rapl:0", "package-0", 0, 500 * J);
		if (ranges[i])
			rig_file(&rig, POWERCAP "intel-rapl:0/max_energy_range_uj", ranges[i]);
		rig_open(&rig);
		assert_int_equal(rig_begin(&rig), 0);
		rig_at(1);
		energy(&rig, "intel-rapl:0", 510 * J);
		assert_int_equal(rig_sample(&rig, &power_w), 0);
		rig_at(2);
		energy(&rig, "intel-rapl:0", 3 * J);
		assert_true(rig_sample(&rig, &power_w) < 0);
		assert_true(isnan(power_w));
		/* Said once; the samples after it have no value, and no number comes out. */
		rig_at(3);
		energy(&rig, "intel-rapl:0", 600 * J);
		assert_int_equal(rig_sample(&rig, &power_w), 0);
		assert_true(isnan(power_w));
		assert_int_equal(rig_end(&rig), 0);
		rig_unavailable(&rig, "range is unknown");
		/* The next run is another matter. */
		assert_int_equal(rig_begin(&rig), 0);
		rig_at(4);
		energy(&rig, "intel-rapl:0", 640 * J);
		assert_int_equal(rig_end(&rig), 0);
		assert_int_equal(rig_report(&rig), 0);
		assert_true(rig_total(&rig) == (int64_t)(40 * J));
		rig_done(&rig);
	}
}

static void a_glitch_is_no_number(void **state)
{
	struct rig rig;
	double power_w;

	(void)state;
	one_package(&rig, 5000 * J);
	rig_file(&rig, POWERCAP "intel-rapl:0/constraint_0_max_power_uw", "65000000");
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(2);
	energy(&rig, "intel-rapl:0", 5702 * J);
	assert_true(rig_sample(&rig, &power_w) < 0);
	rig_unavailable(&rig, "more than the hardware");
	rig_done(&rig);
}

/* A class of 15 W whose firmware allows 64 W: 60 W would be too low a bound. */
static void a_raised_limit_raises_the_bound(void **state)
{
	struct rig rig;

	(void)state;
	one_package(&rig, 0);
	rig_file(&rig, POWERCAP "intel-rapl:0/constraint_0_max_power_uw", "15000000");
	rig_file(&rig, POWERCAP "intel-rapl:0/constraint_1_power_limit_uw", "64000000");
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(10);
	energy(&rig, "intel-rapl:0", 640 * J);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	rig_done(&rig);
}

static void dies(struct rig *rig, const char *vendor, uint64_t skew_uj)
{
	rig_init(rig, &pw_collector_energy_powercap);
	cpuinfo(rig, vendor);
	zone(rig, "intel-rapl:0", "package-0-die-0", ESU16, 1000 * J);
	zone(rig, "intel-rapl:0:0", "core", ESU16, 10 * J);
	zone(rig, "intel-rapl:1", "package-0-die-1", ESU16, 1000 * J + skew_uj);
	rig_open(rig);
	assert_int_equal(rig_begin(rig), 0);
}

/* Mirrored dies: values 329 mJ apart, growth the same but for the skew of reading. */
static void mirrored_dies_count_once(void **state)
{
	struct rig rig;
	double power_w;

	(void)state;
	dies(&rig, "AuthenticAMD", 329000);
	for (unsigned s = 1; s <= 10; s++) {
		rig_at(s);
		energy(&rig, "intel-rapl:0", 1000 * J + s * 68 * J);
		energy(&rig, "intel-rapl:1", 1000 * J + s * 68 * J + (s % 2) * 329000);
		energy(&rig, "intel-rapl:0:0", 10 * J + s * J);
		assert_int_equal(rig_sample(&rig, &power_w), 0);
		assert_true(fabs(power_w - 68.0) < 1e-6);
	}
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_total(&rig) == (int64_t)(680 * J));
	rig_counted(&rig, "package-0-die-0");
	assert_int_equal(rig.warnings.count, 1);
	assert_non_null(strstr(rig.warnings.items[0], "mirrors"));
	/* The zone "core" is one core on AMD: no domain. */
	assert_int_equal(rig_domain(&rig, "cores-0-die-0"), -1);
	rig_done(&rig);
}

static void separate_dies_count_both(void **state)
{
	static const char *const vendors[] = { "AuthenticAMD", "GenuineIntel" };

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(vendors); i++) {
		struct rig rig;
		double power_w;

		dies(&rig, vendors[i], 0);
		rig_at(5);
		energy(&rig, "intel-rapl:0", 1000 * J + 300 * J);
		energy(&rig, "intel-rapl:1", 1000 * J + 280 * J);
		assert_int_equal(rig_sample(&rig, &power_w), 0);
		/* Equal at the end by chance: they grew differently on the way. */
		rig_at(10);
		energy(&rig, "intel-rapl:0", 1000 * J + 600 * J);
		energy(&rig, "intel-rapl:1", 1000 * J + 600 * J);
		assert_int_equal(rig_end(&rig), 0);
		assert_int_equal(rig_report(&rig), 0);
		assert_true(rig_total(&rig) == (int64_t)(1200 * J));
		rig_counted(&rig, "package-0-die-0 package-0-die-1");
		rig_done(&rig);
	}
}

static void intel_dies_of_equal_growth_count_both(void **state)
{
	struct rig rig;

	(void)state;
	dies(&rig, "GenuineIntel", 0);
	rig_at(10);
	energy(&rig, "intel-rapl:0", 2000 * J);
	energy(&rig, "intel-rapl:1", 2000 * J);
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_total(&rig) == (int64_t)(2000 * J));
	rig_done(&rig);
}

static void a_vanished_package_is_no_number(void **state)
{
	struct rig rig;
	double power_w;

	(void)state;
	rig_init(&rig, &pw_collector_energy_powercap);
	overlapping_zones(&rig, 0);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(1);
	overlapping_zones(&rig, 10 * J);
	assert_int_equal(rig_sample(&rig, &power_w), 0);
	rig_remove(&rig, POWERCAP "intel-rapl:0/energy_uj");
	rig_at(2);
	assert_int_equal(rig_sample(&rig, &power_w), -PW_ENOTFOUND);
	rig_at(3);
	overlapping_zones(&rig, 20 * J);
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "package-1");
	rig_done(&rig);
}

static void a_vanished_bystander_leaves_the_rest(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, &pw_collector_energy_powercap);
	overlapping_zones(&rig, 0);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(2);
	overlapping_zones(&rig, 100 * J);
	rig_remove(&rig, POWERCAP "intel-rapl:0:1/energy_uj");
	assert_int_equal(rig_end(&rig), 0);
	assert_int_equal(rig_report(&rig), 0);
	assert_true(rig_total(&rig) == (int64_t)(300 * J));
	assert_int_equal(rig_domain(&rig, "dram-1"), -1);
	assert_int_equal(rig.warnings.count, 1);
	assert_non_null(strstr(rig.warnings.items[0], "dram-1"));
	rig_done(&rig);
}

static void a_still_counter_is_no_zero(void **state)
{
	struct rig rig;

	(void)state;
	one_package(&rig, 0);
	rig_open(&rig);
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(5);
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "reads zero");
	assert_int_equal(rig_begin(&rig), 0);
	rig_at(5.0005);
	assert_int_equal(rig_end(&rig), 0);
	rig_unavailable(&rig, "too short");
	rig_done(&rig);
}

/* Modes do not stop root: the operations give what the kernel would. */
static ssize_t denied_read(const struct pw_root *root, const char *path, char *buffer, size_t size)
{
	size_t length = strlen(path), end = strlen("energy_uj");
	const char *errnum = root->context;

	if (length > end && strcmp(path + length - end, "energy_uj") == 0)
		return strcmp(errnum, "EACCES") == 0 ? -EACCES : -EINVAL;
	return pw_fs_real.read(root, path, buffer, size);
}

static const struct pw_fs_ops denied_ops = { .read = denied_read };

static void closed_counters_say_what_to_do(void **state)
{
	struct rig rig;

	(void)state;
	one_package(&rig, 0);
	rig.root.ops = &denied_ops;
	rig.root.context = (void *)"EACCES";
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EDENIED);
	assert_non_null(strstr(rig.err.hint, "root"));
	assert_non_null(strstr(rig.err.hint, "udev"));
	assert_non_null(strstr(rig.err.hint, "/sys/%p/energy_uj"));
	assert_int_equal(rig.collector->open(&rig.collect, &rig.state, &rig.err), -PW_EDENIED);
	/* The driver's EINVAL is a failed read, not a bad call. */
	rig.root.context = (void *)"EINVAL";
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	rig.root.ops = &pw_fs_real;
	rig_open(&rig);
	rig.root.ops = &denied_ops;
	assert_int_equal(rig_begin(&rig), -PW_EIO);
	rig_unavailable(&rig, "energy_uj");
	rig_done(&rig);
}

static void absence_has_reasons(void **state)
{
	struct rig rig;

	(void)state;
	rig_init(&rig, &pw_collector_energy_powercap);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "no RAPL zones"));
	zone(&rig, "intel-rapl:0", "psys", ESU14, 0);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "no package"));
	zone(&rig, "intel-rapl:1", "package-0", ESU14, 0);
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), 0);
	rig.collect.scope = "package+dram";
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "dram"));
	rig.collect.scope = "platform";
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "psys has not been shown plausible"));
	rig.collect.scope = "battery";
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	/* One of two packages: their sum would be half a machine. */
	rig.collect.scope = "package";
	rig_file(&rig, "/sys/devices/system/cpu/cpu0/topology/physical_package_id", "0");
	rig_file(&rig, "/sys/devices/system/cpu/cpu1/topology/physical_package_id", "1");
	assert_int_equal(rig.collector->probe(&rig.collect, &rig.err), -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "2 packages"));
	rig_done(&rig);
}

static void names_are_read_whole(void **state)
{
	static const char *const refused[] = {
		"package-",   "package-0-die",	  "package-0-die-", "package-0x",
		"package--1", "package-0-die-1x", "package-999999", "psysx",
		"psys-",      "psys-x",		  "core",	    ""
	};
	struct pw_zone found;

	(void)state;
	assert_true(pw_zone_classify("package-15", &found));
	assert_int_equal(found.package, 15);
	assert_string_equal(found.suffix, "-15");
	assert_true(pw_zone_classify("package-1-die-3", &found));
	assert_int_equal(found.package, 1);
	assert_string_equal(found.suffix, "-1-die-3");
	assert_true(pw_zone_classify("psys-1", &found));
	assert_int_equal(found.kind, PW_ENERGY_PSYS);
	assert_string_equal(found.suffix, "-1");
	for (size_t i = 0; i < PW_LENGTH(refused); i++)
		assert_false(pw_zone_classify(refused[i], &found));
}

/* On the machine itself the file is opened once and read again from its start. */
static void a_gauge_keeps_its_file_open(void **state)
{
	struct pw_gauge gauge;
	struct pw_root machine;
	struct rig rig;
	char path[128];
	uint64_t value;

	(void)state;
	rig_init(&rig, NULL);
	rig_number(&rig, "/energy_uj", 41);
	(void)snprintf(path, sizeof(path), "%s/energy_uj", rig.dir);
	assert_int_equal(pw_root_open(NULL, &machine, &rig.err), 0);
	assert_int_equal(pw_gauge_open(&gauge, &machine, path, &rig.err), 0);
	assert_true(gauge.fd >= 0);
	rig_number(&rig, "/energy_uj", 4242);
	assert_int_equal(pw_gauge_read(&gauge, &value, &rig.err), 0);
	assert_true(value == 4242);
	rig_remove(&rig, "/energy_uj");
	assert_int_equal(pw_gauge_read(&gauge, &value, &rig.err), 0);
	pw_gauge_close(&gauge);
	assert_int_equal(pw_gauge_open(&gauge, &machine, path, &rig.err), -PW_ENOTFOUND);
	pw_root_close(&machine);
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_single_package),
		cmocka_unit_test(the_next_run_starts_afresh),
		cmocka_unit_test(packages_are_summed_and_nothing_else),
		cmocka_unit_test(mmio_serves_where_it_stands_alone),
		cmocka_unit_test(nested_folders_are_found),
		cmocka_unit_test(each_zone_wraps_by_its_own_range),
		cmocka_unit_test(a_gap_for_two_wraps_is_no_number),
		cmocka_unit_test(a_fall_without_a_range_is_no_number),
		cmocka_unit_test(a_glitch_is_no_number),
		cmocka_unit_test(a_raised_limit_raises_the_bound),
		cmocka_unit_test(mirrored_dies_count_once),
		cmocka_unit_test(separate_dies_count_both),
		cmocka_unit_test(intel_dies_of_equal_growth_count_both),
		cmocka_unit_test(a_vanished_package_is_no_number),
		cmocka_unit_test(a_vanished_bystander_leaves_the_rest),
		cmocka_unit_test(a_still_counter_is_no_zero),
		cmocka_unit_test(closed_counters_say_what_to_do),
		cmocka_unit_test(absence_has_reasons),
		cmocka_unit_test(names_are_read_whole),
		cmocka_unit_test(a_gauge_keeps_its_file_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
