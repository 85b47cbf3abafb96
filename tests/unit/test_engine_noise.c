/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/engine/noise.h"

#include "fake_root.h"

#include <math.h>

#include "lib/base/clock.h"
#include "lib/model/record.h"

#define RATE 100

static struct pw_config limits(double load, double process, double steal)
{
	struct pw_config config = { 0 };

	config.noise.load = load;
	config.noise.process = process;
	config.noise.steal = steal;
	return config;
}

/* A minute of four CPUs: 24000 ticks. */
static struct pw_interval minute(void)
{
	return (struct pw_interval){ .passed = { .idle = 24000 },
				     .ns = 60 * PW_NS_PER_S,
				     .tick_rate = RATE };
}

static void near(double found, double expected)
{
	if (fabs(found - expected) > 1e-9)
		fail_msg("%.12g, expected %.12g", found, expected);
}

static void the_workload_is_no_noise(void **state)
{
	struct pw_interval interval = minute();
	struct pw_noise_shares shares;

	(void)state;
	interval.passed = (struct pw_cpu_times){
		.user = 11000, .system = 1000, .idle = 11760, .iowait = 240, .irq = 0, .softirq = 0
	};
	interval.tree_ns = 100 * PW_NS_PER_S; /* 10000 ticks */
	interval.use.own = 100;
	interval.use.kernel = 700;
	pw_noise_shares(&interval, &shares);
	assert_true(shares.known);
	near(shares.others, 1200.0 / 24000);
	near(shares.kernel, 700.0 / 24000);
	near(shares.iowait, 0.01);
	near(shares.sure_others, (1200 - 2 * sqrt(24000)) / 24000);
	interval.tree_ns = 200 * PW_NS_PER_S; /* more than was counted as busy */
	pw_noise_shares(&interval, &shares);
	near(shares.others, 0);
	near(shares.sure_others, 0);
}

/* What interrupts take may be the workload's own network. */
static void interrupts_are_nobodys(void **state)
{
	struct pw_interval interval = minute();
	struct pw_noise_shares shares;

	(void)state;
	interval.passed.irq = 1000;
	interval.passed.softirq = 5000;
	pw_noise_shares(&interval, &shares);
	near(shares.others, 0);
}

static void the_larger_of_two_views(void **state)
{
	struct pw_process process = { .pid = 7, .name = "make\x01" };
	struct pw_interval interval = minute();
	struct pw_noise_shares shares;

	(void)state;
	interval.use = (struct pw_process_use){
		.others = 2400, .movers = 9, .heaviest = 3000, .process = &process
	};
	pw_noise_shares(&interval, &shares);
	near(shares.others, 0.1);
	near(shares.sure_others, (2400 - 2 * 3.0) / 24000);
	near(shares.heaviest, 0.5);
	assert_int_equal(shares.pid, 7);
	assert_string_equal(shares.name, "make\\u{0001}");
	interval.passed.user = 12000;
	interval.by_processes = true;
	interval.passed.idle = 12000;
	pw_noise_shares(&interval, &shares);
	near(shares.others, 0.1);
}

static void counters_that_stand_still(void **state)
{
	struct pw_interval interval = minute();
	struct pw_config config = limits(0, 0, 0);
	pw_auto_strv struct pw_strv texts = PW_STRV_INIT;
	struct pw_noise_shares shares;

	(void)state;
	interval.passed = (struct pw_cpu_times){ 0 };
	pw_noise_shares(&interval, &shares);
	assert_false(shares.known);
	pw_noise_beyond(&shares, &config, &texts);
	assert_int_equal(texts.count, 0);
}

static void beyond_a_limit(void **state)
{
	struct pw_noise_shares shares = { .known = true,
					  .others = 0.08,
					  .sure_others = 0.06,
					  .steal = 0.02,
					  .sure_steal = 0.015,
					  .heaviest = 0.31,
					  .pid = 99,
					  .name = "rsync" };
	struct pw_config tight = limits(0.05, 0.10, 0.01), wide = limits(0.06, 0.31, 0.015);
	struct pw_config none = limits(INFINITY, INFINITY, INFINITY);
	pw_auto_strv struct pw_strv texts = PW_STRV_INIT;

	(void)state;
	pw_noise_beyond(&shares, &none, &texts);
	pw_noise_beyond(&shares, &wide, &texts); /* at the limit is not beyond it */
	assert_int_equal(texts.count, 0);
	pw_noise_beyond(&shares, &tight, &texts);
	assert_int_equal(texts.count, 3);
	assert_string_equal(texts.items[0],
			    "noise: others used 8.0 % of the CPUs' time (the limit is 5 %)");
	assert_string_equal(texts.items[1],
			    "noise: rsync (pid 99) used 31 % of a CPU (the limit is 10 %)");
	assert_string_equal(
		texts.items[2],
		"noise: the hypervisor took 2.0 % of the CPUs' time (the limit is 1 %)");
}

