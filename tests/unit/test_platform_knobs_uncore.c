/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uncore-min and uncore-max in both layouts; the model cuts to 100 MHz and checks no pair. */
#include "fake_devices_rig.h"

#include "lib/platform/uncore.h"

#define PACKAGE	   PW_UNCORE_DIR "/package_00_die_00"
#define CLUSTER(n) PW_UNCORE_DIR "/uncore0" #n
#define MIN	   "/min_freq_khz"
#define MAX	   "/max_freq_khz"

static void add_domain(struct devices *devices, const char *name, const char *low, const char *high)
{
	static const char *const files[] = { "initial_min_freq_khz", "initial_max_freq_khz",
					     "min_freq_khz", "max_freq_khz" };

	for (size_t i = 0; i < PW_LENGTH(files); i++) {
		pw_auto_free char *path = pw_sprintf(PW_UNCORE_DIR "/%s/%s", name, files[i]);

		devices_set(devices, path, i % 2 ? high : low);
	}
}

static void either_limit_makes_way(void **state)
{
	struct devices_back back;
	struct devices devices;

	(void)state;
	devices_open(&devices, "intel-hwp-active");
	add_domain(&devices, "package_01_die_00", "1200000", "2400000");
	devices_set(&devices, PACKAGE MIN, "1800000");
	devices_save(&devices, "uncore-min", &back);
	assert_int_equal(back.saved.count, 4);
	expect_applied(&devices, "uncore-max", "1.5GHz", "1500000");
	expect_file(&devices, PACKAGE MIN, "1200000"); /* was in the way */
	expect_applied(&devices, "uncore-min", "2GHz", "2000000");
	expect_file(&devices, PACKAGE MAX, "2000000");
	expect_file(&devices, PW_UNCORE_DIR "/package_01_die_00" MAX, "2000000");
	expect_applied(&devices, "uncore-max", "2.4GHz", "2400000");
	expect_file(&devices, PACKAGE MIN, "2000000"); /* was not */
	devices_restore(&devices, "uncore-min", &back);
	devices_close(&devices);
}

/* The minimum never passes the maximum, not even for a moment: looked at after each write. */
static ssize_t watchful_write(const struct pw_root *root, const char *path, const char *text,
			      size_t length)
{
	const struct devices *devices = root->context;
	ssize_t r = devices_write(root, path, text, length);

	assert_true(model_number(&devices->model, PACKAGE MIN) <=
		    model_number(&devices->model, PACKAGE MAX));
	return r;
}

static void the_pair_is_never_crossed(void **state)
{
	static const struct pw_fs_ops ops = { .read = devices_read, .write = watchful_write };
	static const char *const changes[][2] = { { "uncore-max", "1.3GHz" },
						  { "uncore-min", "2.3GHz" } };
	struct devices_back back;
	struct devices devices;
	struct pw_err err;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(changes); i++) {
		devices_open(&devices, "intel-hwp-active");
		devices.model.fake.root.ops = &ops;
		devices_set(&devices, PACKAGE MIN, "1700000");
		devices_set(&devices, PACKAGE MAX, "1900000");
		devices_save(&devices, "uncore-max", &back);
		fake_must(fake_apply(&devices.env.env, changes[i][0], changes[i][1], &err), &err);
		devices_restore(&devices, "uncore-max", &back);
		devices_close(&devices);
	}
}

static void limits_are_cut_to_whole_steps(void **state)
{
	struct devices devices;
	struct pw_err err;

	(void)state;
	devices_open(&devices, "intel-hwp-active");
	expect_applied(&devices, "uncore-max", "1850MHz", "1800000");
	devices_set(&devices, PACKAGE MAX, "1900000"); /* rounded up is another limit */
	pw_auto_value struct pw_value asked = fake_value(fake_knob("uncore-max"), "1850MHz");

	assert_int_equal(fake_knob("uncore-max")->verify(&devices.env.env, &asked, &err),
			 -PW_ETIMEOUT);
	assert_string_equal(err.text, "package_00_die_00: max_freq_khz: asked '1850000', is "
				      "'1900000'");
	devices_close(&devices);
}

static void outside_of_the_first_limits(void **state)
{
	struct devices devices;
	struct pw_err err;

	(void)state;
	devices_open(&devices, "intel-hwp-active");
	fake_must(fake_check(&devices.env.env, "uncore-max", "2.4GHz", &err), &err);
	fake_must(fake_check(&devices.env.env, "uncore-min", "1.2GHz", &err), &err);
	assert_int_equal(fake_check(&devices.env.env, "uncore-max", "2.5GHz", &err),
			 -PW_EUNSUPPORTED);
	assert_string_equal(err.text, "package_00_die_00: 2500000 kHz lies outside its first "
				      "limits, 1200000 to 2400000 kHz");
	assert_int_equal(fake_check(&devices.env.env, "uncore-min", "1.1GHz", &err),
			 -PW_EUNSUPPORTED);
	/* one domain that cannot is enough */
	add_domain(&devices, "package_01_die_00", "800000", "2000000");
	assert_int_equal(fake_check(&devices.env.env, "uncore-max", "2.2GHz", &err),
			 -PW_EUNSUPPORTED);
	assert_has(err.text, "package_01_die_00");
	devices_close(&devices);
}

