/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector_rig.h"

#define DEVICES "/sys/bus/event_source/devices"

static void power_pmu(struct rig *rig)
{
	rig_file(rig, DEVICES "/power/type", "17");
	rig_file(rig, DEVICES "/power/cpumask", "0,18");
	rig_file(rig, DEVICES "/power/format/event", "config:0-7");
	rig_file(rig, DEVICES "/power/events/energy-pkg", "event=0x02");
	rig_file(rig, DEVICES "/power/events/energy-pkg.scale", "2.3283064365386962890625e-10");
	rig_file(rig, DEVICES "/power/events/energy-pkg.unit", "Joules");
}

static void an_event_is_read_from_its_description(void **state)
{
	struct pw_perf_event event;
	struct rig rig;

	(void)state;
	rig_init(&rig, NULL);
	power_pmu(&rig);
	assert_int_equal(pw_perf_describe(&rig.root, "power", "energy-pkg", &event, &rig.err), 0);
	assert_int_equal(event.type, 17);
	assert_int_equal(event.config, 2);
	assert_true(event.scale == 0x1p-32);
	assert_string_equal(event.unit, "Joules");
	assert_string_equal(event.pmu, "power");
	assert_string_equal(event.name, "energy-pkg");
	rig_done(&rig);
}

static void formats_place_the_bits(void **state)
{
	static const struct {
		const char *format, *text;
		uint64_t config;
	} cases[] = {
		{ "config:0-7", "event=0x2f", 0x2f },
		{ "config:0-7", "event=47", 0x2f },
		{ "config:8-15", "event=0x2F", 0x2f00 },
		/* The low bits come first, wherever the parts are. */
		{ "config:0-7,32-35", "event=0xabc", UINT64_C(0xa000000bc) },
		{ "config:21", "event", UINT64_C(1) << 21 },
		{ "config:0-63", "event=0xffffffffffffffff", UINT64_MAX },
		{ "config:0-7", "config=0x1234", 0x1234 },
		{ "config:0-7", "event=0x02,umask=0x10", 0x1002 },
	};
	struct rig rig;

	(void)state;
	rig_init(&rig, NULL);
	rig_file(&rig, DEVICES "/x/type", "4");
	rig_file(&rig, DEVICES "/x/format/umask", "config:8-15");
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		struct pw_perf_event event;

		rig_file(&rig, DEVICES "/x/format/event", cases[i].format);
		rig_file(&rig, DEVICES "/x/events/e", cases[i].text);
		assert_int_equal(pw_perf_describe(&rig.root, "x", "e", &event, &rig.err), 0);
		assert_true(event.config == cases[i].config);
		assert_true(event.scale == 1.0);
		assert_string_equal(event.unit, "");
	}
	rig_done(&rig);
}

static void malformed_descriptions_are_refused(void **state)
{
	static const struct {
		const char *format, *text, *scale;
		int code;
	} cases[] = {
		{ "config:0-7", "event=0x100", "1", -PW_EINVAL },
		{ "config:0-7", "event=?", "1", -PW_EINVAL },
		{ "config:0-7", "event=0x", "1", -PW_EINVAL },
		{ "config:0-7", "event=0x1g", "1", -PW_EINVAL },
		{ "config:0-7", "event=0x11112222333344445", "1", -PW_EINVAL },
		{ "config:0-7", "other=1", "1", -PW_EINVAL },
		{ "config:0-7", "../type=1", "1", -PW_EINVAL },
		{ "config:7-0", "event=1", "1", -PW_EINVAL },
		{ "config:0-64", "event=1", "1", -PW_EINVAL },
		{ "config:", "event=1", "1", -PW_EINVAL },
		{ "config1:0-7", "event=1", "1", -PW_EUNSUPPORTED },
		{ "config:0-7", "event=1", "2,3e-10", -PW_EINVAL },
		{ "config:0-7", "event=1", "0", -PW_EINVAL },
		{ "config:0-7", "event=1", "-1", -PW_EINVAL },
		{ "config:0-7", ",", "1", -PW_EINVAL },
	};
	struct rig rig;

	(void)state;
	rig_init(&rig, NULL);
	rig_file(&rig, DEVICES "/x/type", "4");
	for (size_t i = 0; i < PW_LENGTH(cases); i++) {
		struct pw_perf_event event = { .type = 99 };

		rig_file(&rig, DEVICES "/x/format/event", cases[i].format);
		rig_file(&rig, DEVICES "/x/events/e", cases[i].text);
		rig_file(&rig, DEVICES "/x/events/e.scale", cases[i].scale);
		assert_int_equal(pw_perf_describe(&rig.root, "x", "e", &event, &rig.err),
				 cases[i].code);
		assert_int_equal(event.type, 99);
	}
	rig_done(&rig);
}

