/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Energy is right within the uncertainty that it states, or absent: random machines, counters and
 * readers, thousands of each kind. A machine is one to three packages whose power changes from
 * piece to piece; a counter shows the energy of its last update, up to 1 ms ago, in units of the
 * hardware and 32 bits, as powercap or as perf shows them; a reader reads in time, is held back now
 * and then, or hardly reads at all.
 *
 * The uncertainty assumes that power at an end of the window is below twice what the run saw at its
 * busiest. Machines of the first kind keep to that (their power stays within a factor of two); of
 * the others the difference at the ends is allowed for and nothing else.
 */
#include "collector_rig.h"

#include "collectors/common/energy.h"

#define PIECES	 32
#define PACKAGES 3
#define MOST_W	 900.0
#define CASES	 2000

struct machine {
	double watts[PIECES], until_s[PIECES], until_j[PIECES];
};

/* What the kernel keeps of a perf event (arch/x86/events/rapl.c). */
struct event {
	uint32_t seen;
	int64_t counted; /* 2^-32 J */
	double timer_s;	 /* when its own timer reads next */
};

struct world {
	struct machine machines[PACKAGES];
	struct event events[PACKAGES];
	size_t packages;
	unsigned esu; /* units of 2^-esu J */
	double offset_j[PACKAGES], phase_s;
	double reset_s; /* all counters start anew; 0: never */
	bool perf;
	uint64_t seed;
};

/* One world at a time: the clock has no context. */
static double sim_s;
static uint64_t sim_seed;

/* SplitMix64 (Steele, Lea, Flood 2014). */
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

/* Each look costs up to 50 us, and in one of 16 cases the reader loses the CPU for 2 ms. */
static int64_t sim_clock(void)
{
	int64_t now_ns = (int64_t)llround(sim_s * 1e9);

	sim_s += next(&sim_seed) % 16 ? between(&sim_seed, 0, 5e-5) : 2e-3;
	return now_ns;
}

static size_t piece_at(const struct machine *machine, double at_s)
{
	size_t i = 0;

	while (i + 1 < PIECES && machine->until_s[i] < at_s)
		i++;
	return i;
}

static double true_j(const struct machine *machine, double at_s)
{
	size_t i = piece_at(machine, at_s);

	return machine->until_j[i] - (machine->until_s[i] - at_s) * machine->watts[i];
}

static uint32_t hardware(const struct world *world, size_t package, double at_s)
{
	double updated_s = floor((at_s - world->phase_s) * 1000.0) / 1000.0 + world->phase_s;
	double joules = true_j(&world->machines[package], updated_s < 0 ? 0 : updated_s);

	if (world->reset_s > 0.0 && at_s >= world->reset_s)
		joules -= true_j(&world->machines[package], world->reset_s);
	else
		joules += world->offset_j[package];
	return (uint32_t)(uint64_t)ldexp(joules, (int)world->esu);
}

static void kernel_update(const struct world *world, struct event *event, size_t package,
			  double at_s)
{
	uint32_t now = hardware(world, package, at_s);
	int64_t delta = (int64_t)((uint64_t)(now - event->seen) << 32) >> 32;

	event->seen = now;
	event->counted += delta * (INT64_C(1) << (32 - world->esu));
}

/* 5 ms x 2^(31 - ESU): the kernel's own timer, meant for 200 W. */
static double timer_s(const struct world *world)
{
	return ldexp(0.005, 31 - (int)world->esu);
}

static uint64_t perf_value(struct world *world, size_t package)
{
	struct event *event = &world->events[package];

	for (; event->timer_s <= sim_s; event->timer_s += timer_s(world))
		kernel_update(world, event, package, event->timer_s);
	kernel_update(world, event, package, sim_s);
	return (uint64_t)event->counted;
}

static uint64_t unit_nj(const struct world *world)
{
	return (uint64_t)ldexp(1e9, -(int)world->esu);
}

static int read_counter(void *context, size_t index, uint64_t *ret, struct pw_err *err)
{
	struct world *world = context;

	(void)err;
	if (world->perf)
		*ret = perf_value(world, index);
	else
		*ret = hardware(world, index, sim_s) * unit_nj(world) / 1000;
	return 0;
}

