/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/clock.h"
#include "lib/base/mem.h"
#include "lib/model/plan.h"

#define RUN_NS (10 * PW_NS_PER_S)

static int64_t ten_seconds(const struct pw_work *work)
{
	assert_non_null(work->options);
	assert_int_equal(work->cpus, 8);
	return RUN_NS;
}

static const struct pw_workload known = { .name = "tbench",
					  .sweep = "clients",
					  .duration = ten_seconds };
static const struct pw_workload unknown = { .name = "exec" };
static const struct pw_knob plain = { .name = "governor" };
static const struct pw_knob recreates = { .name = "driver-mode", .flags = PW_KNOB_RECREATES };

static char *names[] = { (char[]){ "A" }, (char[]){ "B" }, (char[]){ "C" } };
static const bool all[] = { true, true, true };

struct fixture {
	struct pw_config config;
	struct pw_configuration configs[3];
	struct pw_setting settings[3];
	struct pw_entry entries[2];
	struct pw_point sweep[2], single[1];
};

static struct pw_point point(int64_t clients)
{
	struct pw_point made = { .value = pw_value_object() };

	if (clients)
		pw_value_set(&made.value, "clients", pw_value_int(clients));
	made.text = clients ? pw_sprintf("clients=%d", (int)clients) : pw_strdup("");
	return made;
}

static void point_done(struct pw_point *made)
{
	pw_value_done(&made->value);
	free(made->text);
}

/* Three configurations that differ in `knob`, tbench at two points, kernbench without a sweep. */
static void setup(struct fixture *f, size_t configs, const struct pw_knob *knob)
{
	*f = (struct fixture){ 0 };
	for (size_t i = 0; i < configs; i++) {
		f->settings[i] =
			(struct pw_setting){ .knob = knob, .value = pw_value_int((int64_t)i) };
		f->configs[i] = (struct pw_configuration){ .name = names[i],
							   .settings = &f->settings[i],
							   .setting_count = 1 };
	}
	f->sweep[0] = point(1);
	f->sweep[1] = point(8);
	f->single[0] = point(0);
	f->entries[0] = (struct pw_entry){ .workload = &known,
					   .name = (char *)"tbench",
					   .options = pw_value_object(),
					   .points = f->sweep,
					   .point_count = 2 };
	f->entries[1] = (struct pw_entry){ .workload = &known,
					   .name = (char *)"kernbench",
					   .options = pw_value_object(),
					   .points = f->single,
					   .point_count = 1 };
	f->config = (struct pw_config){ .configs = f->configs,
					.config_count = configs,
					.entries = f->entries,
					.entry_count = 2,
					.idle_ns = 30 * PW_NS_PER_S };
	f->config.repeat.blocks = 6;
	f->config.repeat.warmup = 1;
	f->config.repeat.settle_ns = 5 * PW_NS_PER_S;
	f->config.repeat.order = PW_ORDER_CELL;
}

static void teardown(struct fixture *f)
{
	point_done(&f->sweep[0]);
	point_done(&f->sweep[1]);
	point_done(&f->single[0]);
	pw_value_done(&f->entries[0].options);
	pw_value_done(&f->entries[1].options);
}

static void make(struct fixture *f, uint64_t seed, struct pw_plan *plan)
{
	pw_plan_make(&f->config, all, seed, 8, plan);
}

/* The configurations of one cell in one block, as letters by position. */
static void order_of(const struct pw_plan *plan, unsigned block, size_t entry, size_t at,
		     char *text)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct pw_step *step = &plan->steps[i];

		if (step->kind != PW_STEP_RUN || step->block != block || step->entry != entry ||
		    step->point != at)
			continue;
		text[step->position - 1] = (char)('A' + (int)step->config);
		text[step->position] = '\0';
	}
}

/* Field by field: structs have padding, which holds anything. */
static bool same_steps(const struct pw_plan *a, const struct pw_plan *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++) {
		const struct pw_step *x = &a->steps[i], *y = &b->steps[i];

		same = x->kind == y->kind && x->config == y->config && x->entry == y->entry &&
		       x->point == y->point && x->block == y->block && x->position == y->position &&
		       x->order == y->order;
	}
	return same;
}

static void test_same_seed_same_plan(void **state)
{
	struct fixture f;
	struct pw_plan a, b, c;

	(void)state;
	setup(&f, 3, &plain);
	make(&f, 7, &a);
	make(&f, 7, &b);
	make(&f, 8, &c);
	assert_true(same_steps(&a, &b));
	assert_int_equal(a.count, c.count);
	assert_false(same_steps(&a, &c));
	pw_plan_done(&a);
	pw_plan_done(&b);
	pw_plan_done(&c);
	teardown(&f);
}