static void what_is_absent_says_so(void **state)
{
	struct pw_perf_event event;
	unsigned *cpus;
	size_t count;
	struct rig rig;

	(void)state;
	rig_init(&rig, NULL);
	assert_int_equal(pw_perf_describe(&rig.root, "power", "energy-pkg", &event, &rig.err),
			 -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.hint, "modprobe"));
	assert_int_equal(pw_perf_cpumask(&rig.root, "power", &cpus, &count, &rig.err),
			 -PW_EUNSUPPORTED);
	power_pmu(&rig);
	assert_int_equal(pw_perf_describe(&rig.root, "power", "energy-ram", &event, &rig.err),
			 -PW_EUNSUPPORTED);
	assert_non_null(strstr(rig.err.text, "energy-ram"));
	assert_int_equal(pw_perf_describe(&rig.root, "../power", "energy-pkg", &event, &rig.err),
			 -PW_EINVAL);
	rig_done(&rig);
}

static void the_cpumask_or_every_online_cpu(void **state)
{
	unsigned *cpus;
	size_t count;
	struct rig rig;

	(void)state;
	rig_init(&rig, NULL);
	power_pmu(&rig);
	assert_int_equal(pw_perf_cpumask(&rig.root, "power", &cpus, &count, &rig.err), 0);
	assert_int_equal(count, 2);
	assert_int_equal(cpus[1], 18);
	free(cpus);
	rig_file(&rig, DEVICES "/msr/type", "10");
	rig_file(&rig, "/sys/devices/system/cpu/online", "0-2,5");
	assert_int_equal(pw_perf_cpumask(&rig.root, "msr", &cpus, &count, &rig.err), 0);
	assert_int_equal(count, 4);
	assert_int_equal(cpus[3], 5);
	free(cpus);
	rig_file(&rig, DEVICES "/power/cpumask", "");
	assert_int_equal(pw_perf_cpumask(&rig.root, "power", &cpus, &count, &rig.err),
			 -PW_EUNSUPPORTED);
	rig_done(&rig);
}

static const struct pw_perf_event pair[] = { { .pmu = "msr", .name = "tsc" },
					     { .pmu = "msr", .name = "aperf" } };