static void make_machine(struct machine *machine, bool tame, uint64_t *seed)
{
	double at_s = 0.0, joules = 0.0, high_w = between(seed, 5, MOST_W);

	for (size_t i = 0; i < PIECES; i++) {
		double length_s = next(seed) % 4 ? between(seed, 0.02, 3) : between(seed, 3, 60);

		machine->watts[i] = between(seed, tame ? high_w / 2 : 1, high_w);
		at_s += length_s;
		joules += length_s * machine->watts[i];
		machine->until_s[i] = at_s;
		machine->until_j[i] = joules;
	}
	machine->until_s[PIECES - 1] += 1e6; /* and so on */
	machine->until_j[PIECES - 1] += 1e6 * machine->watts[PIECES - 1];
}

static void make_world(struct world *world, bool perf, bool tame, uint64_t *seed)
{
	*world = (struct world){ .perf = perf, .packages = 1 + next(seed) % PACKAGES };
	world->esu = 14 + (unsigned)(next(seed) % 3);
	world->phase_s = between(seed, 0, 1e-3);
	for (size_t i = 0; i < world->packages; i++) {
		make_machine(&world->machines[i], tame, seed);
		world->offset_j[i] = between(seed, 0, ldexp(1, 32 - (int)world->esu));
	}
}

/* Domains with the limits that the two collectors give theirs. */
static void open_account(struct pw_energy *energy, struct world *world)
{
	static const struct pw_collect collect = { .scope = "package", .clock = sim_clock };
	uint64_t range = UINT32_MAX * unit_nj(world) / 1000;

	pw_energy_init(energy, world->perf ? "perf" : "powercap", &collect);
	energy->read = read_counter;
	energy->context = world;
	for (size_t i = 0; i < world->packages; i++) {
		struct pw_energy_domain *domain;
		char suffix[24];

		(void)snprintf(suffix, sizeof(suffix), "-%zu", i);
		domain = pw_energy_add(energy, PW_ENERGY_PACKAGE, (int)i, suffix);
		domain->joules = world->perf ? 0x1p-32 : 1e-6;
		domain->counter.max_per_s =
			(world->perf ? PW_ENERGY_MAX_W : 1000.0) / domain->joules;
		domain->step_j = world->perf ? 0x1p-14 : ldexp(1, -(int)world->esu) + 1e-6;
		if (world->perf) {
			domain->counter.alias = UINT64_C(65536) << 32;
		} else {
			domain->counter.range = range;
			domain->counter.step = (unit_nj(world) + 500) / 1000;
			domain->rounding = 1.0 / (double)unit_nj(world);
		}
		world->events[i] = (struct event){
			.seen = hardware(world, i, sim_s),
			.timer_s = sim_s + timer_s(world),
		};
	}
}

/* The highest power of a machine in the last 3 ms before a moment, where readings may lag. */
static double edge_w(const struct machine *machine, double at_s)
{
	double watts = 0.0;

	for (size_t i = piece_at(machine, at_s - 3e-3); i <= piece_at(machine, at_s + 3e-3); i++)
		watts = fmax(watts, machine->watts[i]);
	return watts;
}

/* What the stated uncertainty does not cover by its own assumption, J; 0 for tame machines. */
static double beyond_assumption_j(const struct pw_energy *energy, const struct world *world,
				  double from_s, double to_s, double total_j)
{
	double mean_w = total_j / (to_s - from_s), most_w = 0.0;
	double seen_w = fmax(mean_w, energy->busiest_w);
	double edges_s = (double)pw_energy_edges_ns(energy) / 1e9;

	for (size_t i = 0; i < world->packages; i++)
		most_w += fmax(edge_w(&world->machines[i], from_s),
			       edge_w(&world->machines[i], to_s));
	return most_w > 2 * seen_w ? (most_w - 2 * seen_w) * edges_s : 0.0;
}

struct tally {
	unsigned valid, absent, beyond;
};

/* Was the energy there? Then it is right. */
static bool check(struct pw_energy *energy, struct world *world, struct tally *tally)
{
	pw_auto_value struct pw_value section = pw_value_object();
	pw_auto_strv struct pw_strv warnings = PW_STRV_INIT;
	double from_s = (double)pw_stamp_middle(&energy->first) / 1e9;
	double to_s = (double)pw_stamp_middle(&energy->last) / 1e9;
	double truth_j = 0.0, total_j, stated_j, more_j;
	struct pw_err err;

	if (pw_energy_report(energy, &section, &warnings, &err) < 0) {
		tally->absent++;
		return false;
	}
	tally->valid++;
	total_j = (double)pw_value_get_int(&section, "total_uj", 0) * 1e-6;
	stated_j = (double)pw_value_get_int(&section, "uncertainty_uj", 0) * 1e-6;
	for (size_t i = 0; i < world->packages; i++)
		truth_j += true_j(&world->machines[i], to_s) - true_j(&world->machines[i], from_s);
	more_j = beyond_assumption_j(energy, world, from_s, to_s, total_j);
	tally->beyond += more_j > 0.0;
	if (fabs(total_j - truth_j) > stated_j + more_j) {
		print_error("%.6f J instead of %.6f J +- %.6f J (+ %.6f J), %g s, ESU %u, %s\n",
			    total_j, truth_j, stated_j, more_j, to_s - from_s, world->esu,
			    world->perf ? "perf" : "powercap");
		fail();
	}
	return true;
}