static void test_blocks_hold_every_cell_once(void **state)
{
	unsigned seen[7][3][2][2] = { 0 };
	struct fixture f;
	struct pw_plan plan;
	unsigned order = 0;

	(void)state;
	setup(&f, 3, &plain);
	make(&f, 1, &plan);
	for (size_t i = 0; i < plan.count; i++) {
		const struct pw_step *step = &plan.steps[i];

		if (step->kind != PW_STEP_RUN)
			continue;
		assert_int_equal(step->order, ++order);
		seen[step->block][step->config][step->entry][step->point]++;
	}
	assert_int_equal(order, plan.runs);
	assert_int_equal(plan.runs, 6 * 3 * 3);
	for (unsigned block = 1; block <= 6; block++) {
		for (size_t config = 0; config < 3; config++) {
			assert_int_equal(seen[block][config][0][0], 1);
			assert_int_equal(seen[block][config][0][1], 1);
			assert_int_equal(seen[block][config][1][0], 1);
		}
	}
	pw_plan_done(&plan);
	teardown(&f);
}

static void test_neighbours(void **state)
{
	struct fixture f;
	struct pw_plan plan;

	(void)state;
	setup(&f, 3, &plain);
	make(&f, 1, &plan);
	/* Inside a block the three runs of one (workload, point) follow one another. */
	for (size_t i = 0; i < plan.count; i++) {
		const struct pw_step *step = &plan.steps[i];

		if (step->kind != PW_STEP_RUN || step->position != 1)
			continue;
		for (unsigned j = 1; j < 3; j++) {
			assert_int_equal(step[j].entry, step->entry);
			assert_int_equal(step[j].point, step->point);
			assert_int_equal(step[j].block, step->block);
			assert_int_equal(step[j].position, j + 1);
		}
	}
	pw_plan_done(&plan);
	teardown(&f);
}

/* Computed apart, from the definition of SplitMix64, FNV-1a and the seed's text. */
static void test_pinned_order(void **state)
{
	static const char *const first[] = { "BCA", "CBA", "ABC" };
	static const char *const second[] = { "ABC", "BCA", "ABC" };
	struct fixture f;
	struct pw_plan plan;
	char text[4];

	(void)state;
	setup(&f, 3, &plain);
	make(&f, 42, &plan);
	for (unsigned block = 1; block <= 3; block++) {
		order_of(&plan, block, 0, 0, text);
		assert_string_equal(text, first[block - 1]);
		order_of(&plan, block, 0, 1, text);
		assert_string_equal(text, second[block - 1]);
	}
	pw_plan_done(&plan);
	teardown(&f);
}

static void test_two_take_turns(void **state)
{
	static const size_t cells[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 } };
	struct fixture f;
	struct pw_plan plan;
	bool start_a = false, start_b = false;

	(void)state;
	setup(&f, 2, &plain);
	for (uint64_t seed = 0; seed < 8; seed++) {
		make(&f, seed, &plan);
		for (size_t cell = 0; cell < PW_LENGTH(cells); cell++) {
			char before[3] = "", text[3];

			for (unsigned block = 1; block <= 6; block++) {
				order_of(&plan, block, cells[cell][0], cells[cell][1], text);
				assert_true(strcmp(text, "AB") == 0 || strcmp(text, "BA") == 0);
				assert_string_not_equal(text, before);
				memcpy(before, text, sizeof(before));
				start_a |= block == 1 && text[0] == 'A';
				start_b |= block == 1 && text[0] == 'B';
			}
		}
		pw_plan_done(&plan);
	}
	assert_true(start_a && start_b);
	teardown(&f);
}