static void a_fake_root_counts_in_files(void **state)
{
	struct pw_perf_reading reading;
	struct pw_perf perf;
	struct rig rig;
	int first, second;

	(void)state;
	rig_init(&rig, NULL);
	assert_int_equal(pw_perf_init(&perf, &rig.root, &rig.err), 0);
	assert_int_equal(perf.ops->open(&perf, pair, 2, 3, &rig.err), -PW_EUNSUPPORTED);
	rig_file(&rig, "/perf/msr/tsc/cpu3", "18446744073709551615");
	rig_file(&rig, "/perf/msr/aperf/cpu3", "7");
	first = perf.ops->open(&perf, pair, 2, 3, &rig.err);
	assert_true(first >= 0);
	rig_file(&rig, "/perf/msr/tsc/cpu0", "1");
	second = perf.ops->open(&perf, pair, 1, 0, &rig.err);
	assert_true(second >= 0 && second != first);
	assert_int_equal(perf.ops->read(&perf, first, &reading, &rig.err), 0);
	assert_true(reading.values[0] == UINT64_MAX && reading.values[1] == 7);
	rig_file(&rig, "/perf/msr/aperf/cpu3", "9");
	assert_int_equal(perf.ops->read(&perf, first, &reading, &rig.err), 0);
	assert_true(reading.values[1] == 9);
	rig_file(&rig, "/perf/msr/aperf/cpu3", "-9");
	assert_int_equal(perf.ops->read(&perf, first, &reading, &rig.err), -PW_EINVAL);
	rig_remove(&rig, "/perf/msr/aperf/cpu3");
	assert_int_equal(perf.ops->read(&perf, first, &reading, &rig.err), -PW_EGONE);
	/* A handle is used again only after it was closed. */
	perf.ops->close(&perf, first);
	assert_int_equal(perf.ops->open(&perf, pair, 1, 0, &rig.err), first);
	pw_perf_done(&perf);
	rig_done(&rig);
}

static void the_kernel_never_sees_a_fake_root(void **state)
{
	/* Type 1, config 0: the software event cpu-clock, which opens on any machine. */
	static const struct pw_perf_event clock = { .pmu = "software", .type = 1 };
	struct pw_perf perf;
	struct rig rig;

	(void)state;
	rig_init(&rig, NULL);
	pw_perf_init_kernel(&perf, &rig.root);
	assert_int_equal(perf.ops->open(&perf, &clock, 1, 0, &rig.err), -PW_EINVAL);
	pw_perf_done(&perf);
	rig_done(&rig);
}

static void the_kernel_counts_a_group(void **state)
{
	/* Two software events in one group: cpu-clock and context-switches. */
	static const struct pw_perf_event events[] = {
		{ .pmu = "software", .name = "cpu-clock", .type = 1, .config = 0 },
		{ .pmu = "software", .name = "context-switches", .type = 1, .config = 3 },
	};
	struct pw_perf_event nonsense = { .pmu = "none", .name = "none", .type = 0x7fffffff };
	struct pw_perf_reading before, after;
	struct pw_root root;
	struct pw_perf perf;
	struct pw_err err;
	int handle;

	(void)state;
	assert_int_equal(pw_root_open(NULL, &root, &err), 0);
	assert_int_equal(pw_perf_init(&perf, &root, &err), 0);
	handle = perf.ops->open(&perf, events, 2, 0, &err);
	if (handle == -PW_EDENIED) {
		assert_non_null(strstr(err.hint, "perf_event_paranoid"));
		pw_perf_done(&perf);
		pw_root_close(&root);
		skip();
	}
	assert_true(handle >= 0);
	assert_int_equal(perf.ops->read(&perf, handle, &before, &err), 0);
	assert_int_equal(perf.ops->read(&perf, handle, &after, &err), 0);
	assert_true(after.values[0] > before.values[0]);
	assert_true(after.values[1] >= before.values[1]);
	assert_true(after.enabled_ns > before.enabled_ns);
	assert_int_equal(perf.ops->open(&perf, &nonsense, 1, 0, &err), -PW_EUNSUPPORTED);
	perf.ops->close(&perf, handle);
	pw_perf_done(&perf);
	pw_root_close(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_is_read_from_its_description),
		cmocka_unit_test(formats_place_the_bits),
		cmocka_unit_test(malformed_descriptions_are_refused),
		cmocka_unit_test(what_is_absent_says_so),
		cmocka_unit_test(the_cpumask_or_every_online_cpu),
		cmocka_unit_test(a_fake_root_counts_in_files),
		cmocka_unit_test(the_kernel_never_sees_a_fake_root),
		cmocka_unit_test(the_kernel_counts_a_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