enum reader { IN_TIME, HELD_BACK, RARELY };

static double pause_s(enum reader reader, uint64_t *seed)
{
	switch (reader) {
	case IN_TIME:
		return between(seed, 0.05, 10);
	case HELD_BACK:
		return next(seed) % 8 ? between(seed, 0.5, 2) : between(seed, 5, 120);
	case RARELY:
		break;
	}
	return between(seed, 30, 700);
}

static bool run(struct world *world, enum reader reader, struct tally *tally, uint64_t *seed)
{
	struct pw_energy energy;
	struct pw_err err;
	double power_w;
	size_t reads = next(seed) % 12;
	bool valid;

	sim_s = between(seed, 0.01, 5);
	sim_seed = *seed;
	open_account(&energy, world);
	(void)!pw_energy_begin(&energy, &err);
	for (size_t i = 0; i < reads; i++) {
		sim_s += pause_s(reader, seed);
		(void)!pw_energy_sample(&energy, &power_w, &err);
	}
	sim_s += pause_s(reader, seed);
	(void)!pw_energy_end(&energy, &err);
	valid = check(&energy, world, tally);
	pw_energy_done(&energy);
	return valid;
}

static void cases(enum reader reader, bool tame, struct tally *tally, uint64_t seed)
{
	for (unsigned i = 0; i < CASES; i++) {
		struct world world;

		make_world(&world, i % 2, tame, &seed);
		/* In time there is always a number. */
		if (!run(&world, reader, tally, &seed) && reader == IN_TIME)
			fail_msg("case %u: no number though it was read in time", i);
	}
}

static void read_in_time_energy_is_right(void **state)
{
	struct tally tame = { 0 }, wild = { 0 };

	(void)state;
	cases(IN_TIME, true, &tame, 1);
	cases(IN_TIME, false, &wild, 2);
	assert_int_equal(tame.valid, CASES);
	assert_int_equal(tame.beyond, 0);
	assert_int_equal(wild.valid, CASES);
	/* The assumption holds of most wild machines as well. */
	assert_true(wild.beyond < CASES / 4);
}

static void held_back_it_is_right_or_absent(void **state)
{
	struct tally tame = { 0 }, wild = { 0 };

	(void)state;
	cases(HELD_BACK, true, &tame, 3);
	cases(HELD_BACK, false, &wild, 4);
	assert_int_equal(tame.beyond, 0);
	assert_true(tame.valid > CASES / 4 && tame.absent > CASES / 20);
	assert_true(wild.valid > CASES / 4 && wild.absent > CASES / 20);
}

static void hardly_read_it_is_right_or_absent(void **state)
{
	struct tally tame = { 0 };

	(void)state;
	cases(RARELY, true, &tame, 5);
	assert_int_equal(tame.beyond, 0);
	assert_true(tame.absent > CASES / 2);
}

/* Counters that start anew in mid-run, where that cannot pass for a wrap. */
static void a_reset_is_no_number(void **state)
{
	uint64_t seed = 6;
	struct tally tally = { 0 };

	(void)state;
	for (unsigned i = 0; i < CASES; i++) {
		struct world world;
		bool valid;

		make_world(&world, i % 2, true, &seed);
		world.esu = 14;
		for (size_t k = 0; k < world.packages; k++)
			world.offset_j[k] = between(&seed, 2e4, 1.5e5);
		world.reset_s = between(&seed, 5.001, 15);
		valid = run(&world, IN_TIME, &tally, &seed);
		/* The run may have ended before it. */
		assert_true(!valid || sim_s < world.reset_s + 0.1);
	}
	assert_true(tally.absent > CASES / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_in_time_energy_is_right),
		cmocka_unit_test(held_back_it_is_right_or_absent),
		cmocka_unit_test(hardly_read_it_is_right_or_absent),
		cmocka_unit_test(a_reset_is_no_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