/* TPMI: the package's folder writes to all of its clusters, and is left alone. */
static void clusters_rather_than_their_packages(void **state)
{
	struct devices_back back;
	struct devices devices;

	(void)state;
	devices_open(&devices, "intel-hwp-active");
	add_domain(&devices, "uncore00", "800000", "2400000");
	add_domain(&devices, "uncore01", "800000", "2200000");
	add_domain(&devices, "uncore_other", "100000", "100000"); /* no cluster */
	devices_set(&devices, CLUSTER(0) "/domain_id", "0");
	devices_set(&devices, CLUSTER(0) "/fabric_cluster_id", "0");
	devices_set(&devices, CLUSTER(0) "/package_id", "0");
	devices_save(&devices, "uncore-max", &back);
	assert_int_equal(back.saved.count, 4);
	assert_string_equal(fake_read(&devices.env.env, "uncore-max"),
			    "mixed: 2400000 (uncore00), 2200000 (uncore01)");
	expect_applied(&devices, "uncore-max", "1.8GHz", "1800000");
	expect_file(&devices, CLUSTER(1) MAX, "1800000");
	expect_file(&devices, PACKAGE MAX, "2400000");
	expect_file(&devices, PW_UNCORE_DIR "/uncore_other" MAX, "100000");
	devices_restore(&devices, "uncore-max", &back);
	devices_close(&devices);
}

static void a_domain_without_its_cpu(void **state)
{
	struct devices devices;
	struct pw_err err;

	(void)state;
	devices_open(&devices, "intel-hwp-active");
	devices.part = PACKAGE MAX;
	devices.read_errno = ENXIO;
	expect_probe(&devices, "uncore-min", -PW_EUNSUPPORTED,
		     "the CPU that this domain is controlled from is offline");
	devices.read_errno = 0;
	devices.write_errno = ENXIO; /* gone since the probe */
	assert_int_equal(fake_apply(&devices.env.env, "uncore-max", "1.8GHz", &err), -PW_EGONE);
	assert_has(err.text, "package_00_die_00: write " PACKAGE MAX " '1800000'");
	assert_has(err.text, "controlled from is offline");
	devices.write_errno = EIO;
	assert_int_equal(fake_apply(&devices.env.env, "uncore-max", "1.8GHz", &err), -PW_EIO);
	devices.write_errno = EPERM;
	assert_int_equal(fake_apply(&devices.env.env, "uncore-max", "1.8GHz", &err), -PW_EDENIED);
	devices.write_errno = 0;
	devices.deaf = true; /* the firmware keeps its own */
	assert_int_equal(fake_apply(&devices.env.env, "uncore-max", "1.8GHz", &err), -PW_ETIMEOUT);
	assert_has(err.text, "asked '1800000', is '2400000'");
	assert_has(err.hint, "is uncore-min above uncore-max?");
	devices.deaf = false;
	devices.late = 5;
	expect_applied(&devices, "uncore-max", "1.8GHz", "1800000");
	devices_close(&devices);
}

static void machines_without_uncore_limits(void **state)
{
	static const char *const trees[] = { "vm-empty", "amd-pstate-epp", "intel-desktop" };
	struct devices devices;
	struct pw_err err;

	(void)state;
	for (size_t i = 0; i < PW_LENGTH(trees); i++) {
		devices_open(&devices, trees[i]);
		assert_int_equal(fake_knob("uncore-max")->probe(&devices.env.env, &err),
				 -PW_EUNSUPPORTED);
		assert_has(err.text, "no uncore limits below " PW_UNCORE_DIR);
		assert_has(err.hint, "modprobe intel_uncore_frequency");
		expect_probe(&devices, "uncore-min", -PW_EUNSUPPORTED, "no uncore limits");
		devices_close(&devices);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(either_limit_makes_way),
		cmocka_unit_test(the_pair_is_never_crossed),
		cmocka_unit_test(limits_are_cut_to_whole_steps),
		cmocka_unit_test(outside_of_the_first_limits),
		cmocka_unit_test(clusters_rather_than_their_packages),
		cmocka_unit_test(a_domain_without_its_cpu),
		cmocka_unit_test(machines_without_uncore_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