static void test_recreating_knob_goes_by_config(void **state)
{
	struct fixture f;
	struct pw_plan plan;
	unsigned switches = 0;
	size_t before = SIZE_MAX;

	(void)state;
	setup(&f, 3, &recreates);
	make(&f, 3, &plan);
	for (size_t i = 0; i < plan.count; i++) {
		const struct pw_step *step = &plan.steps[i];

		if (step->kind != PW_STEP_RUN || step->block != 2 || step->entry != 0)
			continue;
		switches += step->config != before;
		before = step->config;
	}
	/* Two points, three configurations: both points of one, then of the next. */
	assert_int_equal(switches, 3);
	assert_int_equal(plan.runs, 6 * 3 * 3);
	pw_plan_done(&plan);
	/* An equal value is no switch; one side without the knob is. */
	pw_value_done(&f.settings[1].value);
	f.settings[1].value = pw_value_int(0);
	f.configs[2].setting_count = 0;
	make(&f, 3, &plan);
	before = SIZE_MAX;
	switches = 0;
	for (size_t i = 0; i < plan.count; i++) {
		const struct pw_step *step = &plan.steps[i];

		if (step->kind == PW_STEP_RUN && step->block == 2 && step->entry == 0) {
			switches += step->config != before;
			before = step->config;
		}
	}
	assert_int_equal(switches, 3);
	pw_plan_done(&plan);
	teardown(&f);
}

static void test_idle_and_warmup(void **state)
{
	struct fixture f;
	struct pw_plan plan;
	size_t warmups = 0;

	(void)state;
	setup(&f, 3, &plain);
	f.config.repeat.warmup = 2;
	make(&f, 5, &plan);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(plan.steps[i].kind, PW_STEP_IDLE);
		assert_int_equal(plan.steps[i].config, i);
		assert_int_equal(plan.steps[i].block, 0);
		assert_int_equal(plan.steps[i].order, 0);
	}
	for (size_t i = 3; i < plan.count; i++) {
		const struct pw_step *step = &plan.steps[i];
		const struct pw_step *next = step + 1;

		assert_int_not_equal(step->kind, PW_STEP_IDLE);
		if (step->kind != PW_STEP_WARMUP)
			continue;
		warmups++;
		assert_int_equal(step->block, 0);
		assert_int_equal(step->point, 0);
		/* Just before the workload's first run, with its configuration. */
		assert_int_equal(next->entry, step->entry);
		assert_int_equal(next->config, step->config);
		assert_true(next->kind == PW_STEP_WARMUP || next->block == 1);
	}
	assert_int_equal(warmups, 4);
	assert_int_equal(plan.count, 3 + 4 + plan.runs);
	pw_plan_done(&plan);
	teardown(&f);
}

static void test_duration(void **state)
{
	struct fixture f;
	struct pw_plan plan;
	int64_t overhead = 100 * PW_NS_PER_MS;
	int64_t runs = 6 * 3 * 3 + 2;

	(void)state;
	setup(&f, 3, &plain);
	make(&f, 5, &plan);
	assert_true(plan.duration_known);
	assert_int_equal(plan.duration_ns, runs * (RUN_NS + 5 * PW_NS_PER_S + overhead) +
						   3 * (30 * PW_NS_PER_S + overhead));
	pw_plan_done(&plan);
	f.entries[1].workload = &unknown;
	make(&f, 5, &plan);
	assert_false(plan.duration_known);
	pw_plan_done(&plan);
	teardown(&f);
}

static void test_unusable_are_left_out(void **state)
{
	static const bool two[] = { true, false, true };
	static const bool none[] = { false, false, false };
	struct fixture f;
	struct pw_plan plan;

	(void)state;
	setup(&f, 3, &plain);
	pw_plan_make(&f.config, two, 5, 8, &plan);
	assert_int_equal(plan.runs, 6 * 3 * 2);
	for (size_t i = 0; i < plan.count; i++)
		assert_int_not_equal(plan.steps[i].config, 1);
	pw_plan_done(&plan);
	pw_plan_make(&f.config, none, 5, 8, &plan);
	assert_int_equal(plan.count, 0);
	pw_plan_done(&plan);
	teardown(&f);
}

static void test_declared_order(void **state)
{
	struct fixture f;
	struct pw_plan plan;
	char text[4];

	(void)state;
	setup(&f, 3, &plain);
	f.config.repeat.order = PW_ORDER_DECLARED;
	make(&f, 42, &plan);
	for (unsigned block = 1; block <= 6; block++) {
		order_of(&plan, block, 0, 1, text);
		assert_string_equal(text, "ABC");
	}
	pw_plan_done(&plan);
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_seed_same_plan),
		cmocka_unit_test(test_blocks_hold_every_cell_once),
		cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_pinned_order),
		cmocka_unit_test(test_two_take_turns),
		cmocka_unit_test(test_recreating_knob_goes_by_config),
		cmocka_unit_test(test_idle_and_warmup),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_unusable_are_left_out),
		cmocka_unit_test(test_declared_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