/* Steal of two ticks may be rounding. */
static void steal_of_a_short_run(void **state)
{
	struct pw_interval interval = { .passed = { .idle = 18, .steal = 2 },
					.ns = PW_NS_PER_S / 10,
					.tick_rate = RATE };
	struct pw_noise_shares shares;

	(void)state;
	pw_noise_shares(&interval, &shares);
	near(shares.steal, 0.1);
	near(shares.sure_steal, 0);
}

static void a_machine_that_slept(void **state)
{
	(void)state;
	assert_false(pw_was_suspended(0));
	assert_false(pw_was_suspended(-5));
	assert_false(pw_was_suspended(10 * PW_NS_PER_MS));
	assert_true(pw_was_suspended(10 * PW_NS_PER_MS + 1));
}

struct bench {
	struct fake fake;
	struct pw_config config;
	struct pw_noise noise;
	struct pw_value record;
};

static void open_bench(struct bench *bench, struct pw_config config)
{
	*bench = (struct bench){ .config = config, .record = pw_value_object() };
	fake_open(&bench->fake, "vm-empty");
	fake_set(&bench->fake, "/proc/stat", "cpu  100 0 100 10000 0 0 0 0 0 0");
	fake_set(&bench->fake, "/proc/5/stat",
		 "5 (rsync) S 1 1 1 0 -1 0 0 0 0 0 10 0 0 0 20 0 1 0 3 0");
	fake_set(&bench->fake, "/sys/class/power_supply/AC/type", "Mains");
	fake_set(&bench->fake, "/sys/class/power_supply/AC/online", "1");
	fake_set(&bench->fake, "/sys/class/power_supply/BAT0/type", "Battery");
	fake_set(&bench->fake, "/sys/class/power_supply/BAT0/status", "Full");
	pw_value_set(&bench->record, "status", pw_value_text("ok"));
	pw_noise_init(&bench->noise, &bench->fake.root, &bench->config);
}

static void close_bench(struct bench *bench)
{
	pw_noise_done(&bench->noise);
	pw_value_done(&bench->record);
	fake_close(&bench->fake);
}

static void a_busy_run(struct bench *bench)
{
	pw_noise_begin(&bench->noise);
	fake_set(&bench->fake, "/proc/stat", "cpu  5100 0 100 15000 0 0 0 0 0 0");
	fake_set(&bench->fake, "/proc/5/stat",
		 "5 (rsync) S 1 1 1 0 -1 0 0 0 0 0 5010 0 0 0 20 0 1 0 3 0");
	pw_noise_end(&bench->noise);
	pw_noise_report(&bench->noise, 0, &bench->record);
}

static void a_run_is_warned_of(void **state)
{
	struct bench bench;
	const struct pw_value *noise, *heaviest;

	(void)state;
	open_bench(&bench, limits(0.05, 0.10, 0.01));
	a_busy_run(&bench);
	noise = pw_value_get(&bench.record, "noise");
	assert_non_null(noise);
	near(pw_value_get_real(noise, "others_pct", 0), 50);
	near(pw_value_get_real(noise, "steal_pct", 9), 0);
	assert_string_equal(pw_value_get_text(noise, "supply", ""), "mains");
	heaviest = pw_value_get(noise, "heaviest");
	assert_string_equal(pw_value_get_text(heaviest, "name", ""), "rsync");
	assert_int_equal(pw_value_get_int(heaviest, "pid", 0), 5);
	assert_int_equal(pw_value_get(&bench.record, "warnings")->count, 2);
	assert_string_equal(pw_value_get_text(&bench.record, "status", ""), "ok");
	close_bench(&bench);
}

static void a_run_is_refused(void **state)
{
	struct pw_config config = limits(0.05, INFINITY, INFINITY);
	struct bench bench;

	(void)state;
	config.noise.refuse = true;
	open_bench(&bench, config);
	a_busy_run(&bench);
	assert_string_equal(pw_value_get_text(&bench.record, "status", ""), "invalidated");
	assert_ptr_equal(strstr(pw_value_get_text(&bench.record, "reason", ""), "noise: others"),
			 pw_value_get_text(&bench.record, "reason", ""));
	close_bench(&bench);
}

static void nothing_is_looked_at(void **state)
{
	struct pw_config config = limits(0, 0, 0);
	struct bench bench;
	struct pw_value described;
	pw_auto_strv struct pw_strv notes = PW_STRV_INIT;
	struct pw_err err;

	(void)state;
	config.noise.off = true;
	config.noise.refuse = true;
	open_bench(&bench, config);
	fake_must(pw_noise_survey(&bench.noise, &notes, &err), &err);
	assert_int_equal(notes.count, 0);
	described = pw_noise_describe(&bench.noise);
	assert_int_equal(described.type, PW_VALUE_UNSET);
	a_busy_run(&bench);
	assert_null(pw_value_get(&bench.record, "noise"));
	assert_null(pw_value_get(&bench.record, "warnings"));
	close_bench(&bench);
}

static void the_cable_is_pulled(void **state)
{
	struct bench bench;

	(void)state;
	open_bench(&bench, limits(INFINITY, INFINITY, INFINITY));
	pw_noise_begin(&bench.noise);
	fake_set(&bench.fake, "/sys/class/power_supply/AC/online", "0");
	fake_set(&bench.fake, "/sys/class/power_supply/BAT0/status", "Discharging");
	pw_noise_end(&bench.noise);
	pw_noise_report(&bench.noise, 0, &bench.record);
	assert_string_equal(pw_value_get_text(&bench.record, "status", ""), "invalidated");
	assert_string_equal(pw_value_get_text(&bench.record, "reason", ""),
			    "the power source changed from mains to battery during the run");
	close_bench(&bench);
}

/* Suspended since the run before: a warning; the first run has none before it. */
static void asleep_between_two_runs(void **state)
{
	struct bench bench;

	(void)state;
	open_bench(&bench, limits(INFINITY, INFINITY, INFINITY));
	pw_noise_begin(&bench.noise);
	pw_noise_end(&bench.noise);
	pw_noise_report(&bench.noise, 0, &bench.record);
	assert_null(pw_value_get(&bench.record, "warnings"));
	bench.noise.suspended_ns -= 90 * PW_NS_PER_S;
	pw_noise_begin(&bench.noise);
	pw_noise_end(&bench.noise);
	pw_noise_report(&bench.noise, 0, &bench.record);
	assert_string_equal(pw_value_get(&bench.record, "warnings")->items[0].text,
			    "noise: the machine was suspended for 90.0 s before this run");
	assert_string_equal(pw_value_get_text(&bench.record, "status", ""), "ok");
	close_bench(&bench);
}

static void a_survey_without_proc_stat(void **state)
{
	struct pw_config config = limits(0, 0, 0);
	struct bench bench;
	pw_auto_strv struct pw_strv notes = PW_STRV_INIT;
	pw_auto_value struct pw_value described = PW_VALUE_INIT;
	struct pw_err err;

	(void)state;
	config.noise.refuse = true;
	open_bench(&bench, config);
	pw_auto_free char *path = pw_sprintf("%s/proc/stat", bench.fake.dir);

	assert_int_equal(unlink(path), 0);
	fake_must(pw_noise_survey(&bench.noise, &notes, &err), &err);
	described = pw_noise_describe(&bench.noise);
	assert_string_equal(pw_value_get_text(&described, "unavailable", ""),
			    "/proc/stat cannot be read");
	close_bench(&bench);
}

static void stopped_services_are_no_daemons(void **state)
{
	struct bench bench;
	pw_auto_strv struct pw_strv notes = PW_STRV_INIT;
	pw_auto_value struct pw_value described = PW_VALUE_INIT;
	pw_auto_free char *blame = NULL, *none = NULL;
	const struct pw_value *daemons;
	struct pw_err err;

	(void)state;
	open_bench(&bench, limits(INFINITY, INFINITY, INFINITY));
	fake_set(&bench.fake, "/proc/812/comm", "tuned");
	fake_set(&bench.fake, "/proc/813/comm", "thermald");
	fake_set(&bench.fake, "/proc/814/comm", "irqbalance");
	pw_strv_push(&bench.config.services, "thermald");
	fake_must(pw_noise_survey(&bench.noise, &notes, &err), &err);
	assert_int_equal(notes.count, 1);
	assert_non_null(strstr(notes.items[0], "tuned (pid 812) may change governor"));
	assert_non_null(strstr(notes.items[0], "\"services\": { \"tuned\": \"stop\" }"));
	described = pw_noise_describe(&bench.noise);
	daemons = pw_value_get(&described, "daemons");
	assert_int_equal(daemons->count, 2);
	assert_string_equal(pw_value_get_text(&daemons->items[1], "name", ""), "irqbalance");
	blame = pw_noise_blame(&bench.noise, "/sys/x/scaling_governor changed during the run");
	assert_string_equal(blame, "; tuned (pid 812) is known to write it");
	none = pw_noise_blame(&bench.noise, "/sys/x/current_governor changed during the run");
	assert_string_equal(none, "");
	pw_strv_done(&bench.config.services);
	close_bench(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_workload_is_no_noise),
		cmocka_unit_test(interrupts_are_nobodys),
		cmocka_unit_test(the_larger_of_two_views),
		cmocka_unit_test(counters_that_stand_still),
		cmocka_unit_test(beyond_a_limit),
		cmocka_unit_test(steal_of_a_short_run),
		cmocka_unit_test(a_machine_that_slept),
		cmocka_unit_test(a_run_is_warned_of),
		cmocka_unit_test(a_run_is_refused),
		cmocka_unit_test(nothing_is_looked_at),
		cmocka_unit_test(the_cable_is_pulled),
		cmocka_unit_test(asleep_between_two_runs),
		cmocka_unit_test(a_survey_without_proc_stat),
		cmocka_unit_test(stopped_services_are_no_daemons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
